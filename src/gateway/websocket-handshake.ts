// WebSocket's opening handshake towards the backend (RFC 6455 section 4). Over HTTP/1.1 it is the visitor's
// own, passed on; extended CONNECT has no key (RFC 8441 section 5), so one is made here.

import { randomBytes } from '../domain/secret.ts';
import { withoutHeader } from './flat-headers.ts';
import type { Exchange } from './inbound.ts';

/** The headers of the upgrade request; `headers` is flat and stripped. */
export function webSocketHandshake(exchange: Exchange, headers: string[]): readonly string[] {
  if (exchange.protocol !== 'HTTP/2') return headers;
  const key = randomBytes(16).toString('base64');
  return [...withoutHeader(headers, 'sec-websocket-key'), 'Sec-WebSocket-Key', key];
}

/** The backend's answer for an extended CONNECT: without the proof for a key that the visitor never sent. */
export function withoutHandshakeProof(headers: string[]): string[] {
  return withoutHeader(headers, 'sec-websocket-accept');
}
