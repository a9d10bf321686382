// Counts failed API keys per address, so that guessing is slow. A valid key is never blocked: the count is asked only
// after a key has failed (DESIGN "Rate limits").

import { LRUCache } from 'lru-cache';
import { addressSite } from '../domain/address-site.ts';

export type FailedKeys = {
  /** Counts one failure. Null while the address may go on, else the seconds until it may. */
  readonly count: (address: string) => number | null;
};

export function createFailedKeys(now: () => number): FailedKeys {
  const windows = new LRUCache<string, { failures: number; readonly endsAt: number }>({ max: MAX_ADDRESSES });
  return {
    count(address) {
      const site = addressSite(address);
      const known = windows.get(site);
      const window =
        known === undefined || now() >= known.endsAt ? { failures: 0, endsAt: now() + WINDOW_MS } : known;
      window.failures += 1;
      windows.set(site, window);
      if (window.failures <= MAX_FAILURES) return null;
      return Math.ceil((window.endsAt - now()) / 1000);
    },
  };
}

/** A person mistypes a few times; a script in a loop needs no more than this a minute to be noticed. */
const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
/** About 2 MB at most. An attacker with more sites than this only gets the count of the eldest forgotten. */
const MAX_ADDRESSES = 10_000;
