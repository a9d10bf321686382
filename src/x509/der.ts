// DER (ITU-T X.690 sections 8 to 11), as much of it as certificates need: a strict reader that never
// recurses, and a writer. Every value has one encoding here; whatever could be written shorter or otherwise
// is refused. It runs in browsers, too.

/** One value. `content` and `whole` (with tag and length) are views into what was read. */
export type DerValue = { readonly tag: number; readonly content: Uint8Array; readonly whole: Uint8Array };

/** The bytes are no DER, or not what was expected. `message` says what was found, for people. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

export const TAG = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  ia5String: 0x16,
  bmpString: 0x1e,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The tag `[number]` of a context, `constructed` or not. */
export function contextTag(number: number, constructed: boolean): number {
  return (constructed ? 0xa0 : 0x80) | number;
}

/** Reads one value after another from `bytes`. */
export class DerReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** The next value, of whatever tag. Throws `DerError`. */
  next(): DerValue {
    const from = this.#at;
    const tag = this.#byte();
    if ((tag & 0x1f) === 0x1f) throw new DerError('a tag in the long form');
    const length = this.#length();
    const begin = this.#at;
    if (length > this.#bytes.length - begin) throw new DerError('a value that is cut off');
    this.#at = begin + length;
    return {
      tag,
      content: this.#bytes.subarray(begin, this.#at),
      whole: this.#bytes.subarray(from, this.#at),
    };
  }

  /** The next value, which must have this tag. `what` names it in the error. Throws `DerError`. */
  expect(tag: number, what: string): DerValue {
    if (this.atEnd) throw new DerError(`no ${what}`);
    const value = this.next();
    if (value.tag !== tag) throw new DerError(`tag ${value.tag} in place of ${what}`);
    return value;
  }

  /** Throws `DerError` unless everything was read. */
  end(what: string): void {
    if (!this.atEnd) throw new DerError(`${this.#bytes.length - this.#at} surplus bytes after ${what}`);
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new DerError('a value that is cut off');
    this.#at++;
    return byte;
  }

  #length(): number {
    const first = this.#byte();
    if (first < 0x80) return first;
    const count = first & 0x7f;
    if (count === 0 || count > MAX_LENGTH_BYTES) throw new DerError('a length without end or without bounds');
    let length = 0;
    for (let index = 0; index < count; index++) length = length * 256 + this.#byte();
    if (length < 0x80 || length < 256 ** (count - 1))
      throw new DerError('a length that is not written the short way');
    return length;
  }
}

/** The one value that `bytes` are. Throws `DerError`, also for what follows it. */
export function readWhole(bytes: Uint8Array, tag: number, what: string): DerValue {
  const reader = new DerReader(bytes);
  const value = reader.expect(tag, what);
  reader.end(what);
  return value;
}

/**
 * Throws `DerError` unless these are values, and values in values, to the last byte, of no more than eight
 * floors.
 */
export function requireForm(bytes: Uint8Array): void {
  let floor: readonly Uint8Array[] = [bytes];
  for (let depth = 0; floor.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new DerError('values nested too deep');
    const next: Uint8Array[] = [];
    for (const content of floor)
      for (const reader = new DerReader(content); !reader.atEnd;) {
        const value = reader.next();
        if ((value.tag & CONSTRUCTED) !== 0) next.push(value.content);
      }
    floor = next;
  }
}

/** The octets of a bit string that is made of whole octets. Throws `DerError`. */
export function bitStringOctets({ content }: DerValue, what: string): Uint8Array {
  if (content[0] !== 0) throw new DerError(`${what} that is not made of whole bytes`);
  return content.subarray(1);
}

/** The octets of an integer above 0, without the sign. Throws `DerError`. */
export function positiveInteger({ content }: DerValue, what: string): Uint8Array {
  const [first = 0, second = 0] = content;
  if (content.length === 0 || first >= 0x80) throw new DerError(`${what} that is no positive number`);
  if (first !== 0) return content;
  if (content.length === 1 || second < 0x80)
    throw new DerError(`${what} that is zero or not written the short way`);
  return content.subarray(1);
}

/** A value of this tag around `parts`. */
export function write(tag: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const part of parts) length += part.length;
  const head = headOf(tag, length);
  const whole = new Uint8Array(head.length + length);
  whole.set(head);
  let at = head.length;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function sequence(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return write(TAG.sequence, ...parts);
}

/** An integer from the octets of a number that is not negative, most significant first. */
export function unsignedInteger(octets: Uint8Array): Uint8Array {
  let from = 0;
  while (from < octets.length - 1 && octets[from] === 0) from++;
  const short = octets.subarray(from);
  return (short[0] ?? 0) >= 0x80
    ? write(TAG.integer, new Uint8Array(1), short)
    : write(TAG.integer, short.length === 0 ? new Uint8Array(1) : short);
}

/** An object identifier from its dotted form. */
export function objectIdentifier(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const content: number[] = [];
  for (const arc of [first * 40 + second, ...rest]) {
    const digits = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
    content.push(...digits);
  }
  return write(TAG.oid, Uint8Array.from(content));
}

export function bitString(octets: Uint8Array, unusedBits = 0): Uint8Array {
  return write(TAG.bitString, Uint8Array.of(unusedBits), octets);
}

export function text(tag: typeof TAG.utf8String | typeof TAG.ia5String, value: string): Uint8Array {
  return write(tag, new TextEncoder().encode(value));
}

/** UTCTime until 2049, GeneralizedTime from 2050 on (RFC 5280 section 4.1.2.5). Whole seconds. */
export function time(atMs: number): Uint8Array {
  const digits = new Date(atMs).toISOString().replace(/\.\d+|[-:T]/g, '');
  const utc = Number(digits.slice(0, 4)) < 2050;
  const bytes = new TextEncoder().encode(utc ? digits.slice(2) : digits);
  return write(utc ? TAG.utcTime : TAG.generalizedTime, bytes);
}

function headOf(tag: number, length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(tag, length);
  const digits: number[] = [];
  for (let left = length; left > 0; left = Math.floor(left / 256)) digits.unshift(left & 0xff);
  return Uint8Array.of(tag, 0x80 | digits.length, ...digits);
}

/** X.690 section 8.1.2.5. */
const CONSTRUCTED = 0x20;
/** Names have three, attributes with extensions that are asked for five. */
const MAX_DEPTH = 8;
/** 16 MiB: far above what is read here. */
const MAX_LENGTH_BYTES = 3;
