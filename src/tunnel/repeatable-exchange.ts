// A request that may be sent twice (RFC 9110 section 9.2.1): when its tunnel breaks before a word of an
// answer, it goes once more, through another tunnel if there is one. So an agent that leaves loses no page
// load.

import type { CarriedExchange, CarriedHandlers, CarriedRequest } from './exchange.ts';
import type { TunnelError } from './tunnel-error.ts';

export function isRepeatable(request: CarriedRequest): boolean {
  return request.body === 'none' && request.upgrade === null && SAFE.has(request.method);
}

export class RepeatableExchange implements CarriedExchange, CarriedHandlers {
  readonly #send: (handlers: CarriedHandlers) => CarriedExchange;
  readonly #handlers: CarriedHandlers;
  #current: CarriedExchange;
  #repeatable = true;

  constructor(send: (handlers: CarriedHandlers) => CarriedExchange, handlers: CarriedHandlers) {
    this.#send = send;
    this.#handlers = handlers;
    this.#current = send(this);
  }

  write(chunk: Uint8Array): boolean {
    return this.#current.write(chunk);
  }

  end(trailers?: readonly string[]): void {
    this.#current.end(trailers);
  }

  resume(): void {
    this.#current.resume();
  }

  abort(): void {
    this.#current.abort();
  }

  onInformational(status: number, headers: readonly string[]): void {
    this.#repeatable = false;
    this.#handlers.onInformational(status, headers);
  }

  onHead(status: number, reason: string, headers: readonly string[], ends?: boolean): void {
    this.#repeatable = false;
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

  onError(error: TunnelError): void {
    const again = error.code === 'reset' || (error.code === 'connect_failed' && error.cause === undefined);
    if (!this.#repeatable || !again) return this.#handlers.onError(error);
    this.#repeatable = false;
    this.#current = this.#send(this);
  }

  onDrain(): void {
    this.#handlers.onDrain();
  }
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
