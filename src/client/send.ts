// One HTTP request with a time limit and a bounded answer. It follows no redirect, so the API key goes
// nowhere else. Names under `.localhost` are this machine (RFC 6761 section 6.3), which Node's resolver does
// not know.

import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as tlsRequest, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { isWithinDomain } from '../domain/host-name.ts';
import { readWithin } from '../domain/read-within.ts';
import { awaitedConnection } from '../domain/awaited-connection.ts';
import type { Secret } from '../domain/secret.ts';
import type { CallAnswer, OpenAnswer, SentCall } from './sent-call.ts';

const { request: plainRequest } = process.getBuiltinModule('node:http');

/** What the caller shows in the handshake. */
export type ClientCertificate = {
  /** PEM. */
  readonly certificate: string;
  /** PEM. */
  readonly key: Secret;
};

/** Opens a connection on another way than straight there: through a proxy. It is ready, TLS and all. */
export type Connect = (tls: TlsShown, signal: AbortSignal) => Promise<Duplex>;
type TlsShown = { readonly cert?: string; readonly key?: string };

export type SendHow = {
  readonly clientCertificate: ClientCertificate | null;
  /** Null: straight there. Throws for a proxy that is none. */
  readonly wayTo: (url: URL) => Connect | null;
};

/**
 * Rejects when no whole answer comes: refused, unknown name, TLS fault, timeout, over 4 MiB. The certificate
 * is shown over https alone; null for none.
 */
export function send(call: SentCall, how: SendHow): Promise<CallAnswer> {
  const late = AbortSignal.timeout(call.limitMs ?? CALL_LIMIT_MS);
  const signal = call.signal === undefined ? late : AbortSignal.any([late, call.signal]);
  return new Promise((resolve, reject) => {
    begin({ call, signal }, how)
      .on('error', reject)
      .on('response', (response) => readAnswer(response).then(resolve, reject));
  });
}

type Begun = { readonly call: SentCall; readonly signal: AbortSignal };

/** As `Open`; the rest as `send()`. */
export async function open({ call, signal }: Begun, how: SendHow): Promise<OpenAnswer> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new Error('no answer came in time')),
    call.limitMs ?? CALL_LIMIT_MS,
  );
  try {
    return await new Promise((resolve, reject) => {
      begin({ call, signal: AbortSignal.any([signal, late.signal]) }, how)
        .on('error', reject)
        .on('response', (response) => resolve({ ...headOf(response), body: response }));
    });
  } finally {
    clearTimeout(timer);
  }
}

function begin({ call, signal }: Begun, { clientCertificate, wayTo }: SendHow): ClientRequest {
  const tls = clientCertificate === null ? {} : shown(clientCertificate);
  const connect = wayTo(call.url);
  const options: RequestOptions = {
    method: call.method,
    headers: call.headers,
    signal,
    ...(isLocalhost(call.url) ? { lookup: lookupLoopback } : {}),
    ...tls,
    ...(connect === null
      ? { agent: false }
      : { createConnection: awaitedConnection(() => connect(tls, signal)) }),
  };
  const request =
    call.url.protocol === 'https:' ? tlsRequest(call.url, options) : plainRequest(call.url, options);
  return request.end(call.body ?? undefined);
}

function shown({ certificate, key }: ClientCertificate): TlsShown {
  return { cert: certificate, key: key.reveal() };
}

async function readAnswer(response: IncomingMessage): Promise<CallAnswer> {
  const body = await readWithin(response, MAX_ANSWER_BYTES);
  if (body === null) throw new Error('the answer is longer than 4 MiB');
  return { ...headOf(response), body: body.toString() };
}

function headOf({ statusCode, headers }: IncomingMessage): Omit<CallAnswer, 'body'> {
  return {
    status: statusCode ?? 0,
    contentType: headers['content-type'] ?? '',
    etag: headers.etag ?? null,
  };
}

function isLocalhost(url: URL): boolean {
  return isWithinDomain(url.hostname, 'localhost');
}

const lookupLoopback: NonNullable<RequestOptions['lookup']> = (_name, options, done) => {
  const loopback = { address: '127.0.0.1', family: 4 };
  if (options.all === true) done(null, [loopback]);
  else done(null, loopback.address, loopback.family);
};

/** The API answers in milliseconds; this is for a slow line. */
const CALL_LIMIT_MS = 30_000;
/** A page of 200 shares with every list full stays below. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
