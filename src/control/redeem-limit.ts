// Slows the guessing of request tokens down, and the trying of requests with a good one: failures are counted per address
// and per token (DESIGN 3, "Rate limits").

import { LRUCache } from 'lru-cache';
import { addressSite } from '../domain/address-site.ts';
import { shortHash } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';

export type RedeemLimit = {
  /** Throws `rate_limited` once too many failed from there, or with that token. */
  readonly requireFree: (address: string, token: string) => void;
  readonly failed: (address: string, token: string) => void;
};

export function createRedeemLimit(now: () => number): RedeemLimit {
  const windows = new LRUCache<string, { failures: number; readonly endsAt: number }>({ max: MAX_NAMES });
  return {
    requireFree(address, token) {
      for (const name of namesOf(address, token)) {
        const { failures, endsAt } = windows.get(name) ?? { failures: 0, endsAt: 0 };
        if (failures < MAX_FAILURES || now() >= endsAt) continue;
        throw new ServiceError('rate_limited', 'Cannot redeem: too many tries failed', {
          extra: { retryAfterSeconds: Math.ceil((endsAt - now()) / 1000) },
        });
      }
    },
    failed(address, token) {
      for (const name of namesOf(address, token)) {
        const known = windows.get(name);
        const live = known !== undefined && now() < known.endsAt;
        const window = live ? known : { failures: 0, endsAt: now() + WINDOW_MS };
        window.failures += 1;
        windows.set(name, window);
      }
    },
  };
}

function namesOf(address: string, token: string): readonly string[] {
  return [`from ${addressSite(address)}`, `of ${shortHash(token)}`];
}

/** A person tries some requests until one is accepted; 256 random bits are not guessed in any number of tries. */
const MAX_FAILURES = 20;
const WINDOW_MS = 60_000;
/** About 2 MB at most. */
const MAX_NAMES = 20_000;
