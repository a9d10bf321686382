// Dynamic updates of one TXT record as DNS messages (RFC 1035, RFC 2136), signed by TSIG (RFC 8945). Bytes to
// bytes: knows no socket and no clock.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../domain/secret.ts';
import type { TxtRecord } from './dns-records.ts';

export type TsigKey = {
  /** Without a dot at its end. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  /** Base64. */
  readonly secret: Secret;
};

export const TSIG_ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;
export type TsigAlgorithm = (typeof TSIG_ALGORITHMS)[number];

export type Update = {
  readonly zone: string;
  readonly change: 'add' | 'remove';
  readonly record: TxtRecord;
  readonly id: number;
  /** Seconds since the epoch. */
  readonly at: number;
};

export type SignedUpdate = { readonly message: Buffer; readonly mac: Buffer };

/** The message, as it is sent but for its length. */
export function signedUpdate(update: Update, key: TsigKey): SignedUpdate {
  const body = Buffer.concat([
    header(update.id, UPDATE_FLAGS, [1, 0, 1, 0]),
    wireName(update.zone),
    words(TYPE_SOA, CLASS_IN),
    wireName(update.record.name),
    words(TYPE_TXT, update.change === 'add' ? CLASS_IN : CLASS_NONE),
    long(update.change === 'add' ? TTL_SECONDS : 0),
    lengthened(text(update.record.value)),
  ]);
  const stamp = { at: update.at, error: 0, other: Buffer.alloc(0) };
  const mac = macOf(key, Buffer.concat([body, tsigVariables(key, stamp)]));
  const message = Buffer.concat([body, tsigRecord(key, { ...stamp, mac, id: update.id })]);
  message.writeUInt16BE(1, ADDITIONAL_COUNT_AT);
  return { message, mac };
}

export type UpdateAnswer =
  | { readonly kind: 'done' }
  /** `found` is for people. */
  | { readonly kind: 'refused'; readonly found: string };

/** Judges what came back. An answer that the key did not sign says nothing good. */
export function updateAnswer(answer: Buffer, asked: SignedUpdate, key: TsigKey): UpdateAnswer {
  if (answer.length < HEADER_BYTES || answer.readUInt16BE(0) !== asked.message.readUInt16BE(0))
    return { kind: 'refused', found: 'an answer to another question' };
  const code = answer.readUInt16BE(2) & 0xf;
  if (code !== 0) return { kind: 'refused', found: RCODES[code] ?? `code ${code}` };
  return isSigned(answer, asked, key)
    ? { kind: 'done' }
    : { kind: 'refused', found: 'an answer that is not signed with the key' };
}

/** RFC 8945 section 5.3: over the MAC of the request, the answer without its TSIG record, the variables. */
function isSigned(answer: Buffer, asked: SignedUpdate, key: TsigKey): boolean {
  try {
    const at = lastRecordAt(answer);
    const data = dataOf(answer, at);
    const nameEnd = skipName(answer, data);
    const stamped = nameEnd + 6 + 2;
    const macLength = answer.readUInt16BE(stamped);
    const mac = answer.subarray(stamped + 2, stamped + 2 + macLength);
    const rest = stamped + 2 + macLength;
    const id = answer.readUInt16BE(rest);
    const body = Buffer.from(answer.subarray(0, at));
    body.writeUInt16BE(id, 0);
    body.writeUInt16BE(answer.readUInt16BE(ADDITIONAL_COUNT_AT) - 1, ADDITIONAL_COUNT_AT);
    const otherLength = answer.readUInt16BE(rest + 4);
    const expected = macOf(
      key,
      Buffer.concat([
        lengthened(asked.mac),
        body,
        tsigVariables(key, {
          at: answer.readUIntBE(nameEnd, 6),
          error: answer.readUInt16BE(rest + 2),
          other: answer.subarray(rest + 6, rest + 6 + otherLength),
        }),
      ]),
    );
    return mac.length === expected.length && timingSafeEqual(mac, expected);
  } catch {
    return false;
  }
}

/** Where the last record begins, which a TSIG record is. Throws `RangeError` for what is cut off. */
function lastRecordAt(message: Buffer): number {
  const [questions = 0, ...records] = [4, 6, 8, 10].map((at) => message.readUInt16BE(at));
  let at = HEADER_BYTES;
  for (let count = 0; count < questions; count++) at = skipName(message, at) + 4;
  let last = at;
  const all = records.reduce((sum, count) => sum + count, 0);
  for (let count = 0; count < all; count++) {
    last = at;
    const data = dataOf(message, at);
    at = data + message.readUInt16BE(data - 2);
  }
  if (message.readUInt16BE(skipName(message, last)) !== TYPE_TSIG) throw new RangeError('no TSIG record');
  return last;
}

function dataOf(message: Buffer, record: number): number {
  return skipName(message, record) + 10;
}

function skipName(message: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const length = message.readUInt8(at);
    if (length >= 0xc0) return at + 2;
    at += 1 + length;
    if (length === 0) return at;
  }
}

type Stamp = { readonly at: number; readonly error: number; readonly other: Buffer };

function tsigVariables(key: TsigKey, { at, error, other }: Stamp): Buffer {
  return Buffer.concat([
    wireName(key.name),
    words(CLASS_ANY),
    long(0),
    wireName(key.algorithm),
    moment(at),
    words(FUDGE_SECONDS, error),
    lengthened(other),
  ]);
}

function tsigRecord(
  key: TsigKey,
  { at, error, other, mac, id }: Stamp & { readonly mac: Buffer; readonly id: number },
): Buffer {
  const data = Buffer.concat([
    wireName(key.algorithm),
    moment(at),
    words(FUDGE_SECONDS),
    lengthened(mac),
    words(id, error),
    lengthened(other),
  ]);
  return Buffer.concat([wireName(key.name), words(TYPE_TSIG, CLASS_ANY), long(0), lengthened(data)]);
}

function macOf({ algorithm, secret }: TsigKey, bytes: Buffer): Buffer {
  const digest = algorithm.replace('hmac-', '');
  return createHmac(digest, Buffer.from(secret.reveal(), 'base64')).update(bytes).digest();
}

function header(id: number, flags: number, counts: readonly number[]): Buffer {
  return words(id, flags, ...counts);
}

/** Canonical: lower case, never compressed. Throws for what is no name: it would be read as other records. */
function wireName(name: string): Buffer {
  const labels = name
    .toLowerCase()
    .split('.')
    .filter((label) => label !== '');
  const wire = Buffer.concat([...labels.map(text), Buffer.of(0)]);
  if (labels.some((label) => label.length > MAX_LABEL_BYTES) || wire.length > MAX_NAME_BYTES)
    throw new RangeError(`Cannot write ${name.slice(0, 100)}: it is no DNS name`);
  return wire;
}

/** A character string (RFC 1035 section 3.3), which a label is, too. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  if (bytes.length > MAX_TEXT_BYTES) throw new RangeError('Cannot write a text of more than 255 bytes');
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function moment(seconds: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(seconds, 0, 6);
  return bytes;
}

function lengthened(bytes: Buffer): Buffer {
  return Buffer.concat([words(bytes.length), bytes]);
}

const HEADER_BYTES = 12;
/** RFC 1035 sections 2.3.4 and 3.3. */
const MAX_LABEL_BYTES = 63;
const MAX_NAME_BYTES = 255;
const MAX_TEXT_BYTES = 255;
const ADDITIONAL_COUNT_AT = 10;
/** The operation UPDATE. */
const UPDATE_FLAGS = 5 << 11;
const TYPE_SOA = 6;
const TYPE_TXT = 16;
const TYPE_TSIG = 250;
const CLASS_IN = 1;
const CLASS_NONE = 254;
const CLASS_ANY = 255;
/** It is gone a moment later anyway. */
const TTL_SECONDS = 60;
/** RFC 8945 section 10. */
const FUDGE_SECONDS = 300;
const RCODES: Readonly<Record<number, string>> = {
  1: 'FORMERR',
  2: 'SERVFAIL',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED: the key may not change that name',
  6: 'YXDOMAIN',
  7: 'YXRRSET',
  8: 'NXRRSET',
  9: 'NOTAUTH: it has not that zone, or does not accept the key',
  10: 'NOTZONE: the name is not in the zone',
};
