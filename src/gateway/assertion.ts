// The signed identity (DESIGN 3, "Signed identity"): an ES256 JWT (RFC 7519, RFC 7518 section 3.4) that a backend checks
// against the key set of the OAuth frontend. Made at most once a minute a session, since signing costs 25 µs.

import { createPrivateKey, sign, type KeyObject, type webcrypto } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { LiveSession } from '../domain/session.ts';

export type AssertionFacts = {
  readonly session: LiveSession;
  readonly provider: string;
  /** The share's URL. */
  readonly audience: string;
};

/** The assertion for one session of one share; it is valid for at least four more minutes, or until the session expires. */
export type Assertions = (facts: AssertionFacts, now: number) => string;

export function createAssertions(key: {
  readonly jwk: Readonly<Record<string, unknown>>;
  readonly issuer: string;
}): Assertions {
  const privateKey = createPrivateKey({ key: key.jwk as webcrypto.JsonWebKey, format: 'jwk' });
  const header = encode({ alg: 'ES256', typ: 'JWT', kid: key.jwk['kid'] });
  const made = new LRUCache<string, { readonly token: string; readonly at: number; readonly for: string }>({
    max: MAX_KEPT,
  });
  return (facts, now) => {
    const { session, provider, audience } = facts;
    const kept = made.get(session.id);
    const purpose = `${session.shareId} ${provider} ${audience}`;
    if (kept !== undefined && now - kept.at < MAKE_AGAIN_MS && now >= kept.at && kept.for === purpose)
      return kept.token;
    const token = signed(privateKey, `${header}.${encode(claims(facts, key.issuer, now))}`);
    made.set(session.id, { token, at: now, for: purpose });
    return token;
  };
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
const MAKE_AGAIN_MS = 60_000;
/** Sessions in use at once on one worker; one that falls out is signed again. About 60 MB at most. */
const MAX_KEPT = 50_000;
