// A request at a share as whoever watches the share is told of it when it is over (or became a WebSocket). It
// is kept nowhere. It holds no query, header or body: people put secrets there, and whoever may see a share
// need not know them.

import type { ShareId } from './id.ts';

export type ShareRequest = {
  /** As in the log, on pages, and in X-Request-Id. */
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  /** Without query. Of bounded length, as are method and `who`. */
  readonly path: string;
  /** Null when the visitor left before an answer began. */
  readonly status: number | null;
  /** Let in for a proxy, which forwards it: what the app answers is not known here. */
  readonly authorized: boolean;
  readonly durationMs: number;
  /**
   * The email address, the subject of the client certificate, or the name of the service token; null for
   * whoever showed none.
   */
  readonly who: string | null;
  /** A stable code of why it was not forwarded, or was cut off. */
  readonly reason: string | null;
  /** The answer broke off, or the visitor left. */
  readonly aborted: boolean;
  readonly address: string;
};

/** In the order in which they ended. */
export type RequestBatch = {
  readonly shareId: ShareId;
  readonly requests: readonly ShareRequest[];
  /** How many more there were: too many to tell one by one. */
  readonly skipped: number;
};
