import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inSlices } from './in-slices.ts';

test('inSlices() answers in order, and lets others in between when the work takes long', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const items = Array.from({ length: 20 }, (_, each) => each);
  const results = await inSlices(items, (each) => {
    const end = performance.now() + 6;
    while (performance.now() < end);
    return each * 2;
  });
  isOver = true;
  assert.deepEqual(
    results,
    items.map((each) => each * 2),
  );
  assert.ok(turns >= 15, `${turns} turns went by for others`);
});

test('inSlices() ends early when the work took too long, and does some in any case', async () => {
  assert.deepEqual(await inSlices([1, 2, 3], slow, 5), [1]);
});

function slow(each: number): number {
  const end = performance.now() + 10;
  while (performance.now() < end);
  return each;
}
