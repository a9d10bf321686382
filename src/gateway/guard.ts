// Requests that two readers could take apart differently are refused before anything is decided about them
// (DESIGN 3, "Ambiguous HTTP"; RFC 9112 sections 2.2, 3.2, 6.3, 11). Node's parser already refuses folded
// headers, bare CR and LF, CL beside TE and repeated lengths; what it lets pass is refused here.

import { ServiceError } from '../domain/service-error.ts';
import { connectRefused } from '../http/last-answer.ts';
import type { HeadFacts } from './head-facts.ts';
import type { HostReader } from './host-reader.ts';
import type { Exchange } from './inbound.ts';

/** A request that means one thing only. */
export type GuardedRequest = {
  /** Lower case, without port and trailing dot. */
  readonly host: string;
  /** As the visitor sent it, port included. */
  readonly authority: string;
  /** In origin form (or `*`), byte for byte as sent. */
  readonly target: string;
  readonly body: 'none' | 'chunked' | { readonly length: number };
  readonly webSocket: boolean;
};

/**
 * Throws `bad_request`, `headers_too_large` or `method_not_allowed`; the connection is to be closed behind
 * the answer.
 */
export function guard(exchange: Exchange, facts: HeadFacts, hostOf: HostReader): GuardedRequest {
  // However many fields HTTP/2 makes of the cookies, they are one header (RFC 9113 section 8.2.3).
  const headers = exchange.rawHeaders.length / 2 - Math.max(0, facts.cookieCount - 1);
  if (headers > MAX_HEADERS || facts.size > MAX_HEADER_CHARACTERS)
    throw new ServiceError(
      'headers_too_large',
      `Cannot read a request: it has more than ${MAX_HEADERS} headers`,
    );
  if (exchange.protocol === 'unknown') throw refused('its HTTP version is not supported');
  // In HTTP/2 (extended CONNECT has a protocol); that of HTTP/1.1 does not come here. It has no target that
  // could be read.
  if (exchange.method === 'CONNECT' && exchange.upgrade === null) throw connectRefused();
  const authority = authorityOf(exchange, facts);
  const host = hostOf(authority);
  if (host === null) throw refused('its host is not valid');
  const target = originForm(exchange, host, hostOf);
  const body = bodyOf(exchange, facts);
  const webSocket = isWebSocket(exchange, facts, body);
  return { host, authority, target, body, webSocket };
}

function authorityOf(exchange: Exchange, facts: HeadFacts): string {
  if (facts.hostCount > 1) throw refused('it has two hosts');
  if (exchange.protocol !== 'HTTP/2') {
    if (facts.host === null) throw refused('it has no host');
    return facts.host;
  }
  const { authority } = exchange;
  if (authority !== null && facts.host !== null && authority.toLowerCase() !== facts.host.toLowerCase())
    throw refused('its authority does not match its host');
  const named = authority ?? facts.host;
  if (named === null) throw refused('it has no host');
  return named;
}

/**
 * RFC 9112 section 3.2: origin form, asterisk form for OPTIONS, absolute form only for the host that it is
 * sent to.
 */
function originForm(exchange: Exchange, host: string, hostOf: HostReader): string {
  const { target } = exchange;
  if (!TARGET.test(target)) throw refused('its target has invalid characters');
  if (target[0] === '/') return target;
  if (target === '*' && exchange.method === 'OPTIONS') return target;
  const absolute = exchange.protocol === 'HTTP/2' ? null : ABSOLUTE.exec(target);
  if (absolute === null) throw refused('its target is not a path');
  if (hostOf(absolute[1]!) !== host) throw refused('its target names another host');
  const rest = absolute[2]!;
  return rest[0] === '/' ? rest : `/${rest}`;
}

function bodyOf(exchange: Exchange, facts: HeadFacts): GuardedRequest['body'] {
  const { transferEncoding, contentLength } = facts;
  if (facts.contentLengthCount > 1) throw refused('it has two lengths');
  if (transferEncoding !== null) {
    if (contentLength !== null) throw refused('it has both a length and a transfer encoding');
    if (exchange.protocol !== 'HTTP/1.1')
      throw refused('its HTTP version does not support a transfer encoding');
    if (transferEncoding.toLowerCase() !== 'chunked')
      throw refused('its transfer encoding is not plain chunked');
    return 'chunked';
  }
  if (contentLength !== null) return { length: lengthOf(contentLength) };
  return exchange.protocol === 'HTTP/2' && !exchange.endsWithHead ? 'chunked' : 'none';
}

function lengthOf(contentLength: string): number {
  const length = Number(contentLength);
  if (!/^\d+$/.test(contentLength) || !Number.isSafeInteger(length))
    throw refused('its length is not a number');
  return length;
}

/**
 * Upgrades are taken for WebSocket alone, by GET without a body (by extended CONNECT in HTTP/2, RFC 8441).
 * Any other protocol offered, such as h2c, is left unanswered as RFC 9110 section 7.8 allows: the header
 * goes, the request is an ordinary one.
 */
function isWebSocket(exchange: Exchange, facts: HeadFacts, body: GuardedRequest['body']): boolean {
  if (exchange.protocol === 'HTTP/2') {
    if (exchange.upgrade === null) return false;
    if (exchange.upgrade !== 'websocket') throw refused('it requests a protocol that is not supported');
    return true;
  }
  if (!offersWebSocket(facts.upgrade, facts.connection)) return false;
  if (exchange.method !== 'GET' || body !== 'none')
    throw refused('only a GET without a body can be upgraded');
  if (exchange.protocol !== 'HTTP/1.1') throw refused('its HTTP version does not support upgrades');
  return true;
}

/** Whether an HTTP/1.1 request offers WebSocket: the protocol in Upgrade, and `upgrade` in Connection. */
export function offersWebSocket(
  upgrade: string | null | undefined,
  connection: string | null | undefined,
): boolean {
  if (upgrade === null || upgrade === undefined || connection === null || connection === undefined)
    return false;
  return upgrade.trim().toLowerCase() === 'websocket' && /(?:^|,)\s*upgrade\s*(?:,|$)/i.test(connection);
}

function refused(found: string): ServiceError {
  return new ServiceError('bad_request', `Cannot read a request: ${found}`);
}

/**
 * Visible ASCII without `#`: a fragment never travels, and bytes beyond ASCII are percent-encoded (RFC 3986
 * section 2).
 */
const TARGET = /^[!"$-~]+$/;
const ABSOLUTE = /^https?:\/\/([^/?]*)(.*)$/i;
/** On every hop, the tunnel's too; browsers send about twenty. */
export const MAX_HEADERS = 100;
/** Two full cookies of 4 KB, a long URL in Referer, and room. Node's parser and HTTP/2 get the same limit. */
export const MAX_HEADER_CHARACTERS = 32_768;
