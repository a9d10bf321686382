// Which connection carries which exchange: idle ones last in first out, new ones up to a limit for each
// backend, a short queue beyond it. One that was logged in serves its visitor alone. It never reads or writes
// a byte.

import type { EventEmitter } from 'node:events';
import { Connection, type ConnectionOwner } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { UpstreamError } from './upstream-error.ts';

export type PoolLimits = {
  /** How long a connection is kept without use. */
  readonly idleMs: number;
  /** The same, of one that serves a single visitor. */
  readonly heldMs: number;
  /** Idle connections, for one backend and for all. */
  readonly idlePerBackend: number;
  readonly idleInAll: number;
  /** The same, of those that serve a single visitor. Beyond it they leave whose visitor has the most. */
  readonly heldPerBackend: number;
  readonly heldInAll: number;
  /** Connections for one backend: dialled, in use or idle. Those handed over by an upgrade don't count. */
  readonly connectionsPerBackend: number;
  /** Exchanges that wait for one backend's connections, and for how long. */
  readonly waitingPerBackend: number;
  readonly waitMs: number;
};

export const POOL_LIMITS: PoolLimits = {
  // Shorter than the 5 s after which common servers hang up, so that requests rarely meet a connection that
  // is just closing.
  idleMs: 4_000,
  // As long as the visitor's own connection is kept: a new one costs them a login.
  heldMs: 75_000,
  // As many as one busy share has at a time; more only hold memory.
  idlePerBackend: 256,
  // Each holds a descriptor and a read buffer.
  idleInAll: 1_024,
  heldPerBackend: 256,
  heldInAll: 1_024,
  // Room for thousands of open streams, and well below the 28,000 local ports that one address gives.
  connectionsPerBackend: 4_096,
  // Beyond it waiting is hopeless: better to say so at once.
  waitingPerBackend: 1_024,
  // Visitors who wait longer have given up.
  waitMs: 10_000,
};

type Backend = {
  readonly idle: Connection[];
  /** Idle, too, by the only visitor whom each serves; the one held longest first. */
  readonly held: Map<EventEmitter, Connection>;
  readonly waiting: Exchange[];
  /** Those that dial, and may give up for whom; others may be among them. */
  readonly dialling: Set<Connection>;
  open: number;
};

export class Pool implements ConnectionOwner {
  readonly #backends = new Map<string, Backend>();
  readonly #report: (key: string, error: UpstreamError) => void;
  readonly #limits: PoolLimits;
  #idle = 0;
  #held = 0;
  #open = 0;
  #waiting = 0;
  #closing = false;
  #sweeping = false;

  constructor(report: (key: string, error: UpstreamError) => void, limits: PoolLimits) {
    this.#report = report;
    this.#limits = limits;
  }

  start(exchange: Exchange): void {
    const connection = exchange.upgrade === null ? this.#take(exchange) : null;
    if (connection !== null) return connection.start(exchange);
    const backend = this.#backend(exchange.origin.key);
    if (backend.open < this.#limits.connectionsPerBackend || this.#makeRoom(backend)) this.#dial(exchange);
    else this.#enqueue(backend, exchange);
  }

  counts(): { readonly active: number; readonly idle: number; readonly waiting: number } {
    return {
      active: this.#open - this.#idle - this.#held,
      idle: this.#idle + this.#held,
      waiting: this.#waiting,
    };
  }

  close(): void {
    this.#closing = true;
    for (const { idle, held } of this.#backends.values())
      for (const connection of [...idle, ...held.values()]) connection.destroy();
  }

  /** What waits idle and is not to be kept any more, by its origin, is closed. */
  prune(key: string): void {
    const backend = this.#backends.get(key);
    if (backend === undefined) return;
    for (const connection of [...backend.idle, ...backend.held.values()])
      if (!connection.kept) connection.destroy();
  }

  onReleased(connection: Connection): void {
    const backend = this.#backend(connection.key);
    const next = backend.waiting[0];
    if (connection.holder !== null) return this.#hold(backend, connection, connection.holder);
    if (next !== undefined && next.upgrade === null) {
      this.#unqueue(backend, next);
      return connection.start(next);
    }
    const dialledFor = next === undefined ? surrenderedBy(backend.dialling) : null;
    if (dialledFor !== null) return connection.start(dialledFor);
    const { idleMs, idlePerBackend } = this.#limits;
    const isFull = backend.idle.length >= idlePerBackend || this.#idle >= this.#limits.idleInAll;
    const keepMs = isFull || !connection.kept ? 0 : this.#keepMs(connection, idleMs);
    if (next !== undefined || keepMs <= 0) return connection.destroy();
    backend.idle.push(connection);
    this.#idle += 1;
    this.#rest(connection, keepMs);
  }

  onClosed(connection: Connection, again: Exchange | null): void {
    const backend = this.#backend(connection.key);
    const at = backend.idle.indexOf(connection);
    if (at !== -1) {
      backend.idle.splice(at, 1);
      this.#idle -= 1;
    }
    const { holder } = connection;
    if (holder !== null && backend.held.get(holder) === connection) this.#unhold(backend, holder);
    backend.dialling.delete(connection);
    backend.open -= 1;
    this.#open -= 1;
    if (again !== null) {
      again.retry();
      this.#dial(again);
    }
    const next = backend.waiting[0];
    if (next !== undefined && backend.open < this.#limits.connectionsPerBackend) {
      this.#unqueue(backend, next);
      this.#dial(next);
    }
    if (backend.open === 0 && backend.waiting.length === 0) this.#backends.delete(connection.key);
  }

  onFault(connection: Connection, error: UpstreamError): void {
    this.#report(connection.key, error);
  }

  #keepMs(connection: Connection, mostMs: number): number {
    if (this.#closing) return 0;
    return connection.idleLimitMs === null
      ? mostMs
      : Math.min(mostMs, connection.idleLimitMs - IDLE_MARGIN_MS);
  }

  #rest(connection: Connection, keepMs: number): void {
    connection.idleUntil = performance.now() + keepMs;
    this.#sweepLater();
  }

  /** Until the visitor asks again, or leaves; others who wait need the place more. */
  #hold(backend: Backend, connection: Connection, holder: EventEmitter): void {
    const keepMs = this.#keepMs(connection, this.#limits.heldMs);
    const isGone = (holder as { destroyed?: boolean }).destroyed === true;
    if (isGone || keepMs <= 0 || backend.waiting.length > 0 || backend.held.has(holder))
      return connection.destroy();
    this.#makeHoldRoom(backend);
    backend.held.set(holder, connection);
    this.#held += 1;
    connection.endWith(holder);
    this.#rest(connection, keepMs);
  }

  /** Whoever holds connections without end loses their own: no other visitor, and no other backend, does. */
  #makeHoldRoom(backend: Backend): void {
    const { heldPerBackend, heldInAll } = this.#limits;
    if (backend.held.size >= heldPerBackend) oldestOfMost(backend.held.values())?.destroy();
    else if (this.#held >= heldInAll) {
      const [most] = [...this.#backends.values()].toSorted((a, b) => b.held.size - a.held.size);
      oldestOfMost(most?.held.values() ?? [])?.destroy();
    }
  }

  #unhold(backend: Backend, holder: EventEmitter): void {
    backend.held.delete(holder);
    this.#held -= 1;
  }

  #backend(key: string): Backend {
    let backend = this.#backends.get(key);
    if (backend === undefined)
      this.#backends.set(
        key,
        (backend = { idle: [], held: new Map(), waiting: [], dialling: new Set(), open: 0 }),
      );
    return backend;
  }

  #dial(exchange: Exchange): void {
    const backend = this.#backend(exchange.origin.key);
    backend.open += 1;
    this.#open += 1;
    const connection = new Connection(exchange, this);
    if (exchange.origin.byAgent === true && exchange.upgrade === null) backend.dialling.add(connection);
  }

  #take(exchange: Exchange): Connection | null {
    const backend = this.#backends.get(exchange.origin.key);
    if (backend === undefined) return null;
    if (backend.held.size > 0 && exchange.visitor !== null) {
      const held = this.#takeHeld(backend, exchange.visitor, exchange.visitorName);
      if (held !== null) return held;
    }
    return this.#takeIdle(backend);
  }

  /** A visitor who goes by another name now, on the same connection, is somebody else. */
  #takeHeld(backend: Backend, visitor: EventEmitter, name: string): Connection | null {
    const connection = backend.held.get(visitor);
    if (connection === undefined) return null;
    if (connection.holderName === name && connection.usable && connection.idleUntil > performance.now()) {
      this.#unhold(backend, visitor);
      connection.holdProcess(true);
      return connection;
    }
    connection.destroy();
    return null;
  }

  /** The one used last: the others get a chance to grow old. */
  #takeIdle(backend: Backend): Connection | null {
    for (;;) {
      const connection = backend.idle.pop();
      if (connection === undefined) return null;
      this.#idle -= 1;
      if (connection.usable && connection.idleUntil > performance.now()) {
        connection.holdProcess(true);
        return connection;
      }
      connection.destroy();
    }
  }

  /** An exchange that needs a new connection takes the place of an idle one. */
  #makeRoom(backend: Backend): boolean {
    const [oldest = backend.held.values().next().value] = backend.idle;
    oldest?.destroy();
    return backend.open < this.#limits.connectionsPerBackend;
  }

  #enqueue(backend: Backend, exchange: Exchange): void {
    if (backend.waiting.length >= this.#limits.waitingPerBackend) {
      process.nextTick(() => exchange.fail(busy('the queue is full')));
      return;
    }
    exchange.waitUntil = performance.now() + this.#limits.waitMs;
    exchange.leave = () => this.#unqueue(backend, exchange);
    backend.waiting.push(exchange);
    this.#waiting += 1;
    this.#sweepLater();
  }

  #unqueue(backend: Backend, exchange: Exchange): void {
    const at = backend.waiting.indexOf(exchange);
    if (at === -1) return;
    backend.waiting.splice(at, 1);
    exchange.leave = null;
    this.#waiting -= 1;
  }

  #sweepLater(): void {
    if (this.#sweeping) return;
    this.#sweeping = true;
    setTimeout(() => this.#sweep(), SWEEP_MS).unref();
  }

  #sweep(): void {
    this.#sweeping = false;
    const now = performance.now();
    for (const backend of this.#backends.values()) {
      for (const connection of [...backend.idle, ...backend.held.values()])
        if (connection.idleUntil <= now) connection.destroy();
        // Not at each rest: a busy one is used again within a moment.
        else connection.holdProcess(false);
      for (const exchange of backend.waiting.filter(({ waitUntil }) => waitUntil <= now)) {
        this.#unqueue(backend, exchange);
        exchange.fail(busy('the wait for a free connection took too long'));
      }
    }
    if (this.#idle > 0 || this.#held > 0 || this.#waiting > 0) this.#sweepLater();
  }
}

/** Of whoever waits longest for a connection that is being dialled. */
function surrenderedBy(dialling: Set<Connection>): Exchange | null {
  for (const connection of dialling) {
    dialling.delete(connection);
    const exchange = connection.surrender();
    if (exchange !== null) return exchange;
  }
  return null;
}

/** Of the visitor who has the most of them, the one held longest. */
function oldestOfMost(held: Iterable<Connection>): Connection | undefined {
  const byName = Map.groupBy(held, ({ holderName }) => holderName);
  let most: readonly Connection[] = [];
  for (const connections of byName.values()) if (connections.length > most.length) most = connections;
  return most[0];
}

function busy(found: string): UpstreamError {
  return new UpstreamError('busy', `Cannot reach the backend: ${found}`);
}

/** Taken off what a backend announces: the way there and back. */
const IDLE_MARGIN_MS = 500;
/** How late an idle connection may be closed; use is refused on time. */
const SWEEP_MS = 1_000;
