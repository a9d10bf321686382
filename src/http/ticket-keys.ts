// The keys of TLS session tickets (RFC 5077, RFC 8446 section 4.6.1): new ones twice a day, so that a key
// that somebody learned opens no session begun later. Each server has keys of its own, which nobody else
// knows and nothing stores. A server takes one key at a time: a ticket of before is no ticket any more, and
// its client does a full handshake.

import type { Server } from 'node:tls';
import { randomBytes } from '../domain/secret.ts';

/** What answers TLS at the moment. */
export type TicketServers = () => Iterable<Pick<Server, 'setTicketKeys'>>;

/** Until it is told to stop. Keeps no process alive. */
export function rotateTicketKeys(servers: TicketServers): { readonly stop: () => void } {
  const timer = setInterval(() => {
    for (const server of servers()) server.setTicketKeys(randomBytes(TICKET_KEYS_BYTES));
  }, TICKET_KEYS_LAST_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * Far beyond what a ticket itself lasts, so that a rotation costs few clients anything; a day at most is what
 * a learned key is worth.
 */
export const TICKET_KEYS_LAST_MS = 12 * 60 * 60_000;
/** Name, HMAC key and AES key, as Node takes them. */
const TICKET_KEYS_BYTES = 48;
