// The tables of today's form in a SQLite file, to be copied: thousands of tests want a new store, and each
// would run every migration. The gate makes the file for all (`offerSqlite`); a test file that is run by hand
// makes its own.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { migrate } from '../../src/store/migrations/run.ts';
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts';

let form: Promise<Uint8Array> | null = null;

/** Puts an empty store there, with modes as the store gives them: to open it is what is left to do. */
export async function layFormedFile(file: string): Promise<void> {
  form ??= readForm();
  const bytes = await form;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, bytes, { mode: 0o600, flag: 'wx' });
}

/** One file for all test files of a run: they find it in the environment that `env` names. */
export async function offerSqlite(): Promise<
  AsyncDisposable & { readonly env: Readonly<Record<string, string>> }
> {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-form-'));
  const file = join(folder, 'form.db');
  await makeForm(file);
  return {
    env: { [OFFER]: file },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function readForm(): Promise<Uint8Array> {
  const offered = process.env[OFFER];
  if (offered !== undefined) return readFile(offered);
  await using own = await offerSqlite();
  return await readFile(own.env[OFFER] ?? '');
}

async function makeForm(file: string): Promise<void> {
  const engine = await openSqlite({ file, exclusive: false, now: Date.now });
  try {
    await migrate(engine);
  } finally {
    // Closing writes the log back: the one file is all.
    await engine.close();
  }
}

const OFFER = 'DOORWARD_TEST_SQLITE';
