// What a fault of a provider says of it: that it may answer another time, or that what it answers is of no use.

import type { FaultCode } from './service-error.ts';

/** Null for what is no fault of a provider, and for what it says of a person. */
export function providerTrouble(code: FaultCode): 'away' | 'wrong' | null {
  if (AWAY.has(code)) return 'away';
  return WRONG.has(code) ? 'wrong' : null;
}

const AWAY: ReadonlySet<FaultCode> = new Set(['provider_unreachable', 'provider_rate_limited']);
const WRONG: ReadonlySet<FaultCode> = new Set([
  'provider_error',
  'provider_permission_missing',
  'provider_token_too_large',
]);
