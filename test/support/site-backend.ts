// A backend that is a small web site: its pages are a test's to say, `/events` is an event stream, WebSockets
// echo, and every request that reached it is noted. What no page was said for is a plain page of its own.

import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

export type SiteBackend = {
  readonly url: string;
  readonly pages: Map<string, SitePage>;
  /** Every request that reached it, oldest first; upgrades as method `UPGRADE`. */
  readonly seen: SiteRequest[];
  /** Sends one more event to every open stream. */
  readonly tell: (data: string) => void;
  readonly close: () => Promise<void>;
};

export type SitePage = {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
};

export type SiteRequest = {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
};

export async function startSite(name: string): Promise<SiteBackend> {
  const pages = new Map<string, SitePage>();
  const seen: SiteRequest[] = [];
  const streams = new Set<(data: string) => void>();
  // Of addresses and headers it takes more than the gateway passes on.
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    const target = request.url ?? '';
    seen.push({ method: request.method ?? '', target, headers: request.headers });
    request.resume();
    const path = target.split('?', 1)[0] ?? '';
    if (path === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      const send = (data: string) => response.write(`data: ${data}\n\n`);
      streams.add(send);
      response.on('close', () => streams.delete(send));
      send('open');
      return;
    }
    const page = pages.get(path) ?? {};
    response.writeHead(page.status ?? 200, { 'content-type': 'text/html; charset=utf-8', ...page.headers });
    response.end(page.body ?? `<!doctype html><title>${name}</title><h1>${name} ${request.method}</h1>`);
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, request) => {
    seen.push({ method: 'UPGRADE', target: request.url ?? '', headers: request.headers });
    socket.on('message', (data, binary) => socket.send(data, { binary }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    pages,
    seen,
    tell: (data) => streams.forEach((send) => send(data)),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        sockets.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
