// Seals bytes so that only this service can read or make them: a JWE in compact form (`dir`, A256CBC-HS512,
// RFC 7516 and RFC 7518 section 5.2.5). The cipher half of the key comes from `encryption_key`, the MAC half
// from `signing_key` (HKDF-SHA-512, a label for each kind); `kid` tells the key pair, `typ` the kind. Nothing
// is parsed before the tag holds: the protected header is compared as a whole with the few that this service
// writes, and never decoded.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

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

type KindKey = { readonly header: string; readonly macKey: Buffer; readonly cipherKey: Buffer };

function kindKey(keys: SealKeys, kind: SealKind): KindKey {
  const key = deriveSealKey(keys, kind);
  return {
    header: Buffer.from(JSON.stringify(sealHeader(keys, kind))).toString('base64url'),
    macKey: key.subarray(0, HALF_BYTES),
    cipherKey: key.subarray(HALF_BYTES),
  };
}

function byHeader(keys: readonly SealKeys[], kind: SealKind): ReadonlyMap<string, KindKey> {
  return new Map(keys.map((pair) => kindKey(pair, kind)).map((key) => [key.header, key]));
}

function encrypt(key: KindKey, content: Uint8Array): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-cbc', key.cipherKey, iv);
  const ciphertext = Buffer.concat([cipher.update(content), cipher.final()]);
  const tag = authenticate(key, iv, ciphertext);
  const parts = [iv, ciphertext, tag].map((part) => part.toString('base64url'));
  return `${key.header}..${parts.join('.')}`;
}

/** `rest` is what follows the header: an empty encrypted key (`dir`), then IV, ciphertext and tag. */
function decrypt(key: KindKey, rest: string): Uint8Array | null {
  const parts = rest.split('.');
  if (parts.length !== 5 || parts[0] !== '' || parts[1] !== '') return null;
  const [iv, ciphertext, tag] = parts.slice(2).map(decodeStrictly);
  if (!iv || !ciphertext || !tag || iv.length !== IV_BYTES || tag.length !== TAG_BYTES) return null;
  if (!timingSafeEqual(tag, authenticate(key, iv, ciphertext))) return null;
  try {
    const decipher = createDecipheriv('aes-256-cbc', key.cipherKey, iv);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  } catch {
    return null;
  }
}

/**
 * RFC 7518 section 5.2.2.1: HMAC over header, IV, ciphertext and the header's length in bits, cut in half.
 */
function authenticate(key: KindKey, iv: Buffer, ciphertext: Buffer): Buffer {
  const headerBits = Buffer.alloc(8);
  headerBits.writeBigUInt64BE(BigInt(key.header.length * 8));
  const mac = createHmac('sha512', key.macKey);
  return mac
    .update(key.header)
    .update(iv)
    .update(ciphertext)
    .update(headerBits)
    .digest()
    .subarray(0, TAG_BYTES);
}

/** Refuses every spelling but the canonical one, so that no two texts open to the same content. */
function decodeStrictly(part: string): Buffer | null {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : null;
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
const KID_BYTES = 8;
/**
 * No cookie or parameter that this service writes is longer: all else is refused before any work is done on
 * it.
 */
const MAX_SEALED_LENGTH = 4096;
