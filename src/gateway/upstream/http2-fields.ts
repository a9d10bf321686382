// Headers between HTTP/1.1's flat lists and HTTP/2's (RFC 9113 section 8): pseudo headers first, names in
// lower case, nothing hop by hop. What is in a list stays in its order.

import type { UpstreamRequest } from './upstream-request.ts';

/** The head of a request for `http2.request()`. */
export function requestHead(request: UpstreamRequest, scheme: 'http' | 'https'): string[] {
  const { method, target, headers, written, body, trailersAllowed } = request;
  const out = [':method', method, ':scheme', scheme, ':path', target, ':authority', ''];
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

/** Trailers for `sendTrailers()`, which takes no flat list. A trailer may be named `constructor`. */
export function trailerRecord(trailers: readonly string[]): Record<string, string[]> {
  const record: Record<string, string[]> = Object.create(null);
  for (let index = 0; index < trailers.length; index += 2)
    (record[trailers[index]!.toLowerCase()] ??= []).push(trailers[index + 1]!);
  return record;
}
