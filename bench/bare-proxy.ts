// A proxy of Node's own HTTP server and client, which passes heads and bodies on as they are: what a proxy
// on Node usually costs. A process of its own, which gets the backend's port; its parent tells it to end.

import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

function forward(visit: IncomingMessage, answer: ServerResponse, backendPort: number): void {
  const { method, url: path, rawHeaders: headers } = visit;
  const onward = request({ host: '127.0.0.1', port: backendPort, agent, method, path, headers });
  onward.on('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
    response.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  visit.pipe(onward);
}

const agent = new Agent({ keepAlive: true });

if (import.meta.main) {
  const backendPort = Number(process.argv[2]);
  const server = createServer({ noDelay: true, keepAliveTimeout: 75_000 }, (visit, answer) =>
    forward(visit, answer, backendPort),
  );
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit(0));
}
