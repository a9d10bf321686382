// What a fault of a provider says of it: that it may answer another time, or that what it answers is of no
// use.

import { type FaultCode, ServiceError } from './service-error.ts';

/** Null for what is no fault of a provider, and for what it says of a person. */
export function providerTrouble(code: FaultCode): 'away' | 'wrong' | null {
  if (AWAY.has(code)) return 'away';
  return WRONG.has(code) ? 'wrong' : null;
}

/** For how long the provider asks to be left alone, as far as it is listened to. */
export function askedPauseMs(error: unknown): number {
  const seconds = error instanceof ServiceError ? error.extra['retryAfterSeconds'] : null;
  return typeof seconds === 'number' ? Math.min(seconds * 1000, LONGEST_ASKED_MS) : 0;
}

/**
 * A provider that asks for longer is asked once in a while all the same: one wrong header must not keep
 * everybody out.
 */
export const LONGEST_ASKED_MS = 5 * 60 * 1000;
const AWAY: ReadonlySet<FaultCode> = new Set(['provider_unreachable', 'provider_rate_limited']);
const WRONG: ReadonlySet<FaultCode> = new Set([
  'provider_error',
  'provider_permission_missing',
  'provider_token_too_large',
]);
