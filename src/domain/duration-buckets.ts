// Durations in buckets that double: a few numbers say how long most of any number of requests took, to within
// a factor of two, and those of several gateways and minutes add up.

/** The longest duration of each bucket, in milliseconds; one more bucket holds what took longer. */
export const BUCKET_ENDS_MS: readonly number[] = Array.from({ length: 17 }, (_, power) => 2 ** power);
export const BUCKETS = BUCKET_ENDS_MS.length + 1;

/** The bucket of a duration. */
export function bucketOf(ms: number): number {
  if (ms > LAST_END_MS) return BUCKETS - 1;
  return 32 - Math.clz32(Math.max(0, Math.ceil(ms) - 1));
}

/**
 * The duration that this part of them did not exceed, by even spread within its bucket, as Prometheus has it.
 * Null when there are none; the last end for what is in the last bucket.
 */
export function quantileMs(counts: ArrayLike<number>, part: number): number | null {
  let total = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) total += counts[bucket] ?? 0;
  if (total === 0) return null;
  const rank = part * total;
  let below = 0;
  for (const [bucket, end] of BUCKET_ENDS_MS.entries()) {
    const count = counts[bucket] ?? 0;
    if (count > 0 && below + count >= rank) {
      const start = bucket === 0 ? 0 : end / 2;
      return start + (end - start) * ((rank - below) / count);
    }
    below += count;
  }
  return LAST_END_MS;
}

const LAST_END_MS = BUCKET_ENDS_MS.at(-1)!;
