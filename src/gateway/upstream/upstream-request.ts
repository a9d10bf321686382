// What is asked of the client for backends, and what it tells of each request: where it goes, what it says,
// and the answer piece by piece.

import type { EventEmitter } from 'node:events';
import type { OnReadOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WrittenFields } from './written-fields.ts';
import type { UpstreamError } from './upstream-error.ts';

/**
 * Where requests go. Connections are shared between requests of equal `key` only: put into it all that `dial`
 * depends on.
 */
export type UpstreamOrigin = {
  readonly key: string;
  /**
   * Opens one connection: `(options) => net.connect({ host, port, ...options })`,
   * `tls.connect({ …, ...options })`, or any connected Duplex. Nothing is written before `connect`
   * (`secureConnect` for TLS). What it throws or rejects with becomes the `cause` of `connect_failed`.
   * Spreading `options` is optional, and saves a copy of each read. `isWanted`: somebody still waits for it.
   */
  readonly dial: (options: DialOptions, isWanted: () => boolean) => Duplex | Promise<Duplex>;
  /** Whether a connection may carry another request; any may unless said. See `Upstream.prune()`. */
  readonly keeps?: (socket: Duplex) => boolean;
  /** The head of a request as it is to be written on this connection; as it is unless said. */
  readonly headOn?: (socket: Duplex, head: string) => string;
  /**
   * Whether a connection that ended was ended by the backend, whose answer has no other end; so it is unless
   * said.
   */
  readonly endedWell?: (socket: Duplex) => Promise<boolean>;
  /**
   * Its connections are an agent's. They take their time, so that a request that waits for one takes any that
   * is free before; and a new one may break for another reason than the backend's, so that what is safe to
   * repeat goes once more then, too.
   */
  readonly byAgent?: boolean;
  /** That what is dialled speaks HTTP/2, and the scheme of its addresses; HTTP/1.1 unless said. */
  readonly http2?: 'http' | 'https';
};

export type DialOptions = { readonly onread?: OnReadOpts };

export type UpstreamRequest = {
  /** A token (RFC 9110 section 9.1); CONNECT is refused. */
  readonly method: string;
  /** Written byte for byte, as latin1. */
  readonly target: string;
  /**
   * Flat `[name, value, …]`, latin1, written in order; `Host` (exactly one) and `Expect` among them. Refused:
   * CR, LF, NUL anywhere, and the names that the client owns: Connection, Content-Length, Keep-Alive,
   * Proxy-Connection, TE, Transfer-Encoding, Upgrade.
   */
  readonly headers: readonly string[];
  /** Written behind `headers`; no `Host` is among them. */
  readonly written?: WrittenFields | null;
  /** `none`: no body and no framing header. A length: Content-Length. `chunked`: Transfer-Encoding. */
  readonly body: 'none' | 'chunked' | { readonly length: number };
  /** Tells the backend `TE: trailers`. Response trailers are delivered in either case. */
  readonly trailersAllowed: boolean;
  /**
   * The protocol to switch to (`websocket`), or null. Such a request has a connection of its own and no body.
   */
  readonly upgrade: string | null;
  /**
   * Whose request it is: the visitor's own connection, told by its `close`, and their name. A connection that
   * a backend logs in (NTLM, Negotiate) serves that visitor alone from then on; where there is none, it is
   * closed.
   */
  readonly visitor?: EventEmitter | null;
  readonly visitorName?: string;
};

/**
 * Called in this order: `onInformational`*, then `onHead`, `onData`*, `onEnd`, or `onUpgrade`; `onIdle` in
 * between. `onError` may come instead of any of them, is called once and ends the exchange. Never called
 * before `exchange()` has returned, nor after `abort()`.
 */
export type UpstreamHandlers = {
  /** 100, 102–199, at most 8. `headers` is flat, latin1, order and case kept. */
  onInformational(status: number, headers: readonly string[]): void;
  /**
   * The final answer. `headers` holds all that the backend sent, hop-by-hop headers included; the caller
   * drops those, and Content-Length where the status allows none (204). A status of 200–599.
   * `ends` tells of a head of HTTP/2 behind which nothing follows, not even a body of no bytes.
   */
  onHead(status: number, reason: string, headers: readonly string[], ends?: boolean): void;
  /**
   * The receiver may keep `chunk`. False pauses the backend until `resume()`; what was read already (≤ 64
   * KiB) still comes.
   */
  onData(chunk: Buffer): boolean;
  /**
   * Head or body were delivered, and the rest of the answer was not there to be read: what was gathered to
   * leave in one piece should leave now.
   */
  onIdle?(): void;
  /**
   * The answer is whole. `trailers` is flat and mostly empty. A request that is still being written may go on
   * until `end()`.
   */
  onEnd(trailers: readonly string[]): void;
  onError(error: UpstreamError): void;
  /**
   * Answer 101 to `upgrade`, for the same protocol. The socket is paused and the receiver's; `firstBytes`
   * came behind the head.
   */
  onUpgrade?(headers: readonly string[], socket: Duplex, firstBytes: Buffer): void;
  /**
   * After `write()` gave false: there is room again, or nobody needs the rest (the answer ended and the
   * backend left).
   */
  onDrain(): void;
};

export type UpstreamExchange = {
  /**
   * One piece of the request body, not copied: leave it alone afterwards. False: wait for `onDrain`. Early
   * answers don't stop it; once the exchange is over it does nothing and gives true.
   */
  write(chunk: Uint8Array): boolean;
  /**
   * Ends the request; needed for bodies only (harmless otherwise). `trailers` is flat and goes with `chunked`
   * alone.
   */
  end(trailers?: readonly string[]): void;
  /** After `onData` gave false. */
  resume(): void;
  /**
   * Closes the connection (or leaves the queue). No handler is called any more. Harmless when the exchange is
   * over.
   */
  abort(): void;
};
