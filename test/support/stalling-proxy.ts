// A TCP proxy that can fall silent: connections stay open, nothing passes any more, as on a network that was
// cut.

import { type Socket, connect, createServer, type AddressInfo } from 'node:net';

export type StallingProxy = AsyncDisposable & {
  readonly port: number;
  /** How many sockets it has open, towards both sides. */
  open(): number;
  /** From now on nothing passes, in either direction. New connections are accepted and get no answer. */
  stall(): void;
  /** Lets pass again what waited. */
  resume(): void;
};

/** To a port of this machine. */
export async function startStallingProxy(port: number): Promise<StallingProxy> {
  const sockets = new Set<Socket>();
  let stalled = false;
  const hold = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    if (stalled) socket.pause();
  };
  const server = createServer((visitor) => {
    const upstream = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [visitor, upstream],
      [upstream, visitor],
    ] as const) {
      from.on('data', (bytes) => to.write(bytes));
      from.on('close', () => to.destroy());
      hold(from);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size,
    stall: () => {
      stalled = true;
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      stalled = false;
      for (const socket of sockets) socket.resume();
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
