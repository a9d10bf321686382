// One request and its answer, whichever connection carries them. Owns the order of the handlers' calls and
// the count of body bytes; never touches a socket.
//
//   waiting (queue or dial; writes are kept) → carried by a connection → over
//   over: answer whole and request ended, or failed, or aborted, or switched

import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { logsConnectionIn } from '../../domain/connection-login.ts';
import { writeLastChunk, writeRequestHead } from './request-head.ts';
import { UpstreamError } from './upstream-error.ts';
import type {
  UpstreamExchange,
  UpstreamHandlers,
  UpstreamOrigin,
  UpstreamRequest,
} from './upstream-request.ts';

/** What an exchange asks of the connection that carries it. */
export type Carrier = {
  /** False when the caller must wait for `drained()`. */
  writeBody(chunk: Uint8Array, framed: boolean): boolean;
  writeLast(text: string): void;
  /** The request is written to its end. */
  requestEnded(): void;
  resume(): void;
  destroy(): void;
};

export class Exchange implements UpstreamExchange {
  readonly origin: UpstreamOrigin;
  readonly method: string;
  readonly upgrade: string | null;
  readonly hasBody: boolean;
  readonly head: string;
  /** It carries a login of the connection itself. */
  readonly logsIn: boolean;
  readonly visitor: EventEmitter | null;
  readonly visitorName: string;
  /** Not to be called once `over`. */
  readonly handlers: UpstreamHandlers;
  /** Set by the pool while the exchange waits: takes it out of the queue, or ends the dial. */
  leave: (() => void) | null = null;
  /** When the wait in the queue ends, on the clock of `performance.now()`. */
  waitUntil = 0;
  over = false;
  /** The caller has given the whole request. */
  ended: boolean;
  /** The whole answer was delivered. */
  answered = false;
  /** It was sent before, on a connection that was lost. */
  repeated = false;
  readonly #chunked: boolean;
  #left: number;
  #carrier: Carrier | null = null;
  #kept: Uint8Array[] | null = null;
  #last: string | null = null;
  #wantsDrain = false;

  /** Throws `request_refused`. */
  constructor(origin: UpstreamOrigin, request: UpstreamRequest, handlers: UpstreamHandlers) {
    this.origin = origin;
    this.method = request.method;
    this.upgrade = request.upgrade;
    if (request.upgrade !== null && handlers.onUpgrade === undefined) {
      throw new UpstreamError(
        'request_refused',
        'Cannot send a request to the backend: nothing handles the upgrade',
      );
    }
    this.head = writeRequestHead(request);
    this.logsIn = logsConnectionIn(request.headers);
    this.visitor = request.visitor ?? null;
    this.visitorName = request.visitorName ?? '';
    this.handlers = handlers;
    this.hasBody = request.body !== 'none';
    this.#chunked = request.body === 'chunked';
    this.#left = typeof request.body === 'object' ? request.body.length : 0;
    this.ended = !this.hasBody;
  }

  /** Safe to send again although nobody knows whether the backend acted on it (RFC 9110 section 9.2.1). */
  get repeatable(): boolean {
    return !this.hasBody && this.upgrade === null && SAFE.has(this.method);
  }

  /** The connection has written the head: what was kept goes now. */
  carriedBy(carrier: Carrier): void {
    this.#carrier = carrier;
    this.leave = null;
    let room = true;
    for (const chunk of this.#kept ?? []) room = carrier.writeBody(chunk, this.#chunked);
    this.#kept = null;
    if (this.#last !== null) carrier.writeLast(this.#last);
    if (room) this.drained();
  }

  write(chunk: Uint8Array): boolean {
    if (this.over || chunk.byteLength === 0) return true;
    if (this.ended || (!this.#chunked && chunk.byteLength > this.#left)) {
      this.#refuse(
        new UpstreamError('body_mismatch', 'Cannot send a request body: more bytes than were announced'),
      );
      return true;
    }
    this.#left -= chunk.byteLength;
    if (this.#carrier === null) {
      (this.#kept ??= []).push(chunk);
      this.#wantsDrain = true;
      return false;
    }
    const room = this.#carrier.writeBody(chunk, this.#chunked);
    if (!room) this.#wantsDrain = true;
    return room;
  }

  end(trailers: readonly string[] = NONE): void {
    if (this.over || this.ended) return;
    if (!this.#chunked && this.#left > 0) {
      return this.#refuse(
        new UpstreamError('body_mismatch', 'Cannot end a request body: fewer bytes than announced'),
      );
    }
    try {
      this.#last = this.#chunked ? writeLastChunk(trailers) : '';
    } catch (error) {
      return this.#refuse(error as UpstreamError);
    }
    this.ended = true;
    if (this.#carrier === null) return;
    if (this.answered) this.over = true;
    this.#carrier.writeLast(this.#last);
    this.#carrier.requestEnded();
  }

  resume(): void {
    if (!this.over) this.#carrier?.resume();
  }

  abort(): void {
    if (this.over) return;
    this.over = true;
    this.#kept = null;
    this.leave?.();
    this.#carrier?.destroy();
  }

  /** Back to where a connection is looked for; only for what is `repeatable`. */
  retry(): void {
    this.repeated = true;
    this.#carrier = null;
  }

  drained(): void {
    if (this.over || this.ended || !this.#wantsDrain) return;
    this.#wantsDrain = false;
    this.handlers.onDrain();
  }

  /** All that was read was delivered, and the answer is not whole. */
  idle(): void {
    if (!this.over) this.handlers.onIdle?.();
  }

  /** The answer is whole. The exchange goes on while the request does. */
  complete(trailers: readonly string[]): void {
    if (this.over) return;
    this.answered = true;
    if (this.ended) this.over = true;
    this.handlers.onEnd(trailers);
  }

  /**
   * After the answer, a lost connection is no failure: the backend had said all, and the rest of the request
   * is dropped.
   */
  fail(error: UpstreamError): void {
    if (this.over) return;
    this.over = true;
    this.#kept = null;
    if (!this.answered) this.handlers.onError(error);
    else if (this.#wantsDrain) this.handlers.onDrain();
  }

  switched(headers: readonly string[], socket: Duplex, firstBytes: Buffer): void {
    this.over = true;
    this.handlers.onUpgrade?.(headers, socket, firstBytes);
  }

  /** A fault of the caller: the backend must not take what was sent for a whole request. */
  #refuse(error: UpstreamError): void {
    this.ended = true;
    this.leave?.();
    this.#carrier?.destroy();
    process.nextTick(() => this.fail(error));
  }
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
const NONE: readonly string[] = [];
