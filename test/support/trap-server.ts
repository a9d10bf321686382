// A listener that nobody may connect to, and that counts who did.

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { TestContext } from 'node:test';

export type Trap = { readonly port: number; readonly connections: () => number };

/** On every address of this machine unless said. */
export async function trapServer(t: TestContext, host = '0.0.0.0', port = 0): Promise<Trap> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\ntrapped');
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  t.after(() => server.close());
  const bound = server.address();
  assert.ok(bound !== null && typeof bound === 'object');
  return { port: bound.port, connections: () => connections };
}
