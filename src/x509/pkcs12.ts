// Key stores for devices (PKCS #12, RFC 7292): a private key with its certificate and chain under a
// passphrase, as browsers and phones import them. Made with WebCrypto, in browsers and here: both parts
// encrypted, and an HMAC over all of it.

import { contextTag, sequence, TAG, unsignedInteger, write } from './der.ts';
import { OID } from './oid.ts';
import { encrypt, type Encrypted, type KeyStoreForm, macOf } from './pkcs12-cipher.ts';

export type KeyStore = {
  /** What importing devices show. */
  readonly name: string;
  /** PKCS #8, DER. */
  readonly privateKey: Uint8Array<ArrayBuffer>;
  /** DER; that of the key first, then those that signed it. */
  readonly certificates: readonly Uint8Array<ArrayBuffer>[];
};

/**
 * Printable ASCII, which all devices read alike, of 12 characters or more; 20 for the older form, which is
 * quick to try.
 */
export function isPassphrase(text: string, form: KeyStoreForm): boolean {
  return PRINTABLE.test(text) && text.length >= LEAST_LENGTH[form];
}

/** DER of the key store. Throws `RangeError` for what `isPassphrase()` does not take. */
export async function pkcs12(
  store: KeyStore,
  passphrase: string,
  form: KeyStoreForm = 'current',
): Promise<Uint8Array<ArrayBuffer>> {
  if (!isPassphrase(passphrase, form))
    throw new RangeError('Cannot make a key store: the passphrase is too short, or not of printable ASCII');
  const [leaf = new Uint8Array()] = store.certificates;
  const keyId = new Uint8Array(await crypto.subtle.digest('SHA-256', leaf)).subarray(0, 20);
  const bags = store.certificates.map((certificate, index) =>
    certBag(certificate, index === 0 ? attributes(store.name, keyId) : []),
  );
  const key = await encrypt(store.privateKey, passphrase, form);
  const keyBag = bag(
    OID.shroudedKeyBag,
    sequence(key.algorithm, octets(key.bytes)),
    attributes(store.name, keyId),
  );
  const certificates = await encrypt(sequence(...bags), passphrase, form);
  const safe = sequence(encryptedContent(certificates), dataContent(sequence(keyBag)));
  return sequence(unsignedInteger(Uint8Array.of(3)), dataContent(safe), await macOf(safe, passphrase, form));
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

const PRINTABLE = /^[\x20-\x7e]*$/;
const LEAST_LENGTH = { current: 12, older: 20 } as const;
