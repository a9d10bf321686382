import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { BUCKET_ENDS_MS, bucketOf, BUCKETS, quantileMs } from './duration-buckets.ts';

test('bucketOf() is the first bucket whose end is not exceeded, the last for what is longer', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (ms) => {
      const first = BUCKET_ENDS_MS.findIndex((end) => ms <= end);
      assert.equal(bucketOf(ms), first < 0 ? BUCKETS - 1 : first);
    }),
  );
  for (const [bucket, end] of BUCKET_ENDS_MS.entries()) {
    assert.equal(bucketOf(end), bucket);
    assert.equal(bucketOf(end + 0.001), bucket + 1);
  }
  assert.equal(bucketOf(0), 0);
  assert.equal(bucketOf(Infinity), BUCKETS - 1);
});

test('quantileMs() is within a factor of two of the exact one, and unknown of nothing', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
      fc.constantFrom(0.5, 0.95),
      (durations, part) => {
        const counts = new Float64Array(BUCKETS);
        for (const ms of durations) counts[bucketOf(ms)]!++;
        const sorted = durations.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
        const found = quantileMs(counts, part) ?? -1;
        assert.ok(found >= exact / 2 && found <= exact * 2, `${found} of ${exact}`);
      },
    ),
  );
  assert.equal(quantileMs(new Float64Array(BUCKETS), 0.5), null);
  const tooLong = new Float64Array(BUCKETS);
  tooLong[BUCKETS - 1] = 3;
  assert.equal(quantileMs(tooLong, 0.5), 65_536);
});
