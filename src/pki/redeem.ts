// A request token and a CSR become a certificate (contract 1.7, 2.7). Signed first; then one transaction uses
// the token up and keeps the certificate, so a crash at any line leaves a good token, or a certificate that
// can be fetched: the same key gets the same one again for ten minutes.

import type { AuditEvent } from '../domain/audit-event.ts';
import {
  type Certificate,
  type CertificatePolicy,
  MAX_VALIDITY_MS,
  policyFaults,
  renewableUntil,
} from '../domain/certificate.ts';
import { secretHash } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import { parseCertificateRequestToken } from '../domain/certificate-request-token.ts';
import type {
  AccountCa,
  CertificateRequestToken,
  KeptCertificate,
} from '../store/certificates/certificate.ts';
import type { Store } from '../store/store.ts';
import { CsrRefused, parseCsr } from '../x509/csr.ts';
import type { SubjectKey } from '../x509/public-key.ts';
import { type AuthorityDeps, authoritiesOf, issuingAuthority } from './authority.ts';
import { keyHashOf, makeCertificate } from './issue.ts';

export type RedeemDeps = AuthorityDeps & {
  readonly store: Pick<Store, 'cas' | 'accounts' | 'certificateRequestTokens' | 'certificates'>;
  /** Where the revocation list of an authority is fetched. */
  readonly crlUrl: (ca: AccountCa) => string;
  /** Whether the login that its maker came from counts still, as far as its maker came from one. */
  readonly isMakerLoggedIn: (token: CertificateRequestToken) => Promise<boolean>;
  /** How many living certificates an account may have; unlimited unless said. */
  readonly mostCertificates?: () => number;
};

export type RedeemInput = {
  readonly token: string;
  readonly csr: string;
  /** Called before anything of the request is read; what it throws leaves the token as it was. */
  readonly countTry?: (token: CertificateRequestToken) => void;
  /** What is to be written down with the certificate, or not at all. */
  readonly eventsOf?: (issued: {
    readonly certificate: Certificate;
    readonly token: CertificateRequestToken;
  }) => readonly AuditEvent[];
};

export type Redeemed = {
  readonly token: CertificateRequestToken;
  readonly certificate: KeptCertificate;
  readonly ca: AccountCa;
  /** It was redeemed before with this key, and is answered once more. */
  readonly again: boolean;
};

/**
 * Throws `token_unknown`, `token_expired`, `token_used`, `policy_violation` when the rules were tightened
 * meanwhile, and `csr_refused` and `limit_reached`, which leave the token good.
 */
export async function redeem(
  deps: RedeemDeps,
  { token: text, csr, countTry = () => {}, eventsOf = () => [] }: RedeemInput,
): Promise<Redeemed> {
  const token = await findToken(deps, text);
  countTry(token);
  const key = readCsr(csr);
  if (token.usedAt !== null) return redeemedBefore(deps, token, key);
  const createdAt = deps.now();
  if (token.expiresAt <= createdAt)
    throw new ServiceError('token_expired', 'Cannot redeem the token: it has expired');
  await requirePolicy(deps, token);
  if (token.renews === null && !(await deps.isMakerLoggedIn(token))) throw makerGone();
  const line = await lineOf(deps, token, createdAt);
  const authority = await issuingAuthority(deps, token.accountId);
  const made = await makeCertificate(authority, key, {
    name: token.name,
    subject: token.subject,
    validityMs: Math.min(token.validityMs, line.mostMs),
    crlUrl: deps.crlUrl(authority.ca),
    apiRole: token.apiRole,
    allowedBy: token.createdBy,
    tokenId: token.id,
    renewedFrom: token.renews,
    createdAt,
    lineSince: line.since,
    renewableMs: line.renewableMs,
  });
  const events = eventsOf({ certificate: made, token });
  const certificate = await deps.store.certificateRequestTokens.redeem(token.id, made, {
    events,
    most: deps.mostCertificates?.(),
  });
  if (certificate !== null) return { token, certificate, ca: authority.ca, again: false };
  // Somebody was faster, or it went meanwhile, or who made it is no admin any more.
  const found = await findToken(deps, text);
  if (found.usedAt !== null) return redeemedBefore(deps, found, key);
  if (found.renews === null) throw makerGone();
  throw new ServiceError(
    'token_unknown',
    'Cannot redeem the token: the certificate that it renews was revoked or renewed, has expired, or can no longer be renewed',
    { hint: 'Ask an admin for a new token.' },
  );
}

function makerGone(): ServiceError {
  return new ServiceError(
    'token_unknown',
    'Cannot redeem the token: its creator can no longer create tokens',
    {
      hint: 'Ask an admin for a new token.',
    },
  );
}

async function findToken({ store }: RedeemDeps, text: string): Promise<CertificateRequestToken> {
  const secret = parseCertificateRequestToken(text);
  const token = secret === null ? null : await store.certificateRequestTokens.findByHash(secretHash(secret));
  if (token === null)
    throw new ServiceError('token_unknown', 'Cannot redeem the token: it is not from this service', {
      hint: 'Copy the whole token, which begins with crt_. If that fails, ask the sender for a new one.',
    });
  return token;
}

/** Throws `csr_refused`. */
export function readCsr(csr: string, hint = TOKEN_HINT): SubjectKey {
  try {
    return parseCsr(csr);
  } catch (error) {
    if (!(error instanceof CsrRefused)) throw error;
    throw csrRefused(error.message, hint);
  }
}

/** `reason`: a clause for people. */
export function csrRefused(reason: string, hint: string): ServiceError {
  return new ServiceError('csr_refused', `Cannot sign the request: it is ${reason}`, {
    extra: { reason },
    hint,
  });
}

async function requirePolicy({ store }: RedeemDeps, token: CertificateRequestToken): Promise<void> {
  const { policy } = await store.cas.policy(token.accountId);
  if (token.renews !== null && !policy.renewalByLogin) throw renewalClosed();
  const [fault] = policyFaults(policy, token);
  if (fault !== undefined)
    throw new ServiceError(
      'policy_violation',
      `Cannot redeem the token: the certificate policy changed (${fault.path}: ${fault.message})`,
      { hint: 'Ask the sender of the token for a new one.' },
    );
}

type Line = Pick<Certificate, 'renewableMs'> & { readonly since: number; readonly mostMs: number };

/**
 * A line begins with what an admin's token is redeemed for; a holder's goes on with one. Throws
 * `policy_violation`.
 */
async function lineOf(
  { store }: RedeemDeps,
  { accountId, renews, renewableMs }: CertificateRequestToken,
  now: number,
): Promise<Line> {
  const held = renews === null ? null : await store.certificates.find(accountId, renews);
  if (held === null) return { since: now, renewableMs, mostMs: MAX_VALIDITY_MS };
  const { policy } = await store.cas.policy(accountId);
  const mostMs = requireRenewable(policy, held) - now;
  return { since: held.lineSince, renewableMs: held.renewableMs, mostMs };
}

/** Answers until when what it is renewed to may be valid. Throws `policy_violation` where that is no gain. */
export function requireRenewable(policy: CertificatePolicy, held: KeptCertificate): number {
  const until = renewableUntil(policy, held);
  // Certificates have whole seconds.
  if (until >= held.notAfter + 1000) return until;
  const found =
    until <= held.lineSince
      ? 'its token or the certificate policy does not allow renewal'
      : `it can be renewed until ${new Date(until).toISOString()}, and is valid until then`;
  throw new ServiceError('policy_violation', `Cannot renew the certificate: ${found}`, {
    hint: 'Ask an admin for a new token.',
  });
}

/** The account's rules, of now, let nobody renew by logging in. */
export function renewalClosed(): ServiceError {
  return new ServiceError(
    'policy_violation',
    'Cannot renew the certificate: the certificate policy does not allow renewal by login',
    { hint: 'Ask an admin for a link to a new certificate.' },
  );
}

async function redeemedBefore(
  deps: RedeemDeps,
  token: CertificateRequestToken,
  key: SubjectKey,
): Promise<Redeemed> {
  const { accountId, certificateId, usedAt } = token;
  const certificate =
    certificateId === null ? null : await deps.store.certificates.find(accountId, certificateId);
  const fresh = usedAt !== null && deps.now() < usedAt + FETCHABLE_MS;
  const same = certificate !== null && certificate.keyHash === keyHashOf(key.spki);
  if (certificate === null || !same || !fresh || certificate.revokedAt !== null)
    throw new ServiceError('token_used', 'Cannot redeem the token: it was already used', {
      hint: 'A token is valid for one certificate. If you did not use it, tell the sender at once.',
    });
  const cas = await authoritiesOf(deps, accountId);
  const ca = cas.find(({ id }) => id === certificate.caId);
  if (ca === undefined) throw new ServiceError('token_used', 'Cannot redeem the token: it was already used');
  return { token, certificate, ca, again: true };
}

const TOKEN_HINT = 'The token is still valid. Correct the request and send it again.';
/**
 * Long enough for a lost answer, short enough that a stolen token is worth nothing later (DESIGN "Issuing").
 */
export const FETCHABLE_MS = 10 * 60_000;
