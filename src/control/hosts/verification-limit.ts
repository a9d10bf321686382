// How often an account may have the DNS asked: each time makes the service send packets to servers that the
// account chose.

import type { AccountId } from '../../domain/id.ts';
import { createRateWindow } from '../../domain/rate-window.ts';
import { ServiceError } from '../../domain/service-error.ts';

/** Counts one, and throws `rate_limited` when it is one too many. */
export type VerificationLimit = (accountId: AccountId) => void;

export function createVerificationLimit(now: () => number): VerificationLimit {
  const window = createRateWindow<AccountId>(SIZE, now);
  return (accountId) => {
    const retryAfterSeconds = window.count(accountId);
    if (retryAfterSeconds === null) return;
    throw new ServiceError('rate_limited', 'Cannot verify the host: it was checked a moment ago', {
      hint: 'Wait a few minutes. A DNS record takes time to propagate.',
      extra: { retryAfterSeconds },
    });
  };
}

/** Somebody who waits for a record to be known asks again every few seconds. */
const SIZE = { most: 20, windowMs: 60_000, maxNames: 10_000 };
