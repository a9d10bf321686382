// Counts failed API keys per address, so that guessing is slow. A valid key is never blocked: the count is asked only
// after a key has failed (DESIGN 3, "Rate limits").

import { LRUCache } from 'lru-cache';
import { formatIpAddress, parseIpAddress } from '../domain/ip-address.ts';

export type FailedKeys = {
  /** Counts one failure. Null while the address may go on, else the seconds until it may. */
  readonly count: (address: string) => number | null;
};

export function createFailedKeys(now: () => number): FailedKeys {
  const windows = new LRUCache<string, { failures: number; readonly endsAt: number }>({ max: MAX_ADDRESSES });
  return {
    count(address) {
      const site = siteOf(address);
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

/** One subscriber holds a whole /64 of IPv6, so its addresses count together; a mapped IPv4 address counts as IPv4. */
function siteOf(address: string): string {
  const parsed = parseIpAddress(address.replace(/^::ffff:(?=\d+\.)/i, ''));
  return parsed?.version === 6
    ? `${parsed.value >> 64n}/64`
    : parsed === null
      ? address
      : formatIpAddress(parsed);
}

/** A person mistypes a few times; a script in a loop needs no more than this a minute to be noticed. */
const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
/** About 2 MB at most. An attacker with more sites than this only gets the count of the eldest forgotten. */
const MAX_ADDRESSES = 10_000;
