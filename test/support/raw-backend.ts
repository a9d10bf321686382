// A backend that answers with whatever bytes a test wants, and sees what it was sent byte for byte.

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket, type AddressInfo } from 'node:net';
import type { UpstreamOrigin } from '../../src/gateway/upstream/upstream-request.ts';

export type RawBackend = {
  readonly origin: UpstreamOrigin;
  readonly port: number;
  /** All connections that were ever made. */
  readonly sockets: readonly Socket[];
  /** What came on each, latin1. */
  readonly received: readonly string[];
  readonly close: () => Promise<void>;
};

/** `head` is one request's, empty line included; `nth` counts requests over all connections, from 1. */
export type OnRawRequest = (socket: Socket, head: string, nth: number) => void;

export async function rawBackend(onRequest: OnRawRequest): Promise<RawBackend> {
  const sockets: Socket[] = [];
  const received: string[] = [];
  let requests = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    const index = sockets.push(socket) - 1;
    received.push('');
    let pending = '';
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      received[index] += chunk.toString('latin1');
      pending += chunk.toString('latin1');
      for (;;) {
        const start = pending.search(REQUEST_LINE);
        const end = pending.indexOf('\r\n\r\n', Math.max(start, 0));
        if (start === -1 || end === -1) {
          pending = pending.slice(-MAX_HEAD);
          return;
        }
        const head = pending.slice(start, end + 4);
        pending = pending.slice(end + 4);
        requests += 1;
        onRequest(socket, head, requests);
      }
    });
  });
  const port = await listen(server);
  return {
    origin: { key: `raw ${port}`, dial: (options) => connect({ host: '127.0.0.1', port, ...options }) },
    port,
    sockets,
    received,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Listens on a free port of loopback. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Longer bodies must not make each read slow. */
const MAX_HEAD = 4_096;
const REQUEST_LINE = /[A-Z]+ \S+ HTTP\/1\.1\r\n/;
