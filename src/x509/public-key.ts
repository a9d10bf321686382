// Which public keys may be in a certificate (DESIGN "Issuing"): RSA of 2048 to 4096 bits with exponent 65537
// that not anybody can factor, P-256 and P-384 by name, Ed25519. Written strictly, so that two readers cannot
// see two keys in the same bytes.

import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { bitStringOctets, DerReader, positiveInteger, readWhole, TAG } from './der.ts';
import { OID } from './oid.ts';
import { rsaWeakness } from './weak-rsa.ts';

export type KeyKind = 'RSA' | 'P-256' | 'P-384' | 'Ed25519';

export type SubjectKey = {
  readonly kind: KeyKind;
  /** SubjectPublicKeyInfo as DER (RFC 5280 section 4.1.2.7). */
  readonly spki: Uint8Array;
  readonly key: KeyObject;
};

/** The key is well written and not allowed. `message` says what was found, for people. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
}

/** Throws `KeyRefused`, or `DerError` for what is no SubjectPublicKeyInfo. */
export function parseSubjectKey(spki: Uint8Array): SubjectKey {
  const info = new DerReader(readWhole(spki, TAG.sequence, 'public key').content);
  const algorithm = new DerReader(info.expect(TAG.sequence, 'key algorithm').content);
  const bits = bitStringOctets(info.expect(TAG.bitString, 'key bits'), 'key bits');
  info.end('the public key');
  const kind = judge(algorithm, bits);
  try {
    const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
    return { kind, spki, key };
  } catch {
    throw new KeyRefused('a public key that is not a point of its curve, or otherwise impossible');
  }
}

/** The key identifier of RFC 7093 section 2 method 1: 160 bits of SHA-256 over the key bits. */
export function keyIdentifier(spki: Uint8Array): Uint8Array {
  const info = new DerReader(readWhole(spki, TAG.sequence, 'public key').content);
  info.next();
  const bits = bitStringOctets(info.next(), 'key bits');
  return createHash('sha256').update(bits).digest().subarray(0, 20);
}

function judge(algorithm: DerReader, bits: Uint8Array): KeyKind {
  const { whole: oid } = algorithm.expect(TAG.oid, 'key algorithm');
  if (same(oid, OID.rsaEncryption)) {
    if (algorithm.expect(TAG.null, 'RSA parameters').content.length > 0)
      throw new KeyRefused('RSA parameters that are not null');
    algorithm.end('the key algorithm');
    return judgeRsa(bits);
  }
  if (same(oid, OID.ecPublicKey)) {
    const curve = algorithm.next();
    algorithm.end('the key algorithm');
    return judgeCurve(curve.whole, bits);
  }
  if (same(oid, OID.ed25519)) {
    algorithm.end('the key algorithm');
    return judgeEd25519(bits);
  }
  throw new KeyRefused('a key that is neither RSA, P-256, P-384 nor Ed25519');
}

function judgeRsa(bits: Uint8Array): KeyKind {
  const parts = new DerReader(readWhole(bits, TAG.sequence, 'RSA key').content);
  const modulus = positiveInteger(parts.expect(TAG.integer, 'RSA modulus'), 'an RSA modulus');
  const exponent = positiveInteger(parts.expect(TAG.integer, 'RSA exponent'), 'an RSA exponent');
  parts.end('the RSA key');
  if (Buffer.from(exponent).toString('hex') !== '010001')
    throw new KeyRefused('an RSA key whose exponent is not 65537');
  const length = modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24;
  if (length < MIN_RSA_BITS || length > MAX_RSA_BITS)
    throw new KeyRefused(`an RSA key of ${length} bits; it needs ${MIN_RSA_BITS} to ${MAX_RSA_BITS}`);
  const weakness = rsaWeakness(BigInt(`0x${Buffer.from(modulus).toString('hex')}`));
  if (weakness !== null) throw new KeyRefused(weakness);
  return 'RSA';
}

function judgeCurve(curve: Uint8Array, bits: Uint8Array): KeyKind {
  const kind = same(curve, OID.p256) ? 'P-256' : same(curve, OID.p384) ? 'P-384' : null;
  if (kind === null) throw new KeyRefused('an EC key on a curve other than P-256 and P-384, named');
  if (bits[0] !== 4 || bits.length !== 1 + 2 * (kind === 'P-256' ? 32 : 48))
    throw new KeyRefused('an EC key that is not an uncompressed point of its curve');
  return kind;
}

function judgeEd25519(bits: Uint8Array): KeyKind {
  if (bits.length !== 32) throw new KeyRefused('an Ed25519 key that has not 32 bytes');
  // The sign bit does not matter: with or without it these points have order 8 or less, and anyone can sign
  // for them.
  const point = Buffer.from(bits);
  point.writeUInt8(point.readUInt8(31) & 0x7f, 31);
  if (SMALL_ORDER_POINTS.has(point.toString('hex')))
    throw new KeyRefused('an Ed25519 key that anybody can sign for');
  return 'Ed25519';
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 4096;

/**
 * The y coordinates of the points of small order, little-endian, each with its other encodings (y + p where
 * it fits 255 bits).
 */
const SMALL_ORDER_POINTS: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);
