// A backend for tests: Node's own HTTP server on a free loopback port, closed with the test.

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export type TestBackend = { readonly url: string; readonly port: number; readonly server: Server };

export async function startBackend(t: TestContext, listener: RequestListener): Promise<TestBackend> {
  const server = createServer(listener);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, server };
}

/** Answers each request with what it was: `{method, url, headers: [name, value, …]}`. */
export const echo: RequestListener = (request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      method: request.method,
      url: request.url,
      headers: request.rawHeaders,
      host: request.headers.host,
    }),
  );
};

export type Echoed = { readonly method: string; readonly url: string; readonly headers: readonly string[] };

/** The values that the backend got under a name, in any case. */
export function echoedValues(body: string, name: string): readonly string[] {
  const { headers } = JSON.parse(body) as Echoed;
  return headers.filter((_value, index) => index % 2 === 1 && headers[index - 1]!.toLowerCase() === name);
}
