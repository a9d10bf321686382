// Remembers a provider's discovery document: loaded when first needed, by one call at a time, tried again
// after failures with growing pauses. A provider that is down at start stops nothing, and one that goes down
// keeps its last document.

import { askedPauseMs } from '../domain/provider-trouble.ts';

/**
 * A function that answers the remembered value, or loads it. Throws what `load` threw, without asking again
 * until the pause is over.
 */
export function createMetadataCache<Metadata>(
  load: () => Promise<Metadata>,
  now: () => number,
): () => Promise<Metadata> {
  let kept: { readonly value: Metadata; readonly at: number } | null = null;
  let failure: {
    readonly error: unknown;
    readonly count: number;
    readonly at: number;
    readonly pauseMs: number;
  } | null = null;
  let running: Promise<Metadata> | null = null;

  const loadOnce = async (): Promise<Metadata> => {
    try {
      kept = { value: await load(), at: now() };
      failure = null;
      return kept.value;
    } catch (error) {
      const count = (failure?.count ?? 0) + 1;
      const grownMs = Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), LONGEST_PAUSE_MS);
      const pauseMs = Math.max(grownMs, askedPauseMs(error));
      failure = { error, count, at: now(), pauseMs };
      if (kept !== null) return kept.value;
      throw error;
    } finally {
      running = null;
    }
  };

  return async () => {
    if (kept !== null && isWithin(now() - kept.at, FRESH_MS)) return kept.value;
    if (failure !== null && isWithin(now() - failure.at, failure.pauseMs)) {
      if (kept !== null) return kept.value;
      throw failure.error;
    }
    running ??= loadOnce();
    return running;
  };
}

/** A clock that was set back must not make a pause longer. */
export function isWithin(passedMs: number, pauseMs: number): boolean {
  return passedMs >= 0 && passedMs < pauseMs;
}

/**
 * Endpoints change with migrations only, and those are announced; an hour is what most providers say in
 * Cache-Control.
 */
export const FRESH_MS = 60 * 60 * 1000;
export const FIRST_PAUSE_MS = 500;
/** The longest that a provider which is back is still taken for away. */
export const LONGEST_PAUSE_MS = 10_000;
