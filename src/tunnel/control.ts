// One end of a control connection: frames in and out, and pings, because a network that drops everything
// says nothing. Whatever the other end may not send ends the connection.

import type { Duplex } from 'node:stream';
import { FrameReader, writeFrame } from './frames.ts';
import { FRAME_MS, MAX_WAITING_BYTES } from './limits.ts';
import { FRAMES } from './wire.ts';

export type PingTimes = { readonly everyMs: number; readonly answerMs: number };

export type ControlOptions = {
  /** False for what may not come: the connection ends. Pings are answered before. */
  readonly onFrame: (type: number, payload: Buffer) => boolean;
  /** Called once. */
  readonly onClosed: () => void;
  readonly pings?: Partial<PingTimes>;
};

/** The socket is its own from now on. */
export class Control {
  readonly #socket: Duplex;
  readonly #options: ControlOptions;
  readonly #reader = new FrameReader((type, payload) => this.#take(type, payload));
  readonly #pinging: NodeJS.Timeout;
  #unanswered: NodeJS.Timeout | null = null;
  #unfinished: NodeJS.Timeout | null = null;

  constructor(socket: Duplex, options: ControlOptions) {
    this.#socket = socket;
    this.#options = options;
    const { everyMs, answerMs } = { ...PING_TIMES, ...options.pings };
    this.#pinging = setInterval(() => this.#ping(answerMs), everyMs);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    // The gate keeps connections half open; one that closed its side answers nothing more.
    socket.on('end', () => socket.destroy());
    socket.on('close', () => this.#closed());
    if (socket.destroyed) queueMicrotask(() => this.#closed());
    socket.resume();
  }

  /** What is not written yet. */
  get waiting(): number {
    return this.#socket.writableLength;
  }

  send(type: number, payload?: Uint8Array): void {
    const socket = this.#socket;
    if (!socket.writable) return;
    socket.write(writeFrame(type, payload));
    // Whoever asks on and reads no answer is alive by its pings, and would take all memory.
    if (socket.writableLength > MAX_WAITING_BYTES) this.destroy();
  }

  /** What was sent still leaves. */
  end(): void {
    const socket = this.#socket;
    if (socket.destroyed || socket.writableEnded) return;
    socket.end();
    // One that keeps its own side open is not waited for.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    // Whatever it says, it is there.
    if (this.#unanswered !== null) clearTimeout(this.#unanswered);
    this.#unanswered = null;
    if (!this.#reader.feed(chunk)) return this.destroy();
    if (this.#reader.isWithin) this.#unfinished ??= setTimeout(() => this.destroy(), FRAME_MS);
  }

  #take(type: number, payload: Buffer): void {
    // Where frames follow each other closely, no read ends where one does: each has its own time.
    if (this.#unfinished !== null) clearTimeout(this.#unfinished);
    this.#unfinished = null;
    if (this.#socket.destroyed) return;
    if (type === FRAMES.ping) this.send(FRAMES.pong);
    if (!this.#options.onFrame(type, payload)) this.destroy();
  }

  #ping(answerMs: number): void {
    if (this.#unanswered !== null) return;
    this.#unanswered = setTimeout(() => this.destroy(), answerMs);
    this.send(FRAMES.ping);
  }

  #closed(): void {
    clearInterval(this.#pinging);
    if (this.#unanswered !== null) clearTimeout(this.#unanswered);
    if (this.#unfinished !== null) clearTimeout(this.#unfinished);
    this.#options.onClosed();
  }
}

/**
 * Short enough that a share is known to be away within half a minute, and well below the minute of idle
 * balancers.
 */
const PING_TIMES: PingTimes = { everyMs: 15_000, answerMs: 10_000 };
const LINGER_MS = 2_000;
