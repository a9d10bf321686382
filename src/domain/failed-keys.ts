// Counts failed API keys and service tokens per address, so that guessing is slow. A valid key is never
// blocked: the count is asked only after a key has failed (DESIGN "Rate limits").

import { createNetworkWindow, type NetworkWindow } from './network-window.ts';

/** `count` counts one failure. */
export type FailedKeys = Pick<NetworkWindow, 'count'>;

export function createFailedKeys(now: () => number): FailedKeys {
  return createNetworkWindow(SIZE, now);
}

/** A person mistypes a few times; a script in a loop needs no more than this a minute to be noticed. */
const SIZE = { most: 10, windowMs: 60_000, maxNames: 10_000 };
