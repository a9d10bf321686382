// How often an account may have the DNS asked: each time makes the service send packets to servers that the account chose.

import { LRUCache } from 'lru-cache';
import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';

/** Counts one, and throws `rate_limited` when it is one too many. */
export type VerificationLimit = (accountId: AccountId) => void;

export function createVerificationLimit(now: () => number): VerificationLimit {
  const windows = new LRUCache<AccountId, { count: number; readonly endsAt: number }>({ max: MAX_ACCOUNTS });
  return (accountId) => {
    const known = windows.get(accountId);
    const window =
      known === undefined || now() >= known.endsAt ? { count: 0, endsAt: now() + WINDOW_MS } : known;
    window.count += 1;
    windows.set(accountId, window);
    if (window.count <= MOST) return;
    const retryAfterSeconds = Math.ceil((window.endsAt - now()) / 1000);
    throw new ServiceError('rate_limited', 'Cannot ask the DNS again so soon', {
      hint: 'A record takes minutes to be known everywhere.',
      extra: { retryAfterSeconds },
    });
  };
}

/** Somebody who waits for a record to be known asks again every few seconds. */
const MOST = 20;
const WINDOW_MS = 60_000;
/** Less than 1 MB. */
const MAX_ACCOUNTS = 10_000;
