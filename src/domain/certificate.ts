// Certificates of an account's people and services, as all rooms speak of them (DESIGN 1 and 2.6), and the
// account's rules for what they may say.

import { compileTextGlob } from './text-glob.ts';
import type { AccountCaId, AccountId, CertificateId, CertificateRequestTokenId } from './id.ts';
import type { CertificateRole } from './role.ts';

/** What a certificate says of its holder. It comes from whoever allowed it, never from a CSR. */
export type CertificateSubject = {
  readonly commonName: string;
  readonly organization: string | null;
  readonly organizationalUnit: string | null;
  /** As a subject alternative name. */
  readonly emailAddress: string | null;
};

export type RevocationReason =
  | 'unspecified'
  | 'key_compromise'
  | 'affiliation_changed'
  | 'superseded'
  | 'cessation_of_operation';

/** One that was issued. Times are milliseconds since the epoch. */
export type Certificate = {
  readonly id: CertificateId;
  readonly accountId: AccountId;
  readonly caId: AccountCaId;
  /** Upper-case hex, as `X509Certificate` writes it. */
  readonly serial: string;
  /** For people: that of the token. */
  readonly name: string;
  readonly subject: CertificateSubject;
  /** SHA-256 of the whole certificate, lower-case hex. */
  readonly fingerprint: string;
  /** SHA-256 of its SubjectPublicKeyInfo, lower-case hex. */
  readonly keyHash: string;
  /** DER. */
  readonly der: Uint8Array;
  readonly notBefore: number;
  readonly notAfter: number;
  /** As it was allowed; the certificate's own is shorter where its authority ends sooner. */
  readonly validityMs: number;
  /** What its holder may do at the control API with it alone; null for nothing. */
  readonly apiRole: CertificateRole | null;
  /** Who allowed it: the maker of the token, also of those that were renewed from it. */
  readonly allowedBy: string;
  /** The token that it, or the first one that it goes back to, was redeemed for. */
  readonly tokenId: CertificateRequestTokenId | null;
  /** The certificate that it took the place of. */
  readonly renewedFrom: CertificateId | null;
  readonly createdAt: number;
  /** When the first of its line was issued, which it was renewed from: itself where there is none. */
  readonly lineSince: number;
  /** For how long after that it may be renewed, as its token allowed; null: as the account's rules say. */
  readonly renewableMs: number | null;
};

/** The organization's naming standards (contract 2.7). Null: anything goes. */
export type CertificatePolicy = {
  readonly organization: string | null;
  /** Empty: any unit, or none. */
  readonly organizationalUnits: readonly string[];
  /** A glob of `compileTextGlob()`. */
  readonly commonNamePattern: string | null;
  readonly maxValidityMs: number | null;
  /**
   * Whether a holder who logs in, with an address that the provider vouches for, may renew what is near its
   * end.
   */
  readonly renewalByLogin: boolean;
  /**
   * For how long after the first of a line one may be renewed; 0: not at all; null: `DEFAULT_RENEWABLE_MS`.
   */
  readonly renewableMs: number | null;
};

export const OPEN_POLICY: CertificatePolicy = {
  organization: null,
  organizationalUnits: [],
  commonNamePattern: null,
  maxValidityMs: null,
  // A login would be worth a certificate, where a share may ask for both: for an admin to allow.
  renewalByLogin: false,
  renewableMs: null,
};

export type PolicyFault = { readonly path: string; readonly message: string };

/**
 * Until when a certificate may be renewed, and what it is renewed to may be valid: as long as its token
 * allowed, and never longer than the rules of now do.
 */
export function renewableUntil(
  policy: CertificatePolicy,
  { lineSince, renewableMs }: Pick<Certificate, 'lineSince' | 'renewableMs'>,
): number {
  const mostMs = policy.renewableMs ?? DEFAULT_RENEWABLE_MS;
  return lineSince + Math.min(renewableMs ?? mostMs, mostMs);
}

type PolicyInput = {
  readonly subject: CertificateSubject;
  readonly validityMs: number;
  /** As `Certificate.renewableMs`. */
  readonly renewableMs?: number | null;
};

/** What of a input the policy does not allow. */
export function policyFaults(
  policy: CertificatePolicy,
  { subject, validityMs, renewableMs = null }: PolicyInput,
): readonly PolicyFault[] {
  const faults: PolicyFault[] = [];
  const { organization, organizationalUnits, commonNamePattern, maxValidityMs } = policy;
  const units = organizationalUnits.map((unit) => `"${unit}"`).join(', ');
  if (commonNamePattern !== null && !compileTextGlob(commonNamePattern).matches(subject.commonName))
    faults.push({ path: 'commonName', message: `it must match "${commonNamePattern}"` });
  if (organization !== null && subject.organization !== organization)
    faults.push({ path: 'organization', message: `it must be "${organization}"` });
  if (organizationalUnits.length > 0 && !organizationalUnits.includes(subject.organizationalUnit ?? ''))
    faults.push({ path: 'organizationalUnit', message: `it must be one of ${units}` });
  if (maxValidityMs !== null && validityMs > maxValidityMs)
    faults.push({ path: 'validity', message: `at most ${Math.floor(maxValidityMs / DAY_MS)}d` });
  const mostMs = policy.renewableMs ?? DEFAULT_RENEWABLE_MS;
  if (renewableMs !== null && renewableMs > mostMs)
    faults.push({
      path: 'renewableFor',
      message: mostMs === 0 ? 'it must be none' : `at most ${Math.floor(mostMs / DAY_MS)}d`,
    });
  return faults;
}

const DAY_MS = 86_400_000;
/** DESIGN 2.6. */
export const DEFAULT_VALIDITY_MS = 30 * DAY_MS;
export const MAX_VALIDITY_MS = 397 * DAY_MS;
/**
 * Whoever renews on and on comes back to an admin once in as long as one certificate may be valid at most.
 */
const DEFAULT_RENEWABLE_MS = 397 * DAY_MS;
