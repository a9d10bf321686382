// How many callbacks of one address may fail (DESIGN "Rate limits"). Logins that succeed are never counted,
// so an office behind one address can log in all at once; and what a page of anybody's may have a browser of
// that office ask for, unseen, is not counted either. Back-channel logouts are counted for each provider by
// itself.

import { LRUCache } from 'lru-cache';
import { atMost } from '../domain/at-most.ts';
import type { AttemptId } from '../domain/id.ts';
import { createNetworkWindow } from '../domain/network-window.ts';
import { createRateWindow } from '../domain/rate-window.ts';
import { ServiceError } from '../domain/service-error.ts';

export type CallbackLimit = {
  /**
   * Seconds until the address may try again; null when it may. `provider`: at whose back channel; null for a
   * callback.
   */
  readonly blockedSeconds: (ip: string | null, provider?: string | null) => number | null;
  readonly failed: (ip: string | null, provider?: string | null) => void;
  /** Whether a refusal at a provider's back channel is to be told of: a few a minute are. */
  readonly tellsRefusal: (provider: string) => boolean;
  /** The store said that this attempt is used up now, or was before. */
  readonly usedUp: (id: AttemptId) => void;
  /** Whether that is known here; the store knows of all. */
  readonly isUsedUp: (id: AttemptId) => boolean;
};

/** At most `failures` a minute and network. */
export function createCallbackLimit(
  failures: number = FAILURES_PER_MINUTE,
  now: () => number = () => performance.now(),
): CallbackLimit {
  const failed = createNetworkWindow({ ...MINUTE, most: failures }, now);
  const told = createRateWindow({ ...MINUTE, most: TOLD_PER_MINUTE }, now);
  const usedUp = new LRUCache<AttemptId, true>(atMost(MAX_USED_UP));
  return {
    blockedSeconds: (ip, provider) => failed.blockedSeconds(ip ?? UNKNOWN, provider ?? ''),
    failed: (ip, provider) => void failed.count(ip ?? UNKNOWN, provider ?? ''),
    tellsRefusal: (provider) => told.count(provider) === null,
    usedUp: (id) => void usedUp.set(id, true),
    isUsedUp: (id) => usedUp.get(id) === true,
  };
}

/** Throws `rate_limited` with Retry-After while the address is blocked. */
export function refuseWhenBlocked(limit: CallbackLimit | undefined, ip: string | null): void {
  const retryAfterSeconds = limit?.blockedSeconds(ip) ?? null;
  if (retryAfterSeconds === null) return;
  throw new ServiceError(
    'rate_limited',
    'Cannot complete the login: too many have failed from this address',
    {
      extra: { retryAfterSeconds },
    },
  );
}

/**
 * Whether the person behind the browser asked for the page. Images and frames of any page whatever carry the
 * address of its reader (Fetch Metadata); a browser that says nothing of it is given no benefit of the doubt.
 */
export function isOwnDoing(headers: Readonly<Record<string, string | undefined>>): boolean {
  const { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode } = headers;
  return (dest === undefined || dest === 'document') && (mode === undefined || mode === 'navigate');
}

const UNKNOWN = 'unknown';
const MINUTE = { windowMs: 60_000, maxNames: 20_000 };
/** Enough to see that something is wrong; strangers can cause them. */
const TOLD_PER_MINUTE = 5;
/** Far above what slips and reloads of an office make, far below what guessing a state would need. */
const FAILURES_PER_MINUTE = 60;
/** About 2 MB. One that drops out is asked of the store once more. */
const MAX_USED_UP = 20_000;
