// What an agent serves: `http://localhost:3000`, `https://10.0.0.5`, a bare port, a Unix socket. Parsed once;
// connections are kept and used again.

import { Agent, request as plainRequest, type ClientRequest, type RequestOptions } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { connect, type NetConnectOpts } from 'node:net';
import { portOf, reachableHost } from '../domain/url-place.ts';
import { ServiceError } from '../domain/service-error.ts';

export type LocalTarget = {
  /** For people: `http://localhost:3000`, `unix:/run/app.sock`. */
  readonly text: string;
  /** As a Host header names it; a Unix socket has no name of its own. */
  readonly host: string;
  /** One request, on a kept connection unless `alone`. */
  readonly request: (options: RequestOptions, alone: boolean) => ClientRequest;
  /** Whether something listens there now. */
  readonly listens: () => Promise<boolean>;
  /** Ends what is kept. */
  readonly close: () => void;
};

/** `insecure`: take any certificate of an `https://` target. Throws `usage`. */
export function parseLocalTarget(text: string, insecure = false): LocalTarget {
  const target = PORT.test(text) ? `http://localhost:${text}` : text;
  const socketPath = SOCKET.exec(target)?.[1] ?? null;
  const url = socketPath === null ? URL.parse(target) : null;
  if (HTTP2.test(text)) throw byHttp2(text);
  if (socketPath === null && !isOrigin(url)) throw unusable(text);
  const secure = url?.protocol === 'https:';
  if (insecure && !secure)
    throw new ServiceError('usage', `Cannot use --insecure with ${text}: only https:// has a certificate`);
  if (url?.port === '0') throw unusable(text);
  const place: Place =
    url === null
      ? { socketPath: socketPath ?? '' }
      : { host: reachableHost(url.hostname), port: portOf(url) };
  const agentOptions = { keepAlive: true, scheduling: 'lifo' as const };
  const trust = secure ? { rejectUnauthorized: !insecure } : {};
  const agent = secure ? new SecureAgent({ ...agentOptions, ...trust }) : new Agent(agentOptions);
  return {
    text: url === null ? `unix:${socketPath}` : url.origin,
    host: url === null ? 'localhost' : url.host,
    request: (options, alone) => {
      const own = { ...place, ...options, agent: alone ? false : agent };
      return secure ? secureRequest({ ...own, ...trust }) : plainRequest(own);
    },
    listens: () => listens('socketPath' in place ? { path: place.socketPath } : place),
    close: () => agent.destroy(),
  };
}

function isOrigin(url: URL | null): url is URL {
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
  return (
    url.username === '' && url.password === '' && url.pathname === '/' && url.search === '' && url.hash === ''
  );
}

type Place = { readonly socketPath: string } | { readonly host: string; readonly port: number };

function listens(place: NetConnectOpts): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ ...place, timeout: LISTENS_MS });
  socket.on('connect', () => resolve(true));
  socket.on('error', () => resolve(false));
  socket.on('timeout', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

function unusable(text: string): ServiceError {
  return new ServiceError('usage', `Cannot share ${text}: that is nothing to share`, {
    hint: 'Name a port (3000), an address (http://localhost:3000, https://10.0.0.5:8443) or a Unix socket (unix:/run/app.sock).',
  });
}

function byHttp2(text: string): ServiceError {
  return new ServiceError('usage', `Cannot share ${text}: agents reach what they serve by HTTP/1.1 alone`, {
    hint: 'For gRPC, let the gateway reach the server: use "doorward share create NAME --target h2c://host:port".',
  });
}

const HTTP2 = /^h2c:/i;
const PORT = /^[1-9]\d{0,4}$/;
/** An absolute path may stand for itself. */
const SOCKET = /^(?:unix:(?:\/\/(?=\/))?)?((?:\/|\.\/).+)$/;
/** It is only for a warning. */
const LISTENS_MS = 2_000;
