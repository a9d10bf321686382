// Logins that an account has seen, and whom that makes known to it.

import type { SessionFacts } from './session-facts.ts';

/** Somebody at a provider, with what that said of them last. */
export type SeenLogin = {
  readonly email: string;
  readonly provider: string;
  /** Of the provider that had the name then. */
  readonly providerGeneration: string;
  readonly facts: SessionFacts | null;
  /** In milliseconds since the epoch. */
  readonly at: number;
};
