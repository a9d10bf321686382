// The limits of both ends of a tunnel (DESIGN "Tunnel"): what one stream, one tunnel and one process may
// hold, so that neither a slow visitor nor a hostile agent is felt by anybody else.

import type { Settings } from 'node:http2';

/** What both ends announce. */
export const TUNNEL_SETTINGS: Settings = {
  enablePush: false,
  // What a stream that nobody reads may leave in memory.
  initialWindowSize: 256 * 1024,
  // The gate takes 32 KiB of headers from visitors; room for what it adds.
  maxHeaderListSize: 64 * 1024,
};
/** A stream's unread bytes can be no more than its window. */
export const STREAM_WINDOW_BYTES = 256 * 1024;
/**
 * Node gives the connection's window back as bytes arrive, so that it only bounds what is on the wire: a long
 * fat link's worth.
 */
export const CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;
/**
 * Unread bytes that all streams of a tunnel, and all tunnels of a process, may hold; beyond it the largest
 * holders are reset.
 */
export const TUNNEL_UNREAD_BYTES = 64 * 1024 * 1024;
export const PROCESS_UNREAD_BYTES = 512 * 1024 * 1024;
/** Streams at once, whatever more the agent offers. */
export const MAX_STREAMS = 1_000;
/** Headers of a head, as on every hop, and its pseudo headers. */
export const MAX_HEADER_PAIRS = 100 + 5;
export const MAX_INFORMATIONAL = 8;
/**
 * Stream numbers end at 2^31 (RFC 9113 section 5.1.1). From half of them on the agent is asked for a new
 * connection: days to get it.
 */
export const WORN_STREAM_ID = 2 ** 30;
/** The connection takes no requests any more: as many are left as are never asked by mistake. */
export const LAST_STREAM_ID = 2 ** 31 - 2 ** 20;
/** Node's own bound on a connection, in MB (10 unless said): what a thousand streams have queued must fit. */
export const SESSION_MEMORY_MB = 128;
