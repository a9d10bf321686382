// The gate itself, broken in each way that a test file can be broken without a test of it failing.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { report } from '../../scripts/gate/report.ts';
import { type RunOptions, runFailedAgain, runFiles } from '../../scripts/gate/run-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'doorward-gate-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const SOUND = `test('sound', () => {});`;

test('the gate passes a sound file, and ends with the lines of the runner', async () => {
  const { passed, text } = await gateOf({ sound: `${SOUND} test.skip('left out', () => {});` });
  assert.ok(passed);
  assert.match(text, /^the slowest files:\n +\d+\.\d s {2}\S+sound\.mjs\n/);
  assert.match(
    text,
    /ℹ tests 2\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\nℹ duration_ms [\d.]+\n$/,
  );
});

test('the gate says at its end which tests were skipped, and for which reason', async () => {
  const { passed, text } = await gateOf({
    one: `${SOUND} ${lacks('lints')} ${lacks('makes')} test.skip('silent', () => {});`,
    two: `${lacks('reads')} test('looks', (t) => t.skip('the disk is too small'));`,
  });
  assert.ok(passed);
  const told = text.split('\n').filter((line) => line.startsWith('﹣ '));
  assert.deepEqual(
    told.map((line) => line.replaceAll(`${folder}/`, '')),
    [
      '﹣ 3 skipped: helm is not installed (one.mjs, two.mjs)',
      '﹣ 1 skipped: no reason given (one.mjs)',
      '﹣ 1 skipped: the disk is too small (two.mjs)',
    ],
  );
  assert.match(text, /ℹ skipped 5\n/);
});

const BROKEN: readonly { readonly how: string; readonly source: string; readonly because: RegExp }[] = [
  {
    how: 'has a test that fails',
    source: `test('no', () => { throw new Error('x'); });`,
    because: /1 failed/,
  },
  { how: 'runs no test', source: '', because: /ran no test/ },
  {
    how: 'ends with an unsettled await',
    source: `${SOUND} await new Promise(() => {});`,
    because: /unsettled work/,
  },
  {
    how: 'ends before its tests are over, as if all were well',
    source: `${SOUND} test('leaves', () => process.exit(0));`,
    because: /ran no test to its end/,
  },
  {
    how: 'goes on after its tests',
    source: `test('late', () => void setTimeout(() => { throw new Error('late'); }, 50));`,
    because: /unsettled work|exit code 1/,
  },
  {
    how: 'leaves a promise that is rejected after its tests',
    source: `test('late', () => void new Promise((_, reject) => setImmediate(setImmediate, reject, new Error('late'))));`,
    because: /unsettled work|exit code 1/,
  },
  {
    how: 'rejects a promise that nobody holds',
    source: `test('drops', () => void (async () => { await null; throw new Error('dropped'); })());`,
    because: /1 failed|unsettled work|exit code 1/,
  },
  {
    how: 'has a test that never ends',
    source: `${SOUND} test('for ever', () => new Promise(() => {}));`,
    because: /did not end within 6 s: .*“for ever”/,
  },
  {
    how: 'does not end after its tests, whatever it is told',
    source: `process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6); ${SOUND}`,
    because: /did not end within 6 s/,
  },
  {
    how: 'dies',
    source: `test('dies', () => process.kill(process.pid, 'SIGSEGV'));`,
    because: /was ended by SIGSEGV/,
  },
  { how: 'cannot be loaded', source: `import './missing.mjs';`, because: /exit code 1/ },
  {
    how: 'needs a PostgreSQL that does not start',
    source: `import { before } from 'node:test';
      import { startOwnPostgres } from '${new URL('../support/postgres.ts', import.meta.url).href}';
      process.env['DOORWARD_TEST_POSTGRES'] =
        JSON.stringify({ port: 1, password: 'x', form: 'x', binaries: '/nowhere', mould: '/nowhere' });
      before(() => startOwnPostgres());
      ${SOUND}`,
    because: /1 failed/,
  },
];

for (const { how, source, because } of BROKEN)
  test(`the gate fails by name a file that ${how}`, async () => {
    const { passed, text, said } = await gateOf({ sound: SOUND, broken: source }, onlyOnce);
    assert.equal(passed, false);
    const named = text.split('\n').find((line) => /^✖ \S+broken\.mjs: /.test(line)) ?? '';
    assert.match(named, because);
    assert.match(text, /ℹ (?:fail|cancelled) [1-9]/);
    if (how.includes('PostgreSQL')) assert.match(said, /Cannot start PostgreSQL: .*nowhere/);
  });

test('a file that fails beside others and passes alone is told by name, with its failure', async () => {
  const mark = join(folder, 'ran-before');
  const { passed, text } = await gateOf({
    sound: SOUND,
    once: `import { existsSync, writeFileSync } from 'node:fs';
      test('at first', () => {
        if (existsSync('${mark}')) return;
        writeFileSync('${mark}', '');
        throw new Error('the first time');
      });`,
  });
  assert.ok(passed);
  assert.match(text, /✖ at first\n[^✖]*the first time/);
  assert.match(text, /⚠ \S+once\.mjs: 1 failed beside others, passed alone\n/);
  assert.match(text, /ℹ tests 2\n[^]*ℹ fail 0\n/);
});

test('more than a few files that fail are not run again', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const { passed } = await gateOf(
    Object.fromEntries(
      names.map((name) => [
        name,
        `import { existsSync, writeFileSync } from 'node:fs';
        test('at first', () => {
          if (existsSync('${markOf(name)}')) return;
          writeFileSync('${markOf(name)}', '');
          throw new Error('x');
        });`,
      ]),
    ),
  );
  assert.equal(passed, false);
});

test('the gate has no promise followed: to do so takes up to a quarter of a file’s time', async () => {
  const { passed, said } = await gateOf({
    light: `import { executionAsyncId } from 'node:async_hooks';
      test('light', async () => {
        await null;
        const before = executionAsyncId();
        await null;
        if (executionAsyncId() !== before) throw new Error('a promise has a number of its own');
      });`,
  });
  assert.ok(passed, said);
});

test('the gate runs more files at once while the cores are idle, and no more than a few', async () => {
  const names = ['a', 'b', 'c'];
  const waits = `import { existsSync, writeFileSync } from 'node:fs';
    test('beside others', async () => {
      writeFileSync(import.meta.filename + '.begun', '');
      const begun = () => ${JSON.stringify(names)}.filter((name) =>
        existsSync(import.meta.dirname + '/' + name + '.mjs.begun')).length;
      for (let looks = 0; begun() < 3 && looks < 500; looks++)
        await new Promise((resolve) => setTimeout(resolve, 20));
      if (begun() !== 3) throw new Error('nothing ran beside it');
    });`;
  const sources = Object.fromEntries(names.map((name) => [name, waits]));
  let time = 0;
  const readCores = () => ({ idleMs: (time += 1), totalMs: time });
  const { passed, said } = await gateOf(sources, onlyOnce, { atOnce: 1, atMost: 3, readCores });
  assert.ok(passed, said);
});

test('the gate does not wait for what a file left behind outside its process group', async () => {
  const { passed } = await gateOf({
    leaves: `import { spawn } from 'node:child_process';
      ${SOUND} spawn('sleep', ['20'], { detached: true, stdio: 'inherit' }).unref();`,
  });
  assert.ok(passed);
});

test('the gate says how many files and tests ran on each engine', async () => {
  const note = new URL('../support/note-engine.ts', import.meta.url).href;
  const on = (engines: readonly string[]): string =>
    `import { noteEngine } from '${note}';
    test('one', () => { for (const engine of ${JSON.stringify(engines)}) noteEngine(engine); }); ${SOUND}`;
  const { text } = await gateOf({ one: on(['SQLite']), both: on(['SQLite', 'PostgreSQL']), none: SOUND });
  assert.match(text, /ℹ SQLite: 2 files, 4 tests\nℹ PostgreSQL: 1 files, 2 tests\n/);
});

const lacks = (name: string): string => `test('${name}', { skip: 'helm is not installed' }, () => {});`;
const markOf = (name: string): string => join(folder, `ran-${name}`);

async function gateOf(
  sources: Readonly<Record<string, string>>,
  again = runFailedAgain,
  lanes: Pick<RunOptions, 'atOnce' | 'atMost' | 'readCores'> = { atOnce: 2 },
) {
  const files = Object.entries(sources).map(([name, source]) => {
    const file = join(folder, `${name}.mjs`);
    writeFileSync(file, `import { test } from 'node:test';\n${source}\n`);
    return file;
  });
  let said = '';
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const limitMs = Object.values(sources).some((source) => /for ever|1e6/.test(source)) ? LIMIT_MS : 60_000;
  const options = { ...lanes, limitMs, env, said: (text: string) => (said += text) };
  const runs = await again(await runFiles(files, options), options);
  return { ...report(runs, 1), said };
}

/** A second run says the same of a file that is broken, and waits as long. */
const onlyOnce: typeof runFailedAgain = async (runs) => runs;
/** Two files wait for it; a sound one needs a part of it on a busy machine. */
const LIMIT_MS = 6_000;
