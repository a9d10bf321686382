// What connections by HTTP/2 to one backend may hold, and for how long (DESIGN "HTTP/2 to backends").

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
