// The two ways in which a key store is kept from who has no passphrase for it. It runs in browsers, too.
//
//   current  AES-256 under PBKDF2 with SHA-256 (PBES2, RFC 8018), which many iterations keep from being guessed
//   older    triple DES under the derivation of PKCS #12 with SHA-1 (RFC 7292 appendix C): what Apple's devices take. It is
//            quick to try, so it is only as good as its passphrase: a random one, as `newPassphrase()` makes them.

import { sequence, TAG, unsignedInteger, write } from './der.ts';
import { OID } from './oid.ts';
import { pkcs12Key } from './pkcs12-key.ts';
import { encryptTripleDes } from './triple-des.ts';

export type KeyStoreForm = 'current' | 'older';

export type Encrypted = { readonly algorithm: Uint8Array; readonly bytes: Uint8Array };

export function encrypt(
  plain: Uint8Array<ArrayBuffer>,
  passphrase: string,
  form: KeyStoreForm,
): Promise<Encrypted> {
  return form === 'current' ? encryptCurrent(plain, passphrase) : encryptOlder(plain, passphrase);
}

/** MacData (RFC 7292 section 4): an HMAC over the safe. */
export async function macOf(
  safe: Uint8Array<ArrayBuffer>,
  passphrase: string,
  form: KeyStoreForm,
): Promise<Uint8Array> {
  const { hash, oid, length, iterations } = MACS[form];
  const salt = randomSalt();
  const plan = { hash, purpose: 3, salt, iterations, length } as const;
  const secret = await pkcs12Key(passphrase, plan);
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash }, false, ['sign']);
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, safe));
  const algorithm = sequence(oid, write(TAG.null));
  return sequence(sequence(algorithm, octets(digest)), octets(salt), number(iterations));
}

/** PBES2 with PBKDF2-HMAC-SHA-256 and AES-256-CBC (RFC 8018 sections 6.2 and A.4). */
async function encryptCurrent(plain: Uint8Array<ArrayBuffer>, passphrase: string): Promise<Encrypted> {
  const salt = randomSalt();
  const iv = crypto.getRandomValues(new Uint8Array(16));
  const secret = await crypto.subtle.importKey('raw', new TextEncoder().encode(passphrase), 'PBKDF2', false, [
    'deriveKey',
  ]);
  const key = await crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: PBKDF2_ITERATIONS },
    secret,
    { name: 'AES-CBC', length: 256 },
    false,
    ['encrypt'],
  );
  const bytes = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, key, plain));
  const derivation = sequence(
    OID.pbkdf2,
    sequence(octets(salt), number(PBKDF2_ITERATIONS), sequence(OID.hmacWithSha256, write(TAG.null))),
  );
  const scheme = sequence(OID.aes256Cbc, octets(iv));
  return { algorithm: sequence(OID.pbes2, sequence(derivation, scheme)), bytes };
}

/** pbeWithSHAAnd3-KeyTripleDES-CBC (RFC 7292 appendix C). */
async function encryptOlder(plain: Uint8Array<ArrayBuffer>, passphrase: string): Promise<Encrypted> {
  const salt = randomSalt();
  const plan = { hash: 'SHA-1', salt, iterations: ITERATIONS } as const;
  const key = await pkcs12Key(passphrase, { ...plan, purpose: 1, length: 24 });
  const iv = await pkcs12Key(passphrase, { ...plan, purpose: 2, length: 8 });
  const algorithm = sequence(OID.sha1TripleDes, sequence(octets(salt), number(ITERATIONS)));
  return { algorithm, bytes: encryptTripleDes(plain, key, iv) };
}

function randomSalt(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(SALT_BYTES));
}

function octets(bytes: Uint8Array): Uint8Array {
  return write(TAG.octetString, bytes);
}

function number(value: number): Uint8Array {
  return unsignedInteger(Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value));
}

const SALT_BYTES = 16;
/** OWASP's figure of 2023 for PBKDF2 with HMAC-SHA-256. */
const PBKDF2_ITERATIONS = 600_000;
/** Each is a call of its own into WebCrypto; what guards the key is a random passphrase. */
const ITERATIONS = 2_048;
/**
 * Whoever guesses passphrases tries them on what is quicker, the cipher or the MAC. Each round of PBKDF2
 * takes two blocks of its hash, and the key of triple DES two digests; the MAC's takes one, so it has twice
 * as many.
 */
const MACS = {
  current: { hash: 'SHA-256', oid: OID.sha256, length: 32, iterations: 2 * PBKDF2_ITERATIONS },
  older: { hash: 'SHA-1', oid: OID.sha1, length: 20, iterations: 2 * ITERATIONS },
} as const;
