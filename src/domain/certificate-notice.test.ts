import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextNoticeAt } from './certificate-notice.ts';

const DAY_MS = 86_400_000;

/** All notices of a life of so many days, in days. */
function noticesOf(days: number): readonly number[] {
  const life = { createdAt: 0, notAfter: days * DAY_MS };
  const notices: number[] = [];
  for (let at = nextNoticeAt(life, 0); at !== null; at = nextNoticeAt(life, at)) notices.push(at / DAY_MS);
  return notices;
}

test('nextNoticeAt() is at two thirds of the life, then 7 days and 1 day before its end', () => {
  assert.deepEqual(noticesOf(30), [20, 23, 29]);
  assert.deepEqual(noticesOf(390), [260, 383, 389]);
});

test('nextNoticeAt() leaves reminders out that would come before two thirds of the life', () => {
  assert.deepEqual(noticesOf(21), [14, 20]);
  assert.deepEqual(noticesOf(3), [2]);
  assert.deepEqual(noticesOf(0.5), [1 / 3]);
});

test('nextNoticeAt() of what was missed is the next one only', () => {
  const life = { createdAt: 0, notAfter: 30 * DAY_MS };
  assert.equal(nextNoticeAt(life, 28 * DAY_MS), 29 * DAY_MS);
  assert.equal(nextNoticeAt(life, 29 * DAY_MS), null);
});
