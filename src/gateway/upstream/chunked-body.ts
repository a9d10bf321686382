// The chunked transfer coding (RFC 9112 section 7.1), byte by byte: sizes, bounded extensions (checked and
// ignored), trailers.

import { FieldSection } from './field-section.ts';
import { UpstreamError } from './upstream-error.ts';

export type BodySink = {
  /** A piece of the body: `chunk[from, to)`, never empty. The bytes are the sink's during the call only. */
  onBody(chunk: Buffer, from: number, to: number): void;
};

export class ChunkedBody {
  complete = false;
  /** Complete when the body is. */
  readonly trailers = new FieldSection();
  #state: State = 'size';
  #size = 0;
  #digits = 0;
  #extension = '';
  #extensionBytes = 0;

  reset(): void {
    this.complete = false;
    this.trailers.reset('trailers');
    this.#state = 'size';
    this.#size = 0;
    this.#digits = 0;
    this.#extension = '';
    this.#extensionBytes = 0;
  }

  /** Reads `chunk[from, to)` and gives the position behind what it took. Throws `protocol`. */
  feed(chunk: Buffer, from: number, to: number, sink: BodySink): number {
    let at = from;
    while (at < to && !this.complete) {
      if (this.#state === 'data') at = this.#takeData(chunk, at, to, sink);
      else if (this.#state === 'trailers') at = this.#takeTrailers(chunk, at, to);
      else {
        this.#takeByte(chunk[at] ?? 0);
        at += 1;
      }
    }
    return at;
  }

  #takeData(chunk: Buffer, from: number, to: number, sink: BodySink): number {
    const end = Math.min(to, from + this.#size);
    this.#size -= end - from;
    if (this.#size === 0) this.#state = 'data-cr';
    sink.onBody(chunk, from, end);
    return end;
  }

  #takeTrailers(chunk: Buffer, from: number, to: number): number {
    const at = this.trailers.feed(chunk, from, to);
    if (this.trailers.complete) {
      refuseFraming(this.trailers.fields);
      this.complete = true;
    }
    return at;
  }

  #takeByte(byte: number): void {
    switch (this.#state) {
      case 'size':
        this.#takeSizeByte(byte);
        break;
      case 'extension':
        this.#takeExtensionByte(byte);
        break;
      case 'size-lf':
        if (byte !== LF) throw fault('a carriage return without a line feed');
        this.#state = this.#size === 0 ? 'trailers' : 'data';
        this.#digits = 0;
        break;
      case 'data-cr':
        if (byte !== CR) throw fault('bytes beyond the size of a chunk');
        this.#state = 'data-lf';
        break;
      default:
        if (byte !== LF) throw fault('a carriage return without a line feed');
        this.#state = 'size';
    }
  }

  #takeSizeByte(byte: number): void {
    const digit = hexDigit(byte);
    if (digit !== -1) {
      this.#digits += 1;
      this.#size = this.#size * 16 + digit;
      if (this.#digits > MAX_SIZE_DIGITS || this.#size > Number.MAX_SAFE_INTEGER)
        throw fault('a chunk size that is too large');
      return;
    }
    if (this.#digits === 0) throw fault('no chunk size where one must be');
    if (byte === CR) this.#state = 'size-lf';
    else if (byte === SEMICOLON) {
      this.#state = 'extension';
      this.#extension = ';';
    } else throw fault('a chunk size that is no number');
  }

  #takeExtensionByte(byte: number): void {
    if (byte === CR) {
      if (!EXTENSIONS.test(this.#extension)) throw fault('a malformed chunk extension');
      this.#state = 'size-lf';
      return;
    }
    this.#extensionBytes += 1;
    if (this.#extensionBytes > MAX_EXTENSION_BYTES) throw fault('too many bytes of chunk extensions');
    this.#extension += String.fromCharCode(byte);
  }
}

type State = 'size' | 'extension' | 'size-lf' | 'data' | 'data-cr' | 'data-lf' | 'trailers';

/**
 * A trailer that speaks of framing comes too late to be obeyed (RFC 9110 section 6.5.1), and is no honest
 * mistake.
 */
function refuseFraming(fields: readonly string[]): void {
  for (let at = 0; at < fields.length; at += 2) {
    const name = (fields[at] ?? '').toLowerCase();
    if (name === 'content-length' || name === 'transfer-encoding') throw fault('framing in a trailer');
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function fault(found: string): UpstreamError {
  return new UpstreamError('protocol', `Cannot read the body of the backend: ${found}`);
}

/** 16 digits hold every size that a double counts exactly, leading zeros included. */
const MAX_SIZE_DIGITS = 16;
/** Of a whole body. Nobody uses extensions; each is checked, so each costs something. */
const MAX_EXTENSION_BYTES = 16 * 1024;
const CR = 0x0d;
const LF = 0x0a;
const SEMICOLON = 0x3b;

/**
 * chunk-ext without blanks (RFC 9112 section 7.1.1). Alternatives start with different letters: linear time.
 */
const EXTENSIONS = new RegExp(
  String.raw`^(?:;TOKEN(?:=(?:TOKEN|"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*"))?)+$`.replaceAll(
    'TOKEN',
    "[!#$%&'*+.^_`|~0-9A-Za-z-]+",
  ),
);
