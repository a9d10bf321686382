// An exchange by HTTP/2 on Node's stream API (RFC 9113), WebSocket by extended CONNECT included (RFC 8441).

import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Connection } from './connection.ts';
import { hintedLinks } from './early-hints.ts';
import {
  noEvents,
  type AnswerHead,
  type BodySink,
  type Exchange,
  type ExchangeEvents,
  type Protocol,
} from './inbound.ts';

export class Http2Exchange implements Exchange {
  readonly protocol: Protocol = 'HTTP/2';
  readonly method: string;
  readonly target: string;
  readonly authority: string | null;
  readonly rawHeaders: readonly string[];
  readonly remoteAddress: string;
  readonly upgrade: string | null;
  readonly endsWithHead: boolean;
  readonly expectsContinue: boolean;
  readonly connection: Connection;
  readonly ownSocket = null;
  readonly events: ExchangeEvents = noEvents();
  readonly #stream: ServerHttp2Stream;
  #trailers: readonly string[] = [];
  #bodyEnded: boolean;
  #ended = false;
  /** Broken off on this side. */
  #aborted = false;
  #drainTold = false;
  #sink: BodySink | null = null;

  constructor(stream: ServerHttp2Stream, rawHeaders: readonly string[], connection: Connection) {
    const head = takePseudoHeaders(rawHeaders);
    this.connection = connection;
    this.#stream = stream;
    this.method = head.method;
    this.target = head.path;
    this.authority = head.authority;
    this.rawHeaders = head.headers;
    this.expectsContinue = head.expectsContinue;
    this.upgrade = head.protocol;
    this.endsWithHead = stream.endAfterHeaders;
    this.#bodyEnded = stream.endAfterHeaders;
    this.remoteAddress = stream.session?.socket.remoteAddress ?? '';
    stream.on('error', ignore);
    stream.on('close', () =>
      this.events.onClose(this.#ended && stream.rstCode === constants.NGHTTP2_NO_ERROR),
    );
  }

  get headSent(): boolean {
    return this.#stream.headersSent;
  }

  get bodyComplete(): boolean {
    return this.#bodyEnded;
  }

  /** Whether the stream, which is closed, was broken off from the other side. */
  get brokenByVisitor(): boolean {
    return !this.#aborted && (!this.#ended || this.#stream.rstCode !== constants.NGHTTP2_NO_ERROR);
  }

  readBody(sink: BodySink): void {
    const stream = this.#stream;
    this.#sink = sink;
    let trailers: readonly string[] = [];
    stream.on('trailers', (_headers, _flags, raw: string[] | undefined) => {
      trailers = raw ?? [];
    });
    stream.on('data', (chunk: Buffer) => {
      if (this.#sink?.onChunk(chunk) === false) stream.pause();
    });
    stream.on('end', () => {
      // Node ends a stream that was reset just as one that is whole, and tells of the reset behind it, in the
      // same turn.
      setImmediate(() => {
        if (stream.aborted || stream.rstCode !== constants.NGHTTP2_NO_ERROR) return;
        this.#bodyEnded = true;
        this.#sink?.onBodyEnd(trailers);
      });
    });
    stream.on('close', () => {
      setImmediate(() => {
        if (!this.#bodyEnded) this.#sink?.onAbort();
      });
    });
  }

  resumeBody(): void {
    this.#stream.resume();
  }

  dropBody(): void {
    this.#sink = null;
    if (this.#ended) this.#closeOnceTaken();
  }

  inform(status: number, headers: readonly string[]): void {
    const stream = this.#stream;
    if (stream.destroyed || stream.closed || stream.headersSent) return;
    if (status === 100) {
      if (this.expectsContinue) stream.additionalHeaders({ ':status': 100 });
      return;
    }
    const link = hintedLinks(headers);
    if (status === 103 && link.length > 0) stream.additionalHeaders({ ':status': 103, link });
  }

  head({ status, headers, hasBody, mayHaveTrailers, closeAfter }: AnswerHead): void {
    const stream = this.#stream;
    if (stream.destroyed || stream.closed) return;
    const waitForTrailers = hasBody && mayHaveTrailers;
    if (waitForTrailers) stream.on('wantTrailers', () => this.#sendTrailers());
    headers.unshift(':status', String(status));
    stream.respond(headers, { endStream: !hasBody, waitForTrailers });
    if (closeAfter) stream.session?.close();
    if (!hasBody) this.#ended = true;
  }

  write(chunk: Uint8Array): boolean {
    const room = this.#stream.write(chunk);
    if (!room && !this.#drainTold) {
      this.#drainTold = true;
      this.#stream.on('drain', () => this.events.onDrain());
    }
    return room;
  }

  flush(): void {}

  end(trailers: readonly string[]): void {
    this.#trailers = trailers;
    this.#ended = true;
    const stream = this.#stream;
    stream.end();
    if (!this.#bodyEnded && this.#sink === null) this.#closeOnceTaken();
  }

  abort(): void {
    this.#aborted = true;
    this.#ended = false;
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  switchProtocols(headers: readonly string[]): Duplex {
    this.#ended = true;
    this.#stream.respond([':status', '200', ...headers]);
    return this.#stream;
  }

  /** What the visitor still sends of an answered request is not wanted (RFC 9113 section 8.1). */
  #closeOnceTaken(): void {
    const stream = this.#stream;
    if (stream.writableFinished) this.#closeOnceSent();
    else stream.once('finish', () => this.#closeOnceSent());
  }

  /** An answer that is all head is finished before it leaves, and a reset would take its place. */
  #closeOnceSent(): void {
    const stream = this.#stream;
    if (stream.closed || stream.destroyed) return;
    if (stream.state.localClose === 1) stream.close(constants.NGHTTP2_NO_ERROR);
    else setTimeout(() => this.#closeOnceSent(), SENT_SOON_MS).unref();
  }

  #sendTrailers(): void {
    // A trailer may be named `constructor`.
    const trailers: Record<string, string[]> = Object.create(null);
    for (let index = 0; index < this.#trailers.length; index += 2)
      (trailers[this.#trailers[index]!.toLowerCase()] ??= []).push(this.#trailers[index + 1]!);
    if (this.#stream.destroyed) return;
    try {
      this.#stream.sendTrailers(trailers);
    } catch {
      // Names that HTTP/2 forbids, or that may come once: the backend's doing, and the end of its answer
      // alone.
      this.abort();
    }
  }
}

type Http2Head = {
  method: string;
  path: string;
  authority: string | null;
  protocol: string | null;
  expectsContinue: boolean;
  headers: string[];
};

function takePseudoHeaders(raw: readonly string[]): Http2Head {
  const head: Http2Head = {
    method: '',
    path: '',
    authority: null,
    protocol: null,
    expectsContinue: false,
    headers: [],
  };
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!;
    const value = raw[index + 1]!;
    if (name === ':method') head.method = value;
    else if (name === ':path') head.path = value;
    else if (name === ':authority') head.authority = value;
    else if (name === ':protocol') head.protocol = value.toLowerCase();
    else if (name[0] !== ':') head.headers.push(name, value);
    if (name === 'expect') head.expectsContinue = value.toLowerCase() === '100-continue';
  }
  return head;
}

/** What is to leave leaves at the end of this turn, unless the connection is full. */
const SENT_SOON_MS = 5;

/** A reset is told by `close`. */
function ignore(): void {}
