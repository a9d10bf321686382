// One agent at the edge: its control connection and the connections that it lent. Asks for as many as are
// wanted, and ends with all of them when the agent is gone, or may not serve the share any more.

import { createHash, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { Control, type PingTimes } from './control.ts';
import type { AgentConnection } from './agent-connection.ts';
import { createFloodMeter } from './flood-meter.ts';
import { readHello } from './hello.ts';
import { Lent } from './lent.ts';
import { HELLO_MS, MAX_LENT, MAX_TOLD_BYTES, TICKET_MS } from './limits.ts';
import { SpareCount } from './spare-count.ts';
import { type SpareRoom, Spares } from './spares.ts';
import { writeTold, type ServedRequest } from './told.ts';
import { FRAMES, TICKET_BYTES } from './wire.ts';

export type EdgeAgentOptions = {
  /** It can be asked for connections from now on. */
  readonly onReady: () => void;
  /** It takes no more requests: one of both ends leaves, or it is over. Called once. */
  readonly onLeaving: () => void;
  readonly onClosed: () => void;
  /** Of all agents at the worker, by hash: those that can be used. */
  readonly tickets: Map<string, EdgeAgent>;
  /** Of the share's account. */
  readonly spareRoom: SpareRoom;
  readonly pings?: Partial<PingTimes>;
};

/** Somebody who waits for a connection. */
type Taker = { readonly give: (lent: Lent | null) => void; readonly isWanted: () => boolean };

export class EdgeAgent {
  readonly from: AgentConnection;
  /** The target as a Host header names it. */
  host = '';
  /** Somebody watches the requests there. */
  watches = false;
  #ready = false;
  #leaving = false;
  #over = false;
  readonly #options: EdgeAgentOptions;
  readonly #control: Control;
  readonly #isFlood = createFloodMeter(() => performance.now());
  readonly #hello: NodeJS.Timeout;
  /** Its tickets by hash, with their ends; the oldest first. */
  readonly #tickets = new Map<string, number>();
  readonly #lent = new Map<string, Lent>();
  readonly #spares: Spares;
  readonly #takers: Taker[] = [];
  readonly #count = new SpareCount(performance.now());
  #looking: NodeJS.Timeout | null = null;
  #lookAt = Infinity;
  /** Ends of the target that it may still tell of. */
  #mayEnd = 0;
  #broughtAt = -Infinity;
  #told: ServedRequest[] = [];
  #telling: NodeJS.Timeout | null = null;

  constructor(socket: Duplex, from: AgentConnection, options: EdgeAgentOptions) {
    this.from = from;
    this.#options = options;
    this.#spares = new Spares(options.spareRoom);
    this.#hello = setTimeout(() => this.destroy(), HELLO_MS);
    this.#control = new Control(socket, {
      onFrame: (type, payload) => this.#take(type, payload),
      onClosed: () => this.#closed(),
      ...(options.pings === undefined ? {} : { pings: options.pings }),
    });
  }

  /** It can be asked for connections. */
  get lives(): boolean {
    return this.#ready && !this.#leaving;
  }

  /** Connections in use, and those who wait for one. */
  get load(): number {
    return this.#lent.size - this.#spares.size + this.#takers.length;
  }

  /** Those who wait for a connection. */
  get waiting(): number {
    return this.#takers.length;
  }

  get room(): boolean {
    return this.lives && this.load < MAX_LENT;
  }

  /** Null when the agent brings none any more. `isLast`: nobody else could be asked. */
  async take(isWanted: () => boolean, isLast: boolean): Promise<Lent | null> {
    const spare = this.#spares.take();
    this.#count.took(spare === undefined, performance.now());
    if (spare !== undefined) {
      this.#fill();
      return spare;
    }
    const { promise, resolve } = Promise.withResolvers<Lent | null>();
    const taker: Taker = { give: resolve, isWanted };
    this.#takers.push(taker);
    this.#fill();
    const mostMs = isLast ? RAISE_LAST_MS : RAISE_MS;
    let timer = setTimeout(() => giveUp(), mostMs);
    const giveUp = (): void => {
      const restMs = this.#broughtAt + mostMs - performance.now();
      if (restMs > 0 && isWanted()) {
        timer = setTimeout(giveUp, restMs);
        return;
      }
      const at = this.#takers.indexOf(taker);
      if (at !== -1) this.#takers.splice(at, 1);
      resolve(null);
      if (this.#leaving) this.#endOnceEmpty();
    };
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** One that was taken and not opened. */
  putBack(lent: Lent): void {
    if (!lent.socket.destroyed) this.#place(lent);
  }

  /** Uses the ticket up; null for one that is not its own, or was used, or is too old. */
  claim(hash: string): ((socket: Duplex, ticket: string) => Lent) | null {
    const until = this.#tickets.get(hash);
    if (until === undefined) return null;
    this.#useUp(hash);
    if (until < performance.now() || this.#over) return null;
    return (socket, ticket) => this.#adopt(socket, ticket);
  }

  /** That a request is over, when somebody watches. */
  tell(request: ServedRequest): void {
    if (!this.watches || this.#over || this.#control.waiting > MAX_TOLD_BYTES) return;
    this.#told.push(request);
    this.#telling ??= setTimeout(() => this.#flushTold(), TELL_MS);
  }

  /** No new requests; it ends with the last one, and those that wait for a connection still get one. */
  drain(): void {
    if (this.#over || this.#leaving) return;
    this.#control.send(FRAMES.leave);
    this.#leave();
  }

  destroy(): void {
    this.#control.destroy();
    this.#closed();
  }

  #take(type: number, payload: Buffer): boolean {
    if (type === FRAMES.ended) return this.#targetEnded(payload);
    if (this.#isFlood()) return false;
    switch (type) {
      case FRAMES.hello:
        return this.#greet(payload);
      case FRAMES.leave:
        this.#leave();
        return true;
      default:
        return type === FRAMES.ping || type === FRAMES.pong;
    }
  }

  #greet(payload: Buffer): boolean {
    const hello = this.#ready ? null : readHello(payload);
    if (hello === null) return false;
    clearTimeout(this.#hello);
    this.host = hello.host;
    this.watches = hello.watches;
    this.#ready = true;
    this.#control.send(FRAMES.ready);
    if (this.#leaving) return true;
    this.#options.onReady();
    this.#fill();
    return true;
  }

  /** Each connection that it lent ends once at most. */
  #targetEnded(payload: Buffer): boolean {
    if (payload.byteLength % TICKET_BYTES !== 0) return false;
    this.#mayEnd -= Math.max(1, payload.byteLength / TICKET_BYTES);
    if (this.#mayEnd < 0) return false;
    for (let at = 0; at < payload.byteLength; at += TICKET_BYTES)
      this.#lent.get(payload.toString('base64url', at, at + TICKET_BYTES))?.markEnded();
    return true;
  }

  #adopt(socket: Duplex, ticket: string): Lent {
    const lent = new Lent(socket, ticket, (closed) => this.#lost(closed));
    this.#lent.set(ticket, lent);
    this.#mayEnd += 1;
    this.#broughtAt = performance.now();
    if (!socket.destroyed) this.#place(lent);
    return lent;
  }

  #place(lent: Lent): void {
    for (let taker = this.#takers.shift(); taker !== undefined; taker = this.#takers.shift()) {
      if (!taker.isWanted()) taker.give(null);
      else return taker.give(lent);
    }
    if (this.#leaving) lent.socket.destroy();
    else this.#spares.add(lent);
  }

  #lost(lent: Lent): void {
    this.#lent.delete(lent.ticket);
    this.#spares.delete(lent);
    // An agent that has no room for more towards the target reads no end.
    if (lent.opened && !lent.socket.readableEnded)
      this.#control.send(FRAMES.closed, Buffer.from(lent.ticket, 'base64url'));
    if (this.#leaving) this.#endOnceEmpty();
    // Asked for again by the next look, so that one that closes them all asks for nothing in a loop.
    else this.#lookIn(SOON_MS);
  }

  /** Asks for as many as are missing. */
  #fill(): void {
    if (!this.lives) return;
    const now = performance.now();
    for (const [hash, until] of this.#tickets) {
      if (until >= now) break;
      this.#useUp(hash);
    }
    this.#forgetTheGone();
    const spares = this.#spares.most(this.#count.wanted);
    const wanted = this.#takers.length + spares - this.#spares.size - this.#tickets.size;
    const room = MAX_LENT - this.#lent.size - this.#tickets.size;
    const count = Math.min(wanted, room);
    if (count > 0) {
      const tickets = randomBytes(count * TICKET_BYTES);
      for (let at = 0; at < tickets.byteLength; at += TICKET_BYTES) {
        const hash = hashOf(tickets.subarray(at, at + TICKET_BYTES));
        this.#tickets.set(hash, now + TICKET_MS);
        this.#options.tickets.set(hash, this);
      }
      this.#control.send(FRAMES.lend, tickets);
    }
    if (this.#takers.length > 0 || this.#tickets.size > 0) this.#lookIn(SOON_MS);
    else if (this.#count.wanted > 0) this.#lookIn(LATER_MS);
  }

  /** Those who left while they waited ask for nothing more, and take nobody's place. */
  #forgetTheGone(): void {
    for (const taker of this.#takers.splice(0))
      if (taker.isWanted()) this.#takers.push(taker);
      else taker.give(null);
  }

  #useUp(hash: string): void {
    this.#tickets.delete(hash);
    this.#options.tickets.delete(hash);
  }

  #lookIn(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.#lookAt) return;
    if (this.#looking !== null) clearTimeout(this.#looking);
    this.#lookAt = at;
    this.#looking = setTimeout(() => this.#look(), ms).unref();
  }

  #look(): void {
    this.#looking = null;
    this.#lookAt = Infinity;
    if (!this.lives) return;
    this.#count.look(performance.now());
    this.#spares.shrinkTo(this.#count.wanted);
    this.#fill();
  }

  #flushTold(): void {
    this.#telling = null;
    for (const payload of writeTold(this.#told))
      if (this.#control.waiting <= MAX_TOLD_BYTES) this.#control.send(FRAMES.told, payload);
    this.#told = [];
    if (this.#leaving) this.#endOnceEmpty();
  }

  #leave(): void {
    if (this.#leaving) return;
    this.#leaving = true;
    this.#options.onLeaving();
    this.#spares.shrinkTo(0);
    this.#endOnceEmpty();
  }

  #endOnceEmpty(): void {
    if (this.#lent.size === 0 && this.#takers.length === 0 && this.#telling === null) this.#control.end();
  }

  #closed(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#hello);
    if (this.#looking !== null) clearTimeout(this.#looking);
    if (this.#telling !== null) clearTimeout(this.#telling);
    // Nothing passes without the connection on which it can be ended.
    for (const { socket } of this.#lent.values()) socket.destroy();
    for (const hash of this.#tickets.keys()) this.#useUp(hash);
    for (const { give } of this.#takers.splice(0)) give(null);
    this.#leave();
    this.#options.onClosed();
  }
}

export function hashOf(ticket: Uint8Array): string {
  return createHash('sha256').update(ticket).digest('base64url');
}

/** For a connection over a slow link; then another agent may have one sooner. */
const RAISE_MS = 4_000;
/** A little less than the visitor's request waits for any backend's connection. */
const RAISE_LAST_MS = 9_000;
/** While connections are missing, and else. */
const SOON_MS = 1_000;
const LATER_MS = 30_000;
/** Lines are for people: what happens within a moment is told at once. */
const TELL_MS = 20;
