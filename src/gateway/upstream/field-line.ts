// The letters of HTTP fields (RFC 9110 section 5, RFC 9112 section 5), read strictly: one parser for headers
// and trailers, and the same tables for what is written. It never repairs: folded lines, spaces before the
// colon and control bytes are faults.

import { UpstreamError } from './upstream-error.ts';

/**
 * Reads `text[start, end)`, a line without its CRLF, and appends name and value. Text is latin1. Throws
 * `protocol`.
 */
export function parseFieldLine(text: string, span: { start: number; end: number }, into: string[]): void {
  const { start, end } = span;
  let colon = start;
  while (colon < end && isTokenChar(text.charCodeAt(colon))) colon += 1;
  if (colon === start || colon === end || text.charCodeAt(colon) !== COLON)
    throw faultOfName(text, start, colon);
  let from = colon + 1;
  while (from < end && isBlank(text.charCodeAt(from))) from += 1;
  let to = end;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  const value = text.substring(from, to);
  if (!isFieldValue(value)) throw new UpstreamError('protocol', CONTROL_BYTE);
  into.push(text.substring(start, colon), value);
}

/** tchar, RFC 9110 section 5.6.2. */
export function isTokenChar(code: number): boolean {
  return code < 128 && TOKEN[code] === 1;
}

export function isToken(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (!isTokenChar(text.charCodeAt(at))) return false;
  return text.length > 0;
}

/**
 * Anything but control bytes; HTAB is allowed. Codes above 255 are no bytes: written as latin1 they could
 * turn into CR or LF. A regular expression looks through long values (cookies, assertions) twice as fast as a
 * loop would.
 */
export function isFieldValue(text: string): boolean {
  return !NO_VALUE.test(text);
}

function isBlank(code: number): boolean {
  return code === SPACE || code === HTAB;
}

function faultOfName(text: string, start: number, at: number): UpstreamError {
  const folded = at === start && isBlank(text.charCodeAt(at));
  const found = folded ? 'a folded line' : 'a name that is no token followed by a colon';
  return new UpstreamError('protocol', `Cannot read a header of the backend: ${found}`);
}

const HTAB = 0x09;
const SPACE = 0x20;
const COLON = 0x3a;
const CONTROL_BYTE = 'Cannot read a header of the backend: a control byte in its value';

const NO_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

const TOKEN = new Uint8Array(128);
for (const char of "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
  TOKEN[char.charCodeAt(0)] = 1;
}
