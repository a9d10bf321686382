// Key stores for devices (PKCS #12, RFC 7292): a private key with its certificate and chain under a passphrase, as
// browsers and phones import them. Made with WebCrypto, in browsers and here: AES-256 under PBKDF2 (RFC 8018), and an HMAC
// over all of it under the key derivation of RFC 7292 appendix B.

import { contextTag, sequence, TAG, unsignedInteger, write } from './der.ts';
import { OID } from './oid.ts';

export type KeyStore = {
  /** What importing devices show. */
  readonly name: string;
  /** PKCS #8, DER. */
  readonly privateKey: Uint8Array<ArrayBuffer>;
  /** DER; that of the key first, then those that signed it. */
  readonly certificates: readonly Uint8Array<ArrayBuffer>[];
};

/** Printable ASCII, which all devices read alike, of at least 12 characters. */
export function isPassphrase(text: string): boolean {
  return PASSPHRASE.test(text);
}

/** DER of the key store. Throws `RangeError` for what `isPassphrase()` does not take. */
export async function pkcs12(store: KeyStore, passphrase: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!isPassphrase(passphrase))
    throw new RangeError('Cannot make a key store: the passphrase is not 12 or more printable characters');
  const [leaf = new Uint8Array()] = store.certificates;
  const keyId = new Uint8Array(await crypto.subtle.digest('SHA-256', leaf)).subarray(0, 20);
  const bags = store.certificates.map((certificate, index) =>
    certBag(certificate, index === 0 ? attributes(store.name, keyId) : []),
  );
  const key = await encrypt(store.privateKey, passphrase);
  const keyBag = bag(
    OID.shroudedKeyBag,
    sequence(key.algorithm, octets(key.bytes)),
    attributes(store.name, keyId),
  );
  const certificates = await encrypt(sequence(...bags), passphrase);
  const safe = sequence(encryptedContent(certificates), dataContent(sequence(keyBag)));
  return sequence(unsignedInteger(Uint8Array.of(3)), dataContent(safe), await mac(safe, passphrase));
}

type Encrypted = { readonly algorithm: Uint8Array; readonly bytes: Uint8Array };

/** PBES2 with PBKDF2-HMAC-SHA-256 and AES-256-CBC (RFC 8018 sections 6.2 and A.4). */
async function encrypt(plain: Uint8Array<ArrayBuffer>, passphrase: string): Promise<Encrypted> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const iv = crypto.getRandomValues(new Uint8Array(16));
  const secret = await crypto.subtle.importKey('raw', new TextEncoder().encode(passphrase), 'PBKDF2', false, [
    'deriveKey',
  ]);
  const key = await crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ITERATIONS },
    secret,
    { name: 'AES-CBC', length: 256 },
    false,
    ['encrypt'],
  );
  const bytes = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, key, plain));
  const derivation = sequence(
    OID.pbkdf2,
    sequence(octets(salt), number(ITERATIONS), sequence(OID.hmacWithSha256, write(TAG.null))),
  );
  const scheme = sequence(OID.aes256Cbc, octets(iv));
  return { algorithm: sequence(OID.pbes2, sequence(derivation, scheme)), bytes };
}

/** MacData (RFC 7292 section 4): HMAC-SHA-256 over the safe. */
async function mac(safe: Uint8Array<ArrayBuffer>, passphrase: string): Promise<Uint8Array> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const secret = await macKey(passphrase, salt);
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, safe));
  const algorithm = sequence(OID.sha256, write(TAG.null));
  return sequence(sequence(algorithm, octets(digest)), octets(salt), number(MAC_ITERATIONS));
}

/** RFC 7292 appendix B.2 for one block: SHA-256 gives the 32 bytes that are needed, so nothing is added up. */
async function macKey(passphrase: string, salt: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  // UTF-16, most significant byte first, with two zero bytes at the end.
  const text = Uint8Array.from([...passphrase, '\0'].flatMap((character) => [0, character.charCodeAt(0)]));
  const blocks = [new Uint8Array(BLOCK_BYTES).fill(MAC_PURPOSE), filled(salt), filled(text)];
  let digest = concatenated(blocks);
  for (let round = 0; round < MAC_ITERATIONS; round++)
    digest = new Uint8Array(await crypto.subtle.digest('SHA-256', digest));
  return digest;
}

/** Repeated until it fills whole blocks. */
function filled(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = BLOCK_BYTES * Math.ceil(bytes.length / BLOCK_BYTES);
  return Uint8Array.from({ length }, (_, index) => bytes[index % bytes.length] ?? 0);
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function dataContent(content: Uint8Array): Uint8Array {
  return sequence(OID.data, write(contextTag(0, true), octets(content)));
}

/** EncryptedData (RFC 5652 section 8). */
function encryptedContent({ algorithm, bytes }: Encrypted): Uint8Array {
  const content = sequence(OID.data, algorithm, write(contextTag(0, false), bytes));
  const data = sequence(unsignedInteger(Uint8Array.of(0)), content);
  return sequence(OID.encryptedData, write(contextTag(0, true), data));
}

function certBag(certificate: Uint8Array, described: readonly Uint8Array[]): Uint8Array {
  const value = sequence(OID.x509Certificate, write(contextTag(0, true), octets(certificate)));
  return bag(OID.certBag, value, described);
}

/** SafeBag (RFC 7292 section 4.2). */
function bag(oid: Uint8Array, value: Uint8Array, described: readonly Uint8Array[]): Uint8Array {
  const set = described.length === 0 ? new Uint8Array() : write(TAG.set, ...described);
  return sequence(oid, write(contextTag(0, true), value), set);
}

/** Name and id of the key, in the order that DER wants a set in. */
function attributes(name: string, keyId: Uint8Array): readonly Uint8Array[] {
  const text = Uint8Array.from(
    Array.from({ length: name.length }, (_, index) => name.charCodeAt(index)).flatMap((unit) => [
      unit >> 8,
      unit & 0xff,
    ]),
  );
  const known = [
    sequence(OID.friendlyName, write(TAG.set, write(TAG.bmpString, text))),
    sequence(OID.localKeyId, write(TAG.set, octets(keyId))),
  ];
  return known.toSorted(byBytes);
}

function byBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? 0);
}

function octets(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return write(TAG.octetString, bytes);
}

function number(value: number): Uint8Array {
  return unsignedInteger(Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value));
}

const PASSPHRASE = /^[\x20-\x7e]{12,}$/;
const SALT_BYTES = 16;
/** OWASP's figure of 2023 for PBKDF2 with HMAC-SHA-256. */
const ITERATIONS = 600_000;
/** Each is a call of its own into WebCrypto; what guards the key is the figure above, and a random passphrase. */
const MAC_ITERATIONS = 2_048;
const MAC_PURPOSE = 3;
/** SHA-256's. */
const BLOCK_BYTES = 64;
