// A port for a listener that is stopped and started again. `freePort()` gives one that the kernel may hand to
// any outgoing connection in between; this one lies below those (Linux: 32768 and up), and below what quick
// starts take in tests.

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export async function listenPort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.on('error', () => resolve(false));
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return promise;
}

const FIRST = 12_000;
const LAST = 22_000;
