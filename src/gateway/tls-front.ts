// TLS at the public port: one TLS server for each policy for client certificates, so that a ticket, a setting
// or an authority of one is nothing to another (DESIGN "Mutual TLS"). Which one takes a connection is read
// from its ClientHello before the handshake begins (measured: 66 µs of the 1.5 ms that a handshake costs both
// ends, and nothing a request); while nobody asks for certificates, nothing is read.
//
//   connection ──► nobody asks ───────────────────────────────► server of `none`
//              └─► ClientHello ──► server name ──► policy ──┬──► server of `none`
//                         │                                 └──► server of an account
//                         └─► `acme-tls/1` alone ──► challenge server

import { createHash } from 'node:crypto';
import type { ServerOptions } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type ClientHello, readClientHello } from '../http/client-hello.ts';
import { rotateTicketKeys } from '../http/ticket-keys.ts';
import {
  chooseContext,
  createTlsContexts,
  defaultPair,
  type ClientTrust,
  type TlsMaterial,
} from '../http/tls-contexts.ts';
import { createChallengeServer, isChallenge } from './challenge-server.ts';
import { CONNECTION_OF_NOBODY, type ClientPolicy, type Connection } from './connection.ts';
import { failedHandshake, type FailedHandshake } from './failed-handshake.ts';
import { presentedCertificate } from './presented-certificate.ts';
import type { PublicCertificates } from './public-certificates.ts';
import type { Trust } from './trust.ts';
import type { Authority } from './authority.ts';

/** Who asks for client certificates. */
export type ClientPolicies = {
  /** Whether anybody does. */
  readonly asked: () => boolean;
  /** `host` in lower case, without port and trailing dot. */
  readonly of: (host: string) => ClientPolicy;
  /** Of a handshake that names no host. */
  readonly nameless: () => ClientPolicy;
};

export type TlsFrontOptions = {
  readonly server: ServerOptions;
  readonly handshakeDeadlineMs: number;
  readonly certificates: readonly TlsMaterial[];
  readonly policies: ClientPolicies;
  /** Where certificates come by themselves. */
  readonly publicCertificates?: PublicCertificates;
  readonly trust: Trust;
  /** Beyond it, those without connections are made again when they are needed. */
  readonly maxServers?: number;
  /** Has a new server serve HTTP/1.1; called once for each. */
  readonly serveHttp1: (server: TlsServer, connectionOf: (socket: object) => Connection) => void;
  readonly acceptHttp2: (socket: TLSSocket, connection: Connection) => void;
  /** A client that had shown a certificate could not be answered. */
  readonly handshakeFailed: (failed: FailedHandshake) => void;
};

export type TlsFront = {
  readonly accept: (socket: Socket) => void;
  readonly replaceCertificates: (certificates: readonly TlsMaterial[]) => void;
  /** Authorities came or went: handshakes from now on go by those there are. */
  readonly trustChanged: () => void;
  readonly closeIdle: () => void;
  readonly close: () => void;
};

export function createTlsFront(options: TlsFrontOptions): TlsFront {
  const { policies, publicCertificates, maxServers = MAX_SERVERS } = options;
  let { certificates } = options;
  const servers = new Map<ClientPolicy, PolicyServer>();
  const peeking = new Set<Socket>();
  const serverOf = (policy: ClientPolicy): PolicyServer => {
    const server = servers.get(policy) ?? createPolicyServer(options, policy, certificates);
    // The one that was used last is the last.
    servers.delete(policy);
    servers.set(policy, server);
    if (servers.size > maxServers) forgetOne(servers, policy);
    return server;
  };
  const nobodys = serverOf('none');
  const challenges =
    publicCertificates === undefined
      ? null
      : createChallengeServer(publicCertificates.challenge, options.handshakeDeadlineMs);
  const rotation = rotateTicketKeys(() => servers.values().map(({ server }) => server));
  return {
    accept: (socket) => {
      if (!policies.asked() && publicCertificates?.areOwn() !== true) return nobodys.take(socket);
      peeking.add(socket);
      peek(socket, {
        over: () => peeking.delete(socket),
        read: ({ serverName, protocols }) => {
          if (challenges !== null && isChallenge(protocols)) challenges.take(socket);
          else serverOf(serverName === null ? policies.nameless() : policies.of(serverName)).take(socket);
        },
      });
    },
    replaceCertificates: (next) => {
      certificates = next;
      for (const server of servers.values()) server.use(next);
    },
    trustChanged: () => {
      for (const server of servers.values()) server.trustChanged(certificates);
    },
    closeIdle: () => {
      for (const { server } of servers.values()) server.closeIdleConnections();
    },
    close: () => {
      rotation.stop();
      challenges?.close();
      for (const socket of peeking) socket.destroy();
      for (const { server } of servers.values()) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

/**
 * The one that was used least lately and has no connection. Its tickets are over with it, and nothing else.
 */
function forgetOne(servers: Map<ClientPolicy, PolicyServer>, wanted: ClientPolicy): void {
  for (const [policy, { server, open }] of servers)
    if (policy !== 'none' && policy !== wanted && open() === 0) {
      servers.delete(policy);
      server.close();
      return;
    }
}

type Peeked = {
  /** Called once, whatever was read. */
  readonly over: () => void;
  readonly read: (hello: Extract<ClientHello, { kind: 'hello' }>) => void;
};

/**
 * Reads the ClientHello and puts it back. Whoever sends none in time, or one that can be read in two ways, is
 * cut off.
 */
function peek(socket: Socket, { over, read }: Peeked): void {
  let bytes: Buffer = Buffer.alloc(0);
  const end = () => {
    clearTimeout(timer);
    socket.off('data', take).off('close', end).off('error', ignore);
    over();
  };
  const take = (chunk: Buffer) => {
    bytes = bytes.byteLength === 0 ? chunk : Buffer.concat([bytes, chunk]);
    const hello = readClientHello(bytes);
    if (hello.kind === 'more') return;
    end();
    if (hello.kind === 'refused') {
      socket.on('error', ignore);
      socket.destroy();
      return;
    }
    socket.pause();
    socket.unshift(bytes);
    read(hello);
  };
  const timer = setTimeout(() => socket.destroy(), HELLO_DEADLINE_MS);
  socket.on('data', take).on('close', end).on('error', ignore);
}

type PolicyServer = {
  readonly server: TlsServer;
  readonly take: (socket: Socket) => void;
  /** How many connections it has. */
  readonly open: () => number;
  readonly use: (certificates: readonly TlsMaterial[]) => void;
  /** Nothing happens unless it was the trust of this policy that changed. */
  readonly trustChanged: (certificates: readonly TlsMaterial[]) => void;
};

/** It never listens: connections are handed to it. */
function createPolicyServer(
  options: TlsFrontOptions,
  policy: ClientPolicy,
  certificates: readonly TlsMaterial[],
): PolicyServer {
  let authorities = authoritiesOf(options.trust, policy);
  let trust = clientTrustOf(policy, authorities);
  let contexts = createTlsContexts(certificates, trust);
  const awaited = (name: string) => options.publicCertificates?.awaited(name) ?? null;
  const server = createTlsServer({
    ...options.server,
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: options.handshakeDeadlineMs,
    SNICallback: (name, done) => chooseContext(() => contexts, { name, awaited, done }),
    // Whoever brings none, or a bad one, is told why by HTTP.
    ...(policy === 'none' ? {} : { requestCert: true, rejectUnauthorized: false }),
    ...defaultPair(certificates, trust),
  });
  const connections = new WeakMap<object, Connection>();
  const asking: Connection = { policy, certificate: null };
  const connectionOf = (socket: object) => connections.get(socket) ?? asking;
  if (policy !== 'none')
    // Of the handshake, too: Node tells of it in both ways, and of what OpenSSL says a moment late in this
    // one alone.
    server.on('clientError', (error, socket) => {
      const failed = failedHandshake(error, socket, () => authorities);
      if (failed !== null) options.handshakeFailed(failed);
    });
  options.serveHttp1(server, policy === 'none' ? () => CONNECTION_OF_NOBODY : connectionOf);
  divideByAlpn(server, {
    meet: (socket) => {
      if (policy === 'none') return;
      const certificate = presentedCertificate(socket, authorities, isNamed(policy, authorities));
      connections.set(socket, { policy, certificate });
    },
    acceptHttp2: (socket) =>
      options.acceptHttp2(socket, policy === 'none' ? CONNECTION_OF_NOBODY : connectionOf(socket)),
  });
  // It brings new ticket keys, too: a ticket from before other authorities counted is no ticket.
  const use = (next: readonly TlsMaterial[]) => {
    contexts = createTlsContexts(next, trust);
    server.setSecureContext(defaultPair(next, trust));
  };
  watchDeadlines(server, NEVER_MS);
  let open = 0;
  return {
    server,
    take: (socket) => {
      if (open++ === 0) watchDeadlines(server, options.server.connectionsCheckingInterval ?? DEADLINES_MS);
      socket.once('close', () => {
        if (--open === 0) watchDeadlines(server, NEVER_MS);
      });
      server.emit('connection', socket);
    },
    open: () => open,
    use,
    trustChanged: (materials) => {
      const next = authoritiesOf(options.trust, policy);
      if (isSame(authorities, next)) return;
      authorities = next;
      trust = clientTrustOf(policy, next);
      use(materials);
    },
  };
}

/**
 * Only servers that listen watch over the deadlines of their connections; each that has none is not to wake
 * the process for it.
 */
function watchDeadlines(server: TlsServer, everyMs: number): void {
  Object.assign(server, { connectionsCheckingInterval: everyMs });
  server.emit('listening');
}

/** Node's own listener takes every TLS connection for HTTP/1.1; those that agreed on `h2` go elsewhere. */
function divideByAlpn(
  server: TlsServer,
  to: { readonly meet: (socket: TLSSocket) => void; readonly acceptHttp2: (socket: TLSSocket) => void },
): void {
  const asHttp1 = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    try {
      to.meet(socket);
    } catch (error) {
      // A certificate that cannot be read lets nobody in.
      socket.destroy();
      throw error;
    }
    if (socket.alpnProtocol === 'h2') to.acceptHttp2(socket);
    else for (const accept of asHttp1) accept.call(server, socket);
  });
}

function authoritiesOf(trust: Trust, policy: ClientPolicy): readonly Authority[] {
  if (policy === 'none') return [];
  return policy === 'control' || policy === 'tunnel' ? trust.allAuthorities() : trust.authoritiesOf(policy);
}

/** Null for `none`. */
export function clientTrustOf(policy: ClientPolicy, authorities: readonly Authority[]): ClientTrust | null {
  if (policy === 'none') return null;
  return {
    ca: isNamed(policy, authorities) ? authorities.map(({ certificate }) => certificate) : [],
    sessionIdContext: createHash('sha256').update(policy).digest('hex').slice(0, MAX_SESSION_ID_CONTEXT),
  };
}

/** An agent is told which certificate to show: nobody has to learn here which accounts there are. */
function isNamed(policy: ClientPolicy, authorities: readonly Authority[]): boolean {
  return policy !== 'tunnel' && isOffered(authorities);
}

/**
 * Whether the handshake names them: their names must fit a message, and are made into contexts again at each
 * change.
 */
export function isOffered(authorities: readonly Authority[]): boolean {
  return authorities.length <= MAX_OFFERED;
}

function isSame(before: readonly Authority[], after: readonly Authority[]): boolean {
  return before.length === after.length && before.every((authority, index) => authority === after[index]);
}

function ignore(): void {}

/**
 * Some 100 bytes each; more than one account has. Beyond it clients are told of none, which lets them choose
 * by themselves.
 */
const MAX_OFFERED = 100;
/** Each takes some 84 KB (measured, with one certificate). */
const MAX_SERVERS = 500;
const DEADLINES_MS = 1_000;
/** The longest that a timer may last. */
const NEVER_MS = 2 ** 31 - 1;
/** DESIGN "Mutual TLS". */
const HELLO_DEADLINE_MS = 5_000;
/** OpenSSL's SSL_MAX_SSL_SESSION_ID_LENGTH. */
const MAX_SESSION_ID_CONTEXT = 32;
