// Tokens of sessions that are over, while they are still to be revoked at their providers.

import type { AccountId } from '../../domain/id.ts';
import type { SessionRow, StoredTokens } from './session.ts';

export type RevocationClaim = {
  readonly most: number;
  readonly holdMs: number;
  /** Names of providers, and accounts, that are left out. */
  readonly butOf: { readonly providers: readonly string[]; readonly accounts: readonly AccountId[] };
};

/** `wait`: looked at again later, the more so the longer it has waited. */
export type RevocationOutcome = 'over' | 'failed' | 'wait';

export type OwedRevocation = {
  readonly row: SessionRow;
  /** Null when they cannot be opened. */
  readonly tokens: StoredTokens | null;
  readonly fence: number;
  /** Whether the same person has a living session at the provider. */
  readonly hasOthers: boolean;
};
