// Identifiers: a prefix that says of what, and 128 random bits in Crockford's base 32. They are never reused,
// and their 16 bytes are what a session cookie carries.

import { randomBytes } from './secret.ts';

export type Id<Prefix extends string> = `${Prefix}_${string}`;
export type AccountId = Id<'acc'>;
export type MemberId = Id<'mem'>;
export type ApiKeyId = Id<'key'>;
export type InvitationId = Id<'inv'>;
export type ShareId = Id<'shr'>;
export type SessionId = Id<'ses'>;
export type AttemptId = Id<'att'>;
export type AuditEventId = Id<'evt'>;
export type ProviderDefinitionId = Id<'prv'>;
export type WebhookId = Id<'whk'>;
export type ShareHostId = Id<'hst'>;
export type DeliveryId = Id<'dlv'>;
export type AccountCaId = Id<'aca'>;
export type CertificateRequestTokenId = Id<'crq'>;
export type CertificateId = Id<'cer'>;
export type RevokedSerialId = Id<'rvs'>;
export type GatewayId = Id<'gtw'>;
export type DeviceLoginId = Id<'dvl'>;
export type ServiceTokenId = Id<'tok'>;
export type AccessRequestId = Id<'arq'>;
export type AcmeAccountId = Id<'acm'>;
export type AcmeNameId = Id<'acn'>;

/** A fresh identifier, such as `shr_01h…` (26 characters after the prefix). */
export function newId<Prefix extends string>(prefix: Prefix): Id<Prefix> {
  return idFromBytes(prefix, randomBytes(ID_BYTES));
}

/** The identifier that 16 bytes stand for. */
export function idFromBytes<Prefix extends string>(prefix: Prefix, bytes: Uint8Array): Id<Prefix> {
  // 26 digits of five bits are two more than 16 bytes have: the first digit has three.
  let [rest, bits, at] = [0, ID_DIGITS * DIGIT_BITS - ID_BYTES * 8, 0];
  for (let index = 0; index < ID_BYTES; index++) {
    rest = (rest << 8) | bytes[index]!;
    for (bits += 8; bits >= DIGIT_BITS; bits -= DIGIT_BITS)
      digits[at++] = CODES[(rest >>> (bits - DIGIT_BITS)) & 31]!;
    rest &= (1 << bits) - 1;
  }
  return `${prefix}_${digits.toString('latin1')}`;
}

/** The 16 bytes of an identifier, or null when the text is none. */
export function idToBytes(id: string): Uint8Array | null {
  const digits = id.slice(id.indexOf('_') + 1);
  if (digits.length !== ID_DIGITS) return null;
  let value = 0n;
  for (const character of digits) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return null;
    value = (value << 5n) | BigInt(digit);
  }
  if (value >> 128n !== 0n) return null;
  const bytes = new Uint8Array(ID_BYTES);
  for (let index = ID_BYTES - 1; index >= 0; index--) {
    bytes[index] = Number(value & 255n);
    value >>= 8n;
  }
  return bytes;
}

export const ID_BYTES = 16;
const ID_DIGITS = 26;
const DIGIT_BITS = 5;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODES = Buffer.from(ALPHABET);
/** Of the identifier that is being made. */
const digits = Buffer.alloc(ID_DIGITS);
