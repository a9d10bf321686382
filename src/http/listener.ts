// The service's own listeners (OAuth frontend, control API): plain node:http or TLS on an address, or plain
// on a Unix socket where the gateway passes requests inside. It knows who the visitor is and gives each
// request an id.

import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { newId } from '../domain/id.ts';
import { ServiceError } from '../domain/service-error.ts';
import { refuseConnect } from './last-answer.ts';
import { lastInTurn, requestInTurn } from './one-at-a-time.ts';
import { rotateTicketKeys } from './ticket-keys.ts';
import {
  chooseContext,
  createTlsContexts,
  defaultPair,
  type ClientTrust,
  type TlsContexts,
  type TlsMaterial,
} from './tls-contexts.ts';

const { createServer: createPlainServer } = process.getBuiltinModule('node:http');

export type ListenerAddress =
  | { readonly host: string; readonly port: number }
  /** The gateway's way in: its forwarding headers are believed, since nobody else can reach the socket. */
  | { readonly socketPath: string };

export type Listener = {
  /** The port it listens at; 0 for a Unix socket. */
  readonly port: number;
  /** Without effect on a plain listener. */
  readonly useCertificates: (materials: readonly TlsMaterial[]) => void;
  /** Whose client certificates count from now on. Without effect where none are asked for. */
  readonly useTrust: (trust: ClientTrust) => void;
  /** Stops accepting, lets running requests finish for `graceMs`, then closes what is left. */
  readonly close: (graceMs: number) => Promise<void>;
};

export type ListenerOptions = {
  readonly name: string;
  readonly at: ListenerAddress;
  /** Null for a plain listener. */
  readonly certificates: readonly TlsMaterial[] | null;
  /**
   * Whose client certificates are asked for; nobody's unless given. Whoever brings none, or a bad one, is let
   * through.
   */
  readonly clientTrust?: ClientTrust | null;
  readonly handle: RequestListener;
  /** Sent with each answer: by it `doctor` tells this installation from another at the same address. */
  readonly instance?: string | null;
  /** Told of what ends a connection, before it does. */
  readonly connectionFailed?: (error: Error, socket: Duplex) => void;
};

/** Throws `address_in_use` when something else listens there. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  let materials = options.certificates;
  let trust = options.clientTrust ?? null;
  let contexts: TlsContexts | null = materials === null ? null : createTlsContexts(materials, trust);
  const handle: RequestListener = (request, response) =>
    requestInTurn(request, response, () => {
      if (typeof options.instance === 'string') response.setHeader(INSTANCE_HEADER, options.instance);
      options.handle(request, response);
    });
  const server =
    options.certificates === null
      ? createPlainServer(LIMITS, handle)
      : createTlsServer(
          {
            ...LIMITS,
            ...defaultPair(options.certificates, trust),
            ...(trust === null ? {} : { requestCert: true, rejectUnauthorized: false }),
            SNICallback: (name, done) => chooseContext(() => contexts, { name, awaited: () => null, done }),
          },
          handle,
        );
  server.on('clientError', (error, socket) => {
    options.connectionFailed?.(error, socket);
    lastInTurn(socket, () => refuseUnreadable(socket), error);
  });
  server.on('connect', refuseConnect);
  await bound(server, options);
  const rotation = server instanceof TlsServer ? rotateTicketKeys(() => [server]) : null;
  const renew = () => {
    if (!(server instanceof TlsServer) || materials === null) return;
    contexts = createTlsContexts(materials, trust);
    server.setSecureContext(defaultPair(materials, trust));
  };
  return {
    port: (server.address() as AddressInfo | null)?.port ?? 0,
    useCertificates: (next) => {
      if (materials === null) return;
      materials = next;
      renew();
    },
    useTrust: (next) => {
      if (trust === null) return;
      trust = next;
      renew();
    },
    close: (graceMs) => {
      rotation?.stop();
      return closed(server, graceMs);
    },
  };
}

/**
 * The id of the public key that `oauth.signing_key` stands for, which the OAuth frontend publishes anyway.
 */
export const INSTANCE_HEADER = 'doorward-instance';

/** A fresh request id, for the log, the page and the backend. */
export function newRequestId(): string {
  return newId('req');
}

function bound(server: Server, { name, at }: ListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(bindFault({ name, at, cause })));
    server.listen('socketPath' in at ? { path: at.socketPath } : at, resolve);
  });
}

function bindFault(failed: {
  name: string;
  at: ListenerAddress;
  cause: NodeJS.ErrnoException;
}): ServiceError {
  const { name, at, cause } = failed;
  const address = 'socketPath' in at ? at.socketPath : `${at.host}:${at.port}`;
  const found =
    cause.code === 'EADDRINUSE' ? 'another program uses the address' : (cause.code ?? cause.message);
  return new ServiceError('address_in_use', `Cannot listen for ${name} on ${address}: ${found}`, {
    cause,
    hint: 'Stop that program, or change bind_address.',
  });
}

function closed(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/**
 * What cannot be read, or came too late, ends its connection, also when the other side keeps its half open.
 */
function refuseUnreadable(socket: Duplex): void {
  if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Slow or huge requests end here: headers within 10 s and 32 KiB (six attempts of
 * 1.8 KB, a full session cookie and a long code), a whole request within 30 s. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Node looks at the two every 30 s unless told otherwise.
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 32 * 1024,
  keepAliveTimeout: 10_000,
};
/** Time for the refusal to arrive before the connection is torn down. */
const LINGER_MS = 1_000;
