// One request of a visitor, whichever HTTP it came by: `inbound-http1.ts` and `inbound-http2.ts` make it. It
// moves bytes and framing, both ways with back-pressure; what they mean is for others. RFC 9112, RFC 9113,
// RFC 8441.

import type { Duplex } from 'node:stream';
import type { Connection } from './connection.ts';

/** `unknown`: Node's parser lets `HTTP/0.9` and `HTTP/2.0` pass in a request line. */
export type Protocol = 'HTTP/1.0' | 'HTTP/1.1' | 'HTTP/2' | 'unknown';

/** What the visitor sends. One of `onBodyEnd` and `onAbort` is the last call. */
export type BodySink = {
  /** The chunk is the receiver's. False pauses the visitor until `resumeBody()`. */
  onChunk(chunk: Buffer): boolean;
  onBodyEnd(trailers: readonly string[]): void;
  /** The visitor left, or broke the framing, before the body was whole. */
  onAbort(): void;
};

/** Told by an exchange to whoever answers it; the owner sets them. */
export type ExchangeEvents = {
  /** There is room again after `write()` gave false. */
  onDrain: () => void;
  /** Over: `complete` when the whole answer was handed to the visitor's connection. Called once. */
  onClose: (complete: boolean) => void;
};

export interface Exchange {
  readonly protocol: Protocol;
  readonly method: string;
  /** The request target as sent (`:path` in HTTP/2). */
  readonly target: string;
  /** `:authority` in HTTP/2; null when there is none, and always in HTTP/1. */
  readonly authority: string | null;
  /** Flat `[name, value, …]` as sent, without pseudo headers. */
  readonly rawHeaders: readonly string[];
  readonly remoteAddress: string;
  /**
   * The protocol that an upgrade (HTTP/1.1) or an extended CONNECT (HTTP/2) asks for; null for anything else.
   */
  readonly upgrade: string | null;
  /** HTTP/2 alone knows that a request without a length has no body; in HTTP/1 the headers say it. */
  readonly endsWithHead: boolean;
  readonly expectsContinue: boolean;
  readonly connection: Connection;
  /**
   * The visitor's end of the wire where it carries one request at a time (HTTP/1.1); null where many share
   * it.
   */
  readonly ownSocket: Duplex | null;
  readonly events: ExchangeEvents;
  readonly headSent: boolean;
  /** False while bytes of the request body may still come. */
  readonly bodyComplete: boolean;

  readBody(sink: BodySink): void;
  resumeBody(): void;
  /**
   * Nobody wants the body any more: its sink hears no more, and the exchange ends with its answer, whether
   * the rest comes or not. For an answer of the gate's own it is called before `head()`.
   */
  dropBody(): void;
  /** An informational answer; 100 or 103. Nothing happens once the head was sent. */
  inform(status: number, headers: readonly string[]): void;
  /**
   * Headers are flat; hop-by-hop ones are the exchange's own. `closeAfter` ends the connection behind this
   * answer. May wait for what belongs behind it until `flush()`.
   */
  head(head: AnswerHead): void;
  /** False: wait for `onDrain`. The first piece may wait, too. */
  write(chunk: Buffer): boolean;
  /** Nothing follows for now: what waits is sent. */
  flush(): void;
  end(trailers: readonly string[]): void;
  /** Ends the exchange in a way that the visitor cannot take for a whole answer. */
  abort(): void;
  /**
   * Answers the upgrade with the backend's headers, and gives the visitor's end of the new connection,
   * paused.
   */
  switchProtocols(headers: readonly string[]): Duplex;
}

export type AnswerHead = {
  readonly status: number;
  readonly reason: string;
  readonly headers: string[];
  /** False when no body follows: HEAD, 204, 304. */
  readonly hasBody: boolean;
  /** Trailers may come at the end. */
  readonly mayHaveTrailers: boolean;
  readonly closeAfter: boolean;
};

export function noEvents(): ExchangeEvents {
  return { onDrain: nothing, onClose: nothing };
}

function nothing(): void {}
