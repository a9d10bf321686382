// Keys with which a client can prove itself, and what its provider knows of them.

import { createPublicKey, generateKeyPairSync } from 'node:crypto';

export type TestClientKey = {
  /** PKCS#8. */
  readonly pem: string;
  /** For the client's registration. */
  readonly jwk: Readonly<Record<string, unknown>>;
};

export type ClientKeyKind = 'RSA' | 'P-256' | 'P-384' | 'Ed25519';

export function createClientKey(kind: ClientKeyKind, kid?: string): TestClientKey {
  const pem = makeKey(kind).export({ format: 'pem', type: 'pkcs8' }).toString();
  const jwk = createPublicKey(pem).export({ format: 'jwk' });
  return { pem, jwk: { ...jwk, use: 'sig', ...(kid === undefined ? {} : { kid }) } };
}

function makeKey(kind: ClientKeyKind) {
  if (kind === 'RSA') return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  if (kind === 'Ed25519') return generateKeyPairSync('ed25519').privateKey;
  return generateKeyPairSync('ec', { namedCurve: kind }).privateKey;
}
