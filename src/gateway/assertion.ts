// The signed identity (DESIGN "Signed identity"): an ES256 JWT (RFC 7519, RFC 7518 section 3.4) that a
// backend checks against the key set of the OAuth frontend.

import { createPrivateKey, sign, type KeyObject, type webcrypto } from 'node:crypto';
import type { CertificateFacts } from '../domain/client-certificate.ts';
import { TOKEN_PROVIDER, type ServiceToken } from '../domain/service-token.ts';
import type { LiveSession } from '../domain/session.ts';

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
 * The assertion for one visitor of one share; it is valid for five minutes, or until the session, the
 * certificate or the token is over.
 */
export type Assertions = (facts: AssertionFacts, now: number) => string;

export function createAssertions(key: {
  readonly jwk: Readonly<Record<string, unknown>>;
  readonly issuer: string;
}): Assertions {
  const privateKey = createPrivateKey({ key: key.jwk as webcrypto.JsonWebKey, format: 'jwk' });
  const header = encode({ alg: 'ES256', typ: 'JWT', kid: key.jwk['kid'] });
  return (facts, now) => signed(privateKey, `${header}.${encode(claims(facts, key.issuer, now))}`);
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
