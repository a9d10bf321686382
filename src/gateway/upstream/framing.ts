// How long the body of an answer is, and whether the connection outlives it (RFC 9112 sections 6 and 9). One
// doubt is a fault: two readings of one answer are how answers get mixed up.

import { namesConnectionLogin } from '../../domain/connection-login.ts';
import type { StatusLine } from './status-line.ts';
import { UpstreamError } from './upstream-error.ts';

export type Framing = {
  readonly body: 'none' | 'length' | 'chunked' | 'until-close';
  /** For `length`; 0 otherwise. */
  readonly length: number;
  /** The backend says that the connection may be used again. */
  readonly persistent: boolean;
  /** The answer is about a login of the connection itself: it is one visitor's from now on. */
  readonly logsIn: boolean;
  /** The backend's `Keep-Alive: timeout`, null if it names none. */
  readonly idleLimitMs: number | null;
};

/** `fields` is flat. Throws `protocol`. */
export function readFraming(line: StatusLine, fields: readonly string[], method: string): Framing {
  const found = readFields(fields);
  if (found.chunked && found.length !== null) throw fault('Content-Length together with Transfer-Encoding');
  if (found.chunked && line.minor === 0) throw fault('Transfer-Encoding in HTTP/1.0');
  const bodiless = line.status === 204 || line.status === 304 || line.status < 200;
  const body =
    bodiless || method === 'HEAD' || found.length === 0
      ? 'none'
      : found.chunked
        ? 'chunked'
        : found.length === null
          ? 'until-close'
          : 'length';
  // A backend that announces a body where none may be could send it too: behind the next request, if there
  // were one.
  const misleading = bodiless && (found.chunked || (found.length ?? 0) > 0);
  return {
    body,
    length: body === 'length' ? (found.length ?? 0) : 0,
    persistent: line.minor === 1 && !found.close && body !== 'until-close' && !misleading,
    logsIn: found.logsIn,
    idleLimitMs: found.idleLimitMs,
  };
}

type Found = {
  length: number | null;
  chunked: boolean;
  close: boolean;
  logsIn: boolean;
  idleLimitMs: number | null;
};

/** Names are told apart by their length first: most headers cost one comparison. */
function readFields(fields: readonly string[]): Found {
  const found: Found = { length: null, chunked: false, close: false, logsIn: false, idleLimitMs: null };
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] ?? '';
    const value = fields[at + 1] ?? '';
    switch (name.length) {
      case 10:
        readConnection(name.toLowerCase(), value, found);
        break;
      case 14:
        if (name.toLowerCase() === 'content-length') readLength(value, found);
        break;
      case 16:
      case 18:
        readChallenge(name.toLowerCase(), value, found);
        break;
      case 17:
        if (name.toLowerCase() === 'transfer-encoding') readEncoding(value, found);
        break;
    }
  }
  return found;
}

function readConnection(name: string, value: string, found: Found): void {
  if (name === 'connection') {
    const tokens = value.toLowerCase().split(',');
    if (tokens.some((token) => token.trim() === 'close')) found.close = true;
  } else if (name === 'keep-alive') {
    const seconds = /(?:^|[\s,;])timeout=(\d{1,6})(?:$|[\s,;])/i.exec(value)?.[1];
    if (seconds !== undefined) found.idleLimitMs = Number(seconds) * 1000;
  }
}

function readChallenge(name: string, value: string, found: Found): void {
  if (name !== 'www-authenticate' && name !== 'proxy-authenticate') return;
  if (namesConnectionLogin(value)) found.logsIn = true;
}

function readLength(value: string, found: Found): void {
  if (found.length !== null) throw fault('more than one Content-Length');
  if (!/^\d{1,16}$/.test(value)) throw fault('a Content-Length that is no number');
  const length = Number(value);
  if (!Number.isSafeInteger(length)) throw fault('a Content-Length that is too large');
  found.length = length;
}

function readEncoding(value: string, found: Found): void {
  if (found.chunked || value.toLowerCase() !== 'chunked')
    throw fault('a Transfer-Encoding other than "chunked"');
  found.chunked = true;
}

function fault(found: string): UpstreamError {
  return new UpstreamError('protocol', `Cannot tell where the answer of the backend ends: ${found}`);
}
