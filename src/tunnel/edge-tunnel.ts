// The edge's end of one tunnel: an HTTP/2 client on a socket that an agent opened. It says how full it is, pings, and ends when
// the agent is gone or silent. It never knows why a request comes.

import { connect, type ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import { EdgeExchange } from './edge-exchange.ts';
import type { CarriedExchange, CarriedHandlers, CarriedRequest } from './exchange.ts';
import { createFloodMeter } from './flood-meter.ts';
import {
  CONNECTION_WINDOW_BYTES,
  MAX_HEADER_PAIRS,
  MAX_STREAMS,
  SESSION_MEMORY_MB,
  TUNNEL_SETTINGS,
} from './limits.ts';
import { breakOff, keepPinging, type PingTimes } from './pings.ts';
import type { TunnelUnread, UnreadBudget } from './unread.ts';
import { LEAVING_PING } from './wire.ts';

export type EdgeTunnelOptions = {
  readonly budget: UnreadBudget;
  /** It can take requests from now on. */
  readonly onReady: () => void;
  /** It takes no more requests: the agent drains, or it is over. Called once. */
  readonly onLeaving: () => void;
  readonly onClosed: () => void;
  readonly pings?: Partial<PingTimes>;
};

export class EdgeTunnel {
  #open = 0;
  #ready = false;
  #leaving = false;
  readonly #session: ClientHttp2Session;
  readonly #socket: Duplex;
  readonly #unread: TunnelUnread;

  constructor(socket: Duplex, options: EdgeTunnelOptions) {
    const { budget } = options;
    this.#unread = budget.openTunnel();
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
    const leave = () => {
      if (this.#leaving) return;
      this.#leaving = true;
      options.onLeaving();
    };
    const unready = setTimeout(() => breakOff(session, socket), READY_MS);
    session.once('remoteSettings', () => {
      clearTimeout(unready);
      this.#ready = true;
      options.onReady();
    });
    session.on('connect', () => session.setLocalWindowSize(CONNECTION_WINDOW_BYTES));
    session.on('goaway', leave);
    const isFlood = createFloodMeter(() => performance.now());
    session.on('remoteSettings', () => {
      if (isFlood()) breakOff(session, socket);
    });
    session.on('ping', (payload: Uint8Array) => {
      if (isFlood()) breakOff(session, socket);
      else if (LEAVING_PING.equals(payload)) leave();
    });
    session.on('error', () => breakOff(session, socket));
    // The gate keeps connections half open, and an agent that closed its side answers nothing more. What it said last goes first.
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

  /** Only while there is `room`. Throws for headers that HTTP/2 forbids. */
  exchange(request: CarriedRequest, handlers: CarriedHandlers): CarriedExchange {
    const exchange = new EdgeExchange(this.#session, request, {
      handlers,
      unread: this.#unread,
      onClosed: () => {
        this.#open -= 1;
      },
    });
    this.#open += 1;
    return exchange;
  }

  /** No new requests; it ends with the last one. */
  drain(): void {
    this.#leaving = true;
    this.#session.close();
  }

  destroy(): void {
    breakOff(this.#session, this.#socket);
  }
}

/** For the agent's first settings, once it has the 101. */
const READY_MS = 10_000;
