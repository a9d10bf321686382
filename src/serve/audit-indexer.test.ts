import assert from 'node:assert/strict';
import { test } from 'node:test';
const SILENT = { info() {}, warn() {}, error() {}, debug() {} };
import { startAuditIndexer } from './audit-indexer.ts';

test('startAuditIndexer() goes on while events are left, waits while none are, and outlives a failure', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const answers = ['more', 'none', 'away', 'none'];
  let asked = 0;
  const index = async (): Promise<boolean> => {
    const answer = answers[asked++];
    if (answer === 'away') throw new Error('away');
    return answer === 'more';
  };
  const stop = startAuditIndexer({ index }, SILENT);
  const after = async (ms: number) => {
    t.mock.timers.tick(ms);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    return asked;
  };
  assert.equal(await after(4_999), 0);
  assert.equal(await after(1), 1);
  assert.equal(await after(50), 2);
  assert.equal(await after(50), 2);
  assert.equal(await after(5_000), 3);
  assert.equal(await after(5_000), 4);
  stop();
  assert.equal(await after(60_000), 4);
});
