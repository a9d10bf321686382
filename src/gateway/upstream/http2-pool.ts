// Which HTTP/2 connection carries which exchange: the emptiest one that has room, else one more up to a limit
// for each backend, else a short queue. It never reads or writes a byte.

import { UnreadBudget, type UnreadLimits } from './unread.ts';
import { Http2Connection, type Http2Owner } from './http2-connection.ts';
import { Http2Exchange } from './http2-exchange.ts';
import { HTTP2_LIMITS, type Http2Limits } from './http2-limits.ts';
import { UpstreamError } from './upstream-error.ts';
import type {
  UpstreamExchange,
  UpstreamHandlers,
  UpstreamOrigin,
  UpstreamRequest,
} from './upstream-request.ts';

type Backend = {
  readonly origin: UpstreamOrigin;
  /** Dialled or up. */
  readonly connections: Set<Http2Connection>;
  readonly waiting: Http2Exchange[];
  dialling: Http2Connection | null;
};

export class Http2Pool implements Http2Owner {
  readonly #backends = new Map<string, Backend>();
  readonly #limits: Http2Limits;
  readonly #budget: UnreadBudget;
  #closing = false;
  #sweeper: NodeJS.Timeout | null = null;

  constructor(limits: Partial<Http2Limits> = {}, unread: Partial<UnreadLimits> = {}) {
    this.#limits = { ...HTTP2_LIMITS, ...limits };
    this.#budget = new UnreadBudget(unread);
  }

  /** As `Upstream.exchange`. */
  exchange(origin: UpstreamOrigin, request: UpstreamRequest, handlers: UpstreamHandlers): UpstreamExchange {
    const exchange = new Http2Exchange(origin, request, { handlers, again: (again) => this.#start(again) });
    this.#start(exchange);
    return exchange;
  }

  counts(): { readonly active: number; readonly idle: number; readonly waiting: number } {
    let [active, idle, waiting] = [0, 0, 0];
    for (const backend of this.#backends.values()) {
      waiting += backend.waiting.length;
      for (const connection of backend.connections)
        if (connection.open > 0 || connection === backend.dialling) active += 1;
        else idle += 1;
    }
    return { active, idle, waiting };
  }

  close(): void {
    this.#closing = true;
    for (const { connections } of this.#backends.values())
      for (const connection of connections) if (connection.open === 0) connection.leave();
  }

  onRoom(connection: Http2Connection): void {
    const backend = this.#backends.get(connection.key);
    if (backend === undefined) return;
    if (backend.dialling === connection) backend.dialling = null;
    for (;;) {
      const [next] = backend.waiting;
      if (next === undefined || connection.room <= 0) break;
      unqueue(backend, next);
      this.#carry(connection, next);
    }
    if (this.#closing && connection.open === 0) connection.leave();
    this.#dial(backend);
  }

  onLeft(connection: Http2Connection, error: UpstreamError): void {
    const backend = this.#backends.get(connection.key);
    if (backend === undefined) return;
    backend.connections.delete(connection);
    if (backend.dialling === connection) backend.dialling = null;
    // One that served nobody would be followed by others like it, for as long as somebody waits.
    if (connection.carried > 0) this.#dial(backend);
    else if (backend.connections.size === 0)
      for (const exchange of backend.waiting.splice(0)) exchange.abortedBy(error);
    if (backend.connections.size === 0 && backend.waiting.length === 0) this.#backends.delete(connection.key);
  }

  #start(exchange: Http2Exchange): void {
    const backend = this.#backendOf(exchange.origin);
    const connection = emptiest(backend.connections);
    if (connection !== null) return this.#carry(connection, exchange);
    if (backend.waiting.length >= this.#limits.waitingPerBackend)
      return exchange.abortedBy(busy('the queue is full'));
    exchange.waitUntil = performance.now() + this.#limits.waitMs;
    exchange.leave = () => unqueue(backend, exchange);
    backend.waiting.push(exchange);
    this.#sweepLater();
    this.#dial(backend);
  }

  #carry(connection: Http2Connection, exchange: Http2Exchange): void {
    try {
      // One that opened no stream has left: each turn has a connection less to choose from.
      if (!connection.carry(exchange)) this.#start(exchange);
      else this.#sweepLater();
    } catch (cause) {
      exchange.abortedBy(new UpstreamError('protocol', 'Cannot send a request by HTTP/2', cause));
    }
  }

  /** One at a time: the first settings tell how many it carries. */
  #dial(backend: Backend): void {
    const { connections, waiting, dialling } = backend;
    if (waiting.length === 0 || dialling !== null) return;
    if (connections.size >= this.#limits.connectionsPerBackend) return;
    // A backend that takes no streams now takes them on no other connection.
    for (const { offered } of connections) if (offered === 0) return;
    backend.dialling = new Http2Connection(backend.origin, this, {
      limits: this.#limits,
      budget: this.#budget,
    });
    connections.add(backend.dialling);
  }

  #backendOf(origin: UpstreamOrigin): Backend {
    let backend = this.#backends.get(origin.key);
    if (backend === undefined) {
      backend = { origin, connections: new Set(), waiting: [], dialling: null };
      this.#backends.set(origin.key, backend);
    }
    return backend;
  }

  #sweepLater(): void {
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  #sweep(): void {
    const now = performance.now();
    let idle = 0;
    for (const backend of this.#backends.values()) {
      for (const connection of backend.connections) {
        connection.look(now);
        if (connection.open > 0 || connection === backend.dialling) continue;
        idle += 1;
        if (now - connection.idleSince >= this.#limits.idleMs || idle > this.#limits.idleInAll)
          connection.leave();
      }
      for (const exchange of backend.waiting.filter(({ waitUntil }) => waitUntil <= now)) {
        unqueue(backend, exchange);
        exchange.abortedBy(busy('the wait for room on a connection took too long'));
      }
    }
    if (this.#backends.size > 0 || this.#sweeper === null) return;
    clearInterval(this.#sweeper);
    this.#sweeper = null;
  }
}

function emptiest(connections: Iterable<Http2Connection>): Http2Connection | null {
  let best: Http2Connection | null = null;
  for (const connection of connections)
    if (connection.room > 0 && (best === null || connection.open < best.open)) best = connection;
  return best;
}

function unqueue({ waiting }: Backend, exchange: Http2Exchange): void {
  const at = waiting.indexOf(exchange);
  if (at !== -1) waiting.splice(at, 1);
  exchange.leave = null;
}

function busy(found: string): UpstreamError {
  return new UpstreamError('busy', `Cannot reach the backend: ${found}`);
}

const SWEEP_MS = 1_000;
