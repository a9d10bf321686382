// Programs of others, found on PATH or where daemons are.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The program's file; null when there is none. */
export function found(program: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  for (const folder of folders) {
    const file = join(folder, program);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}
