// One connection to a backend (RFC 9112 section 9): one exchange at a time, back-pressure both ways, and
// closed at the first byte that nobody asked for. It never chooses an exchange; the pool does.

import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { dialSocket } from './dial.ts';
import type { Carrier, Exchange } from './exchange.ts';
import { ReadBuffer } from './read-buffer.ts';
import { ResponseParser, type ResponseSink } from './response-parser.ts';
import { UpstreamError } from './upstream-error.ts';
import type { UpstreamOrigin } from './upstream-request.ts';

export type ConnectionOwner = {
  /** It carries nothing and may be used again: `start()` or `destroy()` it. */
  onReleased(connection: Connection): void;
  /** It is gone. `again` was lost without a byte of an answer and may be sent once more. */
  onClosed(connection: Connection, again: Exchange | null): void;
  /** It was closed for what the backend sent outside of an exchange. */
  onFault(connection: Connection, error: UpstreamError): void;
};

export class Connection implements Carrier, ResponseSink {
  readonly key: string;
  /** What the backend said about idle connections, null if nothing. */
  idleLimitMs: number | null = null;
  /** Whom alone it serves: a backend may have logged the connection in. */
  holder: EventEmitter | null = null;
  holderName = '';
  /** Kept by the pool, on the clock of `performance.now()`. */
  idleUntil = 0;
  readonly #owner: ConnectionOwner;
  readonly #parser = new ResponseParser(this);
  readonly #reads: ReadBuffer | null;
  #socket: Duplex | null = null;
  #origin: UpstreamOrigin;
  #exchange: Exchange | null = null;
  /** For whom it dials. */
  #waiting: Exchange | null;
  #used = false;
  #loggedIn = false;
  #endsWith: EventEmitter | null = null;
  #paused = false;
  #ending = false;
  #closed = false;
  #holds = true;
  #cancelDial: (() => void) | null;
  readonly #onData = (chunk: Buffer): void => this.#read(chunk, chunk.length);
  readonly #onDrain = (): void => this.#exchange?.drained();
  readonly #onEnd = (): void => this.#ended();
  readonly #onClose = (): void => {
    if (!this.#ending) this.#lost(new UpstreamError('reset', CLOSED));
  };
  readonly #onError = (cause: unknown): void => this.#lost(new UpstreamError('reset', BROKEN, cause));

  /** Dials, and carries `exchange` as soon as the connection stands. */
  constructor(exchange: Exchange, owner: ConnectionOwner) {
    this.key = exchange.origin.key;
    this.#origin = exchange.origin;
    this.#owner = owner;
    // A socket that is handed over must be read by its next owner: it gets no buffer of ours.
    this.#reads = exchange.upgrade === null ? new ReadBuffer((chunk, to) => this.#read(chunk, to)) : null;
    const options = this.#reads === null ? {} : { onread: this.#reads.onread };
    exchange.leave = () => this.destroy();
    this.#waiting = exchange;
    const isWanted = () => this.#waiting !== null;
    this.#cancelDial = dialSocket(exchange.origin, options, isWanted, (socket, error) => {
      this.#cancelDial = null;
      const waiting = this.#waiting;
      this.#waiting = null;
      this.#exchange = waiting;
      if (socket === null) return this.#lost(error ?? new UpstreamError('connect_failed', BROKEN));
      this.#adopt(socket);
      if (waiting === null) this.#owner.onReleased(this);
      else this.start(waiting);
    });
  }

  /**
   * While it dials: gives the exchange up to another connection. It is free once it stands, or is none when
   * it had not begun to open.
   */
  surrender(): Exchange | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting;
  }

  start(exchange: Exchange): void {
    const socket = this.#socket;
    if (socket === null) return;
    this.#exchange = exchange;
    this.#origin = exchange.origin;
    if (exchange.logsIn) this.#loggedIn = true;
    this.#parser.begin(exchange.method, exchange.upgrade);
    if (exchange.hasBody) {
      // Head and first bytes of the body leave in one packet.
      socket.cork();
      process.nextTick(uncork, socket);
    }
    const { origin, head } = exchange;
    socket.write(origin.headOn === undefined ? head : origin.headOn(socket, head), 'latin1');
    exchange.carriedBy(this);
  }

  /** Whether the other side looks alive. */
  get usable(): boolean {
    return !this.#closed && this.#socket?.writable === true;
  }

  /** Whether another request may come on it, as its origin has it now. */
  get kept(): boolean {
    return this.#socket === null || this.#origin.keeps === undefined || this.#origin.keeps(this.#socket);
  }

  /** Is gone as soon as its holder is. */
  endWith(holder: EventEmitter): void {
    if (this.#endsWith === holder) return;
    this.#endsWith = holder;
    holder.once('close', () => this.destroy());
  }

  /** Keeps the process running, or not; does until said. */
  holdProcess(hold: boolean): void {
    if (hold === this.#holds) return;
    this.#holds = hold;
    const socket = this.#socket as Partial<Socket> | null;
    if (hold) socket?.ref?.();
    else socket?.unref?.();
  }

  writeBody(chunk: Uint8Array, framed: boolean): boolean {
    const socket = this.#socket;
    if (socket === null || this.#closed) return true;
    if (!framed) return socket.write(chunk);
    socket.cork();
    socket.write(`${chunk.byteLength.toString(16)}\r\n`, 'latin1');
    socket.write(chunk);
    const room = socket.write('\r\n', 'latin1');
    socket.uncork();
    return room;
  }

  writeLast(text: string): void {
    if (text !== '' && !this.#closed) this.#socket?.write(text, 'latin1');
  }

  requestEnded(): void {
    if (this.#exchange?.answered !== true) return;
    this.#exchange = null;
    this.#closeGently();
  }

  resume(): void {
    if (!this.#paused || this.#closed) return;
    this.#paused = false;
    this.#socket?.resume();
  }

  destroy(): void {
    this.#exchange = null;
    this.#waiting = null;
    this.#parser.stop();
    this.#lost(new UpstreamError('reset', CLOSED));
  }

  onInformational(status: number, headers: readonly string[]): void {
    this.#exchange?.handlers.onInformational(status, headers);
  }

  onHead(status: number, reason: string, headers: readonly string[]): void {
    this.#exchange?.handlers.onHead(status, reason, headers);
  }

  onBody(chunk: Buffer, from: number, to: number): void {
    if (this.#exchange === null) return;
    const piece = this.#reads?.owns(chunk) === true ? this.#reads.take(from, to) : chunk.subarray(from, to);
    if (this.#exchange.handlers.onData(piece) || this.#paused || this.#closed) return;
    this.#paused = true;
    this.#socket?.pause();
  }

  #adopt(socket: Duplex): void {
    this.#socket = socket;
    (socket as Partial<Socket>).setNoDelay?.(true);
    socket.on('error', this.#onError).on('close', this.#onClose).on('end', this.#onEnd);
    socket.on('drain', this.#onDrain).on('data', this.#onData);
    if (socket.isPaused()) socket.resume();
  }

  #read(chunk: Buffer, to: number): void {
    if (this.#closed) return;
    const exchange = this.#exchange;
    if (exchange === null || exchange.answered) return this.#surplus();
    const at = this.#parser.feed(chunk, to);
    if (this.#closed) return;
    const { state, fault } = this.#parser;
    if (state === 'complete') this.#finish(exchange, at < to);
    else if (state === 'switched') this.#handOver(exchange, Buffer.from(chunk.subarray(at, to)));
    else if (fault !== null) this.#lost(fault);
    else if (this.#parser.framing !== null) exchange.idle();
  }

  #ended(): void {
    const exchange = this.#exchange;
    if (exchange === null || exchange.answered) return this.#lost(new UpstreamError('reset', CLOSED));
    const { endedWell } = this.#origin;
    if (endedWell !== undefined && this.#parser.state === 'until-close' && !this.#ending)
      return void this.#endConfirmed(exchange, endedWell);
    this.#parser.finish();
    if (this.#parser.state === 'complete') this.#finish(exchange, false);
    else this.#lost(this.#parser.fault ?? new UpstreamError('reset', CLOSED));
  }

  /** The end of what is in between is not the backend's. */
  async #endConfirmed(
    exchange: Exchange,
    endedWell: NonNullable<UpstreamOrigin['endedWell']>,
  ): Promise<void> {
    const socket = this.#socket;
    if (socket === null) return;
    this.#ending = true;
    const isWell = await endedWell(socket);
    if (this.#closed || this.#exchange !== exchange) return;
    if (isWell) this.#ended();
    else this.#lost(new UpstreamError('reset', CLOSED));
  }

  /**
   * The answer is whole. The place is given back before the caller hears of it, so that its next request
   * finds it.
   */
  #finish(exchange: Exchange, surplus: boolean): void {
    const { trailers, trailersDropped, framing } = this.#parser;
    if (framing?.logsIn === true) this.#loggedIn = true;
    if (exchange.ended) {
      this.#exchange = null;
      // A body that the backend has not taken yet would hold up the next request.
      const flushed = this.usable && (!exchange.hasBody || this.#socket?.writableLength === 0);
      if (surplus) this.#surplus();
      else if (
        flushed &&
        framing?.persistent === true &&
        !trailersDropped &&
        this.#mayServe(exchange) &&
        this.kept
      )
        this.#release(framing.idleLimitMs);
      else this.#closeGently();
      exchange.complete(trailers);
    } else {
      exchange.complete(trailers);
      if (surplus) this.#surplus();
    }
  }

  /** Whether another request may come on it; of whom, the pool sees to. */
  #mayServe({ upgrade, visitor, visitorName }: Exchange): boolean {
    if (upgrade !== null) return false;
    if (!this.#loggedIn) return true;
    this.holder = visitor;
    this.holderName = visitorName;
    return visitor !== null;
  }

  #release(idleLimitMs: number | null): void {
    this.#used = true;
    this.#reads?.rest();
    this.idleLimitMs = idleLimitMs;
    this.resume();
    this.#owner.onReleased(this);
  }

  #surplus(): void {
    if (this.#closed) return;
    const error = new UpstreamError('protocol', SURPLUS);
    this.#owner.onFault(this, error);
    this.#lost(error);
  }

  /** Lets what was written of a body leave, then closes: the backend may answer before it has read all. */
  #closeGently(): void {
    const socket = this.#socket;
    if (socket === null || !socket.writable || socket.writableLength === 0) return this.destroy();
    this.resume();
    const timer = setTimeout(() => this.destroy(), LINGER_MS);
    socket.end(() => {
      clearTimeout(timer);
      this.destroy();
    });
  }

  /** After 101: the socket is somebody else's, paused, and this connection is no more. */
  #handOver(exchange: Exchange, firstBytes: Buffer): void {
    const socket = this.#socket;
    if (socket === null) return;
    socket.pause();
    socket.off('error', this.#onError).off('close', this.#onClose).off('end', this.#onEnd);
    socket.off('drain', this.#onDrain).off('data', this.#onData);
    this.#closed = true;
    this.#reads?.rest();
    this.#exchange = null;
    this.#owner.onClosed(this, null);
    exchange.switched(this.#parser.switchedHeaders, socket, firstBytes);
  }

  #lost(error: UpstreamError): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#reads?.rest();
    this.#cancelDial?.();
    this.#socket?.destroy();
    const exchange = this.#exchange;
    this.#exchange = null;
    const mayRepeat = this.#used || (this.#origin.byAgent === true && exchange?.repeated === false);
    const again =
      mayRepeat && error.code === 'reset' && !this.#parser.started && exchange?.repeatable === true;
    this.#owner.onClosed(this, again ? exchange : null);
    if (!again) exchange?.fail(error);
  }
}

function uncork(socket: Duplex): void {
  socket.uncork();
}

/**
 * Time for the last bytes of a request whose answer came early; a backend that reads none of them gets no
 * more.
 */
const LINGER_MS = 5_000;
const CLOSED = 'Cannot reach the backend: it closed the connection';
const BROKEN = 'Cannot reach the backend: the connection broke';
const SURPLUS = 'Cannot keep the connection to the backend: it sent bytes without a request';
