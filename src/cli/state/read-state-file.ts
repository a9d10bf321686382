// The file of `doorward apply`, and what the control API says of it, in the places of the file.

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ParsedState } from '../../config/state-file.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { readTextFile } from '../providers/definition-file.ts';
import type { Terminal } from '../terminal.ts';

type Told = { readonly path: string; readonly message: string };
type ReadState = Extract<ParsedState, { readonly state: unknown }>;

/** Throws `config_invalid` with all that is wrong, `usage` for a file that cannot be read. */
export async function readStateFile(file: string, env: Terminal['env']): Promise<ReadState> {
  const text = await readTextFile(file);
  const { parseState } = await import('../../config/state-file.ts');
  const parsed = parseState(text, { file: resolve(file), readFile: readSmallFile, env });
  if ('state' in parsed) return parsed;
  const { describeFault } = await import('../../config/config-fault.ts');
  throw refused(
    parsed.faults.map((fault) => describeFault(file, fault)),
    parsed.faults,
  );
}

/** Calls the control API, and tells what it finds wrong with the state where that stands in the file. */
export async function inFile<T>(
  file: string,
  locate: ReadState['locate'],
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const faults = error instanceof ServiceError ? error.extra['faults'] : undefined;
    if (!Array.isArray(faults)) throw error;
    const found = (faults as readonly Told[]).map(({ path, message }) => ({ at: locate(path), message }));
    const inOrder = found.toSorted(
      (one, other) => one.at.line - other.at.line || one.at.column - other.at.column,
    );
    throw refused(
      inOrder.map(({ at, message }) => `${file}:${at.line}:${at.column} ${at.path}: ${message}`),
      inOrder,
    );
  }
}

function refused(lines: readonly string[], faults: readonly object[]): ServiceError {
  return new ServiceError('config_invalid', `Cannot apply the state:\n  ${lines.join('\n  ')}`, {
    hint: 'Correct the file. Nothing was changed.',
    extra: { faults },
  });
}

/** A secret is small; a pipe or a device might never end. */
function readSmallFile(path: string): Uint8Array {
  const stats = statSync(path);
  if (!stats.isFile() || stats.size > MAX_SECRET_BYTES) throw new Error('not a small file');
  return readFileSync(path);
}

const MAX_SECRET_BYTES = 64 * 1024;
