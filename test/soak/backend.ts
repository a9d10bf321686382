// A backend for long runs, which keeps nothing: it says as whom it sees the visitor, takes any body, and
// echoes WebSockets.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

export type SoakBackend = { readonly url: string; readonly close: () => void };

export async function startSoakBackend(): Promise<SoakBackend> {
  const server = createServer(async (request, response) => {
    let bytes = 0;
    try {
      for await (const chunk of request) bytes += (chunk as Buffer).byteLength;
    } catch {
      // The visitor gave up.
      return;
    }
    const email = request.headers['svc-auth-email'] ?? null;
    const body = JSON.stringify({ email, bytes });
    const padding = Number(/^\/padded\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(body + ' '.repeat(padding));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('error', () => socket.terminate());
    socket.on('message', (data, binary) => socket.send(data, { binary }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
