// A proxy that answers CONNECT with whatever bytes a test wants, over TLS for `localhost` too.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TestContext } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { parseProxy } from '../../src/domain/proxy.ts';
import { until } from './until.ts';

/** What a proxy says once it has read a whole head. */
export type Answer = (client: Duplex, head: string) => void;

export async function startRawProxy(
  t: TestContext,
  answer: Answer,
  tls: { readonly certificate: string; readonly key: string } | null = null,
) {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const take = (client: Duplex) => {
    client.on('error', () => {});
    let head = '';
    const read = (bytes: Buffer) => {
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      client.removeListener('data', read);
      heads.push(head);
      answer(client, head);
    };
    client.on('data', read);
  };
  const server: Server =
    tls === null ? createServer(take) : createTlsServer({ cert: tls.certificate, key: tls.key }, take);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const text = `${tls === null ? 'http' : 'https'}://ann:hidden@localhost:${port}`;
  return {
    proxy: parseProxy(text, 'HTTPS_PROXY'),
    heads,
    /** Every connection to it is closed. */
    left: () => until(() => sockets.size === 0),
  };
}

export function say(text: string): Answer {
  return (client) => void client.write(text);
}

/** Where a proxy may fall silent. */
export const STALLS: readonly (readonly [where: string, answer: Answer])[] = [
  ['before its answer', () => {}],
  ['within its answer', say('HTTP/1.1 200 OK\r\nX-Half')],
  ['within TLS', say('HTTP/1.1 200 OK\r\n\r\n')],
];
