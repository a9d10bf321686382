// Node's own HTTP server, which says 200 to everything: what stays of an answer's cost when nothing is done
// for it. A process of its own; its parent tells it to end.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

if (import.meta.main) {
  const server = createServer({ noDelay: true, keepAliveTimeout: 75_000 }, (_request, response) => {
    response.writeHead(200, 'OK', ['Content-Length', '0']);
    response.end();
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit(0));
}
