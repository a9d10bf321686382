// One request on one stream of an HTTP/2 connection to a backend: the answer in the order that
// `UpstreamHandlers` promises, back-pressure both ways, either side's abort as a reset of this stream alone.
// It never chooses a connection. An upgrade comes to none.

import { constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { outlive } from '../session-outlives.ts';
import { plainHeaders, requestHead, trailerRecord } from './http2-fields.ts';
import { MAX_INFORMATIONAL } from './http2-limits.ts';
import { watchEnd } from './stream-end.ts';
import type { ConnectionUnread } from './unread.ts';
import { UpstreamError } from './upstream-error.ts';
import type { UpstreamExchange, UpstreamHandlers, UpstreamRequest } from './upstream-request.ts';

const { STATUS_CODES } = process.getBuiltinModule('node:http');

export type StreamExchangeOptions = {
  readonly handlers: UpstreamHandlers;
  readonly unread: ConnectionUnread;
  /** The stream takes no place on the connection any more. */
  readonly onClosed: () => void;
  /** Of the request's address. */
  readonly scheme: 'http' | 'https';
};

export class StreamExchange implements UpstreamExchange {
  readonly #stream: ClientHttp2Stream;
  readonly #handlers: UpstreamHandlers;
  /** Whether the other end has said all, whatever became of the stream since. */
  readonly #isWhole: () => boolean;
  #left: number;
  #requestEnded: boolean;
  #trailersOut: readonly string[] = [];
  #trailersIn: readonly string[] = [];
  #informational = 0;
  #wantsDrain = false;
  #idling = false;
  /** The answer was delivered to its end, or failed, or nobody wants it. */
  #over = false;
  #fault: UpstreamError | null = null;

  /** Throws what `request()` throws for headers that HTTP/2 forbids. */
  constructor(
    session: ClientHttp2Session,
    request: UpstreamRequest,
    { handlers, unread, onClosed, scheme }: StreamExchangeOptions,
  ) {
    const endStream = request.body === 'none';
    this.#handlers = handlers;
    this.#left = typeof request.body === 'object' ? request.body.length : Infinity;
    this.#requestEnded = endStream;
    const stream = session.request(requestHead(request, scheme), {
      endStream,
      waitForTrailers: request.body === 'chunked',
    });
    this.#stream = stream;
    outlive(session, stream);
    this.#isWhole = watchEnd(stream);
    unread.watch(stream);
    stream.on('wantTrailers', () => this.#sendTrailers());
    stream.on('headers', (headers, _flags, raw) => this.#inform(Number(headers[':status']), raw));
    stream.on('response', (headers, flags, raw) => this.#answered(Number(headers[':status']), flags, raw));
    stream.on('drain', () => this.#drained());
    stream.on('error', ignore);
    stream.on('close', () => {
      onClosed();
      this.#closed();
    });
  }

  /** RFC 9113 section 7. */
  get resetCode(): number | undefined {
    return this.#stream.rstCode;
  }

  /** Null when the connection had no number left for it: nothing was sent, and nothing will be. */
  get streamId(): number | null {
    return this.#stream.id ?? null;
  }

  write(chunk: Uint8Array): boolean {
    const stream = this.#stream;
    if (this.#requestEnded || stream.destroyed || stream.writableEnded) return true;
    this.#left -= chunk.byteLength;
    if (this.#left < 0) {
      this.#break(new UpstreamError('body_mismatch', 'Cannot send a request body: more than was announced'));
      return true;
    }
    const room = stream.write(chunk);
    if (!room) this.#wantsDrain = true;
    return room;
  }

  end(trailers: readonly string[] = NONE): void {
    if (this.#requestEnded) return;
    this.#requestEnded = true;
    this.#trailersOut = trailers;
    if (this.#left > 0 && this.#left !== Infinity)
      this.#break(new UpstreamError('body_mismatch', 'Cannot end a request body: less than was announced'));
    else if (!this.#stream.destroyed) this.#stream.end();
  }

  resume(): void {
    if (!this.#stream.destroyed) this.#stream.resume();
  }

  abort(): void {
    this.#over = true;
    this.#requestEnded = true;
    this.#stream.close(constants.NGHTTP2_CANCEL);
    // What is queued for it would hold the stream, and its place, until the backend reads on.
    this.#stream.destroy();
  }

  #inform(status: number, raw: readonly string[]): void {
    if (this.#over) return;
    this.#informational += 1;
    if (this.#informational > MAX_INFORMATIONAL)
      this.#break(new UpstreamError('protocol', 'Cannot take an answer: too many informational ones'));
    else this.#handlers.onInformational(status, plainHeaders(raw));
  }

  #answered(status: number, flags: number, raw: readonly string[]): void {
    if (this.#over) return;
    const headers = plainHeaders(raw);
    if (status < 200 || status > 599)
      return this.#break(new UpstreamError('protocol', `Cannot take an answer: its status is ${status}`));
    // HTTP/2 has no reason phrase, and visitors by HTTP/1.1 expect one.
    const ends = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    this.#handlers.onHead(status, STATUS_CODES[status] ?? '', headers, ends);
    if (this.#over) return;
    if (ends) {
      this.#finish();
      return;
    }
    this.#idleSoon();
    const stream = this.#stream;
    stream.on('trailers', (_headers, _flags, given: readonly string[]) => {
      this.#trailersIn = given;
    });
    stream.on('data', (chunk: Buffer) => {
      if (this.#over) return;
      if (!this.#handlers.onData(chunk)) stream.pause();
      this.#idleSoon();
    });
    // Node ends a stream that was reset, or whose session is gone, just as one that is whole. A backend that
    // answered early may reset what is left of the request, behind a whole answer (RFC 9113 section 8.1).
    stream.on('end', () => {
      if (this.#isWhole()) setImmediate(() => this.#finish());
    });
  }

  /** Frames that came in one piece are handed on in one, too. */
  #idleSoon(): void {
    if (this.#idling) return;
    this.#idling = true;
    setImmediate(() => {
      this.#idling = false;
      if (!this.#over) this.#handlers.onIdle?.();
    });
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#handlers.onEnd(this.#trailersIn);
  }

  #drained(): void {
    if (!this.#wantsDrain) return;
    this.#wantsDrain = false;
    this.#handlers.onDrain();
  }

  #closed(): void {
    this.#requestEnded = true;
    setImmediate(() => {
      if (!this.#over) this.#fail(this.#fault ?? resetFault(this.#stream.rstCode));
      else if (this.#wantsDrain) this.#drained();
    });
  }

  /** The backend must not take what was sent for a whole request, nor send on. */
  #break(fault: UpstreamError): void {
    this.#fault ??= fault;
    this.#requestEnded = true;
    this.#stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
    this.#stream.destroy();
  }

  #fail(error: UpstreamError): void {
    this.#over = true;
    this.#wantsDrain = false;
    this.#handlers.onError(error);
  }

  #sendTrailers(): void {
    try {
      this.#stream.sendTrailers(trailerRecord(this.#trailersOut));
    } catch (cause) {
      this.#break(new UpstreamError('protocol', 'Cannot send trailers: HTTP/2 forbids them', cause));
    }
  }
}

function resetFault(code: number | undefined): UpstreamError {
  return new UpstreamError('reset', `Cannot read an answer: its stream was reset (${code ?? 'no code'})`);
}

/** A reset is told by `close`. */
function ignore(): void {}

const NONE: readonly string[] = [];
