// A public port: HTTP/1.1, over TLS HTTP/2 as well (ALPN, RFC 7301). Owns connections and their limits; what a request
// means is the gate's.

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createTlsContexts, defaultPair, type TlsMaterial } from '../http/tls-contexts.ts';
import { answerClientError } from './client-error.ts';
import { MAX_HEADER_CHARACTERS, offersWebSocket } from './guard.ts';
import { createHttp2Sessions } from './http2-sessions.ts';
import { Http1Exchange, isCondemned } from './inbound-http1.ts';
import { Http1UpgradeExchange } from './inbound-upgrade.ts';
import type { Exchange } from './inbound.ts';
import { TUNNEL_PROTOCOL } from '../tunnel/wire.ts';
import type { WorkerStart } from './messages.ts';

export type Listener = {
  readonly port: number;
  readonly replaceCertificates: (materials: readonly TlsMaterial[]) => void;
  /** No new connections; those that are idle end, the others once they are. */
  readonly drain: () => void;
  /** Ends every connection. */
  readonly close: () => Promise<void>;
};

export type ListenPlace = Pick<WorkerStart, 'certificates' | 'reusePort'> & {
  readonly bind: { readonly host: string; readonly port: number };
  readonly tls: boolean;
};

/** Resolves once it listens. Rejects with the operating system's error. */
export async function listen(
  start: ListenPlace,
  onExchange: (exchange: Exchange) => void,
): Promise<Listener> {
  let contexts = start.tls ? createTlsContexts(start.certificates) : null;
  const sessions = createHttp2Sessions(onExchange);
  const server =
    contexts === null
      ? createServer(HTTP1_OPTIONS)
      : createTlsServer({
          ...HTTP1_OPTIONS,
          ALPNProtocols: ['h2', 'http/1.1'],
          handshakeTimeout: HEADER_DEADLINE_MS,
          SNICallback: (name, done) => done(null, contexts?.forName(name)),
          ...defaultPair(start.certificates),
        });
  serveHttp1(server, onExchange);
  if (contexts !== null) divideByAlpn(server, sessions.accept);
  const { host, port } = start.bind;
  await bound(server, { host, port, reusePort: start.reusePort });
  let closing: NodeJS.Timeout | null = null;
  return {
    port: (server.address() as AddressInfo).port,
    replaceCertificates: (materials) => {
      if (!(server instanceof TlsServer)) return;
      contexts = createTlsContexts(materials);
      server.setSecureContext(defaultPair(materials));
    },
    drain: () => {
      server.close();
      sessions.drain();
      closing ??= setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    },
    close: () => {
      if (closing !== null) clearInterval(closing);
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      sessions.close();
      server.closeAllConnections();
      return promise;
    },
  };
}

function serveHttp1(server: Server, onExchange: (exchange: Exchange) => void): void {
  server.maxConnections = MAX_CONNECTIONS;
  const take = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    if (!isCondemned(request.socket)) onExchange(new Http1Exchange(request, response, expectsContinue));
  };
  server.on('request', (request, response) => take(request, response, false));
  server.on('checkContinue', (request, response) => take(request, response, true));
  server.on('upgrade', (request, socket, firstBytes) => {
    if (isCondemned(socket)) socket.destroy();
    else onExchange(new Http1UpgradeExchange(request, socket, firstBytes));
  });
  server.on('connect', (_request, socket) => socket.destroy());
  server.on('clientError', answerClientError);
  server.on('tlsClientError', (_error, socket: Socket) => socket.destroy());
}

/** Node's own listener takes every TLS connection for HTTP/1.1; those that agreed on `h2` go elsewhere. */
function divideByAlpn(server: Server, acceptHttp2: (socket: TLSSocket) => void): void {
  const asHttp1 = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') acceptHttp2(socket);
    else for (const accept of asHttp1) accept.call(server, socket);
  });
}

type Place = { readonly host: string; readonly port: number; readonly reusePort: boolean };

function bound(server: Server, place: Place): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(place, () => {
    server.off('error', reject);
    // Accepting may fail for want of file descriptors; that must not end the process.
    server.on('error', () => {});
    resolve();
  });
  return promise;
}

/** DESIGN 3: from the first byte (or the connection) to the end of the head. */
export const HEADER_DEADLINE_MS = 10_000;
const HTTP1_OPTIONS: ServerOptions = {
  insecureHTTPParser: false,
  // A request without a body has no readable stream to bring to its end (measured: a twentieth of a request).
  optimizeEmptyRequests: true,
  maxHeaderSize: MAX_HEADER_CHARACTERS,
  headersTimeout: HEADER_DEADLINE_MS,
  connectionsCheckingInterval: 1_000,
  // Bodies have progress limits instead (`forward.ts`): an upload may take hours.
  requestTimeout: 0,
  // Longer than the minute that balancers keep idle connections, so that they close them and not we.
  keepAliveTimeout: 75_000,
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
  noDelay: true,
  // The guard answers a missing host, with a body.
  requireHostHeader: false,
  shouldUpgradeCallback: ({ method, headers }) =>
    method === 'GET' &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    (headers.upgrade === TUNNEL_PROTOCOL || offersWebSocket(headers.upgrade, headers.connection)),
};
/** More than the ten thousand WebSockets that one worker is made for; beyond it connections are refused, not the process ended. */
const MAX_CONNECTIONS = 20_000;
const IDLE_SWEEP_MS = 100;
