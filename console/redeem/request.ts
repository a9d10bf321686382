// A key that is made in this browser, and the request for its certificate (RFC 2986). The key can be
// exported, since it goes into a file that its owner installs; it goes nowhere else.

import { certificationRequest } from '../../src/x509/csr-writer.ts';
import { sequence, unsignedInteger } from '../../src/x509/der.ts';
import { pem } from '../../src/x509/pem.ts';

export type KeyKind = 'p256' | 'rsa';

export type MadeKey = {
  readonly kind: KeyKind;
  /** PKCS #8, DER. */
  readonly privateKey: Uint8Array<ArrayBuffer>;
  /** PEM. */
  readonly csr: string;
};

export async function makeKey(kind: KeyKind): Promise<MadeKey> {
  const { privateKey, publicKey } = await (kind === 'p256'
    ? crypto.subtle.generateKey(P256, true, ['sign', 'verify'])
    : crypto.subtle.generateKey(RSA, true, ['sign', 'verify']));
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey));
  const csr = await certificationRequest(
    spki,
    kind === 'p256' ? 'ecdsa-sha256' : 'rsa-sha256',
    async (bytes) => {
      const signed = await crypto.subtle.sign(
        kind === 'p256' ? { name: 'ECDSA', hash: 'SHA-256' } : 'RSASSA-PKCS1-v1_5',
        privateKey,
        Uint8Array.from(bytes),
      );
      return kind === 'p256' ? ecdsaSignature(new Uint8Array(signed)) : new Uint8Array(signed);
    },
  );
  const exported = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey));
  return { kind, privateKey: exported, csr: pem('CERTIFICATE REQUEST', csr) };
}

/**
 * WebCrypto writes the two numbers one after the other; certificates have them as DER (RFC 3279 section
 * 2.2.3).
 */
function ecdsaSignature(raw: Uint8Array): Uint8Array {
  const half = raw.length / 2;
  return sequence(unsignedInteger(raw.subarray(0, half)), unsignedInteger(raw.subarray(half)));
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256' };
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength: 3072,
  publicExponent: Uint8Array.of(1, 0, 1),
  hash: 'SHA-256',
};
