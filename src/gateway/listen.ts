// A public port: HTTP/1.1, over TLS HTTP/2 as well (ALPN, RFC 7301). Owns connections and their limits; what
// a request means is the gate's.

import type { IncomingMessage, Server as PlainServer, ServerOptions, ServerResponse } from 'node:http';
import {
  createServer as createNetServer,
  type AddressInfo,
  Server as NetServer,
  type Socket,
} from 'node:net';
import { refuseConnect } from '../http/last-answer.ts';
import { handOver, isAnswering, lastInTurn, requestInTurn } from '../http/one-at-a-time.ts';
import type { TlsMaterial } from '../http/tls-contexts.ts';
import { BareRequest } from './bare-request.ts';
import { createBrokenStreams } from './broken-streams.ts';
import { answerClientError } from './client-error.ts';
import { PLAIN_CONNECTION, type Connection } from './connection.ts';
import type { FailedHandshake } from './failed-handshake.ts';
import { MAX_HEADER_CHARACTERS, offersWebSocket } from './guard.ts';
import { createHttp2Sessions, type Http2Sessions } from './http2-sessions.ts';
import { Http1Exchange, isCondemned } from './inbound-http1.ts';
import { Http1UpgradeExchange } from './inbound-upgrade.ts';
import type { Exchange } from './inbound.ts';
import { isTunnelProtocol } from '../tunnel/wire.ts';
import type { WorkerStart } from './messages.ts';
import type { PublicCertificates } from './public-certificates.ts';
import { createTlsFront, type ClientPolicies, type TlsFront } from './tls-front.ts';
import type { Trust } from './trust.ts';

const { createServer, Server } = process.getBuiltinModule('node:http');

export type Listener = {
  readonly port: number;
  readonly replaceCertificates: (materials: readonly TlsMaterial[]) => void;
  /** Authorities of client certificates came or went. */
  readonly trustChanged: () => void;
  /**
   * No new connections. Those that are idle end after `LAST_REQUEST_MS`, the others behind the answer that
   * they wait for.
   */
  readonly drain: () => void;
  /** How many are open, idle ones too. */
  readonly connections: () => Promise<number>;
  /** Ends every connection. */
  readonly close: () => Promise<void>;
};

export type ListenPlace = Pick<WorkerStart, 'certificates' | 'reusePort'> & {
  readonly bind: { readonly host: string; readonly port: number };
  readonly tls: boolean;
  /** For TLS and for a whole head; `HEADER_DEADLINE_MS` unless said. */
  readonly headerDeadlineMs?: number;
};

export type ListenOptions = {
  readonly policies: ClientPolicies;
  readonly publicCertificates?: PublicCertificates;
  readonly trust: Trust;
  readonly onExchange: (exchange: Exchange) => void;
  /** Whether many visitors come from that address. */
  readonly isProxy: (address: string) => boolean;
  readonly handshakeFailed: (failed: FailedHandshake) => void;
};

/** Resolves once it listens. Rejects with the operating system's error. */
export async function listen(start: ListenPlace, options: ListenOptions): Promise<Listener> {
  const sessions = createHttp2Sessions(options.onExchange, createBrokenStreams(options.isProxy));
  const front = start.tls ? tlsFront(start, options, sessions) : null;
  const server =
    front === null ? plainServer(start, options.onExchange) : createNetServer(SOCKET_OPTIONS, front.accept);
  server.maxConnections = MAX_CONNECTIONS;
  const { host, port } = start.bind;
  await bound(server, { host, port, reusePort: start.reusePort });
  let closing: NodeJS.Timeout | null = null;
  const closeIdle = () => (server instanceof Server ? server.closeIdleConnections() : front?.closeIdle());
  return {
    port: (server.address() as AddressInfo).port,
    replaceCertificates: (materials) => front?.replaceCertificates(materials),
    trustChanged: () => front?.trustChanged(),
    drain: () => {
      // As any server's: that of HTTP would also end whoever connected a moment ago and is about to ask.
      NetServer.prototype.close.call(server);
      sessions.drain();
      closing ??= setTimeout(() => {
        closeIdle();
        closing = setInterval(closeIdle, IDLE_SWEEP_MS);
      }, LAST_REQUEST_MS);
    },
    connections: () => {
      const { promise, resolve } = Promise.withResolvers<number>();
      server.getConnections((_error, count) => resolve(count ?? 0));
      return promise;
    },
    close: () => {
      if (closing !== null) clearTimeout(closing);
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      sessions.close();
      front?.close();
      if (server instanceof Server) server.closeAllConnections();
      return promise;
    },
  };
}

function plainServer(start: ListenPlace, onExchange: ListenOptions['onExchange']): PlainServer {
  const server = createServer(http1Options(start));
  serveHttp1(server, onExchange, () => PLAIN_CONNECTION);
  return server;
}

function tlsFront(start: ListenPlace, options: ListenOptions, sessions: Http2Sessions): TlsFront {
  return createTlsFront({
    server: http1Options(start),
    handshakeDeadlineMs: start.headerDeadlineMs ?? HEADER_DEADLINE_MS,
    certificates: start.certificates,
    policies: options.policies,
    ...(options.publicCertificates === undefined ? {} : { publicCertificates: options.publicCertificates }),
    trust: options.trust,
    serveHttp1: (server, connectionOf) => serveHttp1(server, options.onExchange, connectionOf),
    acceptHttp2: sessions.accept,
    handshakeFailed: options.handshakeFailed,
  });
}

function http1Options({ headerDeadlineMs = HEADER_DEADLINE_MS }: ListenPlace): ServerOptions {
  return { ...HTTP1_OPTIONS, headersTimeout: headerDeadlineMs };
}

function serveHttp1(
  server: PlainServer,
  onExchange: (exchange: Exchange) => void,
  connectionOf: (socket: object) => Connection,
): void {
  const take = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    requestInTurn(request, response, () => {
      const { socket } = request;
      if (!isCondemned(socket))
        onExchange(
          new Http1Exchange(request, response, { expectsContinue, connection: connectionOf(socket) }),
        );
    });
  };
  server.on('request', (request, response) => take(request, response, false));
  server.on('checkContinue', (request, response) => take(request, response, true));
  server.on('upgrade', (request, socket, firstBytes) => {
    if (isCondemned(socket)) socket.destroy();
    // Whoever wants another protocol waits for the answers ahead before the asking; such a one may ask again.
    else if (isAnswering(socket)) lastInTurn(socket, () => socket.destroy());
    else {
      handOver(socket);
      onExchange(new Http1UpgradeExchange(request, firstBytes, connectionOf(request.socket)));
    }
  });
  server.on('connect', refuseConnect);
  server.on('clientError', (error, socket) =>
    lastInTurn(socket, () => answerClientError(error, socket), error),
  );
  server.on('tlsClientError', (_error, socket: Socket) => socket.destroy());
}

type Place = { readonly host: string; readonly port: number; readonly reusePort: boolean };

function bound(server: NetServer, place: Place): Promise<void> {
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
const SOCKET_OPTIONS = { keepAlive: true, keepAliveInitialDelay: 60_000, noDelay: true } as const;
const HTTP1_OPTIONS: ServerOptions = {
  IncomingMessage: BareRequest,
  insecureHTTPParser: false,
  // A request without a body has no readable stream to bring to its end (measured: a twentieth of a request).
  optimizeEmptyRequests: true,
  maxHeaderSize: MAX_HEADER_CHARACTERS,
  connectionsCheckingInterval: 1_000,
  // Bodies have progress limits instead (`forward.ts`): an upload may take hours.
  requestTimeout: 0,
  // Longer than the minute that balancers keep idle connections, so that they close them and not we.
  keepAliveTimeout: 75_000,
  ...SOCKET_OPTIONS,
  // The guard answers a missing host, with a body.
  requireHostHeader: false,
  shouldUpgradeCallback: ({ method, headers }) =>
    method === 'GET' &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    (isTunnelProtocol(headers.upgrade) || offersWebSocket(headers.upgrade, headers.connection)),
};
/**
 * More than the ten thousand WebSockets that one worker is made for; beyond it connections are refused, not
 * the process ended.
 */
const MAX_CONNECTIONS = 20_000;
const IDLE_SWEEP_MS = 100;
/** A request that was under way when the listener closed is here by then. */
export const LAST_REQUEST_MS = 500;
