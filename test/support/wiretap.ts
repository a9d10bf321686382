// A wire between a client and a listener on loopback, and everything that the client sent over it.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type Wiretap = {
  readonly port: number;
  /**
   * All bytes that clients sent so far, a buffer for each connection, in the order in which they were opened.
   */
  readonly sent: () => readonly Buffer[];
  readonly close: () => Promise<void>;
};

export async function startWiretap(target: number): Promise<Wiretap> {
  const connections: Buffer[][] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const chunks: Buffer[] = [];
    connections.push(chunks);
    client.on('data', (chunk: Buffer) => void chunks.push(chunk));
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => sockets.delete(from));
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    sent: () => connections.map((chunks) => Buffer.concat(chunks)),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
