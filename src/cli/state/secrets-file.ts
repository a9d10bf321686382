// The file of `--secrets-out`: made before anything is changed, so that no secret is lost for want of a
// place, for its owner alone, and over nothing.

import { rm, writeFile } from 'node:fs/promises';
import type { MadeSecret } from '../../wire/state.ts';
import { writeNew } from '../certificates/key-files.ts';

type SecretsFile = {
  readonly write: (secrets: readonly MadeSecret[]) => Promise<void>;
  readonly remove: () => Promise<void>;
};

/** Null where none is asked for. Throws `usage` when there is a file of that name. */
export async function openSecretsFile(file: string | undefined): Promise<SecretsFile | null> {
  if (file === undefined) return null;
  await writeNew(file, '', 0o600);
  return {
    write: (secrets) => writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { flush: true }),
    remove: () => rm(file, { force: true }),
  };
}
