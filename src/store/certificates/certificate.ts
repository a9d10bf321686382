// Certificates as the rooms above see them: an account's authorities, the tokens that are good for a
// certificate, and what was issued. Rows of another account are not there.

import type { Maker } from '../people/maker.ts';
import type { CertificateCount } from './count.ts';
import type { AuditEvent } from '../../domain/audit-event.ts';
import type {
  Certificate,
  CertificatePolicy,
  CertificateSubject,
  RevocationReason,
} from '../../domain/certificate.ts';
import type {
  AccountCaId,
  AccountId,
  CertificateId,
  CertificateRequestTokenId,
  RevokedSerialId,
  MemberId,
} from '../../domain/id.ts';
import type { InventoryGap, KnownSerial } from '../../domain/certificate-trust.ts';
import type { CertificateUse } from '../../domain/certificate-use.ts';
import type { CertificateOrder, RequestTokenOrder, Sort } from '../../domain/list-orders.ts';
import type { CertificateRole } from '../../domain/role.ts';
import type { Secret } from '../../domain/secret.ts';
import type { PageIn, Place, RowsInOrder } from '../sorting.ts';

export type AccountCa = {
  readonly id: AccountCaId;
  readonly accountId: AccountId;
  /** DER. */
  readonly certificate: Uint8Array;
  readonly createdAt: number;
  readonly notAfter: number;
  /**
   * Since when it issues nothing more; null for the one that issues. It is trusted until its last leaf is
   * over.
   */
  readonly retiredAt: number | null;
};

/** `trustedUntil`: its own end, or when the last leaf is over of one that issues nothing more. */
export type TrustedCa = AccountCa & { readonly trustedUntil: number };

/** `privateKey`: PKCS #8, PEM. */
export type SigningCa = { readonly ca: AccountCa; readonly privateKey: Secret };

export type NewAccountCa = {
  readonly ca: Omit<AccountCa, 'retiredAt'>;
  /** PKCS #8, PEM. Sealed in the store. */
  readonly privateKey: Secret;
};

export interface AccountCaTable {
  /**
   * Puts it in the place of the one that issues. With `first`, only if there is none that is not over:
   * answers the one that there is. Throws `rate_limited` when the one that issues was replaced too often
   * within a day.
   */
  put(made: NewAccountCa, first: boolean): Promise<AccountCa>;
  /**
   * Those with leaves that are not over at `now`, revoked or not, and the one that issues, which comes first.
   */
  list(accountId: AccountId, now: number): Promise<readonly AccountCa[]>;
  /** The first of `list` with its key, where that one issues; null where none does. */
  issuing(accountId: AccountId, now: number): Promise<SigningCa | null>;
  /** Null when it is none of the account's. */
  privateKey(accountId: AccountId, id: AccountCaId): Promise<Secret | null>;
  /**
   * What the gates trust: those of accounts that are not suspended which issue, or have a leaf neither over
   * nor revoked.
   */
  all(now: number): Promise<readonly TrustedCa[]>;
  /** As `all`, of these. */
  trustedAmong(ids: readonly AccountCaId[], now: number): Promise<readonly TrustedCa[]>;
  policy(accountId: AccountId): Promise<VersionedPolicy>;
  /** Throws `precondition_failed` when `expectedVersion` is given and is not that of the policy. */
  setPolicy(
    accountId: AccountId,
    policy: CertificatePolicy,
    expectedVersion: number | null,
  ): Promise<VersionedPolicy>;
  /** Tells of those that issue and end within a year: `ca.expiring` events. Each once. Answers how many. */
  noteEnding(now: number): Promise<number>;
}

/** `version` is 0 where none was ever set. */
export type VersionedPolicy = { readonly policy: CertificatePolicy; readonly version: number };

export type CertificateRequestToken = {
  readonly id: CertificateRequestTokenId;
  readonly accountId: AccountId;
  /** `secretStart()` of it; null for one of before these were kept. */
  readonly start: string | null;
  readonly name: string;
  readonly subject: CertificateSubject;
  readonly validityMs: number;
  readonly apiRole: CertificateRole | null;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly expiresAt: number;
  readonly usedAt: number | null;
  readonly certificateId: CertificateId | null;
  /**
   * The certificate that it takes the place of, whose holder asked for it; null for one that an admin made.
   */
  readonly renews: CertificateId | null;
  /**
   * For how long after it is redeemed its certificate may be renewed; 0: not at all; null: as the account's
   * rules say.
   */
  readonly renewableMs: number | null;
};

/** Open: neither used nor over at `now`. Expired: over, and never used. */
export type TokenState = { readonly is: 'open' | 'used' | 'expired'; readonly now: number };

/** `renewed`: what took its place is good. `maker_gone`: who allowed it may not any more. */
export type RenewalAnswer = 'made' | 'over' | 'renewed' | 'maker_gone';

/** No `start` unless said. */
export type NewToken = Omit<CertificateRequestToken, 'usedAt' | 'certificateId' | 'renews' | 'start'> &
  Partial<Pick<CertificateRequestToken, 'start'>>;

export type TokenLimits = { readonly tokens: number; readonly certificates: number };

/** How many there may be, and who makes it. */
export type TokenMaking = {
  readonly most?: TokenLimits;
  readonly by?: Maker & { readonly memberId: MemberId | null };
};

export type NewRenewalToken = NewToken & { readonly renews: CertificateId };

export type RequestTokenPage = PageIn<RequestTokenOrder> & { readonly state?: TokenState | null };

export interface CertificateRequestTokenTable {
  /**
   * Throws `limit_reached` when the account has as many open tokens, or living certificates, as it may have,
   * and `not_allowed` when whoever makes it is gone by now.
   */
  create(token: NewToken, hash: string, making?: TokenMaking): Promise<void>;
  /**
   * One for the certificate's holder, in the place of any before that was not used. Nothing is done unless
   * the certificate is living, not renewed, and whoever allowed it may do so still.
   */
  createRenewal(token: NewRenewalToken, hash: string): Promise<RenewalAnswer>;
  /** By the SHA-256 of the token in hex. Null, too, when its account is suspended. */
  findByHash(hash: string): Promise<CertificateRequestToken | null>;
  find(accountId: AccountId, id: CertificateRequestTokenId): Promise<CertificateRequestToken | null>;
  /**
   * All of them unless `state` says which: a page of those may then hold few, or none, and still have a
   * `next`.
   */
  list(accountId: AccountId, page: RequestTokenPage): Promise<RowsInOrder<CertificateRequestToken>>;
  /** At most `most`; null when counting would take looking at too many. */
  countFound(accountId: AccountId, state: TokenState | null, most: number): Promise<number | null>;
  /** The token that was there, used or not; its certificate stays. */
  remove(accountId: AccountId, id: CertificateRequestTokenId): Promise<CertificateRequestToken | null>;
  /** Those for this address, whatever its case, that were not used. */
  removeUnusedOf(accountId: AccountId, emailAddress: string): Promise<readonly CertificateRequestToken[]>;
  /**
   * One transaction: uses the token up, keeps the certificate, and writes the events down. Null, and nothing
   * is done, when it was used, is over at `certificate.createdAt`, or is gone, or when whoever made it may
   * not make one any more. Throws `limit_reached`, and nothing is done, when the account has `most` living
   * certificates.
   */
  redeem(
    id: CertificateRequestTokenId,
    certificate: Certificate,
    also?: { readonly events?: readonly AuditEvent[]; readonly most?: number | undefined },
  ): Promise<KeptCertificate | null>;
}

export type KeptCertificate = Certificate & {
  readonly revokedAt: number | null;
  readonly revocationReason: RevocationReason | null;
  readonly revokedBy: string | null;
  readonly lastUsedAt: number | null;
  /** The share or `control`, and the address. */
  readonly lastUsedOn: string | null;
  readonly lastUsedFrom: string | null;
};

export type CertificateQuery = {
  readonly accountId: AccountId;
  /** Address of the holder, whatever its case. */
  readonly emailAddress: string | null;
  /** Only those whose name, subject, serial or fingerprint contains this; null for all. */
  readonly text: string | null;
  /** Only what goes back to this token. */
  readonly tokenId: string | null;
  readonly state: 'living' | 'revoked' | 'expired' | null;
  /** Only what is over before. */
  readonly endsBefore: number | null;
  readonly now: number;
  /** By id unless said. */
  readonly sort?: Sort<CertificateOrder>;
  /** The `next` of the page before, in the same order. */
  readonly after: Place | null;
  readonly limit: number;
};

export type CertificateListPage = {
  readonly certificates: readonly KeptCertificate[];
  readonly next: Place | null;
};

export interface CertificateTable {
  /** By id, serial or fingerprint. */
  find(accountId: AccountId, named: string): Promise<KeptCertificate | null>;
  findByFingerprint(fingerprint: string): Promise<KeptCertificate | null>;
  /** Of any account. Those that are not known are left out. */
  withSerials(
    serials: readonly string[],
  ): Promise<
    readonly (Pick<KeptCertificate, 'id' | 'accountId' | 'serial'> & { readonly email: string | null })[]
  >;
  /**
   * A page in the order of `sort`, after `after`. How many one page looks at is bounded: one of a search may
   * hold few, or none, and still have a `next`.
   */
  list(query: CertificateQuery): Promise<CertificateListPage>;
  /** How many a list of them holds in all, at most `most`; null when that takes looking at too many. */
  countFound(query: CertificateQuery, most: number): Promise<number | null>;
  /** Adds what the next new certificates are found by; false when none is left. */
  index(): Promise<boolean>;
  /** Living ones at `now`, and how many of them are over before `soon`. */
  count(accountId: AccountId, by: { readonly now: number; readonly soon: number }): Promise<CertificateCount>;
  /**
   * Keeps the one that takes the place of `renewedFrom`, if that is not revoked. Null, and nothing is done,
   * when it is. When one for the same key took that place since `since`, answers that one. Throws
   * `rate_limited` after too many, and `limit_reached` when the account has `most` living certificates.
   */
  renew(certificate: Certificate, since: number, most?: number): Promise<KeptCertificate | null>;
  /**
   * Revokes what is chosen and not yet revoked nor over, and tells the gateways; answers what was revoked.
   * With one that is chosen by id or key goes what was renewed from it, unless the reason is `superseded`.
   * With `key_compromise` goes every certificate of the keys of what is chosen, what was renewed from those,
   * and what was issued for tokens that they made; and those keys get none any more: `renew()` and `redeem()`
   * throw `csr_refused`. `within` is for a holder, whose word counts for that address alone, since a request
   * for a key can be sent by whoever saw it: certificates of the key that say another address stay, and while
   * one of those is good, so does the key.
   */
  revoke(of: {
    readonly accountId: AccountId;
    readonly chosen:
      | { readonly id: CertificateId; readonly within?: string }
      | { readonly emailAddress: string }
      /** Those with a role at the control API that this actor gives, whomever they name. */
      | { readonly roleOf: string }
      | { readonly keyHash: string };
    readonly reason: RevocationReason;
    readonly by: string;
    readonly at: number;
  }): Promise<readonly KeptCertificate[]>;
  /** Another text after each revocation under an authority. Cheap. */
  revocationState(caId: AccountCaId): Promise<string>;
  /**
   * A page of what the revocation list of an authority holds at `now`: revoked, and not over; by id, after
   * `after`.
   */
  revokedBy(
    caId: AccountCaId,
    page: { readonly now: number; readonly after: string | null; readonly limit: number },
  ): Promise<readonly RevokedCertificate[]>;
  /** A page of what is revoked, and not over at `now`, under whatever authority; by id, after `after`. */
  allRevoked(page: {
    readonly now: number;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly RevokedSerialRow[]>;
  /** Times in which a certificate counts only when it is kept here, since others were lost in a restore. */
  gaps(now: number): Promise<readonly InventoryGap[]>;
  /** A page of what became valid in a gap, and is neither over nor revoked at `now`; by id, after `after`. */
  knownInGaps(page: {
    readonly now: number;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly KnownSerial[]>;
  /** Those of these that became valid in a gap. */
  knownAmong(ids: readonly (CertificateId | RevokedSerialId)[], now: number): Promise<readonly KnownSerial[]>;
  /** Those of these that are revoked. */
  revokedAmong(ids: readonly (CertificateId | RevokedSerialId)[]): Promise<readonly RevokedSerialRow[]>;
  /** Gives the notices that are due: `certificate.expiring` events. Each once. Answers how many. */
  noteExpiring(now: number): Promise<number>;
  /** Written at most once a minute for each. */
  seen(uses: readonly CertificateUse[]): Promise<void>;
}

/** A revocation list as it was published. `state` is what `revocationState()` answered before it was made. */
export type PublishedList = {
  readonly number: number;
  readonly state: string;
  readonly thisUpdate: number;
  readonly nextUpdate: number;
  readonly der: Uint8Array;
};

export interface RevocationListTable {
  /** 0 before the first. Cheap. */
  newestNumber(caId: AccountCaId): Promise<number>;
  newest(caId: AccountCaId): Promise<PublishedList | null>;
  /** A number for the next one: greater than any before, and `atLeast`. */
  nextNumber(caId: AccountCaId, atLeast: number): Promise<number>;
  /** False, and nothing is done, when one of a greater number was published meanwhile. */
  publish(caId: AccountCaId, list: PublishedList): Promise<boolean>;
}

export type RevokedCertificate = {
  readonly id: CertificateId | RevokedSerialId;
  readonly caId: AccountCaId;
  readonly serial: string;
  readonly fingerprint: string;
  readonly revokedAt: number;
  readonly reason: RevocationReason;
};

export type RevokedSerialRow = Pick<KeptCertificate, 'caId' | 'serial' | 'notAfter'> & {
  readonly id: CertificateId | RevokedSerialId;
};
