// Writes the head of a request (RFC 9112 sections 3 and 5) and the framing that belongs to it. Nothing that
// could be read as a second header, request or length passes: what the rest of the gateway got wrong stops
// here.

import { isToken } from './field-line.ts';
import type { UpstreamRequest } from './upstream-request.ts';
import { isOwned, refused, writeField, writeHeaders } from './written-fields.ts';

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
