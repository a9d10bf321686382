// What the load process is asked to do, and what it found. Plain data: it crosses a process boundary.

/**
 * Where requests go. `request` is a whole HTTP/1.1 head; connection `n` sends
 * `requests[n % requests.length]`.
 */
export type Target = { readonly port: number; readonly requests: readonly string[] };

export type Job =
  /**
   * `connections` clients, each with one request under way, until `count` answers came or `limitMs` is over.
   */
  | (Target & {
      readonly kind: 'http1';
      readonly connections: number;
      readonly count: number;
      readonly limitMs: number;
      /** Each request is the next of `requests`, whichever connection sends it. */
      readonly inTurn?: boolean;
    })
  /** The same by HTTP/2 over TLS, on four connections. */
  | {
      readonly kind: 'http2';
      readonly url: string;
      /** The host as visitors write it. */
      readonly authority: string;
      readonly cookies: readonly string[];
      readonly ca: string;
      readonly streams: number;
      readonly count: number;
      readonly limitMs: number;
    }
  /** New connections, each a TLS handshake, `request` (which says `Connection: close`) and its answer. */
  | {
      readonly kind: 'handshakes';
      readonly port: number;
      readonly servername: string;
      readonly request: string;
      readonly ca: string;
      /** The client's; null for none. */
      readonly pair: { readonly certificate: string; readonly key: string } | null;
      readonly connections: number;
      readonly count: number;
      readonly limitMs: number;
    }
  /** `perSecond` requests whether or not answers come, for `durationMs`. */
  | (Target & {
      readonly kind: 'paced';
      readonly connections: number;
      readonly perSecond: number;
      readonly durationMs: number;
    })
  /** One answer of any length. */
  | (Target & { readonly kind: 'download' })
  /** Opens `count` upgrades, answers, and holds them until the process is ended. */
  | (Target & { readonly kind: 'sockets'; readonly count: number });

export type Found = {
  readonly answers: number;
  /** Answers other than 200 (101 for upgrades), and connections that broke. */
  readonly failures: number;
  readonly ms: number;
  readonly bytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

export function foundOf(latencies: readonly number[], rest: Pick<Found, 'failures' | 'ms' | 'bytes'>): Found {
  const sorted = Float64Array.from(latencies).toSorted();
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { answers: sorted.length, ...rest, p50Ms: at(0.5), p99Ms: at(0.99) };
}
