// How much one account may have, and ask of the control API at once, so that none takes the service from the
// others.

export type AccountLimits = {
  /** Calls of the control API that run at the same time; others wait. */
  readonly callsAtOnce: number;
  readonly callsWaiting: number;
  /** Calls that are no mere reads, each minute. */
  readonly writesPerMinute: number;
  readonly shares: number;
  /** Host names of their own of all its shares together. */
  readonly hosts: number;
  readonly providers: number;
  readonly members: number;
  readonly apiKeys: number;
  /** Those that have expired and were not deleted, too. */
  readonly serviceTokens: number;
  readonly webhooks: number;
  /** Neither used nor expired. */
  readonly certificateRequestTokens: number;
  /**
   * Neither expired nor revoked. Twice as many with renewals, and as many again that are revoked and not
   * expired.
   */
  readonly certificates: number;
  /**
   * Revocations of certificates that the store does not know; one for each authority where the serial alone
   * is known.
   */
  readonly revokedSerials: number;
};

/** Far above what people need, far below what hurts others: the operator may set each of them. */
export const DEFAULT_LIMITS: AccountLimits = {
  callsAtOnce: 8,
  callsWaiting: 256,
  writesPerMinute: 3000,
  shares: 10_000,
  hosts: 2000,
  providers: 500,
  members: 5000,
  apiKeys: 2000,
  serviceTokens: 2000,
  webhooks: 20,
  certificateRequestTokens: 10_000,
  certificates: 200_000,
  revokedSerials: 10_000,
};

/**
 * How much of a limit is for others than admins. Whoever floods with a key that may do little must not keep
 * an admin from deleting that key.
 */
export function partForOthers(most: number): number {
  return Math.max(1, Math.floor((most * 3) / 4));
}
