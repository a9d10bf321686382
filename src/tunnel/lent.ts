// One connection that an agent lent, at the edge: spare until somebody wants the target, then opened, then
// in use by whoever speaks HTTP/1.1 on it. Bytes that come before anybody asked end it.
//
//   spare ──► opening ──► used ──► closed

import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { KEEP_ALIVE_MS } from './limits.ts';
import { TunnelFault } from './tunnel-fault.ts';
import { OPEN, OPENED, UNOPENED } from './wire.ts';

export class Lent {
  readonly socket: Duplex;
  readonly ticket: string;
  /** Nobody waited for it when it came: something on its way may have cut it since. */
  wasSpare = false;
  /** The agent said that it cannot open the target. */
  refused = false;
  /** The agent has the target for it. */
  opened = false;
  #opening: PromiseWithResolvers<Duplex> | null = null;
  #ended: PromiseWithResolvers<boolean> | null = null;
  #endedWell = false;
  readonly #onData = (chunk: Buffer): void => this.#answered(chunk);
  readonly #onEnd = (): void => void this.socket.destroy();

  constructor(socket: Duplex, ticket: string, onClosed: (lent: Lent) => void) {
    this.socket = socket;
    this.ticket = ticket;
    (socket as Partial<Socket>).setNoDelay?.(true);
    (socket as Partial<Socket>).setKeepAlive?.(true, KEEP_ALIVE_MS);
    socket.on('error', () => socket.destroy());
    socket.on('data', this.#onData).on('end', this.#onEnd);
    socket.on('close', () => {
      this.#opening?.reject(new TunnelFault('Cannot reach the backend: the agent closed its connection'));
      this.#ended?.resolve(this.#endedWell);
      onClosed(this);
    });
    socket.resume();
  }

  /** Resolves with the socket, paused, once the agent has the target. Rejects with `TunnelFault`. */
  async open(): Promise<Duplex> {
    this.#opening = Promise.withResolvers();
    const timer = setTimeout(() => this.socket.destroy(), OPEN_MS);
    this.socket.write(OPEN_BYTE);
    try {
      return await this.#opening.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The agent says so on its control connection, which breaks with the agent. */
  markEnded(): void {
    this.#endedWell = true;
    this.#ended?.resolve(true);
  }

  /** Whether the target ended it in order: a connection that is cut on its way ends just as a whole one. */
  async endedWell(): Promise<boolean> {
    if (this.#endedWell) return true;
    this.#ended ??= Promise.withResolvers();
    const timer = setTimeout(() => this.#ended?.resolve(false), ENDED_MS);
    try {
      return await this.#ended.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #answered(chunk: Buffer): void {
    const opening = this.#opening;
    const [answer] = chunk;
    if (opening === null || chunk.byteLength !== 1 || answer === undefined) {
      this.socket.destroy();
    } else if (answer === OPENED) {
      this.#opening = null;
      this.opened = true;
      this.socket.off('data', this.#onData).off('end', this.#onEnd);
      this.socket.pause();
      opening.resolve(this.socket);
    } else {
      this.refused = true;
      const found = UNOPENED.get(answer) ?? 'the agent does not say why';
      opening.reject(new TunnelFault(`Cannot reach the backend: the agent cannot connect to it: ${found}`));
      this.socket.destroy();
    }
  }
}

const OPEN_BYTE = Buffer.from([OPEN]);
/** A little longer than an agent tries: one that says nothing is not waited for. */
const OPEN_MS = 6_000;
/** Both ends of the target come on two connections, of which one may be a little later. */
const ENDED_MS = 2_000;
