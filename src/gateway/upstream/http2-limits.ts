// What connections by HTTP/2 to one backend may hold, and for how long (DESIGN "HTTP/2 to backends").

import type { Settings } from 'node:http2';

/** A stream's unread bytes can be no more than its window. */
export const STREAM_WINDOW_BYTES = 256 * 1024;
/** What the client announces. */
export const HTTP2_SETTINGS: Settings = {
  enablePush: false,
  // What a stream that nobody reads may leave in memory.
  initialWindowSize: STREAM_WINDOW_BYTES,
  // The gate takes 32 KiB of headers from visitors; room for what it adds.
  maxHeaderListSize: 64 * 1024,
};
/**
 * Node gives the connection's window back as bytes arrive, so that it only bounds what is on the wire: a long
 * fat link's worth.
 */
export const CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;
/**
 * Unread bytes that all streams of a connection, and all connections of a process, may hold; beyond it the
 * largest holders are reset.
 */
export const CONNECTION_UNREAD_BYTES = 64 * 1024 * 1024;
export const PROCESS_UNREAD_BYTES = 512 * 1024 * 1024;
/** Streams at once, whatever more the backend offers. */
export const MAX_STREAMS = 1_000;
export const MAX_INFORMATIONAL = 8;
/**
 * Stream numbers end at 2^31 (RFC 9113 section 5.1.1). Before that, the connection takes no requests any
 * more: as many are left as are never asked by mistake.
 */
export const LAST_STREAM_ID = 2 ** 31 - 2 ** 20;
/** Node's own bound on a connection, in MB (10 unless said): what a thousand streams have queued must fit. */
export const SESSION_MEMORY_MB = 128;

export type Http2Limits = {
  /** Connections to one backend, dialled or up. */
  readonly connectionsPerBackend: number;
  /** How long a connection is kept without an exchange. */
  readonly idleMs: number;
  /** Idle connections to all backends. */
  readonly idleInAll: number;
  /** For the backend's first settings. */
  readonly readyMs: number;
  /** Exchanges that wait for one backend's connections, and for how long. */
  readonly waitingPerBackend: number;
  readonly waitMs: number;
  /** How long a backend may say nothing while somebody waits, how often it is asked then, for an answer. */
  readonly silentMs: number;
  readonly askEveryMs: number;
  readonly answerMs: number;
};

export const HTTP2_LIMITS: Http2Limits = {
  // Servers offer a hundred streams or more on each: as many exchanges as HTTP/1.1 has connections.
  connectionsPerBackend: 64,
  // gRPC servers and their balancers keep theirs for minutes; one that they close is told in time.
  idleMs: 60_000,
  idleInAll: 1_024,
  readyMs: 10_000,
  // As for HTTP/1.1 (`pool.ts`).
  waitingPerBackend: 1_024,
  waitMs: 10_000,
  silentMs: 20_000,
  // gRPC servers end a connection that asks more often than every five minutes.
  askEveryMs: 310_000,
  answerMs: 10_000,
};
