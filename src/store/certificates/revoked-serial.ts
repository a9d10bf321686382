// Revoking certificates that the store does not know, as the rooms above see it. They are among what
// `CertificateTable.allRevoked()`, `revokedAmong()` and `revokedBy()` answer, and so on the revocation lists
// and at the gates.

import type { RevocationReason } from '../../domain/certificate.ts';
import type { AccountCaId, AccountId } from '../../domain/id.ts';

export type UnknownSerial = {
  readonly caId: AccountCaId;
  /** Upper-case hex, as `X509Certificate` writes it. */
  readonly serial: string;
  /** By when the certificate is over for sure. */
  readonly notAfter: number;
};

export interface RevokedSerialTable {
  /**
   * Revokes them, tells the gateways, and answers those that were not revoked before. Throws `limit_reached`
   * when the account has more than `most` of them then. That the store has no certificate of these is for the
   * caller to see to.
   */
  add(of: {
    readonly accountId: AccountId;
    readonly serials: readonly UnknownSerial[];
    readonly reason: RevocationReason;
    readonly by: string;
    readonly at: number;
    readonly most: number;
  }): Promise<readonly UnknownSerial[]>;
}
