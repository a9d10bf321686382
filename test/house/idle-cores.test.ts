import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdleCores, type CoreTime } from '../../scripts/gate/idle-cores.ts';

const LOOK_MS = 1;

test('createIdleCores() waits while the cores are busy, and no longer than a look after', async () => {
  const idleMs = [0, 100, 300, 800, 1_400];
  let looks = 0;
  const read = (): CoreTime => ({ idleMs: idleMs[looks] ?? 0, totalMs: looks++ * 2_000 });
  await createIdleCores(() => true, read, LOOK_MS)();
  // Of each 2 s, 0.1 and 0.2 s were idle, then 0.5 s.
  assert.equal(looks, 4);
});

test('createIdleCores() lets one start at a time: what started counts for the next one', async () => {
  let looks = 0;
  const read = (): CoreTime => ({ idleMs: looks, totalMs: looks++ });
  const idle = createIdleCores(() => true, read, LOOK_MS);
  const seen: number[] = [];
  await Promise.all([1, 2, 3].map(() => idle().then(() => seen.push(looks))));
  assert.deepEqual(seen, [2, 4, 6]);
});

test('createIdleCores() ends once nobody needs it, on a machine that is never idle', async () => {
  let looks = 0;
  const read = (): CoreTime => ({ idleMs: 0, totalMs: looks++ });
  await createIdleCores(() => looks < 3, read, LOOK_MS)();
  assert.equal(looks, 3);
});
