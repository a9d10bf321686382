// The signed identity (DESIGN "Signed identity"): an ES256 JWT (RFC 7519, RFC 7518 section 3.4) that a
// backend checks against the key set of the OAuth frontend.

import { createPrivateKey, sign, type KeyObject, type webcrypto } from 'node:crypto';
import type { CertificateFacts } from '../domain/client-certificate.ts';
import { TOKEN_PROVIDER, type ServiceToken } from '../domain/service-token.ts';
import type { LiveSession } from '../domain/session.ts';
import { createKeptSignatures } from './kept-signatures.ts';

/** At least one of login, certificate and token; a token is never beside a login. */
export type AssertionFacts = {
  readonly login: {
    readonly session: LiveSession;
    readonly provider: string;
    /** Further claims, none of which is one of ours. */
    readonly told?: Readonly<Record<string, unknown>>;
  } | null;
  readonly certificate: CertificateFacts | null;
  readonly token?: ServiceToken | null;
  /** The share's URL. */
  readonly audience: string;
};

/**
 * The assertion for one visitor of one share, signed once for some minutes; it is valid for two minutes at
 * least, for five at most, and never longer than the session, the certificate or the token.
 */
export type Assertions = (facts: AssertionFacts, now: number) => string;

export function createAssertions(key: {
  readonly jwk: Readonly<Record<string, unknown>>;
  readonly issuer: string;
}): Assertions {
  const privateKey = createPrivateKey({ key: key.jwk as webcrypto.JsonWebKey, format: 'jwk' });
  const header = encode({ alg: 'ES256', typ: 'JWT', kid: key.jwk['kid'] });
  const kept = createKeptSignatures();
  const textOf = (facts: AssertionFacts, now: number) =>
    `${header}.${encode(claims(facts, key.issuer, now))}`;
  return (facts, now) => {
    const name = keyOf(facts);
    const signedAt = kept.signedAt(name);
    if (signedAt !== null && now >= signedAt && now - signedAt < KEEP_SIGNED_MS) {
      // As it was written then: the signature is found unless anything about the visitor has changed.
      const text = textOf(facts, signedAt);
      const signature = kept.find(name, text);
      if (signature !== null) return written(text, signature);
    }
    const text = textOf(facts, now);
    const signature = signatureOf(privateKey, text);
    kept.keep(name, text, { at: now, signature });
    return written(text, signature);
  };
}

/** Whose it is, at which share: a handful of characters that nothing else depends on. */
function keyOf({ login, certificate, token = null, audience }: AssertionFacts): string {
  return `${login?.session.id ?? ''} ${certificate?.fingerprint ?? ''} ${token?.id ?? ''} ${audience}`;
}

function claims(facts: AssertionFacts, issuer: string, now: number) {
  const { login, certificate, token = null, audience } = facts;
  const issuedAt = Math.floor(now / 1000);
  const until = Math.min(
    login?.session.expiresAt ?? Infinity,
    certificate?.goodUntil ?? Infinity,
    token?.expiresAt ?? Infinity,
  );
  return {
    iss: issuer,
    aud: audience,
    ...login?.told,
    ...whoClaims(facts),
    ...(certificate === null ? {} : { cert: certificateClaim(certificate) }),
    iat: issuedAt,
    exp: Math.min(issuedAt + LIFETIME_SECONDS, Math.floor(until / 1000)),
  };
}

/** Of what is no person, `sub` says what it is: no provider's subject can be taken for it, or it for one. */
function whoClaims({ login, certificate, token = null }: AssertionFacts) {
  if (login !== null) {
    const { session, provider } = login;
    return { sub: session.subject, email: session.email, provider, sid: session.id };
  }
  if (token === null) return { sub: `cert:${certificate?.subject ?? ''}` };
  const { id, name } = token;
  return { sub: `token:${name}`, provider: TOKEN_PROVIDER, token: { id, name } };
}

function certificateClaim({ subject, serial, fingerprint }: CertificateFacts) {
  return { subject, serial, fingerprint };
}

function signatureOf(privateKey: KeyObject, text: string): Buffer {
  // JWS wants r and s side by side, not the DER that OpenSSL makes by itself.
  return sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
}

function written(text: string, signature: Uint8Array): string {
  const { buffer, byteOffset, byteLength } = signature;
  return `${text}.${Buffer.from(buffer, byteOffset, byteLength).toString('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** DESIGN 3: at most five minutes. */
const LIFETIME_SECONDS = 300;
/** Who writes it down keeps it for a minute more: whoever gets it has at least another one to check it. */
const KEEP_SIGNED_MS = 180_000;
