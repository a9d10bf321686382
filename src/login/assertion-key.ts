// The key that signs identity assertions (ES256), derived from `signing_key`: every gateway of an
// installation has the same one without anything to store, and a rotated `signing_key` keeps its former
// public key in the key set.

import { createECDH, hkdfSync } from 'node:crypto';
import { shortHash } from '../domain/secret.ts';
import type { SealKeys } from './seal.ts';

/** A private JWK (RFC 7517) on P-256 with `kid`. */
export type AssertionKey = {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly d: string;
  readonly kid: string;
};

/** The key pair that `signingKey` stands for; the same text gives the same key. */
export function assertionKey(signingKey: string): AssertionKey {
  const d = scalarFrom(signingKey);
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d);
  const point = ecdh.getPublicKey();
  const x = point.subarray(1, 1 + COORDINATE_BYTES).toString('base64url');
  const y = point.subarray(1 + COORDINATE_BYTES).toString('base64url');
  return { kty: 'EC', crv: 'P-256', x, y, d: d.toString('base64url'), kid: shortHash(`${x}.${y}`) };
}

/** The public key set (RFC 7517 section 5): `keys[0]` signs, the former keys still verify. */
export function assertionKeySet(keys: readonly SealKeys[]): {
  readonly keys: readonly Record<string, string>[];
} {
  return {
    keys: keys.map(({ signingKey }) => {
      const { d: _private, ...publicKey } = assertionKey(signingKey);
      return { ...publicKey, alg: 'ES256', use: 'sig' };
    }),
  };
}

/** 384 bits reduced into [1, n-1]: the bias is below 2^-128 (FIPS 186-5 appendix A.2.1). */
function scalarFrom(signingKey: string): Buffer {
  const wide = Buffer.from(hkdfSync('sha512', signingKey, '', 'doorward identity assertion', WIDE_BYTES));
  const scalar = (BigInt(`0x${wide.toString('hex')}`) % (P256_ORDER - 1n)) + 1n;
  return Buffer.from(scalar.toString(16).padStart(COORDINATE_BYTES * 2, '0'), 'hex');
}

const COORDINATE_BYTES = 32;
const WIDE_BYTES = 48;
/** The order n of P-256 (SP 800-186 section 3.2.1.3). */
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
