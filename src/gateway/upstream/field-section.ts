// Lines up to an empty line: the head of an answer, or trailers (RFC 9112 sections 2.1, 7.1.2). Works on
// pieces of any size, with a verdict that does not depend on where the pieces end, and in time linear in the
// bytes.

import { parseFieldLine } from './field-line.ts';
import { parseStatusLine, type StatusLine } from './status-line.ts';
import { UpstreamError } from './upstream-error.ts';

/** What is read of one section. `fields` is flat, latin1, order and case kept. */
export class FieldSection {
  status: StatusLine | null = null;
  fields: string[] = [];
  complete = false;
  /** Trailers that were more than is held: read over, since the body before them is whole. */
  dropped = false;
  #isTrailers = false;
  #wantsStatus = false;
  #carry = '';
  #bytes = 0;

  reset(kind: 'head' | 'trailers'): void {
    this.status = null;
    this.fields = [];
    this.complete = false;
    this.dropped = false;
    this.#isTrailers = kind === 'trailers';
    this.#wantsStatus = kind === 'head';
    this.#carry = '';
    this.#bytes = 0;
  }

  /**
   * Reads `chunk[from, to)` and gives the position behind what it took: `to`, or where the section ended.
   * Throws `protocol`.
   */
  feed(chunk: Buffer, from: number, to: number): number {
    let text = chunk.toString('latin1', from, sectionEnd(chunk, from, to));
    let feedAt = text.indexOf('\n');
    if (feedAt === -1) return this.#keep(text, to);
    const carried = this.#carry.length;
    if (carried > 0) {
      text = this.#carry + text;
      feedAt += carried;
      this.#carry = '';
    }
    let start = 0;
    while (feedAt !== -1) {
      this.#takeLine(text, start, feedAt);
      start = feedAt + 1;
      if (this.complete) return from - carried + start;
      feedAt = text.indexOf('\n', start);
    }
    return this.#keep(text.substring(start), to);
  }

  #keep(text: string, to: number): number {
    this.#carry += text;
    this.#checkSize(this.#bytes + this.#carry.length);
    return to;
  }

  #takeLine(text: string, start: number, feedAt: number): void {
    this.#bytes += feedAt + 1 - start;
    this.#checkSize(this.#bytes);
    const end = feedAt - 1;
    if (end < start || text.charCodeAt(end) !== CR) throw fault('a line feed without a carriage return');
    if (this.#wantsStatus) {
      this.status = parseStatusLine(text.substring(start, end));
      this.#wantsStatus = false;
    } else if (end === start) {
      this.complete = true;
    } else {
      if (this.fields.length === 2 * MAX_FIELDS) this.#tooMuch('too many headers');
      parseFieldLine(text, { start, end }, this.dropped ? [] : this.fields);
    }
  }

  #checkSize(bytes: number): void {
    if (bytes > MAX_SECTION_BYTES && !this.dropped) this.#tooMuch('too many bytes of headers');
    if (bytes > MAX_DROPPED_BYTES) throw fault('too many bytes of headers');
  }

  #tooMuch(found: string): void {
    if (!this.#isTrailers) throw fault(found);
    this.dropped = true;
    this.fields = [];
  }
}

/**
 * Where to stop decoding: behind the first empty line, so that no body is made a string. The lines themselves
 * decide.
 */
function sectionEnd(chunk: Buffer, from: number, to: number): number {
  for (let at = from + 3; at < to; at += 1) {
    if (chunk[at] === LF && chunk[at - 1] === CR && chunk[at - 2] === LF && chunk[at - 3] === CR)
      return at + 1;
  }
  return to;
}

function fault(found: string): UpstreamError {
  return new UpstreamError('protocol', `Cannot read the answer of the backend: ${found}`);
}

/**
 * Four times what common servers let a client send; an answer above it is a mistake, and memory is held while
 * it comes.
 */
const MAX_SECTION_BYTES = 64 * 1024;
/** As far as trailers are read over. A backend that sends more does not mean to end. */
const MAX_DROPPED_BYTES = 256 * 1024;
/** Above any real answer, well below what makes looking through headers slow. */
export const MAX_FIELDS = 200;
const CR = 0x0d;
const LF = 0x0a;
