// One HTTP/2 connection to a backend (RFC 9113): as many exchanges at once as the backend takes, within our
// own bound. It never chooses an exchange; the pool does.

import { connect, constants, type ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createFloodMeter } from '../../tunnel/flood-meter.ts';
import { dialSocket } from './dial.ts';
import { MAX_FIELDS } from './field-section.ts';
import type { Http2Exchange } from './http2-exchange.ts';
import {
  CONNECTION_WINDOW_BYTES,
  type Http2Limits,
  HTTP2_SETTINGS,
  LAST_STREAM_ID,
  MAX_STREAMS,
  SESSION_MEMORY_MB,
} from './http2-limits.ts';
import { StreamExchange } from './stream-exchange.ts';
import type { ConnectionUnread, UnreadBudget } from './unread.ts';
import { UpstreamError } from './upstream-error.ts';
import type { UpstreamOrigin } from './upstream-request.ts';

export type Http2Owner = {
  /** It can take exchanges, or one more. */
  onRoom(connection: Http2Connection): void;
  /** It takes no more: the backend said so, or it is gone. Called once. */
  onLeft(connection: Http2Connection, error: UpstreamError): void;
};

export class Http2Connection {
  readonly key: string;
  open = 0;
  /** Exchanges that it was ever given. */
  carried = 0;
  /** Since when it carries none, on the clock of `performance.now()`. */
  idleSince = 0;
  readonly #origin: UpstreamOrigin;
  readonly #owner: Http2Owner;
  readonly #limits: Http2Limits;
  readonly #unread: ConnectionUnread;
  #session: ClientHttp2Session | null = null;
  #socket: Duplex | null = null;
  #ready = false;
  #left = false;
  /** The last stream that the backend says it acts on. */
  #lastActedOn = Infinity;
  #heard = 0;
  #heardAt = 0;
  #askedAt = -Infinity;
  #asking: NodeJS.Timeout | null = null;

  constructor(
    origin: UpstreamOrigin,
    owner: Http2Owner,
    { limits, budget }: { readonly limits: Http2Limits; readonly budget: UnreadBudget },
  ) {
    this.key = origin.key;
    this.#origin = origin;
    this.#owner = owner;
    this.#limits = limits;
    this.#unread = budget.openConnection(origin.key);
    dialSocket(
      origin,
      {},
      () => true,
      (socket, error) => {
        if (socket !== null && speaksHttp2(socket)) return this.#adopt(socket, budget);
        socket?.destroy();
        budget.closeConnection(this.#unread);
        this.#leave(error ?? new UpstreamError('connect_failed', NO_HTTP2));
      },
    );
  }

  /** How many more exchanges it can take now. */
  get room(): number {
    const session = this.#session;
    if (!this.#ready || this.#left || session === null || session.closed || session.destroyed) return 0;
    return Math.min(this.offered, MAX_STREAMS) - this.open;
  }

  /** How many the backend takes at once. */
  get offered(): number {
    return this.#session?.remoteSettings.maxConcurrentStreams ?? MAX_STREAMS;
  }

  /** Whether it was ready, or will be. */
  get lives(): boolean {
    return !this.#left;
  }

  /**
   * Only while there is room. False when no stream could be opened: nothing was sent. Throws for headers that
   * HTTP/2 forbids.
   */
  carry(exchange: Http2Exchange): boolean {
    const session = this.#session;
    if (session === null) return false;
    const stream = new StreamExchange(session, exchange.request, {
      handlers: exchange,
      unread: this.#unread,
      scheme: this.#origin.http2 ?? 'http',
      onClosed: () => this.#streamClosed(),
    });
    if (this.open === 0) session.ref();
    this.open += 1;
    this.carried += 1;
    if (this.open === 1) this.#heardAt = performance.now();
    const { streamId } = stream;
    if (streamId === null) stream.abort();
    if (streamId === null || streamId >= LAST_STREAM_ID) this.leave();
    if (streamId === null) return false;
    exchange.carriedBy(stream, () => this.#refused(stream));
    return true;
  }

  /** Takes no more, and ends with its last exchange. */
  leave(): void {
    this.#leave(new UpstreamError('reset', CLOSED));
    const session = this.#session;
    if (session !== null && !session.closed && !session.destroyed) session.close();
  }

  /** Called now and then: a backend that says nothing while somebody waits is asked whether it is there. */
  look(now: number): void {
    const heard = (this.#socket as Partial<Socket> | null)?.bytesRead ?? 0;
    if (heard !== this.#heard || this.open === 0) {
      this.#heard = heard;
      this.#heardAt = now;
    }
    const { silentMs, askEveryMs, answerMs } = this.#limits;
    const mayAsk = this.#asking === null && now - this.#askedAt >= askEveryMs;
    if (!this.#ready || !mayAsk || now - this.#heardAt < silentMs) return;
    this.#askedAt = now;
    this.#asking = setTimeout(() => this.#breakOff(), answerMs).unref();
    this.#session?.ping(() => this.#stopAsking());
  }

  #adopt(socket: Duplex, budget: UnreadBudget): void {
    this.#socket = socket;
    socket.on('error', () => socket.destroy());
    (socket as Partial<Socket>).setNoDelay?.(true);
    const session = connect('http://backend', {
      createConnection: () => socket,
      settings: HTTP2_SETTINGS,
      // The status stands among them.
      maxHeaderListPairs: MAX_FIELDS + 1,
      maxSessionMemory: SESSION_MEMORY_MB,
      maxReservedRemoteStreams: 0,
      // Until the backend's settings come, there is no request.
      peerMaxConcurrentStreams: MAX_STREAMS,
    });
    this.#session = session;
    const unready = setTimeout(() => this.#breakOff(), this.#limits.readyMs);
    const isFlood = createFloodMeter(() => performance.now());
    session.on('connect', () => session.setLocalWindowSize(CONNECTION_WINDOW_BYTES));
    session.on('remoteSettings', () => {
      clearTimeout(unready);
      if (isFlood()) return this.#breakOff();
      if (!this.#ready) session.unref();
      this.#ready = true;
      if (this.room > 0) this.#owner.onRoom(this);
    });
    session.on('ping', () => {
      if (isFlood()) this.#breakOff();
    });
    session.on('goaway', (_code: number, lastStreamId: number) => {
      if (isFlood()) return this.#breakOff();
      this.#lastActedOn = Math.min(this.#lastActedOn, lastStreamId);
      this.#leave(new UpstreamError('reset', CLOSED));
    });
    session.on('error', () => this.#breakOff());
    // A backend that closed its side answers nothing more. What it said last goes first.
    socket.on('end', () => setImmediate(() => this.#breakOff()));
    // A backend answers, and asks nothing.
    session.on('stream', (stream) => stream.destroy());
    session.on('close', () => {
      clearTimeout(unready);
      this.#stopAsking();
      budget.closeConnection(this.#unread);
      this.#leave(
        new UpstreamError(this.#ready ? 'reset' : 'connect_failed', this.#ready ? CLOSED : NO_HTTP2),
      );
    });
  }

  /** Nobody acted on the request, in the backend's own words (RFC 9113 section 8.7). */
  #refused(stream: StreamExchange): boolean {
    return (
      stream.resetCode === constants.NGHTTP2_REFUSED_STREAM || (stream.streamId ?? 0) > this.#lastActedOn
    );
  }

  #streamClosed(): void {
    this.open -= 1;
    if (this.open === 0) {
      this.idleSince = performance.now();
      this.#session?.unref();
    }
    if (this.room > 0) this.#owner.onRoom(this);
  }

  #stopAsking(): void {
    if (this.#asking !== null) clearTimeout(this.#asking);
    this.#asking = null;
  }

  #leave(error: UpstreamError): void {
    if (this.#left) return;
    this.#left = true;
    this.#owner.onLeft(this, error);
  }

  /**
   * Ends it now. By itself, a session that is destroyed waits until its last write is done, which may take
   * TCP a quarter of an hour, and one that ended well waits for the other end to close the socket.
   */
  #breakOff(): void {
    this.#session?.destroy();
    this.#socket?.destroy();
  }
}

/** Over TLS the backend chose it (RFC 9113 section 3.2); else it is known beforehand. */
function speaksHttp2(socket: Duplex): boolean {
  return !('alpnProtocol' in socket) || socket.alpnProtocol === 'h2';
}

const CLOSED = 'Cannot reach the backend: it closed the connection';
const NO_HTTP2 = 'Cannot reach the backend: it does not speak HTTP/2';
