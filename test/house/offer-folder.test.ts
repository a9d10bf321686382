import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { offerFolder } from '../../scripts/gate/offer-folder.ts';

test('offerFolder() offers a folder that every user may write to, as /tmp, and removes it', (t) => {
  const memory = memoryOf(t);
  const offered = offerFolder(memory, 0);
  const folder = offered.env['TMPDIR'] ?? '';
  assert.equal(folder, join(memory, `doorward-gate-${process.pid}`));
  assert.equal(statSync(folder).mode & 0o7777, 0o1777);
  assert.deepEqual(readdirSync(folder), []);
  offered[Symbol.dispose]();
  assert.ok(!existsSync(folder));
});

test('offerFolder() offers nothing where there is no such place, or too little room', (t) => {
  const memory = memoryOf(t);
  for (const offered of [offerFolder(join(memory, 'none'), 0), offerFolder(memory, 1e18)]) {
    assert.deepEqual(offered.env, {});
    offered[Symbol.dispose]();
  }
  assert.deepEqual(readdirSync(memory), []);
});

test('offerFolder() removes what a run left that was killed, and nothing of one that runs', (t) => {
  const memory = memoryOf(t);
  const { pid: gone } = spawnSync(process.execPath, ['--version']);
  for (const pid of [gone, process.ppid]) mkdirSync(join(memory, `doorward-gate-${pid}`));
  mkdirSync(join(memory, 'of-somebody-else'));
  offerFolder(memory, 0)[Symbol.dispose]();
  assert.deepEqual(readdirSync(memory).toSorted(), [`doorward-gate-${process.ppid}`, 'of-somebody-else']);
});

function memoryOf(t: TestContext): string {
  const memory = mkdtempSync(join(tmpdir(), 'doorward-memory-'));
  t.after(() => rmSync(memory, { recursive: true, force: true }));
  return memory;
}
