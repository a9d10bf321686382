// `npm test`: the whole gate. Format, lint, unused code, types and generated documents first, then every
// test, so that the runner's summary comes last. `npm run check` (`--fast`) is the short form before a
// commit.

import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { offerPostgres } from '../test/support/postgres.ts';
import { offerSqlite } from '../test/support/sqlite-form.ts';
import { slowestFirst } from './gate/order.ts';
import { report } from './gate/report.ts';
import { runFailedAgain, runFiles } from './gate/run-files.ts';

type Step = { readonly name: string; readonly command: readonly string[] };

const fast = process.argv.includes('--fast');
const bin = (name: string): string => `node_modules/.bin/${name}`;

const checks: readonly Step[] = [
  { name: 'format', command: [bin('oxfmt'), '--check', '.'] },
  { name: 'lint', command: [bin('oxlint'), '--deny-warnings'] },
  { name: 'unused code', command: [bin('knip'), '--no-progress'] },
  { name: 'types', command: [bin('tsc'), '--noEmit'] },
  { name: 'types in browsers', command: [bin('tsc'), '--noEmit', '-p', 'console'] },
  {
    name: 'the console is built',
    command: [bin('vite'), 'build', '--logLevel', 'warn', '--config', 'console/app/vite.config.ts'],
  },
  { name: 'generated documents', command: [process.execPath, 'scripts/reference-docs.ts', '--check'] },
];

async function gate(): Promise<number> {
  for (const step of checks) {
    const startedAt = performance.now();
    if ((await run(step.command)) !== 0) {
      process.stderr.write(`gate: ${step.name} failed: ${step.command.join(' ')}\n`);
      return 1;
    }
    process.stderr.write(`gate: ${step.name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`);
  }
  if (!fast && !existsSync(CHROMIUM) && (await run(['bash', 'scripts/install-chromium.sh'])) !== 0) return 1;
  return tests();
}

async function tests(): Promise<number> {
  const patterns = fast
    ? ['{src,console}/**/*.test.ts', 'test/house/*.test.ts']
    : ['{src,console,devidp,examples,scripts,test}/**/*.test.ts'];
  const files = patterns.flatMap((pattern) => globSync(pattern));
  const startedAt = performance.now();
  await using postgres = await offerPostgres();
  await using sqlite = await offerSqlite();
  const options = {
    atOnce: availableParallelism() + WAITING_FILES,
    limitMs: FILE_LIMIT_MS,
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...postgres.env, ...sqlite.env },
    said: (text: string) => process.stdout.write(text),
  };
  const results = await runFailedAgain(await runFiles(slowestFirst(files), options), options);
  const { text, passed } = report(results, performance.now() - startedAt);
  process.stdout.write(text);
  return passed ? 0 : 1;
}

function run(command: readonly string[]): Promise<number> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1));
    child.on('error', () => resolve(1));
  });
}

const CHROMIUM = '/usr/bin/chromium';
/** Thousands of processes read the same modules: their types are taken off, and they are compiled, once. */
const COMPILED = join(import.meta.dirname, '../node_modules/.cache/doorward-compiled');
/**
 * A file with a service or a browser waits for most of its time: one more than there are cores keeps them
 * busy.
 */
const WAITING_FILES = 1;
/**
 * One test file may not hang the gate: the slowest takes a minute or two, and three times that where others
 * use the cores, too.
 */
const FILE_LIMIT_MS = 600_000;

// Last, when every constant above is there.
process.exitCode = await gate().catch((error: unknown) => {
  process.stderr.write(`gate: ${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
