// A proxy that takes CONNECT (RFC 9110 section 9.3.6), for whom every name is this machine. It keeps what it
// was asked for.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export type ConnectProxy = AsyncDisposable & {
  readonly port: number;
  /** The authorities that it was asked for, in order. */
  readonly asked: readonly string[];
  /** All that went through it from clients, as text. */
  readonly sent: () => string;
};

export type ConnectProxyInput = {
  /** `user:password` that it asks for. */
  readonly login?: string;
  /** It takes connections, and says nothing. */
  readonly silent?: boolean;
  /** It refuses with this. */
  readonly refuses?: number;
};

export async function startConnectProxy(input: ConnectProxyInput = {}): Promise<ConnectProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  let sent = '';
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer();
  server.on('connection', keep);
  server.on('connect', (request, client: Socket) => {
    asked.push(request.url ?? '');
    if (input.silent === true) return;
    const expected = input.login === undefined ? undefined : `Basic ${btoa(input.login)}`;
    const status = input.refuses ?? (request.headers['proxy-authorization'] === expected ? undefined : 407);
    if (status !== undefined) return void client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const upstream = keep(connect(Number(request.url?.split(':').at(-1)), '127.0.0.1'));
    upstream.once('connect', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
    client.on('data', (bytes: Buffer) => {
      sent += bytes.toString('latin1');
      upstream.write(bytes);
    });
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    sent: () => sent,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
