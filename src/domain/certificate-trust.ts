// Whose client certificates count, as the main thread tells the gates: authorities of accounts, and what they
// revoked.

import type { AccountCaId, AccountId, CertificateId } from './id.ts';

/**
 * An authority that is trusted until `notAfter`: its own end, or sooner where it issues nothing more and the
 * last certificate of it is over by then. Times are milliseconds since the epoch.
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

/**
 * From before a backup to after its restore, in milliseconds since the epoch: of the certificates that became
 * valid in it only those count that the store knows. Whatever else was issued then can be in no list of what
 * is revoked.
 */
export type InventoryGap = { readonly from: number; readonly until: number };

export function isWithinGap(gaps: readonly InventoryGap[], notBefore: number): boolean {
  return gaps.some(({ from, until }) => notBefore >= from && notBefore <= until);
}

export type KnownSerial = {
  readonly id: CertificateId;
  readonly authorityId: AccountCaId;
  /** Upper-case hex. */
  readonly serial: string;
};

export type TrustNews = {
  /** Nothing that was known before counts: what follows is everything. */
  readonly reset: boolean;
  readonly authorities: readonly TrustedAuthority[];
  /** Not trusted any more. */
  readonly gone: readonly AccountCaId[];
  readonly revoked: readonly RevokedSerial[];
  /** All there are when it is `again`, otherwise none: they come with a restore alone. */
  readonly gaps: readonly InventoryGap[];
  /** Of the certificates of a gap, those that count. */
  readonly known: readonly KnownSerial[];
};

export const NO_TRUST: TrustNews = {
  reset: true,
  authorities: [],
  gone: [],
  revoked: [],
  gaps: [],
  known: [],
};
