// What a file imports, read from its text: the types too, which are gone before it runs.

import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** What a file imports: files of the repository by their path from its root, everything else by its name. */
export function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const specifiers = [
    ...text.matchAll(/^(?:import|export)\b[^'";]*?from '([^']+)'/gm),
    ...text.matchAll(/^import '([^']+)'/gm),
    ...text.matchAll(/\bimport\('([^']+)'\)/g),
  ].map((match) => match[1] ?? '');
  return specifiers.map((name) => (name.startsWith('.') ? normalize(join(dirname(file), name)) : name));
}

export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}
