// Compact binary records inside sealed texts, where every byte counts against a cookie's size. The reader is
// total: any shortage, surplus or stray value makes the whole record null.

import { isAscii } from 'node:buffer';
import { idFromBytes, idToBytes, ID_BYTES, type Id } from '../domain/id.ts';
import { ServiceError } from '../domain/service-error.ts';

export type Field = Uint8Array;

/** An unsigned number in `length` bytes (at most six), big-endian. */
export function numberField(value: number, length: number): Field {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
}

/** An identifier's 16 bytes; its prefix is known from the place. */
export function idField(id: string): Field {
  const bytes = idToBytes(id);
  if (bytes === null) throw new ServiceError('internal', 'Cannot seal an identifier: it is none');
  return bytes;
}

/** The 16 bytes behind a text made by `shortHash` or `randomToken`. */
export function hashField(hash: string): Field {
  const bytes = Buffer.from(hash, 'base64url');
  if (bytes.length !== ID_BYTES || bytes.toString('base64url') !== hash)
    throw new ServiceError('internal', 'Cannot seal a hash: it is not 22 base64url characters');
  return bytes;
}

/** One byte that says whether a hash follows. */
export function optionalHashField(hash: string | null): Field {
  return hash === null ? numberField(0, 1) : Buffer.concat([numberField(1, 1), hashField(hash)]);
}

/** Bytes behind their length, which takes `lengthBytes` bytes. */
export function bytesField(bytes: Uint8Array, lengthBytes: number): Field {
  return Buffer.concat([numberField(bytes.length, lengthBytes), bytes]);
}

export function textField(text: string, lengthBytes: number): Field {
  return bytesField(Buffer.from(text), lengthBytes);
}

export type RecordReader = {
  readonly number: (length: number) => number;
  readonly flag: () => boolean;
  readonly id: <Prefix extends string>(prefix: Prefix) => Id<Prefix>;
  readonly hash: () => string;
  readonly optionalHash: () => string | null;
  readonly bytes: (lengthBytes: number) => Uint8Array;
  readonly text: (lengthBytes: number) => string;
  readonly atEnd: () => boolean;
  /** Gives the record up. */
  readonly malformed: () => never;
};

/** Runs `read` over the bytes; null when they are not exactly what it reads. */
export function readRecord<Result>(
  content: Uint8Array,
  read: (reader: RecordReader) => Result,
): Result | null {
  const reader = recordReader(Buffer.from(content));
  try {
    const result = read(reader);
    return reader.atEnd() ? result : null;
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

function recordReader(content: Buffer): RecordReader {
  let offset = 0;
  const take = (length: number): Buffer => {
    if (offset + length > content.length) throw new Malformed();
    offset += length;
    return content.subarray(offset - length, offset);
  };
  const number = (length: number) => take(length).readUIntBE(0, length);
  const flag = () => {
    const value = number(1);
    if (value > 1) throw new Malformed();
    return value === 1;
  };
  const hash = () => take(ID_BYTES).toString('base64url');
  const bytes = (lengthBytes: number) => take(number(lengthBytes));
  return {
    number,
    flag,
    hash,
    bytes,
    id: (prefix) => idFromBytes(prefix, take(ID_BYTES)),
    optionalHash: () => (flag() ? hash() : null),
    text: (lengthBytes) => decodeText(bytes(lengthBytes)),
    atEnd: () => offset === content.length,
    malformed: () => {
      throw new Malformed();
    },
  };
}

function decodeText(bytes: Uint8Array): string {
  // Nearly all are, and a decoder costs ten times as much.
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new Malformed();
  }
}

/** Never leaves this file. */
class Malformed extends Error {}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
