// How often one network may ask for access: whoever has an account at a public provider can, as often as they
// have accounts.

import { createNetworkWindow } from '../domain/network-window.ts';

export type AskLimit = {
  /** Counts one. Null while that is allowed, else the seconds until it is again. */
  readonly count: (ip: string | null) => number | null;
};

export function createAskLimit(now: () => number = () => performance.now()): AskLimit {
  const asked = createNetworkWindow({ windowMs: HOUR_MS, most: ASKED_PER_HOUR, maxNames: 20_000 }, now);
  return { count: (ip) => asked.count(ip ?? 'unknown') };
}

const HOUR_MS = 3_600_000;
/** An office whose share was closed by mistake asks more; its people are let in by a rule, not one by one. */
const ASKED_PER_HOUR = 20;
