// The keys of a key set (RFC 7517) that can verify a signature, with the members that this takes, each within
// bounds. Read once for each set that is fetched: a key is imported when it is first used, and stays.

import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ServiceError } from '../domain/service-error.ts';

export type VerifyingKeys = {
  readonly find: JWTVerifyGetKey;
  /** The set as JSON, of these keys and members alone. */
  readonly text: string;
};

/** Throws `provider_error` for what is no key set, or has more keys than `maxKeys`. */
export function readKeys(text: string, maxKeys: number): VerifyingKeys {
  const keys = keysOf(text);
  if (keys === null) throw refusal('it is not a key set');
  if (keys.length > maxKeys) throw refusal(`it contains ${keys.length} keys, more than ${maxKeys}`);
  const set = { keys: keys.flatMap(pickMembers) };
  return { find: createLocalJWKSet(set as JSONWebKeySet), text: JSON.stringify(set) };
}

function keysOf(text: string): readonly unknown[] | null {
  try {
    const { keys } = (JSON.parse(text) ?? {}) as { keys?: unknown };
    return Array.isArray(keys) ? keys : null;
  } catch {
    return null;
  }
}

/**
 * Nothing for a key that verifies no token, or that anybody may sign with: a published private or shared one.
 */
function pickMembers(key: unknown): readonly object[] {
  if (typeof key !== 'object' || key === null || Array.isArray(key)) return [];
  const said: Readonly<Record<string, unknown>> = { ...key };
  if (said['d'] !== undefined || said['k'] !== undefined) return [];
  if (!isKeyOps(said['key_ops'])) return [];
  const picked: Record<string, unknown> = {};
  for (const [name, most] of Object.entries(MAX_LENGTHS)) {
    const value = said[name];
    if (value === undefined) continue;
    if (typeof value !== 'string' || value.length > most) return [];
    picked[name] = value;
  }
  return [said['key_ops'] === undefined ? picked : { ...picked, key_ops: said['key_ops'] }];
}

function isKeyOps(value: unknown): boolean {
  if (value === undefined) return true;
  if (!Array.isArray(value) || value.length > MAX_OPERATIONS) return false;
  return value.every((each) => typeof each === 'string' && each.length <= MAX_WORD);
}

function refusal(found: string): ServiceError {
  return new ServiceError('provider_error', `Cannot read the keys of the provider: ${found}`);
}

const MAX_WORD = 32;
/** RFC 7517 section 4.3 names eight. */
const MAX_OPERATIONS = 8;
/**
 * Characters. Larger numbers make a signature dear to verify: no more than RSA with 8,192 bits and a short
 * exponent.
 */
const MAX_LENGTHS: Readonly<Record<string, number>> = {
  kty: MAX_WORD,
  use: MAX_WORD,
  alg: MAX_WORD,
  crv: MAX_WORD,
  kid: 512,
  n: 1_366,
  e: 11,
  x: 128,
  y: 128,
};
