// The edge's end of one tunnel: an HTTP/2 client on a socket that an agent opened. It says how full it is,
// pings, and ends when the agent is gone or silent. It never knows why a request comes.

import { connect, type ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { CarriedExchange, CarriedHandlers, CarriedRequest } from './exchange.ts';
import { createFloodMeter } from './flood-meter.ts';
import {
  CONNECTION_WINDOW_BYTES,
  LAST_STREAM_ID,
  MAX_HEADER_PAIRS,
  MAX_STREAMS,
  SESSION_MEMORY_MB,
  TUNNEL_SETTINGS,
  WORN_STREAM_ID,
} from './limits.ts';
import { breakOff, keepPinging, type PingTimes } from './pings.ts';
import { StreamExchange } from './stream-exchange.ts';
import type { TunnelUnread, UnreadBudget } from './unread.ts';
import { LEAVING_PING, WORN_PING } from './wire.ts';

export type EdgeTunnelOptions = {
  readonly budget: UnreadBudget;
  /** Whose part of the budget it uses. */
  readonly owner: string;
  /** It can take requests from now on. */
  readonly onReady: () => void;
  /** It takes no more requests: one of both ends drains, or it is over. Called once. */
  readonly onLeaving: () => void;
  readonly onClosed: () => void;
  readonly pings?: Partial<PingTimes>;
};

export class EdgeTunnel {
  #open = 0;
  #ready = false;
  #leaving = false;
  #toldWorn = false;
  readonly #onLeaving: () => void;
  readonly #session: ClientHttp2Session;
  readonly #socket: Duplex;
  readonly #unread: TunnelUnread;

  constructor(socket: Duplex, options: EdgeTunnelOptions) {
    const { budget, owner } = options;
    this.#unread = budget.openTunnel(owner);
    const session = connect('http://tunnel', {
      createConnection: () => socket,
      settings: TUNNEL_SETTINGS,
      maxHeaderListPairs: MAX_HEADER_PAIRS,
      maxSessionMemory: SESSION_MEMORY_MB,
      maxReservedRemoteStreams: 0,
      // Until the agent's settings come, there is no request.
      peerMaxConcurrentStreams: MAX_STREAMS,
    });
    this.#session = session;
    this.#socket = socket;
    this.#onLeaving = options.onLeaving;
    const leave = () => this.#leave();
    const unready = setTimeout(() => breakOff(session, socket), READY_MS);
    session.once('remoteSettings', () => {
      clearTimeout(unready);
      this.#ready = true;
      options.onReady();
    });
    session.on('connect', () => session.setLocalWindowSize(CONNECTION_WINDOW_BYTES));
    const isFlood = createFloodMeter(() => performance.now());
    session.on('goaway', () => {
      if (isFlood()) breakOff(session, socket);
      else leave();
    });
    session.on('remoteSettings', () => {
      if (isFlood()) breakOff(session, socket);
    });
    session.on('ping', (payload: Uint8Array) => {
      if (isFlood()) breakOff(session, socket);
      else if (LEAVING_PING.equals(payload)) leave();
    });
    session.on('error', () => breakOff(session, socket));
    // The gate keeps connections half open, and an agent that closed its side answers nothing more. What it
    // said last goes first.
    socket.on('end', () => setImmediate(() => breakOff(session, socket)));
    // The agent serves, and asks nothing.
    session.on('stream', (stream) => stream.destroy());
    const stopPinging = keepPinging(session, socket, options.pings);
    session.on('close', () => {
      clearTimeout(unready);
      stopPinging();
      budget.closeTunnel(this.#unread);
      leave();
      options.onClosed();
    });
  }

  /** Its agent is there, and takes requests. Streams of a session that breaks end before it does. */
  get lives(): boolean {
    return this.#ready && !this.#leaving && !this.#session.closed && !this.#session.destroyed;
  }

  /** How many more requests it can take now. */
  get room(): number {
    if (!this.lives) return 0;
    const offered = this.#session.remoteSettings.maxConcurrentStreams ?? MAX_STREAMS;
    return Math.min(offered, MAX_STREAMS) - this.#open;
  }

  get open(): number {
    return this.#open;
  }

  /**
   * Only while there is `room`. Throws for headers that HTTP/2 forbids. Null when no stream could be opened:
   * nothing was sent, and the tunnel takes no more requests.
   */
  exchange(request: CarriedRequest, handlers: CarriedHandlers): CarriedExchange | null {
    const exchange = new StreamExchange(this.#session, request, {
      handlers,
      unread: this.#unread,
      onClosed: () => {
        this.#open -= 1;
      },
    });
    this.#open += 1;
    const { streamId } = exchange;
    if (streamId !== null && streamId < WORN_STREAM_ID) return exchange;
    if (streamId === null) exchange.abort();
    if (streamId === null || streamId >= LAST_STREAM_ID) this.drain();
    else this.#tellWorn();
    return streamId === null ? null : exchange;
  }

  /**
   * No new requests; it ends with the last one. GOAWAY would overtake those that were asked in this turn, and
   * lose them: what was written before a ping is with the agent once that is answered.
   */
  drain(): void {
    this.#leave();
    const session = this.#session;
    if (session.closed || session.destroyed) return;
    const asked = session.ping(() => {
      if (!session.destroyed) session.close();
    });
    if (!asked) session.close();
  }

  destroy(): void {
    breakOff(this.#session, this.#socket);
  }

  #leave(): void {
    if (this.#leaving) return;
    this.#leaving = true;
    this.#onLeaving();
  }

  /**
   * It takes requests on, until the agent has another. False comes while too many pings are unanswered: the
   * next request tells.
   */
  #tellWorn(): void {
    if (!this.#toldWorn) this.#toldWorn = this.#session.ping(WORN_PING, nothing);
  }
}

function nothing(): void {}

/** For the agent's first settings, once it has the 101. */
const READY_MS = 10_000;
