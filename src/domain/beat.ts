// When things that are done again and again are done: at multiples of their period on one clock, so that
// those of a process wake it together and not one after the other.

/**
 * Milliseconds until the next multiple of the period; `now` on a clock that is never set, the same for all
 * who are to meet.
 */
export function untilBeat(periodMs: number, now: number): number {
  return periodMs - (now % periodMs);
}

/** How often a gateway says that it lives. */
export const GATEWAY_BEAT_MS = 10_000;
/** Three beats: one may be late, or lost to a store that is away for a moment. */
export const GATEWAY_SILENT_MS = 3 * GATEWAY_BEAT_MS;
