// A proxy of Node's sockets alone, which reads nothing of what it carries: what a proxy on Node costs at
// least. One connection to the backend for each of a visitor's. A process of its own, which gets the
// backend's port; its parent tells it to end.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

function carry(visitor: Socket, backendPort: number): void {
  const backend = connect({ port: backendPort, host: '127.0.0.1', noDelay: true });
  pass(visitor, backend);
  pass(backend, visitor);
}

function pass(from: Socket, to: Socket): void {
  from.on('data', (bytes) => {
    if (!to.write(bytes)) from.pause();
  });
  to.on('drain', () => from.resume());
  from.on('close', () => to.destroy());
  from.on('error', () => to.destroy());
}

if (import.meta.main) {
  const backendPort = Number(process.argv[2]);
  const server = createServer({ noDelay: true }, (visitor) => carry(visitor, backendPort));
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit(0));
}
