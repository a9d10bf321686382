// Carries connections from one address to another: between network namespaces, which share Unix sockets
// where they share a folder. Run as a program it does so where it runs, until its input ends.

import { createServer, type ListenOptions, type Server, type Socket, connect } from 'node:net';
import { once } from 'node:events';

/** A Unix socket, or a port with its host. */
export type RelayEnd = { readonly path: string } | { readonly host: string; readonly port: number };
export type Relay = { readonly from: RelayEnd; readonly to: RelayEnd };

if (import.meta.main) {
  for (const relay of JSON.parse(process.argv[2] ?? '[]') as readonly Relay[]) await startRelay(relay);
  process.stdout.write('ready\n');
  process.stdin.on('end', () => process.exit()).resume();
}

export async function startRelay({ from, to }: Relay): Promise<{ readonly close: () => void }> {
  const open = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ ...to, allowHalfOpen: true });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => open.delete(socket));
      socket.pipe(other);
    }
  });
  server.listen(from as ListenOptions);
  await once(server, 'listening');
  return {
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
