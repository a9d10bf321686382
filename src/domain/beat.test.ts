import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilBeat } from './beat.ts';

test('untilBeat() brings what has the same period, or a multiple of it, together, however long each took', () => {
  assert.equal(untilBeat(500, 10_000), 500);
  assert.equal(untilBeat(500, 10_499), 1);
  for (const now of [10_001, 10_120.5, 10_499.9])
    assert.equal(now + untilBeat(500, now), 10_500, `after ${now}`);
  for (const now of [10_600, 10_999]) assert.equal(now + untilBeat(1_000, now), now + untilBeat(500, now));
});
