// One request and its answer by HTTP/2, whichever connection carries them: kept while it waits for one, and
// sent once more when the backend said that it did not act on it and nothing of its body left. It never
// chooses a connection.
//
//   waiting (queue; writes are kept) → carried by a stream → over
//                     ↑──── refused ──────────┘

import { writeLastChunk, writeRequestHead } from './request-head.ts';
import type { UpstreamError } from './upstream-error.ts';
import type {
  UpstreamExchange,
  UpstreamHandlers,
  UpstreamOrigin,
  UpstreamRequest,
} from './upstream-request.ts';

export class Http2Exchange implements UpstreamExchange, UpstreamHandlers {
  readonly origin: UpstreamOrigin;
  readonly request: UpstreamRequest;
  /** Set by the pool while it waits: takes it out of the queue. */
  leave: (() => void) | null = null;
  /** When the wait in the queue ends, on the clock of `performance.now()`. */
  waitUntil = 0;
  readonly #handlers: UpstreamHandlers;
  readonly #again: (exchange: Http2Exchange) => void;
  #stream: UpstreamExchange | null = null;
  #isRefused: () => boolean = no;
  #kept: Uint8Array[] = [];
  #trailers: readonly string[] | null = null;
  #over = false;
  /** Nothing of an answer came, and nothing of the body left. */
  #mayRepeat = true;

  /** Throws `request_refused`. `again` looks for a connection once more. */
  constructor(
    origin: UpstreamOrigin,
    request: UpstreamRequest,
    {
      handlers,
      again,
    }: { readonly handlers: UpstreamHandlers; readonly again: (exchange: Http2Exchange) => void },
  ) {
    // What HTTP/1.1 would not write goes by no other protocol either: HTTP/2 itself would carry line breaks.
    writeRequestHead(request);
    this.origin = origin;
    this.request = request;
    this.#handlers = handlers;
    this.#again = again;
  }

  carriedBy(stream: UpstreamExchange, isRefused: () => boolean): void {
    this.#stream = stream;
    this.#isRefused = isRefused;
    this.leave = null;
    const kept = this.#kept;
    this.#kept = [];
    let room = true;
    for (const chunk of kept) room = this.#send(stream, chunk);
    if (this.#trailers !== null) stream.end(this.#trailers);
    else if (kept.length > 0 && room) this.#handlers.onDrain();
  }

  write(chunk: Uint8Array): boolean {
    if (this.#over) return true;
    if (this.#stream !== null) return this.#send(this.#stream, chunk);
    this.#kept.push(chunk);
    return false;
  }

  end(trailers: readonly string[] = NONE): void {
    if (this.#over || this.#trailers !== null) return;
    try {
      writeLastChunk(trailers);
    } catch (error) {
      this.abortedBy(error as UpstreamError);
      return;
    }
    this.#trailers = trailers;
    this.#stream?.end(trailers);
  }

  resume(): void {
    this.#stream?.resume();
  }

  abort(): void {
    if (this.#over) return;
    this.#over = true;
    this.#kept = [];
    this.leave?.();
    this.#stream?.abort();
  }

  /** No connection carries it, or its caller erred. */
  abortedBy(error: UpstreamError): void {
    if (this.#over) return;
    this.abort();
    process.nextTick(() => this.#handlers.onError(error));
  }

  onInformational(status: number, headers: readonly string[]): void {
    this.#mayRepeat = false;
    this.#handlers.onInformational(status, headers);
  }

  onHead(status: number, reason: string, headers: readonly string[], ends?: boolean): void {
    this.#mayRepeat = false;
    this.#handlers.onHead(status, reason, headers, ends);
  }

  onData(chunk: Buffer): boolean {
    return this.#handlers.onData(chunk);
  }

  onIdle(): void {
    this.#handlers.onIdle?.();
  }

  onEnd(trailers: readonly string[]): void {
    this.#handlers.onEnd(trailers);
  }

  onDrain(): void {
    this.#handlers.onDrain();
  }

  onError(error: UpstreamError): void {
    if (this.#over) return;
    if (this.#mayRepeat && this.#isRefused()) {
      this.#mayRepeat = false;
      this.#stream = null;
      this.#again(this);
      return;
    }
    this.#over = true;
    this.#handlers.onError(error);
  }

  #send(stream: UpstreamExchange, chunk: Uint8Array): boolean {
    this.#mayRepeat = false;
    return stream.write(chunk);
  }
}

function no(): boolean {
  return false;
}

const NONE: readonly string[] = [];
