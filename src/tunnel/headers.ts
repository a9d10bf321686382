// Headers between HTTP/1.1's flat lists and HTTP/2's (RFC 9113 section 8): pseudo headers first, names in
// lower case, nothing hop by hop. What is in a list stays in its order.

import type { CarriedRequest } from './exchange.ts';

/** The head of a request for `http2.request()`. */
export function requestHead(request: CarriedRequest, scheme: 'http' | 'https'): string[] {
  const { method, target, headers, written, body, trailersAllowed, upgrade } = request;
  const pseudo = upgrade === null ? [':method', method] : [':method', 'CONNECT', ':protocol', upgrade];
  const out = [...pseudo, ':scheme', scheme, ':path', target, ':authority', ''];
  const authorityAt = out.length - 1;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]!.toLowerCase();
    if (name === 'host') out[authorityAt] = headers[index + 1]!;
    else out.push(name, headers[index + 1]!);
  }
  if (written !== undefined && written !== null) out.push(...written.headers);
  if (typeof body === 'object') out.push('content-length', String(body.length));
  if (trailersAllowed) out.push('te', 'trailers');
  return out;
}

/** Without pseudo headers. */
export function plainHeaders(raw: readonly string[]): string[] {
  let index = 0;
  while (index < raw.length && raw[index]![0] === ':') index += 2;
  return raw.slice(index);
}

/**
 * A head or trailers of HTTP/1.1 as HTTP/2 may carry them: hop-by-hop headers and those that Connection names
 * stay behind.
 */
export function endToEnd(raw: readonly string[]): string[] {
  const nominated = nominatedBy(raw);
  const out: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase();
    if (!HOP_BY_HOP.has(name) && nominated?.has(name) !== true) out.push(name, raw[index + 1]!);
  }
  return out;
}

/** Trailers for `sendTrailers()`, which takes no flat list. A trailer may be named `constructor`. */
export function trailerRecord(trailers: readonly string[]): Record<string, string[]> {
  const record: Record<string, string[]> = Object.create(null);
  for (let index = 0; index < trailers.length; index += 2)
    (record[trailers[index]!.toLowerCase()] ??= []).push(trailers[index + 1]!);
  return record;
}

export function hasHeader(headers: readonly string[], name: string): boolean {
  for (let index = 0; index < headers.length; index += 2)
    if (headers[index]!.toLowerCase() === name) return true;
  return false;
}

/** The list without the headers of that name. */
export function withoutHeader(headers: readonly string[], name: string): string[] {
  return headers.filter((_text, index) => headers[index - (index % 2)]!.toLowerCase() !== name);
}

function nominatedBy(raw: readonly string[]): ReadonlySet<string> | null {
  let names: Set<string> | null = null;
  for (let index = 0; index < raw.length; index += 2)
    if (raw[index]!.toLowerCase() === 'connection')
      for (const name of raw[index + 1]!.toLowerCase().split(',')) (names ??= new Set()).add(name.trim());
  return names;
}

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);
