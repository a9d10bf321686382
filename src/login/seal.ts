// Seals bytes so that only this service can read or make them: a JWE in compact form (`dir`, A256CBC-HS512,
// RFC 7516 and RFC 7518 section 5.2.5). The cipher half of the key comes from `encryption_key`, the MAC half
// from `signing_key` (HKDF-SHA-512, a label for each kind); `kid` tells the key pair, `typ` the kind. Nothing
// is parsed before the tag holds: the protected header is compared as a whole with the few that this service
// writes, and never decoded.

import {
  createCipheriv,
  createDecipheriv,
  type Decipheriv,
  hash,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto';

import { randomBytes } from '../domain/secret.ts';

export type SealKind =
  | 'session'
  | 'host-session'
  | 'login-request'
  | 'login-choice'
  | 'login-attempt'
  | 'left-attempt'
  | 'begin-grant'
  | 'access-statement'
  | 'kept-address'
  | 'console-request'
  | 'console-grant'
  | 'trial-request'
  | 'trial-outcome'
  | 'logout-return'
  | 'apps-place';

export type SealKeys = { readonly signingKey: string; readonly encryptionKey: string };

export type Seal = {
  readonly seal: (kind: SealKind, content: Uint8Array) => string;
  /** Null for anything that was not sealed by these keys for this kind. Never throws. */
  readonly open: (kind: SealKind, sealed: string) => Uint8Array | null;
};

/** `keys[0]` seals; all of them open. */
export function createSeal(keys: readonly SealKeys[]): Seal {
  const [newest] = keys;
  if (newest === undefined) throw new TypeError('Cannot make a seal: there is no key');
  const sealing = new Map(SEAL_KINDS.map((kind) => [kind, kindKey(newest, kind)]));
  const opening = new Map(SEAL_KINDS.map((kind) => [kind, byHeader(keys, kind)]));
  return {
    seal: (kind, content) => encrypt(sealing.get(kind)!, content),
    open: (kind, sealed) => {
      if (sealed.length > MAX_SEALED_LENGTH) return null;
      const header = sealed.slice(0, Math.max(0, sealed.indexOf('.')));
      const key = opening.get(kind)?.get(header);
      return key === undefined ? null : decrypt(key, sealed.slice(header.length));
    },
  };
}

/**
 * The 64 bytes that a JWE library needs to open or make what this key pair seals: MAC half, then cipher half.
 */
export function deriveSealKey(keys: SealKeys, kind: SealKind): Buffer {
  return Buffer.concat([
    derive(keys.signingKey, `mac ${kind}`, HALF_BYTES),
    derive(keys.encryptionKey, `cipher ${kind}`, HALF_BYTES),
  ]);
}

/** The protected header of one key pair and kind (RFC 7516 section 4). */
export function sealHeader(keys: SealKeys, kind: SealKind) {
  const pair = JSON.stringify([keys.signingKey, keys.encryptionKey]);
  const kid = derive(pair, 'kid', KID_BYTES).toString('base64url');
  return { alg: 'dir', enc: 'A256CBC-HS512', kid, typ: kind } as const;
}

type KindKey = {
  readonly header: string;
  readonly cipherKey: Buffer;
  /** What a MAC begins with, inside and outside (RFC 2104): a padded key each, and the header. */
  readonly inner: Buffer;
  readonly outer: Buffer;
  /** Made once: see `decrypted()`. */
  readonly decipher: Decipheriv;
};

function kindKey(keys: SealKeys, kind: SealKind): KindKey {
  const key = deriveSealKey(keys, kind);
  const [macKey, cipherKey] = [key.subarray(0, HALF_BYTES), key.subarray(HALF_BYTES)];
  const header = Buffer.from(JSON.stringify(sealHeader(keys, kind))).toString('base64url');
  return {
    header,
    cipherKey,
    inner: Buffer.concat([padded(macKey, 0x36), Buffer.from(header)]),
    outer: padded(macKey, 0x5c),
    decipher: createDecipheriv('aes-256-cbc', cipherKey, Buffer.alloc(IV_BYTES)).setAutoPadding(false),
  };
}

function padded(macKey: Uint8Array, pad: number): Buffer {
  return Buffer.alloc(HASH_BLOCK_BYTES, pad).map((byte, at) => byte ^ (macKey[at] ?? 0)) as Buffer;
}

function byHeader(keys: readonly SealKeys[], kind: SealKind): ReadonlyMap<string, KindKey> {
  return new Map(keys.map((pair) => kindKey(pair, kind)).map((key) => [key.header, key]));
}

function encrypt(key: KindKey, content: Uint8Array): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-cbc', key.cipherKey, iv);
  const ciphertext = Buffer.concat([cipher.update(content), cipher.final()]);
  const tag = authenticate(key, Buffer.concat([iv, ciphertext]));
  const parts = [iv, ciphertext, tag].map((part) => part.toString('base64url'));
  return `${key.header}..${parts.join('.')}`;
}

/** `rest` is what follows the header: an empty encrypted key (`dir`), then IV, ciphertext and tag. */
function decrypt(key: KindKey, rest: string): Uint8Array | null {
  const [empty, noKey, iv = '', ciphertext = '', tag = '', ...more] = rest.split('.');
  if (empty !== '' || noKey !== '' || more.length > 0) return null;
  if (iv.length !== IV_CHARACTERS || tag.length !== TAG_CHARACTERS) return null;
  if (!isCanonical(iv) || !isCanonical(ciphertext) || !isCanonical(tag)) return null;
  const sealed = Buffer.allocUnsafe(IV_BYTES + Math.floor((ciphertext.length * 3) / 4));
  sealed.write(iv, 0, 'base64url');
  sealed.write(ciphertext, IV_BYTES, 'base64url');
  if (!timingSafeEqual(Buffer.from(tag, 'base64url'), authenticate(key, sealed))) return null;
  return decrypted(key, sealed);
}

/**
 * RFC 7518 section 5.2.2.1: HMAC over header, IV, ciphertext and the header's length in bits, cut in half. By
 * two plain hashes: a MAC's own object in the runtime costs more than both.
 */
function authenticate({ header, inner, outer }: KindKey, sealed: Uint8Array): Buffer {
  const text = Buffer.allocUnsafe(inner.length + sealed.length + 8);
  text.set(inner);
  text.set(sealed, inner.length);
  text.writeUIntBE(0, text.length - 8, 4);
  text.writeUInt32BE(header.length * 8, text.length - 4);
  const whole = Buffer.concat([outer, hash('sha512', text, 'buffer')]);
  return hash('sha512', whole, 'buffer').subarray(0, TAG_BYTES);
}

/**
 * What decryption makes of a block depends on the block before it alone, so one object serves for all sealed
 * texts: the IV stands for the block before the first, and what comes of the IV itself is left out.
 */
function decrypted({ decipher }: KindKey, sealed: Buffer): Uint8Array | null {
  if (sealed.length % IV_BYTES !== 0 || sealed.length < 2 * IV_BYTES) return null;
  const plain = decipher.update(sealed);
  const padding = plain.at(-1)!;
  if (padding < 1 || padding > IV_BYTES) return null;
  const end = plain.length - padding;
  return plain.subarray(end).every((byte) => byte === padding) ? plain.subarray(IV_BYTES, end) : null;
}

/** Of all spellings one, so that no two texts open to the same content: also the spare bits are 0. */
function isCanonical(part: string): boolean {
  if (!DIGITS.test(part)) return false;
  const last = part.at(-1)!;
  switch (part.length % 4) {
    case 0:
      return true;
    case 2:
      return 'AQgw'.includes(last);
    case 3:
      return 'AEIMQUYcgkosw048'.includes(last);
    default:
      return false;
  }
}

function derive(key: string, label: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha512', key, '', `doorward seal 1 ${label}`, length));
}

const SEAL_KINDS: readonly SealKind[] = [
  'session',
  'host-session',
  'login-request',
  'login-choice',
  'login-attempt',
  'left-attempt',
  'begin-grant',
  'access-statement',
  'kept-address',
  'console-request',
  'console-grant',
  'trial-request',
  'trial-outcome',
  'logout-return',
  'apps-place',
];
const HALF_BYTES = 32;
const IV_BYTES = 16;
const TAG_BYTES = 32;
const IV_CHARACTERS = 22;
const TAG_CHARACTERS = 43;
/** Of SHA-512. */
const HASH_BLOCK_BYTES = 128;
/** Of base64url (RFC 4648 section 5). */
const DIGITS = /^[\w-]+$/;
const KID_BYTES = 8;
/**
 * No cookie or parameter that this service writes is longer: all else is refused before any work is done on
 * it.
 */
const MAX_SEALED_LENGTH = 4096;
