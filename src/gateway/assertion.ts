// The signed identity (DESIGN 3, "Signed identity"): an ES256 JWT (RFC 7519, RFC 7518 section 3.4) that a backend checks
// against the key set of the OAuth frontend.

import { createPrivateKey, sign, type KeyObject, type webcrypto } from 'node:crypto';
import type { LiveSession } from '../domain/session.ts';

export type AssertionFacts = {
  readonly session: LiveSession;
  readonly provider: string;
  /** The share's URL. */
  readonly audience: string;
};

/** The assertion for one session of one share; it is valid for five minutes, or until the session expires. */
export type Assertions = (facts: AssertionFacts, now: number) => string;

export function createAssertions(key: {
  readonly jwk: Readonly<Record<string, unknown>>;
  readonly issuer: string;
}): Assertions {
  const privateKey = createPrivateKey({ key: key.jwk as webcrypto.JsonWebKey, format: 'jwk' });
  const header = encode({ alg: 'ES256', typ: 'JWT', kid: key.jwk['kid'] });
  return (facts, now) => signed(privateKey, `${header}.${encode(claims(facts, key.issuer, now))}`);
}

function claims({ session, provider, audience }: AssertionFacts, issuer: string, now: number) {
  const issuedAt = Math.floor(now / 1000);
  return {
    iss: issuer,
    aud: audience,
    sub: session.subject,
    email: session.email,
    provider,
    sid: session.id,
    iat: issuedAt,
    exp: Math.min(issuedAt + LIFETIME_SECONDS, Math.floor(session.expiresAt / 1000)),
  };
}

function signed(privateKey: KeyObject, input: string): string {
  // JWS wants r and s side by side, not the DER that OpenSSL makes by itself.
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** DESIGN 3: at most five minutes. */
const LIFETIME_SECONDS = 300;
