// The control API behind node:http: bounds the body before anything reads it, and turns requests and answers
// between the two forms. Header and request deadlines are the listener's.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readWithin } from '../domain/read-within.ts';
import type { HeldCertificate } from '../domain/client-certificate.ts';
import { asServiceError } from '../domain/service-error.ts';
import { sendAnswer } from '../http/answer.ts';
import { problemAnswer } from '../http/problem.ts';
import type { ControlApi } from './control-deps.ts';
import { bodyLimit, bodyTooLarge, MAX_BODY_BYTES } from './json-body.ts';

export type RequestContext = {
  /** The caller's address, by which failed keys are counted. */
  readonly address: string;
  readonly requestId: string;
  /** The client certificate of the connection. */
  readonly certificate: HeldCertificate | null;
};

export function controlHandler(
  api: ControlApi,
  contextOf: (request: IncomingMessage) => RequestContext,
): RequestListener {
  return (request, response) => {
    const context = contextOf(request);
    answerCall(api, context, { request, response }).catch((error: unknown) => {
      const fault = asServiceError(error, 'Cannot read the request', 'bad_request');
      if (response.headersSent || response.destroyed) return void response.destroy();
      discardRest(request);
      sendAnswer(request, response, problemAnswer(fault, context.requestId));
    });
  };
}

async function answerCall(
  api: ControlApi,
  context: RequestContext,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  const method = request.method ?? 'GET';
  // The path alone counts here: which host was asked was settled by whoever passed the request on.
  const url = new URL(`http://control${request.url?.startsWith('/') === true ? request.url : '/'}`);
  const limit = bodyLimit(method, url.pathname);
  // A long one is read once it is known who calls.
  const body = limit > MAX_BODY_BYTES ? bodyWhenAsked(request, limit) : await readBody(request, limit);
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const isEmpty = body instanceof Uint8Array && body.byteLength === 0;
  const hasBody = method !== 'GET' && method !== 'HEAD' && !isEmpty;
  const init = {
    method: UNSPEAKABLE.has(method) ? 'OPTIONS' : method,
    headers,
    ...(hasBody ? { body, duplex: 'half' as const } : {}),
  };
  const known = { ...context, left: leavingOf(response), ...(body instanceof Uint8Array ? { body } : {}) };
  const answer = await api.fetch(new Request(url, init), known);
  discardRest(request);
  const head = [...answer.headers].flat();
  if (answer.body === null || method === 'HEAD') response.writeHead(answer.status, head).end();
  else if (isWhole(answer)) {
    const whole = new Uint8Array(await answer.arrayBuffer());
    response.writeHead(answer.status, [...head, 'content-length', String(whole.byteLength)]).end(whole);
  } else {
    response.writeHead(answer.status, head);
    await sendBody(answer.body, response);
  }
}

/** JSON was a text when it was answered: as a stream it would cost more than all else that sends it. */
function isWhole({ headers }: Response): boolean {
  if (headers.has('content-length')) return false;
  return /^application\/(?:problem\+)?json\b/.test(headers.get('content-type') ?? '');
}

/**
 * Whoever made the body is told when the caller leaves, or left before it began: it may be one without end.
 */
async function sendBody(body: NonNullable<Response['body']>, response: ServerResponse): Promise<void> {
  const source = Readable.fromWeb(body);
  try {
    await pipeline(source, response);
  } catch {
    source.destroy();
  }
}

/** Aborted when the connection ends, or the stream of it, before the answer did. */
function leavingOf(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  if (response.destroyed) leaving.abort();
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort();
  });
  return leaving.signal;
}

async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  // Not destroyed on the way out, or the refusal could not be sent.
  const body = await readWithin(request.iterator({ destroyOnReturn: false }), limit);
  if (body === null) throw bodyTooLarge(limit);
  return new Uint8Array(body);
}

/** Nothing is read before somebody reads it. */
function bodyWhenAsked(request: IncomingMessage, limit: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        controller.enqueue(await readBody(request, limit));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * A caller that still sends would not hear the refusal if the connection ended now (RFC 9112 section 9.6): so
 * what comes is forgotten, for a while.
 */
function discardRest(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  const { socket } = request;
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  let left = MAX_DISCARDED_BYTES;
  request.on('data', (chunk: Uint8Array) => {
    left -= chunk.byteLength;
    if (left < 0) socket.destroy();
  });
  request.once('close', () => clearTimeout(timer));
}

/** Methods that the Fetch standard knows and refuses to name. No operation has one, as none has OPTIONS. */
const UNSPEAKABLE: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);
/** Whoever sends more than that without looking does not read answers. */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024;
/** Time for the refusal to be read, by a caller that is busy, too. */
const LINGER_MS = 10_000;
