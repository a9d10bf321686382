// How long apps have not answered, as this worker saw it, and so when a page that says it may try again by
// itself: soon at first, seldom later, and no more after half an hour. No visitor is counted, and no page
// carries a number from one load to the next.

import type { ShareId } from '../domain/id.ts';

export type Outages = {
  /** An app did not answer. Seconds until the page may try again; null: not by itself. */
  readonly failed: (shareId: ShareId, now: number) => number | null;
  /** It answered. */
  readonly answered: (shareId: ShareId) => void;
};

/** `now`: ms of any clock that does not go back. */
export function createOutages(): Outages {
  const outages = new Map<ShareId, Outage>();
  return {
    failed: (shareId, now) => {
      const known = outages.get(shareId);
      const isOngoing = known !== undefined && now - known.lastAt < QUIET_MS;
      const since = isOngoing ? known.since : now;
      // Behind all others: what leaves first was not seen for longest.
      outages.delete(shareId);
      outages.set(shareId, { since, lastAt: now });
      if (outages.size > MAX_OUTAGES) outages.delete(outages.keys().next().value!);
      return againSeconds(now - since);
    },
    answered: (shareId) => {
      if (outages.size > 0) outages.delete(shareId);
    },
  };
}

type Outage = { readonly since: number; readonly lastAt: number };

function againSeconds(lastedMs: number): number | null {
  if (lastedMs >= GIVE_UP_MS) return null;
  const seconds = Math.round(lastedMs / 4000);
  return Math.min(Math.max(seconds, SOONEST_SECONDS), SELDOMEST_SECONDS);
}

/** Long enough to read the page; most restarts take no longer. */
const SOONEST_SECONDS = 5;
const SELDOMEST_SECONDS = 60;
/** A tab that is forgotten asks forty times at most, and then no more. */
const GIVE_UP_MS = 30 * 60_000;
/** Nobody asked for so long that what comes now is another outage; more than the longest wait of a page. */
const QUIET_MS = 5 * 60_000;
/** Of shares that are down at once, those of one worker: a few megabytes. */
const MAX_OUTAGES = 10_000;
