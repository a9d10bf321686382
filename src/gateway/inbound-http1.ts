// An exchange by HTTP/1.1 on Node's own server (RFC 9112). Node's parser is strict here: no leniency is
// switched on.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { breakOff } from '../tunnel/break-off.ts';
import type { Connection } from './connection.ts';
import { hintedLinks } from './early-hints.ts';
import { valuesOf } from './flat-headers.ts';
import {
  noEvents,
  type AnswerHead,
  type BodySink,
  type Exchange,
  type ExchangeEvents,
  type Protocol,
} from './inbound.ts';

export class Http1Exchange implements Exchange {
  readonly protocol: Protocol;
  readonly method: string;
  readonly target: string;
  readonly authority = null;
  readonly rawHeaders: readonly string[];
  readonly remoteAddress: string;
  readonly upgrade = null;
  readonly endsWithHead = false;
  readonly expectsContinue: boolean;
  readonly connection: Connection;
  readonly ownSocket: Duplex;
  readonly events: ExchangeEvents = noEvents();
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #closeDelimited = false;
  #sink: BodySink | null = null;
  #dropped = false;
  #drainTold = false;
  #written = false;
  /** The first piece of the body, until it is known whether it is the last. */
  #first: Buffer | null = null;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    known: { readonly expectsContinue: boolean; readonly connection: Connection },
  ) {
    this.#request = request;
    this.#response = response;
    this.protocol = PROTOCOLS[request.httpVersion] ?? 'unknown';
    this.method = request.method ?? '';
    this.target = request.url ?? '';
    this.rawHeaders = request.rawHeaders;
    this.ownSocket = request.socket;
    this.remoteAddress = request.socket.remoteAddress ?? '';
    this.expectsContinue = known.expectsContinue;
    this.connection = known.connection;
    request.on('error', ignore);
    response.on('error', ignore);
    response.on('close', () => this.events.onClose(response.writableFinished));
  }

  get headSent(): boolean {
    return this.#response.headersSent;
  }

  get bodyComplete(): boolean {
    return this.#request.complete;
  }

  readBody(sink: BodySink): void {
    const request = this.#request;
    const listening = this.#sink !== null;
    this.#sink = sink;
    if (listening) return;
    let over = false;
    request.on('data', (chunk: Buffer) => {
      if (this.#sink?.onChunk(chunk) === false) request.pause();
    });
    const { socket } = request;
    const gone = () => {
      socket.off('close', gone);
      if (!over) this.#sink?.onAbort();
      over = true;
    };
    request.on('end', () => {
      over = true;
      socket.off('close', gone);
      this.#sink?.onBodyEnd(request.rawTrailers);
    });
    request.on('close', gone);
    // Once it is answered, Node tells a request nothing more of its connection.
    socket.on('close', gone);
  }

  resumeBody(): void {
    this.#request.resume();
  }

  dropBody(): void {
    this.#dropped = true;
    this.readBody(NOBODY);
    this.#request.resume();
  }

  inform(status: number, headers: readonly string[]): void {
    const response = this.#response;
    if (response.headersSent || this.protocol === 'HTTP/1.0') return;
    if (status === 100) {
      if (this.expectsContinue) response.writeContinue();
    } else if (status === 103) {
      // Early hints are the only others that browsers read (RFC 8297); the link header alone is defined for
      // them.
      const link = hintedLinks(headers);
      if (link.length > 0) response.writeEarlyHints({ link });
    }
  }

  head({ status, reason, headers, closeAfter }: AnswerHead): void {
    const response = this.#response;
    if (closeAfter || this.#leavesMuch()) {
      headers.push('Connection', 'close');
      condemned.add(this.#request.socket);
    }
    this.#closeDelimited = this.protocol === 'HTTP/1.0';
    response.writeHead(status, reason, headers);
  }

  write(chunk: Buffer): boolean {
    if (!this.#written) {
      this.#written = true;
      this.#first = chunk;
      return true;
    }
    this.#writeFirst();
    return this.#write(chunk);
  }

  #write(chunk: Buffer): boolean {
    const room = this.#response.write(chunk);
    if (!room && !this.#drainTold) {
      this.#drainTold = true;
      this.#response.on('drain', () => this.events.onDrain());
    }
    return room;
  }

  /** A head that no body byte follows at once (events, a slow backend) must not wait in the buffer. */
  flush(): void {
    const response = this.#response;
    if (this.#first !== null) this.#writeFirst();
    else if (!this.#written && response.headersSent && !response.writableEnded && !response.destroyed)
      response.flushHeaders();
  }

  end(trailers: readonly string[]): void {
    if (trailers.length > 0) this.#response.addTrailers(pairsOf(trailers));
    if (this.#leavesMuch()) this.#endAfterRest();
    else if (this.#first === null) this.#response.end();
    else this.#endWith(this.#first);
  }

  abort(): void {
    const { socket } = this.#request;
    // A body that ends with the connection looks whole after an ordinary close; a reset cannot be mistaken.
    if (this.#closeDelimited && this.#response.headersSent) breakOff(socket);
    else socket.destroy();
  }

  switchProtocols(): Duplex {
    throw new TypeError('Cannot switch protocols: the request did not ask for it');
  }

  /**
   * A request body that nobody reads (on), and that is too long to be read over for the sake of the
   * connection.
   */
  #leavesMuch(): boolean {
    if (this.#request.complete) return false;
    if (this.#dropped) return true;
    if (this.#sink !== null || this.expectsContinue) return false;
    const length = valuesOf(this.rawHeaders, 'content-length')[0];
    if (length !== undefined) return Number(length) > READ_OVER_BYTES;
    return valuesOf(this.rawHeaders, 'transfer-encoding').length > 0;
  }

  /**
   * Closing with unread bytes resets the connection, and the visitor might never see the answer: read on for
   * a moment.
   */
  #endAfterRest(): void {
    const end = () => {
      clearTimeout(timer);
      if (!this.#response.writableEnded) this.#response.end();
    };
    const timer = setTimeout(end, REST_MS);
    let left = REST_BYTES;
    this.readBody({
      onChunk: (chunk) => {
        left -= chunk.byteLength;
        if (left < 0) end();
        return left >= 0;
      },
      onBodyEnd: end,
      onAbort: end,
    });
    this.flush();
  }

  #writeFirst(): void {
    const first = this.#first;
    this.#first = null;
    if (first !== null) this.#write(first);
  }

  /**
   * Head and body leave as one string, which Node writes without a list of buffers (measured: a tenth of a
   * request).
   */
  #endWith(body: Buffer): void {
    this.#first = null;
    if (body.byteLength <= MAX_AS_TEXT) this.#response.end(body.toString('latin1'), 'latin1');
    else this.#response.end(body);
  }
}

/**
 * Whether the connection ends with an answer that has begun: what comes behind it on the wire counts for
 * nothing.
 */
export function isCondemned(socket: Duplex): boolean {
  return condemned.has(socket);
}

function pairsOf(flat: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index < flat.length; index += 2) pairs.push([flat[index]!, flat[index + 1]!]);
  return pairs;
}

/** A broken connection is told by `close`; an error event without a listener would end the process. */
function ignore(): void {}

/**
 * Node goes on reading requests behind one whose answer closes the connection (RFC 9112 section 9.6 forbids
 * it).
 */
const condemned = new WeakSet<Duplex>();
const PROTOCOLS: Readonly<Record<string, Protocol>> = { '1.0': 'HTTP/1.0', '1.1': 'HTTP/1.1' };
const NOBODY: BodySink = { onChunk: () => true, onBodyEnd: () => {}, onAbort: () => {} };
/** Well within the 16 KB that Node writes from its stack; a larger body is cheaper left as it is. */
const MAX_AS_TEXT = 4_096;
/** What a visitor has usually sent already when the answer is ready; Node reads it over by itself. */
const READ_OVER_BYTES = 64 * 1024;
/** How much, and how long, is read of a body that was answered early before the connection ends. */
const REST_BYTES = 1024 * 1024;
const REST_MS = 1_000;
