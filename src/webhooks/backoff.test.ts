import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { retryAfterMs } from './backoff.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

test('retryAfterMs() grows from seconds to an hour, with jitter', () => {
  const least = [1, 2, 3, 4].map((attempt) => retryAfterMs(attempt, 0, 0));
  assert.deepEqual(least, [2_500, 5_000, 10_000, 20_000]);
  assert.equal(retryAfterMs(30, 0, 0.999_999_9), 3_600_000);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempt, random) => {
        const pause = retryAfterMs(attempt, 0, random) ?? 0;
        assert.ok(pause >= 2_500 && pause <= 3_600_000);
      },
    ),
  );
});

test('retryAfterMs() gives up after about a day, having tried some thirty times', () => {
  for (const random of [0, 0.5, 0.999]) {
    let ageMs = 0;
    let attempts = 1;
    for (;;) {
      const pause = retryAfterMs(attempts, ageMs, random);
      if (pause === null) break;
      ageMs += pause;
      attempts++;
    }
    assert.ok(ageMs > DAY_MS - 3_600_000 && ageMs <= DAY_MS, `${ageMs}`);
    assert.ok(attempts > 25 && attempts < 70, `${attempts}`);
  }
});
