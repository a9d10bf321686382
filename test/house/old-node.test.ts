// What the program says on a Node that it is not for: too old, or of a line that it is not tested on.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Script } from 'node:vm';
import packageFile from '../../package.json' with { type: 'json' };

for (const version of ['8.17.0', '20.20.2', '22.17.1', '23.11.1', '24.10.9', '25.9.0', '26.9.9', '27.0.0'])
  test(`doorward on Node ${version} says in one sentence which Node it needs, without a stack`, () => {
    const { status, stdout, stderr } = runAs(version);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(
      stderr,
      /^error: Cannot run doorward on Node \S+: it needs Node 22\.18, 24\.11 or 26\.10, or a newer version of one of these lines\nhint: .*\n$/,
    );
    assert.ok(stderr.includes(` on Node ${version}: `));
  });

for (const version of ['22.18.0', '24.11.0', '24.99.0', '26.10.0', '26.11.0'])
  test(`doorward runs on Node ${version}, as package.json says`, () => {
    const { status, stdout } = runAs(version);
    assert.deepEqual([status, stdout], [0, `${packageFile.version}\n`]);
  });

test('package.json names the lines of Node that the program runs on', () => {
  assert.equal(packageFile.engines.node, '^22.18.0 || ^24.11.0 || ^26.10.0');
});

test('bin/doorward.js can be read as a script, too, as Node does that knows no modules', () => {
  const text = readFileSync(PROGRAM, 'utf8').replace(/^#!.*/, '');
  assert.ok(new Script(text));
  assert.doesNotMatch(text, /\?\?|\?\.|\basync\b|\bawait\b/);
});

/** The version alone is made up; the program reads no other sign. */
function runAs(version: string) {
  const pretence = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  return spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretence)}`, PROGRAM, '--version'],
    { env: {}, encoding: 'utf8', timeout: 60_000 },
  );
}

const PROGRAM = join(import.meta.dirname, '../../bin/doorward.js');
