// The agent's upgrades at a gateway, up to the 101 (`wire.ts`): a socket to serve or to lend, or which worker
// has one already, or why not.

import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { portOf, reachableHost } from '../domain/url-place.ts';
import { readWithin } from '../domain/read-within.ts';
import { awaitedConnection } from '../domain/awaited-connection.ts';
import { connectionFault } from '../domain/connection-fault.ts';
import { type FaultCode, FAULTS, ServiceError } from '../domain/service-error.ts';
import type { Secret } from '../domain/secret.ts';
import { isSecureUrl } from '../domain/secure-url.ts';
import {
  AGENT_HEADER,
  HELD_HEADER,
  isTunnelName,
  TICKET_HEADER,
  TICKETS_HEADER,
  TUNNEL_PATH,
  TUNNEL_PROTOCOL,
  WORKER_COUNT_HEADER,
  WORKER_HEADER,
} from './wire.ts';

const { request: plainRequest } = process.getBuiltinModule('node:http');

/** The way to a gateway, whatever is asked there. */
export type DialInput = {
  /** `https://tunnel.share.example.com`. */
  readonly gateway: URL;
  /** Shown in the handshake; null for none. */
  readonly clientCertificate: AgentCertificate | null;
  /** A connection on another way than straight there, through a proxy; null for none. */
  readonly wayTo: (gateway: URL) => ConnectTo | null;
  readonly resumption: TlsResumption;
  readonly signal: AbortSignal;
};

/**
 * What is made once for all connections to a gateway, with one client certificate: the last TLS session, with
 * which both ends are spared most of a handshake, and what certificates and keys were read into.
 */
export type TlsResumption = { session: Buffer | null; context: SecureContext | null };

export type TunnelInput = DialInput & {
  /** Name or id. */
  readonly share: string;
  /** Null for an agent that shows a client certificate alone. */
  readonly apiKey: Secret | null;
  /** The key may go to another machine in the clear. */
  readonly allowPlainHttp: boolean;
  readonly agentId: string;
  readonly held: readonly string[];
};

/** PEM. */
export type AgentCertificate = { readonly certificate: string; readonly key: Secret };

/** The connection is ready, TLS and all. */
export type ConnectTo = (tls: object, signal: AbortSignal) => Promise<Duplex>;

/** `workers`: how many the gateway has. `socket` is null when the worker is one of those held. */
export type Dialled = {
  readonly socket: Duplex | null;
  readonly worker: string;
  readonly workers: number;
};

/** Throws the gateway's refusal, `insecure_channel` before anything is sent, or `gateway_unreachable`. */
export async function dialTunnel(input: TunnelInput): Promise<Dialled> {
  const { gateway, share, apiKey, agentId, held } = input;
  if (apiKey === null && gateway.protocol !== 'https:') throw unshown(gateway);
  if (!input.allowPlainHttp && !isSecureUrl(gateway)) throw inTheClear(gateway);
  const answer = await upgrade(input, {
    path: `${TUNNEL_PATH}?share=${encodeURIComponent(share)}`,
    headers: {
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey.reveal()}` }),
      [AGENT_HEADER]: agentId,
      ...(held.length === 0 ? {} : { [HELD_HEADER]: held.join(', ') }),
    },
  });
  if ('refusal' in answer) {
    const { code, worker, workers } = answer.refusal;
    if (code !== 'tunnel_held') throw errorOf(gateway, answer.refusal);
    const names = readNames(worker, workers);
    if (names === null) throw unreachable(gateway, NO_GATEWAY);
    return { socket: null, ...names };
  }
  const dialled = readNames(answer.headers[WORKER_HEADER], answer.headers[WORKER_COUNT_HEADER]);
  if (dialled !== null) return { socket: answer.socket, ...dialled };
  answer.socket.destroy();
  throw unreachable(gateway, NO_GATEWAY);
}

/** A connection to lend, and for which ticket; null when none of them is the worker's that answered. */
export async function dialLent(
  input: DialInput,
  tickets: readonly string[],
): Promise<{ readonly socket: Duplex; readonly taken: string } | null> {
  const answer = await upgrade(input, {
    path: TUNNEL_PATH,
    headers: { [TICKETS_HEADER]: tickets.join(', ') },
  });
  if ('refusal' in answer) {
    if (answer.refusal.code === 'misdirected') return null;
    throw errorOf(input.gateway, answer.refusal);
  }
  const taken = answer.headers[TICKET_HEADER];
  if (typeof taken === 'string') return { socket: answer.socket, taken };
  answer.socket.destroy();
  throw unreachable(input.gateway, NO_GATEWAY);
}

type Upgraded = { readonly socket: Duplex; readonly headers: IncomingHttpHeaders };
type Refusal = Readonly<Record<string, unknown>> & { readonly code: string };
type Asking = { readonly path: string; readonly headers: Readonly<Record<string, string>> };

/** Throws `gateway_unreachable` for whatever no gateway answers. */
async function upgrade(input: DialInput, asking: Asking): Promise<Upgraded | { readonly refusal: Refusal }> {
  const { promise, resolve, reject } = Promise.withResolvers<Upgraded | { readonly refusal: Refusal }>();
  const { gateway, signal } = input;
  const connecting = new AbortController();
  const request = requestTo(input, asking, connecting.signal);
  const giveUp = (why: Error) => {
    request.destroy(why);
    // A request whose connection is still awaited ends with that alone.
    connecting.abort(why);
  };
  const timer = setTimeout(() => giveUp(new Error(`no answer in ${DIAL_MS} ms`)), DIAL_MS);
  const abort = () => giveUp(new Error('stopped'));
  signal.addEventListener('abort', abort, { once: true });
  request.on('socket', (socket) => remember(input.resumption, socket));
  request.on('error', (error) => reject(unreachable(gateway, connectionFault(error).found, error)));
  request.on('close', () => connecting.abort());
  request.on('close', () => reject(unreachable(gateway, 'it closed the connection')));
  request.on('upgrade', (response, socket, first) => {
    if (response.headers.upgrade !== TUNNEL_PROTOCOL) {
      socket.destroy();
      return reject(unreachable(gateway, NO_GATEWAY));
    }
    // The edge may have spoken already.
    if (first.byteLength > 0) socket.unshift(first);
    resolve({ socket, headers: response.headers });
  });
  request.on('response', (response) => {
    const judge = async () => {
      const refusal = await readRefusal(response);
      if (refusal === null)
        reject(unreachable(gateway, `it answered ${response.statusCode}, and not as a gateway does`));
      else resolve({ refusal });
      request.destroy();
    };
    judge().catch(reject);
  });
  request.end();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function remember(resumption: TlsResumption, socket: Socket): void {
  if (!(socket instanceof TLSSocket)) return;
  socket.on('session', (session: Buffer) => {
    resumption.session = session;
  });
  // Whatever was wrong with it, the next handshake is a whole one.
  socket.on('error', () => {
    resumption.session = null;
  });
}

function unreachable(gateway: URL, found: string, cause?: unknown): ServiceError {
  const { hint, extra } = connectionFault(cause);
  return new ServiceError('gateway_unreachable', `Cannot reach the gateway at ${gateway.origin}: ${found}`, {
    cause,
    extra,
    hint: hint ?? 'Is it running, and can this machine open connections to it?',
  });
}

/**
 * Where tunnels are taken, the control API says: nobody who calls it over https expects the key to go
 * elsewhere otherwise.
 */
function inTheClear({ origin }: URL): ServiceError {
  return new ServiceError(
    'insecure_channel',
    `Cannot open a tunnel at ${origin}: the API key would travel there in the clear`,
    {
      hint: 'Ask the operator to take tunnels over https; or, where nobody else is on the way, allow plain http: --allow-plain-http, DOORWARD_ALLOW_PLAIN_HTTP=1, or allow_plain_http in agent.yaml.',
    },
  );
}

/** A client certificate is shown in a TLS handshake, or not at all. */
function unshown({ origin }: URL): ServiceError {
  return new ServiceError(
    'insecure_channel',
    `Cannot open a tunnel at ${origin}: a client certificate takes https`,
    { hint: 'Ask the operator to take tunnels over https, or use an API key.' },
  );
}

function requestTo(
  { gateway, clientCertificate, wayTo, resumption }: DialInput,
  { path, headers }: Asking,
  connecting: AbortSignal,
): ClientRequest {
  const { host, protocol } = gateway;
  const connect = wayTo(gateway);
  const shown =
    protocol === 'https:'
      ? {
          secureContext: (resumption.context ??= contextOf(clientCertificate)),
          ...(resumption.session === null ? {} : { session: resumption.session }),
        }
      : {};
  const options = {
    host: reachableHost(gateway.hostname),
    port: portOf(gateway),
    path,
    // A target's end is passed on, and what the other side still has to say comes behind it.
    allowHalfOpen: true,
    ...(connect === null
      ? { agent: false }
      : { createConnection: awaitedConnection(() => connect(shown, connecting)) }),
    headers: { host, connection: 'Upgrade', upgrade: TUNNEL_PROTOCOL, ...headers },
  };
  if (protocol !== 'https:') return plainRequest(options);
  return secureRequest({
    ...options,
    ...shown,
    ...(isIP(options.host) === 0 ? { servername: gateway.hostname } : {}),
  });
}

function contextOf(shown: AgentCertificate | null): SecureContext {
  return createSecureContext(shown === null ? {} : { cert: shown.certificate, key: shown.key.reveal() });
}

type Names = { readonly worker: string; readonly workers: number };

function readNames(worker: unknown, count: unknown): Names | null {
  const workers = Number(count);
  if (typeof worker !== 'string' || !isTunnelName(worker)) return null;
  return Number.isInteger(workers) && workers >= 1 && workers <= MAX_WORKERS ? { worker, workers } : null;
}

/** Null for what is no problem document of a gateway. */
async function readRefusal(response: IncomingMessage): Promise<Refusal | null> {
  const body = await readWithin(response, MAX_REFUSAL_BYTES);
  if (body === null) return null;
  try {
    const document: unknown = JSON.parse(body.toString());
    if (typeof document !== 'object' || document === null || !('code' in document)) return null;
    const { code } = document;
    return typeof code === 'string' && Object.hasOwn(FAULTS, code) ? { ...document, code } : null;
  } catch {
    return null;
  }
}

function errorOf(gateway: URL, { code, detail, hint }: Refusal): ServiceError {
  // A gateway that knows this protocol says nothing of shares or agents alone to it.
  if (typeof detail === 'string' && OF_BEFORE.test(detail))
    return new ServiceError(
      'bad_request',
      `Cannot open a tunnel at ${gateway.origin}: the gateway is of an older version`,
      { hint: 'Update the gateway; or use an agent of its version until then.' },
    );
  const message = typeof detail === 'string' ? detail : `The gateway refused the tunnel: ${code}`;
  return new ServiceError(code as FaultCode, message, typeof hint === 'string' ? { hint } : {});
}

/** What the version before answers to an upgrade that it does not know. */
const OF_BEFORE = /no share answers at this host$|this address is only for agents$/;
const NO_GATEWAY = 'something else than a gateway answers there';
/** The gateway's own limit is 5 s; slow links take their time, too. */
const DIAL_MS = 15_000;
const MAX_REFUSAL_BYTES = 8 * 1024;
const MAX_WORKERS = 1_024;
