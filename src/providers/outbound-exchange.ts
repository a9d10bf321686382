// One HTTP exchange with an address that was checked: request out, whole answer in, within limits. It follows
// nothing, decompresses nothing, and always verifies certificates.

import type { IncomingMessage } from 'node:http';
import * as https from 'node:https';
import { readWithin } from '../domain/read-within.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { FaultCode } from '../domain/service-error.ts';
import { pinnedLookup } from './dial-target.ts';
import type { DialAddress } from './dial-target.ts';

const { request: plainRequest } = process.getBuiltinModule('node:http');

export type OutboundExchange = {
  readonly url: URL;
  readonly dial: DialAddress;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** PEM, in place of the public ones; null for those. */
  readonly trustedAuthorities: string | null;
  /** Ends the exchange, at any point of it. */
  readonly signal: AbortSignal;
  readonly within: AnswerLimits;
};

export type AnswerLimits = {
  readonly bytes: number;
  /** Of JSON: members and elements, each of which takes many times the bytes that it is written with. */
  readonly parts: number;
};

export type ExchangeFaults = { readonly refused: FaultCode; readonly unreachable: FaultCode };

/**
 * Throws `refused` for an answer that is too large, compressed or not HTTP, `unreachable` for everything
 * else.
 */
export async function exchangeOnce(exchange: OutboundExchange, faults: ExchangeFaults): Promise<Response> {
  const { url } = exchange;
  try {
    const incoming = await send(exchange);
    const encoding = incoming.headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') throw abandon(incoming, 'the answer is compressed');
    const body = await readAnswer(incoming, exchange.within.bytes);
    if (hasMoreParts(body, exchange.within.parts))
      throw new UnacceptableAnswer('the answer has too many parts');
    return toResponse(incoming, body);
  } catch (cause) {
    const wrong = cause instanceof UnacceptableAnswer || isParseError(cause);
    throw new ServiceError(
      wrong ? faults.refused : faults.unreachable,
      `Cannot call ${url.host}: ${cause instanceof Error ? cause.message.slice(0, 200) : 'it failed'}`,
      { cause },
    );
  }
}

class UnacceptableAnswer extends Error {}

function send(exchange: OutboundExchange): Promise<IncomingMessage> {
  const { url, dial, body, signal } = exchange;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = {
    method: exchange.method,
    headers: {
      ...exchange.headers,
      'accept-encoding': 'identity',
      ...(body === null ? {} : { 'content-length': body.byteLength }),
    },
    // A connection of its own: a kept one would outlive the check of its address.
    agent: false as const,
    lookup: pinnedLookup(dial),
    autoSelectFamily: true,
    maxHeaderSize: MAX_HEAD_BYTES,
    signal,
  };
  const ca = exchange.trustedAuthorities === null ? {} : { ca: exchange.trustedAuthorities };
  const request =
    url.protocol === 'https:'
      ? https.request(url, { ...options, ...ca, rejectUnauthorized: true, minVersion: 'TLSv1.2' })
      : plainRequest(url, options);
  request.on('error', reject);
  request.on('response', resolve);
  // Never asked for, so never expected: without a listener the socket would be left to nobody.
  request.on('upgrade', (_answer, socket) => {
    socket.destroy();
    reject(new UnacceptableAnswer('it requested another protocol'));
  });
  request.end(body ?? undefined);
  return promise;
}

async function readAnswer(incoming: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const body = await readWithin(incoming, maxBytes);
  if (body === null) throw abandon(incoming, `the answer is larger than ${maxBytes} bytes`);
  return body;
}

function hasMoreParts(body: Buffer, most: number): boolean {
  // Each is a byte at least.
  if (body.byteLength <= most) return false;
  let parts = 0;
  for (const byte of body) if (byte === COMMA || byte === BRACKET || byte === BRACE) parts++;
  return parts > most;
}

function abandon(incoming: IncomingMessage, found: string): UnacceptableAnswer {
  incoming.destroy();
  return new UnacceptableAnswer(found);
}

function toResponse(incoming: IncomingMessage, body: Buffer<ArrayBuffer>): Response {
  const status = incoming.statusCode ?? 0;
  if (status < 200 || status > 599) throw new UnacceptableAnswer(`the status is ${status}`);
  const headers = new Headers();
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2)
    headers.append(incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '');
  return new Response(BODILESS.has(status) ? null : body, { status, headers });
}

/** llhttp's codes: what came is no HTTP, or its head is too large. */
function isParseError(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && String(cause.code).startsWith('HPE_');
}

/** Statuses that the Fetch standard allows no body with. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);
/** DESIGN "Calls out". The largest real answers are key sets of some 20 KiB. */
export const MAX_ANSWER_BYTES = 1024 * 1024;
/** Of the operator's own choice of whom to call. */
export const ANY_ANSWERS: AnswerLimits = { bytes: MAX_ANSWER_BYTES, parts: Number.POSITIVE_INFINITY };
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
/** Node's own default, said here because it is a limit on outside input. */
const MAX_HEAD_BYTES = 16 * 1024;
