// How often something was done lately, for each name (an address, an account, a token): a window opens with
// the first and is over a while later. Synchronous, so that two at once are never both the last; bounded,
// since strangers choose the names.

import { LRUCache } from 'lru-cache';
import { atMost } from './at-most.ts';

export type RateWindow<Name extends string = string> = {
  /** Counts one. Null while that is allowed, else the seconds until the window is over, one at least. */
  readonly count: (name: Name) => number | null;
  /**
   * Whether one more would be too many: the seconds until the window is over; null when it would not. Counts
   * nothing.
   */
  readonly blockedSeconds: (name: Name) => number | null;
  /** One that was counted counts no more. */
  readonly giveBack: (name: Name) => void;
};

export type RateWindowSize = {
  /** So many in a window are allowed. */
  readonly most: number;
  readonly windowMs: number;
  /** Beyond so many names, what was counted for the eldest is forgotten. About 100 bytes each. */
  readonly maxNames: number;
};

export function createRateWindow<Name extends string = string>(
  { most, windowMs, maxNames }: RateWindowSize,
  now: () => number,
): RateWindow<Name> {
  const windows = new LRUCache<Name, Window>(atMost(maxNames));
  const openWindow = (name: Name): Window | null => {
    const known = windows.get(name);
    return known !== undefined && now() < known.endsAt ? known : null;
  };
  const secondsLeft = ({ endsAt }: Window): number => Math.max(1, Math.ceil((endsAt - now()) / 1000));
  return {
    count: (name) => {
      const window = openWindow(name) ?? { count: 0, endsAt: now() + windowMs };
      window.count += 1;
      windows.set(name, window);
      return window.count <= most ? null : secondsLeft(window);
    },
    blockedSeconds: (name) => {
      const window = openWindow(name);
      return window === null || window.count < most ? null : secondsLeft(window);
    },
    giveBack: (name) => {
      const window = openWindow(name);
      if (window !== null) window.count = Math.max(0, window.count - 1);
    },
  };
}

type Window = { count: number; readonly endsAt: number };
