// What examining a provider found, as the control API tells it.

import type { Check } from '../domain/check.ts';

export type ProviderTestObject = {
  readonly provider: string;
  /** No check failed. */
  readonly passed: boolean;
  readonly checks: readonly Check[];
  /** To register at the provider; null where it has no use for it. */
  readonly redirectUrl: string;
  readonly backchannelLogoutUrl: string | null;
  readonly postLogoutRedirectUrl: string | null;
  /** What cannot be seen from outside, and matters for sensitive use. */
  readonly notSeen: readonly string[];
};
