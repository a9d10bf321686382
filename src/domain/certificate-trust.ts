// Whose client certificates count, as the main thread tells the gates: authorities of accounts, and what they revoked.

import type { AccountCaId, AccountId } from './id.ts';

/**
 * An authority that is trusted until `notAfter`: its own end, or sooner where it issues nothing more and the last certificate of
 * it is over by then. Times are milliseconds since the epoch.
 */
export type TrustedAuthority = {
  readonly id: AccountCaId;
  readonly accountId: AccountId;
  /** PEM. */
  readonly certificate: string;
  readonly notAfter: number;
};

export type RevokedSerial = {
  readonly authorityId: AccountCaId;
  /** Upper-case hex. */
  readonly serial: string;
  /** When the certificate is over, and need not be remembered any more. */
  readonly notAfter: number;
};

export type TrustNews = {
  /** Nothing that was known before counts: what follows is everything. */
  readonly anew: boolean;
  readonly authorities: readonly TrustedAuthority[];
  /** Not trusted any more. */
  readonly gone: readonly AccountCaId[];
  readonly revoked: readonly RevokedSerial[];
};

export const NO_TRUST: TrustNews = { anew: true, authorities: [], gone: [], revoked: [] };
