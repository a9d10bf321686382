import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLine } from './line.ts';

test('createLine() lets in as many as there are places, and the others in order', async () => {
  const line = createLine(2, 60_000);
  const leaves = [await line.enter(), await line.enter()];
  const entered: number[] = [];
  const waiting = [1, 2, 3].map(async (number) => {
    const leave = await line.enter();
    entered.push(number);
    return leave;
  });
  await Promise.resolve();
  assert.deepEqual(entered, []);
  leaves[0]?.();
  (await waiting[0])?.();
  (await waiting[1])?.();
  (await waiting[2])?.();
  assert.deepEqual(entered, [1, 2, 3]);
  leaves[1]?.();
  await line.enter();
  await line.enter();
});

test('createLine() refuses who waited too long, and keeps their place for the next', async () => {
  const line = createLine(1, 20);
  const leave = await line.enter();
  await assert.rejects(line.enter(), { code: 'store_unavailable' });
  leave();
  await line.enter();
});
