// A person of an account, whom an email address names: what opens something for them, and its end all at
// once.

import type { AccessRequest } from '../../domain/access-request.ts';
import type { RevocationReason } from '../../domain/certificate.ts';
import type { AccountId } from '../../domain/id.ts';
import type { CertificateRequestToken, KeptCertificate } from '../certificates/certificate.ts';
import type { SessionRow } from '../sessions/session.ts';
import type { ApiKeyRow, MemberRow } from './people.ts';

/** `email` in any case. */
export type PersonOf = { readonly accountId: AccountId; readonly email: string };

/** What counts now, of all members whom the address names: what `endAccess` would end. */
export type Holdings = {
  /**
   * The one who was invited by the address, or else one who is logged in under it. Null for who is no member:
   * then nobody has keys or sessions at the control plane.
   */
  readonly member: MemberRow | null;
  /** At shares, those under another address of the same login too. */
  readonly sessions: number;
  /** At the control plane. */
  readonly consoleSessions: number;
  readonly certificates: number;
  /** Neither used nor expired. */
  readonly requestTokens: readonly CertificateRequestToken[];
  /** The newest, those that expired among them. */
  readonly apiKeys: readonly ApiKeyRow[];
  /** How many that the member made. */
  readonly serviceTokens: number;
  /** In whatever state, the newest first. */
  readonly accessRequests: readonly AccessRequest[];
};

export type AccessEnd = PersonOf & {
  readonly at: number;
  /** As the audit has the actor. */
  readonly by: string;
  /** What certificates are revoked for. */
  readonly reason: RevocationReason;
  readonly removesMember: boolean;
};

/** What counted until now. */
export type EndedAccess = {
  readonly sessions: readonly SessionRow[];
  readonly consoleSessions: number;
  readonly certificates: readonly KeptCertificate[];
  readonly requestTokens: readonly CertificateRequestToken[];
  readonly apiKeys: readonly ApiKeyRow[];
  /** Those of the members: deleted with them, else they stay. */
  readonly serviceTokens: number;
  /** As they were. More than one when another member is logged in under the address by now. */
  readonly members: readonly MemberRow[];
};

export interface PersonTable {
  holdings(person: PersonOf, now: number): Promise<Holdings>;
  /**
   * One transaction. What is begun at the same moment ends with it or begins nothing: a login that had set
   * out, a token that is redeemed, a certificate that is renewed, a key that is made. Throws `last_admin`
   * when nobody could act for the account any more, and then nothing is done.
   */
  endAccess(end: AccessEnd): Promise<EndedAccess>;
}
