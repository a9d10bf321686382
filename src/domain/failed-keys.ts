// Counts failed API keys and service tokens per address, so that guessing is slow. A valid key is never
// blocked: the count is asked only after a key has failed (DESIGN "Rate limits").

import { addressSite } from './address-site.ts';
import { createRateWindow } from './rate-window.ts';

export type FailedKeys = {
  /** Counts one failure. Null while the address may go on, else the seconds until it may. */
  readonly count: (address: string) => number | null;
};

export function createFailedKeys(now: () => number): FailedKeys {
  const window = createRateWindow(SIZE, now);
  return { count: (address) => window.count(addressSite(address)) };
}

/** A person mistypes a few times; a script in a loop needs no more than this a minute to be noticed. */
const SIZE = { most: 10, windowMs: 60_000, maxNames: 10_000 };
