// Which keys of a provider's key set (RFC 7517) can check an id token. Pure.

import { type Check, fails, passes } from '../domain/check.ts';
import { SIGNING_ALGORITHMS } from './openid-metadata.ts';

/**
 * `offered` is what the metadata say that id tokens are signed with; anything else than a list says nothing.
 */
export function judgeKeySet(document: Readonly<Record<string, unknown>>, offered: unknown): Check {
  const keys = Array.isArray(document['keys']) ? (document['keys'] as readonly unknown[]) : null;
  if (keys === null)
    return fails('keys', 'the key set does not contain a list of keys', 'The key set must follow RFC 7517.');
  const all = keys.filter(isRecord);
  if (all.some(isPrivate))
    return fails(
      'keys',
      'the key set publishes a private or shared key: anyone can forge a login',
      'Have the provider replace that key, and publish only the public part.',
    );
  const accepted = new Set(
    SIGNING_ALGORITHMS.filter((each) => !Array.isArray(offered) || offered.includes(each)),
  );
  const usable = all.flatMap((key) => algorithmsOf(key).find((each) => accepted.has(each)) ?? []);
  if (usable.length === 0)
    return fails(
      'keys',
      `none of its ${all.length} keys can verify an ID token`,
      `The provider must publish a public key for one of ${SIGNING_ALGORITHMS.join(', ')}. RSA keys need at least 2048 bits.`,
    );
  return passes('keys', `${usable.length} usable (${[...new Set(usable)].join(', ')})`);
}

function algorithmsOf(key: Key): readonly string[] {
  if (key['use'] !== undefined && key['use'] !== 'sig') return [];
  const fit = algorithmsByKind(key);
  return typeof key['alg'] === 'string' ? fit.filter((each) => each === key['alg']) : fit;
}

function algorithmsByKind(key: Key): readonly string[] {
  if (key['kty'] === 'RSA')
    return rsaBits(key['n']) >= MIN_RSA_BITS ? SIGNING_ALGORITHMS.filter((each) => /^[RP]S/.test(each)) : [];
  if (key['kty'] === 'EC') return CURVES[String(key['crv'])] ?? [];
  return key['kty'] === 'OKP' && key['crv'] === 'Ed25519' ? ['EdDSA'] : [];
}

function rsaBits(modulus: unknown): number {
  const bytes = typeof modulus === 'string' ? Buffer.from(modulus, 'base64url') : Buffer.alloc(0);
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? 0 : (bytes.length - first) * 8;
}

function isPrivate(key: Key): boolean {
  return 'd' in key || 'k' in key;
}

type Key = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Key {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const CURVES: Readonly<Record<string, readonly string[]>> = {
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  'P-521': ['ES512'],
};
/** RFC 7518 section 3.3; what checks the signatures refuses less. */
const MIN_RSA_BITS = 2048;
