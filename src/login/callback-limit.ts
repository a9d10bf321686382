// How many callbacks of one address may fail (DESIGN 3, Rate limits). Logins that succeed are never counted, so an
// office behind one address can log in all at once.

import { RateLimiterMemory } from 'rate-limiter-flexible';

import { addressSite } from '../domain/address-site.ts';
import { ServiceError } from '../domain/service-error.ts';

export type CallbackLimit = {
  /** Seconds until the address may try again; null when it may. */
  readonly blockedSeconds: (ip: string | null) => Promise<number | null>;
  readonly failed: (ip: string | null) => Promise<void>;
};

/** At most `failures` a minute and address; of IPv6, a /64 is one address. */
export function createCallbackLimit(failures: number = FAILURES_PER_MINUTE): CallbackLimit {
  const limiter = new RateLimiterMemory({ points: failures, duration: WINDOW_SECONDS });
  return {
    blockedSeconds: async (ip) => {
      const used = await limiter.get(addressKey(ip));
      if (used === null || used.consumedPoints < failures) return null;
      return Math.max(1, Math.ceil(used.msBeforeNext / 1000));
    },
    failed: async (ip) => {
      await limiter.penalty(addressKey(ip));
    },
  };
}

/** Throws `rate_limited` with Retry-After while the address is blocked. */
export async function refuseWhenBlocked(limit: CallbackLimit | undefined, ip: string | null): Promise<void> {
  const retryAfterSeconds = (await limit?.blockedSeconds(ip)) ?? null;
  if (retryAfterSeconds === null) return;
  throw new ServiceError(
    'rate_limited',
    'Cannot complete the login: too many have failed from this address',
    {
      extra: { retryAfterSeconds },
    },
  );
}

function addressKey(ip: string | null): string {
  return ip === null ? 'unknown' : addressSite(ip);
}

const WINDOW_SECONDS = 60;
/** Far above what slips and reloads of an office make, far below what guessing a state would need. */
const FAILURES_PER_MINUTE = 60;
