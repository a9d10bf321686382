// Whether a provider is known to be down: its last calls all failed, whoever made them. That is forgotten
// with the first that works, and by itself soon after the last: nobody is kept from a provider that is back
// for want of somebody who tries.

import { ServiceError } from '../domain/service-error.ts';
import type { OutboundFetch } from './dialler.ts';
import { isWithin } from './metadata-cache.ts';

export type ProviderHealth = {
  /** The same calls, and what became of them is remembered. */
  readonly watched: (fetch: OutboundFetch) => OutboundFetch;
  readonly isDown: () => boolean;
};

export function createProviderHealth(now: () => number): ProviderHealth {
  let failures = 0;
  let failedAt = 0;
  const failed = () => {
    failures++;
    failedAt = now();
  };
  return {
    watched: (fetch) => async (url, request) => {
      try {
        const response = await fetch(url, request);
        if (OUTAGES.has(response.status)) failed();
        else if (response.status < 500) failures = 0;
        return response;
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'provider_unreachable') failed();
        throw error;
      }
    },
    isDown: () => failures >= DOWN_FAILURES && isWithin(now() - failedAt, DOWN_MS),
  };
}

/** A bare 500 may be about what one visitor sent: any code can be made up. */
const OUTAGES: ReadonlySet<number> = new Set([502, 503, 504]);
/** One may be a hiccup. */
export const DOWN_FAILURES = 2;
/** Longer than the pauses between the checks of sessions that are in use, which find out when it is back. */
export const DOWN_MS = 40_000;
