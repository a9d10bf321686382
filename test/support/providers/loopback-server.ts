// An HTTP or HTTPS server on a free loopback port, whose handler may be set once the port is known, and which
// closes at once whatever its connections do.

import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';

export type LoopbackServer = {
  readonly port: number;
  /** `http://127.0.0.1:<port>`, or https with `tls`; with `hostname` in place of the address when given. */
  readonly origin: string;
  readonly handle: (handler: http.RequestListener) => void;
  readonly close: () => Promise<void>;
};

export type LoopbackOptions = {
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly hostname?: string;
  /** 0, a free one, unless a test brings a server back on the port that it had. */
  readonly port?: number;
};

export async function startLoopbackServer(options: LoopbackOptions = {}): Promise<LoopbackServer> {
  let handler = notReady;
  const listener: http.RequestListener = (request, response) => handler(request, response);
  const server =
    options.tls === undefined
      ? http.createServer(listener)
      : https.createServer({ cert: options.tls.cert, key: options.tls.key }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const scheme = options.tls === undefined ? 'http' : 'https';
  return {
    port,
    origin: `${scheme}://${options.hostname ?? '127.0.0.1'}:${port}`,
    handle(next) {
      handler = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const notReady: http.RequestListener = (_request, response) => {
  response.writeHead(503).end();
};

/** The whole body of a request, as text. */
export async function readBody(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export function sendJson(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
