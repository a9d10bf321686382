// From an origin to a connected socket, or to the reason why there is none. Nothing is written before the
// connection stands: for TLS, that is when the backend's certificate was checked.

import type { Duplex } from 'node:stream';
import { UpstreamError } from './upstream-error.ts';
import type { DialOptions, UpstreamOrigin } from './upstream-request.ts';

type DialOutcome = (socket: Duplex | null, error: UpstreamError | null) => void;

/**
 * Calls `done` once, never before it has returned. The function given back ends the attempt without a call.
 * `isWanted`: whoever asked still waits for this connection.
 */
export function dialSocket(
  origin: UpstreamOrigin,
  options: DialOptions,
  isWanted: () => boolean,
  done: DialOutcome,
): () => void {
  const attempt = new Attempt(done);
  process.nextTick(() => attempt.start(origin, options, isWanted));
  return () => attempt.cancel();
}

class Attempt {
  readonly #done: DialOutcome;
  readonly #timer: NodeJS.Timeout;
  #socket: Duplex | null = null;
  #settled = false;
  readonly #onConnect = (): void => this.#settle(null);
  readonly #onError = (cause: unknown): void =>
    this.#settle(
      new UpstreamError('connect_failed', 'Cannot connect to the backend: the connection failed', cause),
    );
  readonly #onClose = (): void =>
    this.#settle(
      new UpstreamError('connect_failed', 'Cannot connect to the backend: it closed the connection'),
    );

  constructor(done: DialOutcome) {
    this.#done = done;
    this.#timer = setTimeout(() => {
      this.#settle(
        new UpstreamError(
          'connect_timeout',
          `Cannot connect to the backend: no answer in ${CONNECT_TIMEOUT_MS} ms`,
        ),
      );
    }, CONNECT_TIMEOUT_MS);
  }

  start(origin: UpstreamOrigin, options: DialOptions, isWanted: () => boolean): void {
    if (this.#settled) return;
    try {
      const dialled = origin.dial(options, () => !this.#settled && isWanted());
      if ('then' in dialled) dialled.then((socket) => this.#watch(socket), this.#onError);
      else this.#watch(dialled);
    } catch (error) {
      this.#onError(error);
    }
  }

  cancel(): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#drop();
  }

  #watch(socket: Duplex): void {
    this.#socket = socket;
    if (this.#settled) return this.#drop();
    if (socket.destroyed) return this.#onClose();
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
    const event = connectEvent(socket);
    if (event === null) this.#settle(null);
    else socket.on(event, this.#onConnect);
  }

  #settle(error: UpstreamError | null): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    if (error !== null || socket === null) this.#drop();
    else {
      socket.off('error', this.#onError).off('close', this.#onClose);
      socket.off('connect', this.#onConnect).off('secureConnect', this.#onConnect);
    }
    this.#done(error === null ? socket : null, error);
  }

  /** The listeners stay: what a dropped socket still says has an ear, and no effect. */
  #drop(): void {
    this.#socket?.on('error', ignore);
    this.#socket?.destroy();
  }
}

/** The event to wait for, null if the Duplex is connected as it is. */
function connectEvent(socket: Duplex): 'connect' | 'secureConnect' | null {
  if ('secureConnecting' in socket && socket.secureConnecting === true) return 'secureConnect';
  return 'connecting' in socket && socket.connecting === true ? 'connect' : null;
}

function ignore(): void {}

/**
 * A backend that is there answers in milliseconds; beyond this the visitor has given up, or the host drops
 * packets.
 */
export const CONNECT_TIMEOUT_MS = 10_000;
