// One request and its answer as the edge carries them: the shapes of the upstream client's
// (`gateway/upstream/upstream.ts`), so that whoever forwards a request need not know which way it goes.

import type { Duplex } from 'node:stream';
import type { TunnelError } from './tunnel-error.ts';

export type CarriedRequest = {
  readonly method: string;
  readonly target: string;
  /** Flat, `Host` among them; no framing and no hop-by-hop headers. */
  readonly headers: readonly string[];
  /** More headers, behind those: who the visitor is. */
  readonly written?: { readonly headers: readonly string[] } | null;
  readonly body: 'none' | 'chunked' | { readonly length: number };
  readonly trailersAllowed: boolean;
  /** `websocket`, or null. */
  readonly upgrade: string | null;
};

/**
 * Called in this order: `onInformational`*, then `onHead`, `onData`*, `onEnd`, or `onUpgrade`; `onError`
 * instead of any, once.
 */
export type CarriedHandlers = {
  onInformational(status: number, headers: readonly string[]): void;
  /** `ends`: nothing follows, not even a body of no bytes. */
  onHead(status: number, reason: string, headers: readonly string[], ends?: boolean): void;
  /** False pauses the answer until `resume()`. */
  onData(chunk: Buffer): boolean;
  /** What came so far is all there is for now. */
  onIdle?(): void;
  onEnd(trailers: readonly string[]): void;
  onError(error: TunnelError): void;
  onUpgrade?(headers: readonly string[], socket: Duplex, firstBytes: Buffer): void;
  onDrain(): void;
};

export type CarriedExchange = {
  /** False: wait for `onDrain`. */
  write(chunk: Uint8Array): boolean;
  end(trailers?: readonly string[]): void;
  resume(): void;
  /** No handler is called any more. */
  abort(): void;
};
