// What an agent serves: `http://localhost:3000`, `https://10.0.0.5`, a bare port, a Unix socket. Parsed once.

import { connect, isIP, type NetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { portOf, reachableHost } from '../domain/url-place.ts';
import { ServiceError } from '../domain/service-error.ts';

export type LocalTarget = {
  /** For people: `http://localhost:3000`, `unix:/run/app.sock`. */
  readonly text: string;
  /** As a Host header names it; a Unix socket has no name of its own. */
  readonly host: string;
  /** A new connection, which stands once it says `connected`. */
  readonly connect: () => Duplex;
  readonly connected: 'connect' | 'secureConnect';
  /** Whether something listens there now. */
  readonly listens: () => Promise<boolean>;
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
    url === null ? { path: socketPath ?? '' } : { host: reachableHost(url.hostname), port: portOf(url) };
  return {
    text: url === null ? `unix:${socketPath}` : url.origin,
    host: url === null ? 'localhost' : url.host,
    connect: secure ? () => openSecure(place, insecure) : () => connect({ ...place, ...ANY }),
    connected: secure ? 'secureConnect' : 'connect',
    listens: () => listens(place),
  };
}

function isOrigin(url: URL | null): url is URL {
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
  return (
    url.username === '' && url.password === '' && url.pathname === '/' && url.search === '' && url.hash === ''
  );
}

type Place = { readonly path: string } | { readonly host: string; readonly port: number };

function openSecure(place: Place, insecure: boolean): Duplex {
  const name = 'host' in place && isIP(place.host) === 0 ? { servername: place.host } : {};
  return connectTls({
    ...place,
    ...name,
    ...ANY,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: !insecure,
  });
}

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

/** Its end does not end what is still to be sent to it. */
const ANY = { noDelay: true, allowHalfOpen: true };
const HTTP2 = /^h2c:/i;
const PORT = /^[1-9]\d{0,4}$/;
/** An absolute path may stand for itself. */
const SOCKET = /^(?:unix:(?:\/\/(?=\/))?)?((?:\/|\.\/).+)$/;
/** It is only for a warning. */
const LISTENS_MS = 2_000;
