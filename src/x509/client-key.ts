// The private key with which a client signs who it is (RFC 7523), as PEM.

import { createPrivateKey, type KeyObject } from 'node:crypto';

/** Why the text is no key that a client can sign with; null when it is one. Never says what is in it. */
export function clientKeyFault(pem: string): string | null {
  if (pem.length > MAX_CLIENT_KEY_LENGTH) return `more than ${MAX_CLIENT_KEY_LENGTH / 1024} KiB`;
  if (pem.includes('-----BEGIN ENCRYPTED PRIVATE KEY-----')) return 'an encrypted key';
  if (!ONE_KEY.test(pem)) return 'no PEM private key (PKCS#8), or more than one';
  try {
    return weakness(createPrivateKey(pem));
  } catch {
    return 'a key that cannot be read';
  }
}

/** What a provider may know the key by (`kid`). */
export function isClientKeyId(text: string): boolean {
  return /^[\x21-\x7e]{1,200}$/.test(text);
}

function weakness({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): string | null {
  if (type === 'ed25519') return null;
  if (type === 'ec' && CURVES.has(details.namedCurve ?? '')) return null;
  if (type !== 'rsa') return 'a key of another kind';
  const { modulusLength: bits = 0 } = details;
  if (bits < LEAST_RSA_BITS) return `an RSA key below ${LEAST_RSA_BITS} bits`;
  return bits > MOST_RSA_BITS ? `an RSA key above ${MOST_RSA_BITS} bits` : null;
}

/** What is wanted, for whoever gave something else. */
export const CLIENT_KEY_WANTED =
  'a private key as PEM (PKCS#8): RSA of 2048 to 4096 bits, P-256, P-384 or Ed25519';
export const MAX_CLIENT_KEY_LENGTH = 8 * 1024;
const ONE_KEY = /^\s*-----BEGIN PRIVATE KEY-----[A-Za-z0-9+/=\s]+-----END PRIVATE KEY-----\s*$/;
const LEAST_RSA_BITS = 2048;
/** As of certificate requests. What signs at each login takes eight times as long for each doubling. */
const MOST_RSA_BITS = 4096;
/** P-256 and P-384. */
const CURVES: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1']);
