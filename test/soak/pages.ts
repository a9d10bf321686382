// The tests of the console's pages on the other database. Each file starts a service of its own, which has
// SQLite in the gate.

import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runFailedAgain, runFiles } from '../../scripts/gate/run-files.ts';
import { countsOf, hasFailed } from '../../scripts/gate/verdict.ts';
import { PAGES_ON } from '../support/console-browser.ts';
import { offerPostgres } from '../support/postgres.ts';

/** Throws when a test fails, after it was printed. */
export async function pagesOnPostgres(): Promise<{ readonly files: number; readonly tests: number }> {
  await using postgres = await offerPostgres();
  const options = {
    atOnce: availableParallelism(),
    limitMs: FILE_LIMIT_MS,
    env: { ...process.env, ...postgres.env, [PAGES_ON]: 'PostgreSQL' },
    said: (text: string) => process.stderr.write(text),
  };
  const files = globSync('test/e2e/console-*.test.ts', { cwd: ROOT }).map((file) => join(ROOT, file));
  const runs = await runFailedAgain(await runFiles(files, options), options);
  const failed = runs.filter(hasFailed).map(({ file }) => file);
  if (failed.length > 0) throw new Error(`tests failed in ${failed.join(', ')}`);
  return { files: runs.length, tests: runs.reduce((sum, run) => sum + countsOf(run).passed, 0) };
}

const ROOT = join(import.meta.dirname, '../..');
const FILE_LIMIT_MS = 600_000;
