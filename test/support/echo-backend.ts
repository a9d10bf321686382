// A backend that answers with what it got, as JSON: method, target and headers. `/slow` never answers,
// `/stream` never ends its answer; WebSockets echo. Any other protocol that is asked for gets the connection.

import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

export type EchoBackend = {
  readonly url: string;
  readonly port: number;
  /** Every request that reached it, oldest first. */
  readonly seen: readonly Echo[];
  readonly close: () => Promise<void>;
};

export type Echo = {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export async function startEchoBackend(): Promise<EchoBackend> {
  const seen: Echo[] = [];
  // Of addresses and headers it takes more than the gateway passes on.
  const server = createServer({ maxHeaderSize: 64 * 1024 }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const echo: Echo = {
      method: request.method ?? '',
      target: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    seen.push(echo);
    if (echo.target.startsWith('/slow')) return;
    if (echo.target.startsWith('/stream')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: open\n\n');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(echo));
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const { upgrade = '' } = request.headers;
    if (upgrade.toLowerCase() === 'websocket')
      sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request));
    else {
      noteUpgrade(request);
      socket.on('error', () => {});
      socket.end(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`);
    }
  });
  const noteUpgrade = ({ url = '', headers }: IncomingMessage) =>
    seen.push({ method: 'UPGRADE', target: url, headers, body: '' });
  sockets.on('connection', (socket, request) => {
    noteUpgrade(request);
    socket.on('message', (data, binary) => socket.send(data, { binary }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        sockets.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
