// An agent's connections to one place: one to each worker there, dialled again whenever one is missing.
// Workers share a port, and gateways a balancer, so which of them takes a connection is chance: the agent
// says which it has, and asks again until it has all.
//
//   dial ──► 101 ──► serve ──► lost or left ──────┐
//    ▲  ├── 409: that worker is held ──────────────┤
//    │  └── failed: wait (backoff) ────────────────┤
//    └─────────────────────────────────────────────┘    refused for good ──► over

import { setTimeout as pause } from 'node:timers/promises';
import { type FaultCode, ServiceError } from '../domain/service-error.ts';
import type { AgentSession, AgentSessionOptions } from './agent-session.ts';
import { backoffMs } from './backoff.ts';
import { dialLent, dialTunnel, type TlsResumption, type TunnelInput } from './dial.ts';
import type { GatewayPlace } from './gateway-place.ts';
import { Raising } from './raising.ts';
import type { Duplex } from 'node:stream';

export type GatewayLinkOptions = {
  readonly place: GatewayPlace;
  readonly input: Omit<TunnelInput, 'gateway' | 'held' | 'resumption' | 'signal'>;
  readonly serve: (socket: Duplex, raise: AgentSessionOptions['raise']) => AgentSession;
  /** Called after each change of `connected`, and after each failed try. */
  readonly onChange: (link: GatewayLink) => void;
};

export class GatewayLink {
  readonly gateway: URL;
  /** Why the last try failed; null since one succeeded. */
  fault: ServiceError | null = null;
  /** It has all the connections that it could get, for now; not while it begins anew. */
  settled = false;
  /** The gateway refused it for good. */
  over = false;
  readonly #options: GatewayLinkOptions;
  /** What takes requests, by worker. */
  readonly #sessions = new Map<string, AgentSession>();
  /** These, and what only answers what runs. */
  readonly #open = new Set<AgentSession>();
  readonly #stop = new AbortController();
  /** Until then, what runs may still want connections. */
  readonly #end = new AbortController();
  readonly #raising: Raising;
  readonly #resumption: TlsResumption = { session: null, context: null };
  /**
   * How many the place is said to have, and how many the last worker spoke of, which knows its own gateway
   * alone.
   */
  #listed: number;
  #spoken = 1;
  #failures = 0;
  /** Tries since the last new connection that came to a worker that has one. */
  #heldInRow = 0;
  /** How often it waited since then. */
  #fills = 0;
  #lost = Promise.withResolvers<void>();

  constructor(options: GatewayLinkOptions) {
    this.#options = options;
    this.gateway = options.place.url;
    this.#listed = options.place.workers;
    const { signal } = this.#end;
    const way = { ...options.input, gateway: this.gateway, resumption: this.#resumption, signal };
    this.#raising = new Raising({ dial: (tickets) => dialLent(way, tickets), signal });
    void this.#run();
  }

  get connected(): number {
    return this.#sessions.size;
  }

  /** The place has so many workers now. */
  expect(workers: number): void {
    if (workers === this.#listed) return;
    this.#listed = workers;
    this.#lost.resolve();
  }

  get #workers(): number {
    return Math.max(this.#listed, this.#spoken);
  }

  /** Dials no more; resolves once what runs is answered. */
  async drain(): Promise<void> {
    this.#stop.abort();
    await Promise.all(Array.from(this.#open, (session) => session.drain()));
    this.#end.abort();
  }

  destroy(): void {
    this.#stop.abort();
    this.#end.abort();
    for (const session of this.#open) session.destroy();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let tries = 0;
    while (!signal.aborted && !this.over) {
      if (this.#sessions.size >= this.#workers) {
        tries = 0;
        await this.#settle(Infinity);
      } else if (tries >= this.#workers * TRIES_EACH) {
        // Chance was against it, or one is just being started, or a balancer sends it to the same worker
        // always.
        tries = 0;
        await this.#settle(Math.min(FILL_AGAIN_MS * 2 ** this.#fills++, FILL_AGAIN_MAX_MS));
      } else {
        tries += 1;
        await this.#try();
      }
    }
  }

  async #try(): Promise<void> {
    const { signal } = this.#stop;
    try {
      const held = [...this.#sessions.keys()];
      const { socket, worker, workers } = await dialTunnel({
        ...this.#options.input,
        gateway: this.gateway,
        resumption: this.#resumption,
        held,
        signal,
      });
      this.#spoken = workers;
      this.fault = null;
      if (socket !== null && signal.aborted) socket.destroy();
      else if (socket !== null) await this.#hold(worker, this.#serve(socket));
      else await this.#pause(Math.min(++this.#heldInRow * HELD_MS, HELD_MAX_MS));
    } catch (error) {
      if (signal.aborted) return;
      this.fault = error instanceof ServiceError ? error : broken(error);
      this.over = FOR_GOOD.has(this.fault.code);
      this.#options.onChange(this);
      if (!this.over) await this.#backOff();
    }
  }

  /** Resolves once requests can come: whoever is told that the share is up may ask at once. */
  async #hold(worker: string, session: AgentSession): Promise<void> {
    this.#heldInRow = 0;
    this.#fills = 0;
    if (this.#sessions.size === 0) this.settled = false;
    this.#sessions.get(worker)?.destroy();
    this.#sessions.set(worker, session);
    this.#open.add(session);
    this.#options.onChange(this);
    void session.closed.then(() => this.#open.delete(session));
    void this.#replace(worker, session);
    await Promise.race([session.ready, session.left]);
  }

  #serve(socket: Duplex): AgentSession {
    return this.#options.serve(socket, (tickets, lender) => this.#raising.raise(tickets, lender));
  }

  /** Another is dialled as soon as this one takes no more requests, however long what runs there takes. */
  async #replace(worker: string, session: AgentSession): Promise<void> {
    const since = performance.now();
    await session.left;
    if (this.#sessions.get(worker) === session) this.#sessions.delete(worker);
    // One that ends as soon as it begins is like a failed try.
    if (performance.now() - since > LIVED_MS) this.#failures = 0;
    this.#options.onChange(this);
    await this.#backOff();
    this.#lost.resolve();
  }

  /** Until a connection is lost, or it is time to look for those that are missing. */
  async #settle(ms: number): Promise<void> {
    this.settled = true;
    this.#options.onChange(this);
    this.#lost = Promise.withResolvers();
    const { signal } = this.#stop;
    const stopped = Promise.withResolvers<void>();
    const stop = () => stopped.resolve();
    signal.addEventListener('abort', stop, { once: true });
    const timer = ms === Infinity ? null : setTimeout(stop, ms * (0.5 + Math.random() / 2));
    if (!signal.aborted && this.#sessions.size > 0) await Promise.race([this.#lost.promise, stopped.promise]);
    if (timer !== null) clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }

  async #backOff(): Promise<void> {
    const waitMs = backoffMs(this.#failures, Math.random());
    this.#failures += 1;
    await this.#pause(waitMs);
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }
}

function broken(cause: unknown): ServiceError {
  return new ServiceError('gateway_unreachable', 'Cannot open a tunnel: the connection broke', { cause });
}

/** With a few workers, eight tries each miss one of them less than once in a thousand times. */
const TRIES_EACH = 8;
/** Longer each time: a worker that died is back within a second or a few, a balancer that pins never does. */
const FILL_AGAIN_MS = 1_000;
const FILL_AGAIN_MAX_MS = 16_000;
/** With the worst of luck dozens of tries come to the same workers: the more, the slower. */
const HELD_MS = 5;
const HELD_MAX_MS = 250;
/** A connection that lived this long was a good one. */
const LIVED_MS = 5_000;
/** What does not mend itself. */
const FOR_GOOD: ReadonlySet<FaultCode> = new Set([
  'api_key_missing',
  'api_key_invalid',
  'certificate_required',
  'certificate_foreign',
  'certificate_revoked',
  'certificate_expired',
  'certificate_unfit',
  'insecure_channel',
  'not_allowed',
  'share_unknown',
  'validation_failed',
  'misdirected',
  'bad_request',
]);
