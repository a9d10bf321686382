import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { ShareId } from '../domain/id.ts';
import { createOutages } from './outages.ts';

const WIKI = 'shr_wiki' as ShareId;

test('createOutages() lets a page try again soon, then more seldom, and no more after half an hour', () => {
  const outages = createOutages();
  const waits: number[] = [];
  let now = 1_000;
  for (;;) {
    const seconds = outages.failed(WIKI, now);
    if (seconds === null) break;
    waits.push(seconds);
    now += seconds * 1000;
  }
  assert.equal(waits[0], 5);
  assert.equal(waits.at(-1), 60);
  assert.deepEqual(
    waits,
    waits.toSorted((a, b) => a - b),
    'never sooner than before',
  );
  assert.ok(waits.length < 45, `${waits.length} times at most`);
  assert.ok(now - 1_000 >= 30 * 60_000 && now - 1_000 < 32 * 60_000);
  assert.equal(outages.failed(WIKI, now + 1_000), null, 'a reload by hand begins nothing anew');
});

test('createOutages() begins anew when the app answered, or nobody asked for five minutes', () => {
  const outages = createOutages();
  for (let now = 0; now <= 40 * 60_000; now += 60_000) outages.failed(WIKI, now);
  assert.equal(outages.failed(WIKI, 40 * 60_000), null);
  outages.answered('shr_other' as ShareId);
  assert.equal(outages.failed(WIKI, 40 * 60_000), null);
  outages.answered(WIKI);
  assert.equal(outages.failed(WIKI, 40 * 60_000), 5);
  for (let now = 40 * 60_000; now <= 80 * 60_000; now += 60_000) outages.failed(WIKI, now);
  assert.equal(outages.failed(WIKI, 86 * 60_000), 5);
});

test('createOutages() forgets the longest unseen of more shares than it keeps', () => {
  const outages = createOutages();
  outages.failed(WIKI, 0);
  outages.failed(WIKI, 120_000);
  for (let index = 0; index < 10_000; index++) outages.failed(`shr_${index}` as ShareId, 120_000);
  assert.equal(outages.failed(WIKI, 120_000), 5);
});
