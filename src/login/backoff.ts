// How long what fails is left alone, by key: a provider whose checks fail, a session whose check fails.
// Pauses grow, or are the provider's own word (Retry-After, RFC 9110 section 10.2.3). After each pause one
// who asks tries for all.

import { LRUCache } from 'lru-cache';
import { atMost } from '../domain/at-most.ts';

export type Backoff = {
  /** Whether to try now. While it fails, that is granted once in a pause. */
  readonly mayTry: (key: string) => boolean;
  readonly worked: (key: string) => void;
  /** `askedMs`: the pause that was asked for at least. */
  readonly failed: (key: string, askedMs: number) => void;
  /** The shortest pause, whatever went before: another one's failure was in the way. */
  readonly rest: (key: string) => void;
};

/** `random` from 0 to 1, so that gateways that noticed together do not come back together. */
export function createBackoff(now: () => number, random: () => number): Backoff {
  const failing = new LRUCache<string, Failing>(atMost(MAX_KEYS));
  const pause = (key: string, failures: number, atLeastMs: number) => {
    const pauseMs = atLeastMs * (1 + JITTER * random());
    failing.set(key, { failures, pauseMs, since: now() });
  };
  return {
    mayTry(key) {
      const found = failing.get(key);
      if (found === undefined) return true;
      const passedMs = now() - found.since;
      // A clock that was set back must not make a pause longer.
      if (passedMs >= 0 && passedMs < found.pauseMs) return false;
      // The others wait for what comes of it.
      pause(key, found.failures, grownPauseMs(found.failures));
      return true;
    },
    worked: (key) => void failing.delete(key),
    failed(key, askedMs) {
      const failures = (failing.get(key)?.failures ?? 0) + 1;
      pause(key, failures, Math.max(askedMs, grownPauseMs(failures)));
    },
    rest: (key) => pause(key, failing.get(key)?.failures ?? 0, FIRST_PAUSE_MS),
  };
}

type Failing = { readonly failures: number; readonly since: number; readonly pauseMs: number };

function grownPauseMs(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.max(failures - 1, 0), LONGEST_PAUSE_MS);
}

/** A hiccup is over by then, and a request more a second is no burden. */
export const FIRST_PAUSE_MS = 1000;
/** The longest that people of a provider which is back still get 503, unless it asked for more itself. */
export const LONGEST_PAUSE_MS = 30_000;
export const JITTER = 0.25;
/**
 * Sessions in use that cannot be checked; the least recent are forgotten, which only means that they are
 * tried.
 */
const MAX_KEYS = 10_000;
