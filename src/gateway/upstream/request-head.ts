// Writes the head of a request (RFC 9112 sections 3 and 5) and the framing that belongs to it. Nothing that could be read as
// a second header, request or length passes: what the rest of the gateway got wrong stops here.

import { isFieldValue, isToken } from './field-line.ts';
import { UpstreamError } from './upstream-error.ts';
import type { UpstreamRequest } from './upstream.ts';

/** Fields that were checked and written once, to go into many requests: there are no others of this class. */
export class WrittenFields {
  readonly text: string;
  /** The same, for whoever writes another protocol. */
  readonly headers: readonly string[];

  /** `headers` is flat, by the rules of `UpstreamRequest.headers` but without `Host`. Throws `request_refused`. */
  constructor(headers: readonly string[]) {
    this.text = writeHeaders(headers, 0);
    this.headers = Object.freeze([...headers]);
    Object.freeze(this);
  }
}

/** Latin1 text up to and including the empty line. Throws `request_refused`. */
export function writeRequestHead(request: UpstreamRequest): string {
  const { method, target, body, upgrade } = request;
  if (!isToken(method) || method === 'CONNECT') throw refused('a method that cannot be sent');
  if (!isTarget(target)) throw refused('a target with blanks or control characters');
  let head = `${method} ${target} HTTP/1.1\r\n${writeHeaders(request.headers, 1)}${request.written?.text ?? ''}`;
  if (upgrade !== null) {
    if (body !== 'none' || !isToken(upgrade)) throw refused('an upgrade that cannot be asked for');
    head += `Connection: Upgrade\r\nUpgrade: ${upgrade}\r\n`;
  } else if (request.trailersAllowed) head += 'Connection: TE\r\nTE: trailers\r\n';
  if (body === 'chunked') head += 'Transfer-Encoding: chunked\r\n';
  else if (body !== 'none') head += `Content-Length: ${writeLength(body.length)}\r\n`;
  return `${head}\r\n`;
}

/** The end of a chunked body: the last chunk and its trailers, latin1. Throws `request_refused`. */
export function writeLastChunk(trailers: readonly string[]): string {
  let text = '0\r\n';
  for (let at = 0; at < trailers.length; at += 2) {
    const name = trailers[at] ?? '';
    if (name.toLowerCase() === 'host' || isOwned(name)) throw refused('a trailer that belongs into the head');
    text += writeField(name, trailers[at + 1]);
  }
  return `${text}\r\n`;
}

function writeHeaders(headers: readonly string[], wantedHosts: 0 | 1): string {
  let text = '';
  let hosts = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (isOwned(name)) throw refused('a header that the client writes itself');
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    text += writeField(name, headers[at + 1]);
  }
  if (hosts !== wantedHosts) throw refused(hosts === 0 ? 'no Host header' : 'a Host header too many');
  return text;
}

function writeField(name: string, value: string | undefined): string {
  if (!isToken(name)) throw refused('a header name that is no token');
  if (value === undefined) throw refused('a header without a value');
  if (!isFieldValue(value)) throw refused('a control character in a header value');
  return `${name}: ${value}\r\n`;
}

/** Told apart by length first: most names cost one comparison. */
function isOwned(name: string): boolean {
  switch (name.length) {
    case 2:
    case 7:
    case 10:
    case 14:
    case 16:
    case 17:
      return OWNED.has(name.toLowerCase());
    default:
      return false;
  }
}

function isTarget(target: string): boolean {
  for (let at = 0; at < target.length; at += 1) {
    const code = target.charCodeAt(at);
    if (code <= 0x20 || code === 0x7f || code > 0xff) return false;
  }
  return target.length > 0;
}

function writeLength(length: number): string {
  if (!Number.isSafeInteger(length) || length < 0) throw refused('a body length that is no whole number');
  return String(length);
}

function refused(found: string): UpstreamError {
  return new UpstreamError('request_refused', `Cannot send a request to the backend: ${found}`);
}

const OWNED = new Set([
  'te',
  'upgrade',
  'connection',
  'keep-alive',
  'content-length',
  'proxy-connection',
  'transfer-encoding',
]);
