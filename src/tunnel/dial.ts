// The agent's upgrade at a gateway, up to the 101 (`wire.ts`): a socket to serve, or which worker has one
// already, or why not.

import { type ClientRequest, request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
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
  TUNNEL_PATH,
  TUNNEL_PROTOCOL,
  WORKER_COUNT_HEADER,
  WORKER_HEADER,
} from './wire.ts';

export type TunnelInput = {
  /** `https://tunnel.share.example.com`. */
  readonly gateway: URL;
  /** Name or id. */
  readonly share: string;
  /** Null for an agent that shows a client certificate alone. */
  readonly apiKey: Secret | null;
  /** Shown in the handshake; null for none. */
  readonly clientCertificate: AgentCertificate | null;
  /** The key may go to another machine in the clear. */
  readonly allowPlainHttp: boolean;
  readonly agentId: string;
  readonly held: readonly string[];
  /** A connection on another way than straight there, through a proxy; null for none. */
  readonly wayTo: (gateway: URL) => ConnectTo | null;
  readonly signal: AbortSignal;
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
  const { promise, resolve, reject } = Promise.withResolvers<Dialled>();
  const { gateway, signal } = input;
  if (input.apiKey === null && gateway.protocol !== 'https:') throw unshown(gateway);
  if (!input.allowPlainHttp && !isSecureUrl(gateway)) throw inTheClear(gateway);
  const unreachable = (found: string, cause?: unknown) => {
    const { hint, extra } = connectionFault(cause);
    return new ServiceError(
      'gateway_unreachable',
      `Cannot reach the gateway at ${gateway.origin}: ${found}`,
      {
        cause,
        extra,
        hint: hint ?? 'Is it running, and can this machine open connections to it?',
      },
    );
  };
  const connecting = new AbortController();
  const request = requestTo(input, connecting.signal);
  const giveUp = (why: Error) => {
    request.destroy(why);
    // A request whose connection is still awaited ends with that alone.
    connecting.abort(why);
  };
  const timer = setTimeout(() => giveUp(new Error(`no answer in ${DIAL_MS} ms`)), DIAL_MS);
  const abort = () => giveUp(new Error('stopped'));
  signal.addEventListener('abort', abort, { once: true });
  request.on('error', (error) => reject(unreachable(connectionFault(error).found, error)));
  request.on('close', () => connecting.abort());
  request.on('close', () => reject(unreachable('it closed the connection')));
  request.on('upgrade', (response, socket, first) => {
    const dialled = readNames(response.headers[WORKER_HEADER], response.headers[WORKER_COUNT_HEADER]);
    if (dialled === null || response.headers.upgrade !== TUNNEL_PROTOCOL) {
      socket.destroy();
      return reject(unreachable('something else than a gateway answers there'));
    }
    // The edge speaks first, and may have done so already.
    if (first.byteLength > 0) socket.unshift(first);
    resolve({ socket, ...dialled });
  });
  request.on('response', (response) => {
    const judge = async () => {
      const refusal = await readRefusal(response);
      if (refusal === null)
        reject(unreachable(`it answered ${response.statusCode}, and not as a gateway does`));
      else if ('worker' in refusal) resolve({ socket: null, ...refusal });
      else reject(refusal.error);
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
  { gateway, share, apiKey, clientCertificate, agentId, held, wayTo }: TunnelInput,
  connecting: AbortSignal,
): ClientRequest {
  const { host, protocol } = gateway;
  const connect = wayTo(gateway);
  const shown =
    clientCertificate === null
      ? {}
      : { cert: clientCertificate.certificate, key: clientCertificate.key.reveal() };
  const options = {
    host: reachableHost(gateway.hostname),
    port: portOf(gateway),
    path: `${TUNNEL_PATH}?share=${encodeURIComponent(share)}`,
    ...(connect === null
      ? { agent: false }
      : { createConnection: awaitedConnection(() => connect(shown, connecting)) }),
    headers: {
      host,
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey.reveal()}` }),
      connection: 'Upgrade',
      upgrade: TUNNEL_PROTOCOL,
      [AGENT_HEADER]: agentId,
      ...(held.length === 0 ? {} : { [HELD_HEADER]: held.join(', ') }),
    },
  };
  if (protocol !== 'https:') return plainRequest(options);
  return secureRequest({
    ...options,
    ...shown,
    ...(isIP(options.host) === 0 ? { servername: gateway.hostname } : {}),
  });
}

type Names = { readonly worker: string; readonly workers: number };

function readNames(worker: unknown, count: unknown): Names | null {
  const workers = Number(count);
  if (typeof worker !== 'string' || !isTunnelName(worker)) return null;
  return Number.isInteger(workers) && workers >= 1 && workers <= MAX_WORKERS ? { worker, workers } : null;
}

/** Null for what is no problem document of a gateway. */
async function readRefusal(
  response: IncomingMessage,
): Promise<Names | { readonly error: ServiceError } | null> {
  const body = await readWithin(response, MAX_REFUSAL_BYTES);
  if (body === null) return null;
  try {
    const document: unknown = JSON.parse(body.toString());
    if (typeof document !== 'object' || document === null || !('code' in document)) return null;
    const { code, detail, hint, worker, workers } = document as Readonly<Record<string, unknown>>;
    if (code === 'tunnel_held') return readNames(worker, workers);
    if (typeof code !== 'string' || !Object.hasOwn(FAULTS, code)) return null;
    const message = typeof detail === 'string' ? detail : `The gateway refused the tunnel: ${code}`;
    const advice = typeof hint === 'string' ? { hint } : {};
    return { error: new ServiceError(code as FaultCode, message, advice) };
  } catch {
    return null;
  }
}

/** The gateway's own limit is 5 s; slow links take their time, too. */
const DIAL_MS = 15_000;
const MAX_REFUSAL_BYTES = 8 * 1024;
const MAX_WORKERS = 1_024;
