// The single executable, built for this machine and moved elsewhere: nothing of the repository, and no Node,
// is where it runs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildExecutables } from '../../scripts/executable/build.ts';
import type { Platform } from '../../scripts/executable/node-program.ts';
import { testDelivered } from '../support/delivered.ts';

const elsewhere = mkdtempSync(join(tmpdir(), 'doorward-executable-'));
const platform = `${process.platform}-${process.arch}` as Platform;
const program = join(elsewhere, `doorward-${platform}`);

before(() => buildExecutables(join(import.meta.dirname, '../..'), elsewhere, [platform]));
after(() => rmSync(elsewhere, { recursive: true, force: true }));

testDelivered({ form: 'the executable', elsewhere, program });

test('the executable takes nothing from an environment without Node, and no option of Node from it', () => {
  const { status, stdout, stderr } = spawnSync(program, ['version', '--json'], {
    env: { PATH: '/nowhere', NODE_OPTIONS: '--require /nowhere.js' },
    cwd: elsewhere,
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(JSON.parse(stdout), {
    version: JSON.parse(readFileSync(PACKAGE, 'utf8')).version,
    node: process.versions.node,
    platform,
  });
});

const PACKAGE = join(import.meta.dirname, '../../package.json');
