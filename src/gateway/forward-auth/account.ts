// What a proxy says of the request that it asks about: each header once, and each so that it means one thing
// alone. What cannot be read so is refused, since the proxy may have read it otherwise. Its own headers are
// taken away; what is left is the visitor's.

import { ServiceError } from '../../domain/service-error.ts';
import type { Exchange } from '../inbound.ts';
import type { Dialect, Question } from './dialects.ts';

export type Account = {
  readonly method: string;
  /** As the visitor sent it, port included. */
  readonly authority: string;
  /** In origin form, as the visitor sent it. */
  readonly target: string;
  readonly scheme: 'http' | 'https';
  /** Every address that the request came from, as X-Forwarded-For has them. */
  readonly forwardedFor: string;
  /** As the proxy wrote it; null for none. */
  readonly certificate: string | null;
  readonly webSocket: boolean;
  /** The visitor's, flat, with the Host of the request. */
  readonly headers: readonly string[];
};

/** Throws `forward_auth_invalid`. */
export function readAccount(
  { method, rawHeaders }: Pick<Exchange, 'method' | 'rawHeaders'>,
  { dialect, ownTarget }: Question,
): Account {
  const { said, headers, webSocket } = takeApart(rawHeaders, dialect);
  const needed = (name: string) => {
    const value = said.get(name);
    if (value === undefined || value === '') throw invalid(`${name} is missing`);
    return value;
  };
  const asked = dialect.method === null ? method : needed(dialect.method);
  if (!METHOD.test(asked) || asked === 'CONNECT') throw invalid('its method is none');
  const url = dialect.url === null ? undefined : said.get(dialect.url);
  const place = url === undefined ? null : placeIn(url);
  if (place !== null && dialect.target !== null && said.has(dialect.target))
    throw invalid(`${dialect.url} and ${dialect.target} are both there`);
  const authority = place?.authority ?? needed(dialect.host);
  const target = place?.target ?? ownTarget ?? needed(dialect.target ?? '');
  if (!TARGET.test(target)) throw invalid('its target is not a path');
  headers[HOST_VALUE] = authority;
  return {
    method: asked,
    authority,
    target,
    scheme: schemeIn(place?.scheme ?? needed('x-forwarded-proto'), said.get('x-forwarded-proto')),
    forwardedFor: needed('x-forwarded-for'),
    certificate: said.get(dialect.certificate.name) || null,
    headers,
    webSocket,
  };
}

/** The header by which a proxy shows that it may ask. */
export const SECRET_HEADER = 'svc-auth-secret';

type Apart = {
  /** What the proxy tells, by names in lower case. */
  readonly said: ReadonlyMap<string, string>;
  /** The visitor's own, behind a Host that is filled in later. */
  readonly headers: string[];
  readonly webSocket: boolean;
};

/**
 * One walk over all headers. A WebSocket is known by its key, which no proxy takes for its own, and is made
 * into what it was.
 */
function takeApart(rawHeaders: readonly string[], { told }: Dialect): Apart {
  const said = new Map<string, string>();
  const headers = ['Host', ''];
  let webSocket = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    const lower = name.toLowerCase();
    const value = rawHeaders[index + 1]!;
    if (isWebSocketSign(lower, value)) webSocket = true;
    if (told.has(lower)) {
      if (said.has(lower)) throw invalid(`${lower} is there twice`);
      said.set(lower, value);
    } else if (!OF_THE_QUESTION.has(lower)) headers.push(name, value);
  }
  if (webSocket) headers.push('Upgrade', 'websocket', 'Connection', 'Upgrade');
  return { said, headers, webSocket };
}

function isWebSocketSign(lower: string, value: string): boolean {
  if (lower.startsWith('sec-websocket-')) return true;
  return (lower === 'upgrade' || lower === 'sec-fetch-mode') && value.toLowerCase() === 'websocket';
}

type Place = { readonly scheme: string; readonly authority: string; readonly target: string };

function placeIn(url: string): Place {
  const [, scheme, authority, target] = URL_FORM.exec(url) ?? [];
  if (scheme === undefined || authority === undefined || target === undefined)
    throw invalid('its address is not an absolute URL');
  return { scheme, authority, target };
}

/** `other`: what is said of it beside. */
function schemeIn(text: string, other: string | undefined): 'http' | 'https' {
  if (other !== undefined && other !== text) throw invalid('it has two schemes');
  if (text !== 'http' && text !== 'https') throw invalid('its scheme is neither http nor https');
  return text;
}

function invalid(found: string): ServiceError {
  return new ServiceError(
    'forward_auth_invalid',
    `Cannot answer a proxy: in what it says of the request, ${found}`,
    {
      hint: 'Configure the proxy as docs/how-to/forward-auth.md has it: it must set each of its headers once.',
    },
  );
}

/** RFC 9110 section 5.6.2; longer than any that is registered. */
const METHOD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,32}$/;
/** Origin form, as the gateway takes it from visitors. */
const TARGET = /^\/[!"$-~]*$/;
const URL_FORM = /^(https?):\/\/([^/?#\\@\s]+)(\/.*)$/;
/** Of the flat list's `Host`, which is its first. */
const HOST_VALUE = 1;
const OF_THE_QUESTION: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  SECRET_HEADER,
]);
