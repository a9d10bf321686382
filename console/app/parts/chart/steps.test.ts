import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOf, countText } from '../numbers.ts';
import { partsOf, sumOf, summaryRows } from './steps.ts';

const steps = Array.from({ length: 144 }, (_, index) => ({
  at: new Date(Date.UTC(2030, 0, 1) + index * 600_000).toISOString(),
  requests: 5,
  refused: 2,
  faulted: 1,
}));

test('partsOf() names parts that make up the whole', () => {
  assert.deepEqual(partsOf(sumOf(steps)), { served: 288, refused: 288, faulted: 144 });
  assert.deepEqual(sumOf([]), { requests: 0, refused: 0, faulted: 0 });
});

test('summaryRows() makes at most twelve rows of any number of steps, and leaves none out', () => {
  for (const count of [1, 12, 13, 60, 144]) {
    const rows = summaryRows(steps.slice(0, count), 24);
    assert.ok(rows.length <= 12, String(count));
    assert.equal(
      rows.reduce((all, { sum }) => all + sum.requests, 0),
      count * 5,
    );
    assert.equal(rows[0]?.at, steps[0]?.at);
  }
  assert.deepEqual(summaryRows([], 24), []);
});

test('countText() and countOf() say numbers as people do', () => {
  assert.deepEqual([0, 1_234, 99_999, 202_200, 28_000_000].map(countText), [
    '0',
    '1,234',
    '99,999',
    '202.2K',
    '28M',
  ]);
  assert.deepEqual([countOf(1, 'share'), countOf(1_200, 'share')], ['1 share', '1,200 shares']);
});
