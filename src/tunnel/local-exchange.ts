// One request that came through the tunnel, carried to the agent's own target over HTTP/1.1 and answered:
// streaming both ways with back-pressure, either side's abort aborts the other. The gateway wrote the
// headers; none is added here.

import type { ClientRequest, IncomingMessage } from 'node:http';
import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { logsConnectionIn } from '../domain/connection-login.ts';
import { withinBounds } from '../domain/trailer-bounds.ts';
import { endToEnd, hasHeader, trailerRecord, withoutHeader } from './headers.ts';
import { join } from './join.ts';
import { MAX_INFORMATIONAL, TUNNEL_SETTINGS } from './limits.ts';
import type { LocalHead } from './local-head.ts';
import type { LocalTarget } from './local-target.ts';

/** How a request went. */
export type LocalOutcome = {
  /** 0 when there was no answer. */
  readonly status: number;
  /** Null when the answer went out whole. */
  readonly fault: LocalFault | null;
};

/** `visitor_left` stands for the gateway as well: both end the stream from the other side. */
export type LocalFault = 'backend_down' | 'backend_broke_off' | 'visitor_left';

export class LocalExchange {
  readonly #target: LocalTarget;
  readonly #stream: ServerHttp2Stream;
  readonly #head: LocalHead;
  #request: ClientRequest | null = null;
  #status = 0;
  #informational = 0;
  #tries = 0;
  /** The target has the whole request. */
  #sent = false;
  /** The target said all that it has to say. */
  #whole = false;
  #fault: LocalFault | null = null;

  constructor(target: LocalTarget, stream: ServerHttp2Stream, head: LocalHead) {
    this.#target = target;
    this.#stream = stream;
    this.#head = head;
  }

  /** Calls `onOver` once. */
  start(onOver: (outcome: LocalOutcome) => void): void {
    const stream = this.#stream;
    stream.on('error', ignore);
    stream.on('close', () => {
      if (!this.#whole) this.#fault ??= 'visitor_left';
      // A target that answered early may still wait for a body that will never be whole.
      if (!this.#whole || !this.#sent) this.#request?.destroy();
      onOver({ status: this.#status, fault: this.#fault });
    });
    this.#send();
  }

  #send(): void {
    const { method, path, headers, webSocket, hasBody } = this.#head;
    this.#tries += 1;
    const request = this.#written(() =>
      this.#target.request(
        { method, path, headers, maxHeaderSize: MAX_HEAD_BYTES },
        // What logs the connection in would do so for the next visitor on it, too.
        webSocket || logsConnectionIn(headers),
      ),
    );
    if (request === undefined) return;
    this.#request = request;
    limitConnecting(request);
    request.on('error', (error) => this.#failed(request, error));
    request.on('information', (info) => this.#inform(info.statusCode, info.rawHeaders));
    request.on('response', (response) => this.#answer(response));
    request.on('upgrade', (response, socket, first) => this.#switch(response, socket, first));
    if (hasBody) this.#sendBody(request);
    else {
      this.#sent = true;
      request.end();
    }
  }

  #sendBody(request: ClientRequest): void {
    const stream = this.#stream;
    let trailers: readonly string[] = [];
    // The head goes at once. `flushHeaders()` would write it as UTF-8.
    request.write(NOTHING);
    stream.on('trailers', (_headers, _flags, raw: readonly string[]) => {
      trailers = raw;
    });
    stream.on('data', (chunk: Buffer) => {
      if (!request.destroyed && !request.write(chunk)) stream.pause();
    });
    request.on('drain', () => stream.resume());
    // The target wants no more of it, and what still comes must not stay in memory.
    request.on('close', () => stream.resume());
    // A stream that was reset ends like a whole one, and tells of the reset behind it, in the same turn.
    // Those of a session that is destroyed end, too, and tell of no reset.
    const { session } = stream;
    stream.on('end', () => {
      if (session?.destroyed === false) setImmediate(() => this.#bodyEnded(request, trailers));
    });
  }

  #bodyEnded(request: ClientRequest, trailers: readonly string[]): void {
    const { aborted, rstCode } = this.#stream;
    if (aborted || rstCode !== constants.NGHTTP2_NO_ERROR || request.destroyed) return;
    this.#sent = true;
    this.#written(() => {
      if (trailers.length > 0) request.addTrailers(pairs(trailers));
    });
    request.end();
  }

  #inform(status: number, rawHeaders: readonly string[]): void {
    const stream = this.#stream;
    this.#informational += 1;
    if (this.#informational > MAX_INFORMATIONAL) return this.#breakOff('backend_broke_off');
    if (stream.destroyed || stream.headersSent) return;
    this.#written(() => stream.additionalHeaders(recordOf(status, endToEnd(rawHeaders))));
  }

  #answer(response: IncomingMessage): void {
    const stream = this.#stream;
    response.on('error', ignore);
    if (stream.destroyed || stream.closed) return void response.destroy();
    const status = response.statusCode ?? 0;
    this.#status = status;
    if (this.#request !== null && logsConnectionIn(response.rawHeaders))
      this.#request.shouldKeepAlive = false;
    const all = endToEnd(response.rawHeaders);
    // The proof belongs to a switch alone: by it the edge tells the two apart.
    const headers = this.#head.webSocket ? withoutHeader(all, 'sec-websocket-accept') : all;
    const hasBody = this.#head.method !== 'HEAD' && status !== 204 && status !== 304;
    const waitForTrailers = hasBody && !hasHeader(headers, 'content-length');
    this.#respond(status, headers, { endStream: !hasBody, waitForTrailers });
    if (!hasBody) {
      this.#whole = true;
      response.resume();
    } else this.#answerBody(response);
  }

  #answerBody(response: IncomingMessage): void {
    const stream = this.#stream;
    stream.on('wantTrailers', () =>
      this.#written(() => stream.sendTrailers(trailerRecord(endToEnd(withinBounds(response.rawTrailers))))),
    );
    response.on('data', (chunk: Buffer) => {
      if (!stream.write(chunk)) response.pause();
    });
    stream.on('drain', () => response.resume());
    response.on('end', () => {
      this.#whole = true;
      stream.end();
    });
    response.on('close', () => {
      if (!response.complete) this.#breakOff('backend_broke_off');
    });
  }

  #switch(response: IncomingMessage, socket: Duplex, first: Buffer): void {
    const stream = this.#stream;
    socket.on('error', () => socket.destroy());
    const headers = endToEnd(response.rawHeaders);
    const switched =
      this.#head.webSocket &&
      response.headers.upgrade?.toLowerCase() === 'websocket' &&
      hasHeader(headers, 'sec-websocket-accept');
    if (!switched || stream.destroyed || stream.closed) {
      socket.destroy();
      return this.#breakOff('backend_broke_off');
    }
    this.#whole = true;
    this.#status = 101;
    this.#respond(200, headers, {});
    if (first.byteLength > 0) stream.write(first);
    join(stream, socket);
  }

  #respond(status: number, headers: readonly string[], options: RespondOptions): void {
    this.#written(() =>
      this.#stream.respond([':status', String(status), ...headers], { ...options, ...NO_DATE }),
    );
  }

  #failed(request: ClientRequest, error: NodeJS.ErrnoException): void {
    const stream = this.#stream;
    if (this.#status !== 0 || stream.destroyed || stream.closed) return;
    const { hasBody, method } = this.#head;
    // The target closed a kept connection just as it was used: nothing was lost yet.
    const stale = request.reusedSocket && error.code === 'ECONNRESET';
    if (stale && !hasBody && SAFE.has(method) && this.#tries < MAX_TRIES) return this.#send();
    this.#fault = 'backend_down';
    stream.close(constants.NGHTTP2_CONNECT_ERROR);
  }

  #breakOff(fault: LocalFault): void {
    this.#fault ??= fault;
    this.#request?.destroy();
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  /** What one of the two protocols forbids breaks this exchange and nothing else. */
  #written<Value>(write: () => Value): Value | undefined {
    try {
      return write();
    } catch {
      this.#breakOff('backend_broke_off');
      return undefined;
    }
  }
}

type RespondOptions = { readonly endStream?: boolean; readonly waitForTrailers?: boolean };

function limitConnecting(request: ClientRequest): void {
  const timer = setTimeout(() => request.destroy(new Error('no connection in time')), CONNECT_MS);
  const stop = () => clearTimeout(timer);
  request.on('close', stop);
  request.on('socket', (socket) => {
    if (socket.connecting) socket.once('connect', stop);
    else stop();
  });
}

function recordOf(status: number, headers: readonly string[]): Record<string, string | string[]> {
  return Object.assign(trailerRecord(headers), { ':status': String(status) });
}

function pairs(flat: readonly string[]): [string, string][] {
  const out: [string, string][] = [];
  for (let index = 0; index < flat.length; index += 2) out.push([flat[index]!, flat[index + 1]!]);
  return out;
}

/** Told by `close`. */
function ignore(): void {}

/** The date is the target's to say, and Node's typings don't know this one. */
const NO_DATE = { sendDate: false };
const NOTHING = Buffer.alloc(0);
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
/** Each kept connection may be stale; after a few, the target is down. */
const MAX_TRIES = 3;
const CONNECT_MS = 10_000;
const MAX_HEAD_BYTES = TUNNEL_SETTINGS.maxHeaderListSize;
