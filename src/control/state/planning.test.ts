import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inGroups } from './planning.ts';

test('inGroups() lets others in between two things that take long, of one group, too', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const done: number[] = [];
  await inGroups([...Array(16).keys()], async (each) => {
    const end = performance.now() + 6;
    while (performance.now() < end);
    done.push(each);
  });
  isOver = true;
  assert.equal(done.length, 16);
  assert.ok(turns >= 14, `${turns} turns went by for others`);
});

test('inGroups() begins the whole of a group, and throws what one of them throws', async () => {
  const begun: number[] = [];
  const refusal = inGroups([...Array(3).keys()], async (each) => {
    begun.push(each);
    const end = performance.now() + 6;
    while (performance.now() < end);
    if (each === 0) throw new Error('the first');
  });
  await assert.rejects(refusal, /the first/);
  assert.deepEqual(begun, [0, 1, 2]);
});
