// `npm test`: the whole gate. Format, lint, unused code, types and generated documents first, then every
// test, so that the runner's summary comes last. `npm run check` (`--fast`) is the short form before a
// commit.

import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { offerPostgres } from '../test/support/postgres.ts';
import { offerSigningKey } from '../test/support/providers/signing-key.ts';
import { offerSqlite } from '../test/support/sqlite-form.ts';
import { slowestFirst } from './gate/order.ts';
import { offerFolder } from './gate/offer-folder.ts';
import { offerModules } from './gate/offer-modules.ts';
import { report } from './gate/report.ts';
import { runFailedAgain, runFiles } from './gate/run-files.ts';

type Step = { readonly name: string; readonly command: readonly string[] };

const ROOT = join(import.meta.dirname, '..');
const CACHE = join(ROOT, 'node_modules/.cache');
const fast = process.argv.includes('--fast');
const bin = (name: string): string => `node_modules/.bin/${name}`;

const checks: readonly Step[] = [
  { name: 'format', command: [bin('oxfmt'), '--check', '.'] },
  { name: 'lint', command: [bin('oxlint'), '--deny-warnings'] },
  { name: 'unused code', command: [bin('knip'), '--no-progress'] },
  { name: 'types', command: typesOf('.') },
  { name: 'types in browsers', command: typesOf('console') },
  {
    name: 'the console is built',
    command: [bin('vite'), 'build', '--logLevel', 'warn', '--config', 'console/app/vite.config.ts'],
  },
  { name: 'generated documents', command: [process.execPath, 'scripts/reference-docs.ts', '--check'] },
];

async function gate(): Promise<number> {
  const passed = await Promise.all(checks.map(check));
  if (passed.includes(false)) return 1;
  if (!fast && (await run(['bash', 'scripts/install-chromium.sh'])) !== 0) return 1;
  return tests();
}

async function check({ name, command }: Step): Promise<boolean> {
  const startedAt = performance.now();
  const passed = (await run(command)) === 0;
  const took = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  process.stderr.write(`gate: ${name} ${passed ? `(${took})` : `failed: ${command.join(' ')}`}\n`);
  return passed;
}

/** What was found to be right is looked at again only where it changed. */
function typesOf(project: string): readonly string[] {
  const known = join(CACHE, `doorward-types-${project === '.' ? 'node' : project}`);
  return [bin('tsc'), '--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', known];
}

async function tests(): Promise<number> {
  const patterns = fast
    ? ['{src,console}/**/*.test.ts', 'test/house/*.test.ts']
    : ['{src,console,devidp,examples,scripts,test}/**/*.test.ts'];
  const files = patterns.flatMap((pattern) => globSync(pattern));
  const startedAt = performance.now();
  using folder = offerFolder();
  // The cluster, too.
  Object.assign(process.env, folder.env);
  await using postgres = await offerPostgres();
  await using sqlite = await offerSqlite();
  using modules = await offerModules(ROOT, join(CACHE, 'doorward-dependencies'));
  const options = {
    atOnce: availableParallelism() + WAITING_FILES,
    atMost: availableParallelism() * MOST_PER_CORE,
    limitMs: FILE_LIMIT_MS,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: COMPILED,
      ...postgres.env,
      ...sqlite.env,
      ...offerSigningKey().env,
      ...modules.env,
    },
    said: (text: string) => process.stdout.write(text),
  };
  const results = await runFailedAgain(await runFiles(slowestFirst(files), options), options);
  const { text, passed } = report(results, performance.now() - startedAt);
  process.stdout.write(text);
  return passed ? 0 : 1;
}

/** All that it prints comes at its end: others print beside it. */
async function run([file = '', ...args]: readonly string[]): Promise<number> {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number>((resolve) => {
    child.on('close', (ended) => resolve(ended ?? 1));
    child.on('error', () => resolve(1));
  });
  process.stdout.write(output);
  return code;
}

/** Thousands of processes read the same modules: their types are taken off, and they are compiled, once. */
const COMPILED = join(CACHE, 'doorward-compiled');
/**
 * A file with a service or a browser waits for most of its time: one more than there are cores keeps them
 * busy.
 */
const WAITING_FILES = 1;
/** While cores are idle: as many as find memory on a machine with 4 GB for each core. */
const MOST_PER_CORE = 3;
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
