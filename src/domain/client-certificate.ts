// What a share asks of client certificates, and what is known of the one that came with a connection (DESIGN
// 3, "Mutual TLS"). Everything here is judged on every request: dates, usage, revocation and the share's rule
// change after the handshake.

import type { CertificateRule } from './certificate-rule.ts';
import type { AccountCaId, AccountId } from './id.ts';
import { compileTextGlob, type TextGlob } from './text-glob.ts';

/** A certificate whose key the client has proved to hold. Times are milliseconds since the epoch. */
export type CertificateFacts = {
  /** The account of the authority whose key signed it; null when that is none that is trusted now. */
  readonly accountId: AccountId | null;
  /** Null when it is not written as the authorities here write names. */
  readonly commonName: string | null;
  readonly organizationalUnit: string | null;
  /** The whole subject as RFC 4514 writes it, printable ASCII. */
  readonly subject: string;
  /** Upper-case hex. */
  readonly serial: string;
  /** SHA-256 of the whole certificate, lower-case hex. */
  readonly fingerprint: string;
  readonly notBefore: number;
  readonly notAfter: number;
  /** When it is over, or its authority is no longer trusted, whichever is first. */
  readonly goodUntil: number;
  /** Whether it is a leaf that is meant for clients: extended key usage clientAuth, and no authority. */
  readonly clientAuth: boolean;
  /** Whether it is an agent's, issued with the role `tunnel`: it opens tunnels, and no share. */
  readonly tunnelOnly: boolean;
  readonly revoked: boolean;
};

/**
 * What is handed on of a certificate whose key the client has proved to hold, where the store knows the rest.
 */
export type HeldCertificate = {
  /** The authority whose key signed it; null when that is none that is trusted. */
  readonly authorityId: AccountCaId | null;
  /** SHA-256 of the whole certificate, lower-case hex. */
  readonly fingerprint: string;
};

export const CERTIFICATE_REFUSALS = [
  'certificate_required',
  'certificate_foreign',
  'certificate_revoked',
  'certificate_not_yet_valid',
  'certificate_expired',
  'certificate_unfit',
  'certificate_refused',
] as const;
export type CertificateRefusal = (typeof CERTIFICATE_REFUSALS)[number];

export function isCertificateRefusal(code: string): code is CertificateRefusal {
  return CERTIFICATE_REFUSALS.some((refusal) => refusal === code);
}

export type CertificateAsked = { readonly accountId: AccountId; readonly rule: CertificateRule };

/**
 * Why a certificate does not let its holder in at `now`; null when it does. Whoever signed it is asked first.
 */
export function certificateRefusal(
  { accountId, rule }: CertificateAsked,
  certificate: CertificateFacts | null,
  now: number,
): CertificateRefusal | null {
  if (certificate === null) return 'certificate_required';
  if (certificate.accountId !== accountId) return 'certificate_foreign';
  if (certificate.revoked) return 'certificate_revoked';
  // Asked the way round that lets nothing pass should a time ever be no number.
  if (!(now >= certificate.notBefore)) return 'certificate_not_yet_valid';
  if (!(now < certificate.notAfter)) return 'certificate_expired';
  if (!certificate.clientAuth || certificate.tunnelOnly) return 'certificate_unfit';
  return matchesRule(rule, certificate) ? null : 'certificate_refused';
}

/** Whether it names somebody else than the rule asks for. Without a common name, that is not known. */
export function isOtherSubject(rule: CertificateRule, certificate: CertificateFacts): boolean {
  return certificate.commonName !== null && !matchesRule(rule, certificate);
}

function matchesRule({ subject, unit }: CertificateRule, certificate: CertificateFacts): boolean {
  if (certificate.commonName === null) return false;
  return matches(subject, certificate.commonName) && matches(unit, certificate.organizationalUnit);
}

function matches(glob: string | null, value: string | null): boolean {
  return glob === null || (value !== null && compiled(glob)?.matches(value) === true);
}

/** A share's globs are asked at each request. One that cannot be compiled matches nothing. */
function compiled(text: string): TextGlob | null {
  const known = kept.get(text);
  if (known !== undefined) return known;
  let glob: TextGlob | null = null;
  try {
    glob = compileTextGlob(text);
  } catch {
    // It was judged when it was set; whatever this is, it lets nobody in.
  }
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(text, glob);
  return glob;
}

const kept = new Map<string, TextGlob | null>();
/** Globs of shares in use at once; beyond it they are compiled again. */
const MAX_KEPT = 10_000;
