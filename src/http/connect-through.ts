// A connection through a proxy: CONNECT (RFC 9110 section 9.3.6), and TLS with the destination inside it. The
// proxy sees the destination's name and port alone.

import { request as plainRequest, type RequestOptions } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { plainHost, portOf } from '../domain/url-place.ts';
import { connectionFault } from '../domain/connection-fault.ts';
import type { Proxy } from '../domain/proxy.ts';
import { ProxyFault } from '../domain/proxy-fault.ts';

/**
 * `tls` is what is shown to an https destination. Throws `ProxyFault`, what TLS throws, and the signal's
 * reason.
 */
export async function connectThrough(
  proxy: Proxy,
  to: URL,
  { tls, signal }: { readonly tls: ConnectionOptions; readonly signal: AbortSignal },
): Promise<Duplex> {
  const socket = await openTunnel(proxy, to, signal);
  return to.protocol === 'https:' ? secured(socket, to, { tls, signal }) : socket;
}

async function openTunnel(proxy: Proxy, to: URL, signal: AbortSignal): Promise<Duplex> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const request = (proxy.isSecure ? secureRequest : plainRequest)(requestFor(proxy, to));
  const late = new ProxyFault(`the proxy ${proxy.origin} did not answer in ${CONNECT_MS} ms`, CHECK);
  const timer = setTimeout(() => request.destroy(late), CONNECT_MS);
  const abort = () => {
    reject(signal.reason as Error);
    request.destroy();
  };
  signal.addEventListener('abort', abort, { once: true });
  request.on('connect', ({ statusCode = 0 }, socket: Duplex, first: Buffer) => {
    if (statusCode >= 200 && statusCode <= 299) {
      if (first.byteLength > 0) socket.unshift(first);
      return resolve(socket);
    }
    socket.destroy();
    const hint = statusCode === 407 ? PASSWORD : CHECK;
    reject(new ProxyFault(`the proxy ${proxy.origin} refused the connection with ${statusCode}`, hint));
  });
  request.on('error', (error) => {
    if (error instanceof ProxyFault) return reject(error);
    reject(
      new ProxyFault(`the proxy ${proxy.origin} cannot be reached: ${connectionFault(error).found}`, CHECK),
    );
  });
  request.on('close', () =>
    reject(new ProxyFault(`the proxy ${proxy.origin} closed the connection without an answer`, CHECK)),
  );
  request.end();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function requestFor({ host, port, authorization }: Proxy, to: URL): RequestOptions {
  const authority = `${to.hostname}:${portOf(to)}`;
  return {
    method: 'CONNECT',
    host,
    port,
    path: authority,
    agent: false,
    headers: {
      host: authority,
      ...(authorization === null ? {} : { 'proxy-authorization': authorization.reveal() }),
    },
  };
}

async function secured(
  socket: Duplex,
  to: URL,
  { tls, signal }: { readonly tls: ConnectionOptions; readonly signal: AbortSignal },
): Promise<Duplex> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const host = plainHost(to.hostname);
  const inner = connectTls({ ...tls, socket, host, ...(isIP(host) === 0 ? { servername: host } : {}) });
  const abort = () => {
    reject(signal.reason as Error);
    inner.destroy();
  };
  signal.addEventListener('abort', abort, { once: true });
  const closed = () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
  inner.once('secureConnect', resolve).on('error', reject).once('close', closed);
  try {
    if (signal.aborted) abort();
    await promise;
    return inner;
  } finally {
    signal.removeEventListener('abort', abort);
    inner.removeListener('close', closed);
    if (!inner.destroyed) inner.removeListener('error', reject);
  }
}

/** Below the limits of whoever waits, so that the proxy is named. */
const CONNECT_MS = 10_000;
const CHECK = 'Check HTTPS_PROXY and HTTP_PROXY. List hosts that need no proxy in NO_PROXY.';
const PASSWORD = 'The proxy requires a login. Set HTTPS_PROXY=http://user:password@proxy.example.com:3128.';
