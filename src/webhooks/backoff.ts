// When a delivery that failed is tried again: soon at first, then less and less often, for about a day. Pure.

/**
 * Milliseconds until the next try, or null when it is given up. `attempt` counts from 1; `ageMs` is the
 * delivery's age; `random` is in [0, 1), so that deliveries that failed together do not come back together.
 */
export function retryAfterMs(attempt: number, ageMs: number, random: number): number | null {
  const longest = Math.min(FIRST_MS * 2 ** Math.min(attempt - 1, MOST_DOUBLINGS), LONGEST_MS);
  const pauseMs = Math.round(longest * (0.5 + random / 2));
  return ageMs + pauseMs > GIVE_UP_MS ? null : pauseMs;
}

const FIRST_MS = 5_000;
const LONGEST_MS = 60 * 60 * 1000;
/** Beyond it the longest pause has long been reached. */
const MOST_DOUBLINGS = 20;
/** Long enough for somebody to mend a receiver that broke at night; events stay in the audit log anyway. */
const GIVE_UP_MS = 24 * 60 * 60 * 1000;
