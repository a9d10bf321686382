// The gateway's client towards backends: its own HTTP/1.1 (RFC 9112), keep-alive, streaming both ways,
// strict in what it accepts; and HTTP/2 (RFC 9113) where the origin speaks it. It never decides what is
// forwarded: header rules, timeouts after the connection and error pages are the caller's. It alone writes
// the framing: Content-Length, Transfer-Encoding, Connection, Upgrade, TE.

import { Exchange } from './exchange.ts';
import { Http2Pool } from './http2-pool.ts';
import type { Http2Limits } from './http2-limits.ts';
import { Pool, POOL_LIMITS, type PoolLimits } from './pool.ts';
import type {
  UpstreamExchange,
  UpstreamHandlers,
  UpstreamOrigin,
  UpstreamRequest,
} from './upstream-request.ts';
import type { UpstreamError } from './upstream-error.ts';
import type { UnreadLimits } from './unread.ts';

export type Upstream = {
  /**
   * Starts one exchange, on an idle connection if there is one. A bodiless GET, HEAD, OPTIONS or TRACE that
   * finds such a connection closed before any byte of an answer is sent once more on a new one; by HTTP/2
   * whatever the backend said it did not act on, unless some of its body left. Throws
   * `UpstreamError` `request_refused` for a request that cannot be written; all else comes by `onError`.
   */
  exchange(origin: UpstreamOrigin, request: UpstreamRequest, handlers: UpstreamHandlers): UpstreamExchange;
  counts(): { readonly active: number; readonly idle: number; readonly waiting: number };
  /** What `UpstreamOrigin.keeps()` says of connections under this key changed. */
  prune(key: string): void;
  /** Closes what is idle and keeps nothing from now on. Exchanges under way, and new ones, are served. */
  close(): void;
};

export type UpstreamOptions = {
  /**
   * Told of connections closed for what the backend sent outside of any exchange (surplus bytes, data while
   * idle).
   */
  readonly onConnectionFault?: (key: string, error: UpstreamError) => void;
  /** Where they differ from `POOL_LIMITS`. */
  readonly limits?: Partial<PoolLimits>;
  /** Where they differ from `HTTP2_LIMITS`. */
  readonly http2Limits?: Partial<Http2Limits>;
  /** What answers by HTTP/2 that nobody has read yet may hold. */
  readonly unread?: Partial<UnreadLimits>;
};

/** One for each worker. See `Upstream`. */
export function createUpstream(options: UpstreamOptions = {}): Upstream {
  const pool = new Pool(options.onConnectionFault ?? (() => {}), { ...POOL_LIMITS, ...options.limits });
  const http2 = new Http2Pool(options.http2Limits, options.unread);
  return {
    exchange(origin, request, handlers) {
      if (origin.http2 !== undefined) return http2.exchange(origin, request, handlers);
      const exchange = new Exchange(origin, request, handlers);
      pool.start(exchange);
      return exchange;
    },
    counts: () => {
      const [one, two] = [pool.counts(), http2.counts()];
      return {
        active: one.active + two.active,
        idle: one.idle + two.idle,
        waiting: one.waiting + two.waiting,
      };
    },
    prune: (key) => pool.prune(key),
    close: () => {
      pool.close();
      http2.close();
    },
  };
}
