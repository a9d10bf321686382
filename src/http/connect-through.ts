// A connection through a proxy: CONNECT (RFC 9110 section 9.3.6), and TLS with the destination inside it. The
// proxy sees the destination's name and port alone. One limit counts for all of it, so a proxy that stalls at
// any point is given up and named.

import type { IncomingMessage } from 'node:http';
import { request as secureRequest, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { plainHost, portOf } from '../domain/url-place.ts';
import { connectionFault } from '../domain/connection-fault.ts';
import type { Proxy } from '../domain/proxy.ts';
import { ProxyFault } from '../domain/proxy-fault.ts';

const { request: plainRequest } = process.getBuiltinModule('node:http');

export type ThroughOptions = {
  /** What is shown to an https destination, and never to the proxy. */
  readonly tls: ConnectionOptions;
  readonly signal: AbortSignal;
  readonly limitMs?: number;
};

/** Throws `ProxyFault`, what TLS with the destination throws, and the signal's reason. */
export async function connectThrough(
  proxy: Proxy,
  to: URL,
  { tls, signal, limitMs = CONNECT_MS }: ThroughOptions,
): Promise<Duplex> {
  signal.throwIfAborted();
  const attempt = { proxy, to, signal, limitMs, until: performance.now() + limitMs };
  const socket = await openTunnel(attempt);
  return to.protocol === 'https:' ? secured(attempt, socket, tls) : socket;
}

type Attempt = {
  readonly proxy: Proxy;
  readonly to: URL;
  readonly signal: AbortSignal;
  readonly limitMs: number;
  /** By `performance.now()`. */
  readonly until: number;
};

async function openTunnel(attempt: Attempt): Promise<Duplex> {
  const { proxy, to } = attempt;
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const request = (proxy.isSecure ? secureRequest : plainRequest)(requestFor(proxy, to));
  request.on('connect', (answer, socket: Duplex, first: Buffer) => {
    const { statusCode = 0 } = answer;
    if (statusCode >= 200 && statusCode <= 299) {
      if (first.byteLength > 0) socket.unshift(first);
      return resolve(socket);
    }
    socket.destroy();
    reject(refused(attempt, answer, statusCode));
  });
  request.on('error', (error) => reject(brokenOff(proxy, error)));
  request.on('close', () => reject(brokenOff(proxy, CLOSED)));
  request.end();
  return limited(attempt, {
    opened: promise,
    late: `the proxy ${proxy.origin} did not answer in ${attempt.limitMs} ms`,
    giveUp: () => request.destroy(),
  });
}

function requestFor({ host, port, authorization }: Proxy, to: URL): RequestOptions {
  const authority = `${to.hostname}:${portOf(to)}`;
  return {
    method: 'CONNECT',
    host,
    port,
    // Node would take it from the host header, which names the destination.
    servername: isIP(host) === 0 ? host : '',
    path: authority,
    agent: false,
    maxHeaderSize: MAX_HEAD_BYTES,
    headers: {
      host: authority,
      ...(authorization === null ? {} : { 'proxy-authorization': authorization.reveal() }),
    },
  };
}

async function secured(attempt: Attempt, socket: Duplex, tls: ConnectionOptions): Promise<Duplex> {
  const { proxy, to, limitMs } = attempt;
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const host = plainHost(to.hostname);
  const inner = connectTls({ ...tls, socket, host, ...(isIP(host) === 0 ? { servername: host } : {}) });
  const failed = (error: Error) => reject(hasCode(error, 'ECONNRESET') ? cutShort(attempt) : error);
  inner.once('secureConnect', () => resolve(inner)).on('error', failed);
  inner.once('close', () => reject(cutShort(attempt)));
  return limited(attempt, {
    opened: promise,
    late: `the proxy ${proxy.origin} connected to ${to.host}, which did not answer in ${limitMs} ms`,
    giveUp: () => {
      inner.destroy();
      socket.destroy();
    },
  });
}

type Opening = {
  readonly opened: Promise<Duplex>;
  /** What is said when the time is over. */
  readonly late: string;
  /** Whatever else than `opened` comes about. */
  readonly giveUp: () => void;
};

async function limited({ signal, until }: Attempt, { opened, late, giveUp }: Opening): Promise<Duplex> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  const overdue = () => reject(new ProxyFault('proxy_timeout', late, { hint: CHECK }));
  const timer = setTimeout(overdue, Math.max(0, until - performance.now()));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([opened, ended]);
  } catch (error) {
    giveUp();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function refused({ proxy, to }: Attempt, { headers }: IncomingMessage, status: number): ProxyFault {
  const message = `the proxy ${proxy.origin} refused the connection with ${status}`;
  if (status !== 407) return new ProxyFault('proxy_refused', message, { status, hint: hintOf(status, to) });
  // Several are one value, with commas.
  const asked = headers['proxy-authenticate'] ?? '';
  const takesBasic = asked === '' || /\bbasic\b/i.test(asked);
  const hint = !takesBasic ? OTHER_LOGIN : proxy.authorization === null ? NO_LOGIN : WRONG_LOGIN;
  return new ProxyFault('proxy_refused', message, { status, hint });
}

function hintOf(status: number, { host }: URL): string {
  if (status === 403)
    return `The proxy does not allow connections to ${host}. Ask whoever runs it, or list the host in NO_PROXY.`;
  if (status >= 500) return `The proxy cannot connect to ${host}. Check the address. ${CHECK}`;
  return CHECK;
}

/** Before it answered: what did not come about, or what came instead of an answer. */
function brokenOff({ origin }: Proxy, error: Error): ProxyFault {
  const invalid = (found: string) =>
    new ProxyFault('proxy_invalid', `the proxy ${origin} ${found}`, { hint: CHECK });
  if (hasCode(error, 'ECONNRESET')) return invalid('closed the connection without an answer');
  if (hasCode(error, 'HPE_HEADER_OVERFLOW'))
    return invalid(`answered with more than ${MAX_HEAD_BYTES / 1024} KiB of headers`);
  if (hasCode(error, /^HPE_/)) return invalid('answered with something other than HTTP');
  const { found, hint } = connectionFault(error);
  return new ProxyFault('proxy_unreachable', `the proxy ${origin} cannot be reached: ${found}`, {
    hint: hint ?? CHECK,
  });
}

/** After it answered, before TLS stood. */
function cutShort({ proxy, to }: Attempt): ProxyFault {
  const message = `the proxy ${proxy.origin} connected to ${to.host}, and the connection was closed during the TLS handshake`;
  return new ProxyFault('proxy_invalid', message, { hint: CHECK });
}

function hasCode(error: Error, code: string | RegExp): boolean {
  if (!('code' in error) || typeof error.code !== 'string') return false;
  return typeof code === 'string' ? error.code === code : code.test(error.code);
}

const CLOSED = Object.assign(new Error('closed'), { code: 'ECONNRESET' });
/** Below the limits of whoever waits, so that the proxy is named. */
const CONNECT_MS = 10_000;
/** Node's own limit may be raised for a process; an answer to CONNECT has a few lines. */
const MAX_HEAD_BYTES = 16 * 1024;
const CHECK = 'Check HTTPS_PROXY and HTTP_PROXY. List hosts that need no proxy in NO_PROXY.';
const NO_LOGIN = 'The proxy requires a login. Set HTTPS_PROXY=http://user:password@proxy.example.com:3128.';
const WRONG_LOGIN =
  'The proxy does not accept the login of HTTPS_PROXY or HTTP_PROXY. Percent-encode special characters of the password.';
const OTHER_LOGIN =
  'The proxy requires a login other than Basic, such as NTLM, which Doorward does not support. Ask for an exception.';
