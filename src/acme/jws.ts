// What an ACME account signs: flattened JWS with ES256 (RFC 8555 section 6.2, RFC 7515), and the thumbprint
// of its key (RFC 7638). Knows no network.

import {
  createHash,
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { Secret } from '../domain/secret.ts';

export type AccountKey = { readonly key: KeyObject; readonly jwk: PublicJwk };

/** Its members in the order that RFC 7638 section 3.2 wants. */
export type PublicJwk = {
  readonly crv: string;
  readonly kty: string;
  readonly x: string;
  readonly y: string;
};

export type ProtectedHeader = Readonly<Record<string, unknown>>;

/** A fresh P-256 key, PKCS #8 as PEM: of an account, or of a certificate. */
export function newKey(): Secret {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return new Secret(privateKey);
}

export function accountKeyOf(pem: Secret): AccountKey {
  const key = createPrivateKey(pem.reveal());
  const { crv = '', kty = '', x = '', y = '' } = key.export({ format: 'jwk' }) as Partial<PublicJwk>;
  return { key, jwk: { crv, kty, x, y } };
}

/** `payload`: null for POST-as-GET (RFC 8555 section 6.3). */
export function signedJson(payload: unknown, header: ProtectedHeader, { key }: AccountKey): Signed {
  return signedBy(payload, { alg: 'ES256', ...header }, (bytes) =>
    sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }),
  );
}

/** With a key that both sides know, base64url (RFC 8555 section 7.3.4). */
export function macedJson(payload: unknown, header: ProtectedHeader, hmacKey: Secret): Signed {
  const key = Buffer.from(hmacKey.reveal(), 'base64url');
  return signedBy(payload, { alg: 'HS256', ...header }, (bytes) =>
    createHmac('sha256', key).update(bytes).digest(),
  );
}

function signedBy(payload: unknown, header: ProtectedHeader, signature: (bytes: Buffer) => Buffer): Signed {
  const head = base64url(JSON.stringify(header));
  const body = payload === null ? '' : base64url(JSON.stringify(payload));
  const bytes = Buffer.from(`${head}.${body}`);
  return { protected: head, payload: body, signature: signature(bytes).toString('base64url') };
}

export type Signed = {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
};

/** What a challenge is answered with (RFC 8555 section 8.1). */
export function keyAuthorization(token: string, jwk: PublicJwk): string {
  const thumbprint = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url');
  return `${token}.${thumbprint}`;
}

/** The value of the TXT record of a DNS-01 challenge (RFC 8555 section 8.4). */
export function dnsDigest(authorization: string): string {
  return createHash('sha256').update(authorization).digest('base64url');
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
