// The status line of an answer (RFC 9112 section 4): HTTP/1.0 or HTTP/1.1, a status of 100 to 599.

import { isFieldValue } from './field-line.ts';
import { UpstreamError } from './upstream-error.ts';

export type StatusLine = { readonly minor: 0 | 1; readonly status: number; readonly reason: string };

/**
 * `line` is latin1 without CRLF. The space before an empty reason may be missing, as many servers do. Throws
 * `protocol`.
 */
export function parseStatusLine(line: string): StatusLine {
  const minor = line.startsWith('HTTP/1.1 ') ? 1 : line.startsWith('HTTP/1.0 ') ? 0 : null;
  if (minor === null) throw fault('no HTTP/1.x status line');
  const status = statusAt(line, PREFIX_LENGTH);
  if (status < 100 || status > 599) throw fault('a status outside of 100 to 599');
  if (line.length > REASON_AT - 1 && line.charCodeAt(REASON_AT - 1) !== SPACE)
    throw fault('a malformed status line');
  const reason = line.substring(REASON_AT);
  if (!isFieldValue(reason)) throw fault('a control byte in the reason');
  return { minor, status, reason };
}

/** Exactly three digits, or -1. */
function statusAt(line: string, at: number): number {
  let status = 0;
  for (let index = at; index < at + 3; index += 1) {
    const digit = line.charCodeAt(index) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return -1;
    status = status * 10 + digit;
  }
  return status;
}

function fault(found: string): UpstreamError {
  return new UpstreamError('protocol', `Cannot read the answer of the backend: ${found}`);
}

const PREFIX_LENGTH = 'HTTP/1.1 '.length;
const REASON_AT = 'HTTP/1.1 200 '.length;
const SPACE = 0x20;
const ZERO = 0x30;
