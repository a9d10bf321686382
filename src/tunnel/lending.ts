// One connection that the agent lent: joined to a new connection to the target once the edge wants one. What
// passes is not looked at. An end is passed on, and whatever breaks on one side breaks the other.
//
//   lent ──► OPEN ──► the target is connected ──► OPENED ──► joined ──► closed
//                          └── it is not ──► why ──► closed

import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { breakOff } from './break-off.ts';
import { KEEP_ALIVE_MS } from './limits.ts';
import type { LocalTarget } from './local-target.ts';
import { OPEN, OPENED } from './wire.ts';

export type LendingEvents = {
  /** The target ended it in order, and all that it said was passed on. */
  readonly onEnded: () => void;
  /** Called once. */
  readonly onClosed: () => void;
};

export class Lending {
  readonly #lent: Duplex;
  readonly #events: LendingEvents;
  #target: Duplex | null = null;
  #left: NodeJS.Timeout | null = null;

  constructor(lent: Duplex, target: LocalTarget, events: LendingEvents) {
    this.#lent = lent;
    this.#events = events;
    if (lent instanceof Socket) lent.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    lent.on('error', () => lent.destroy());
    lent.on('close', () => {
      if (this.#target !== null) breakOff(this.#target);
      events.onClosed();
    });
    const onOpen = (chunk: Buffer) => {
      lent.off('data', onOpen).off('end', onEnd);
      lent.pause();
      if (chunk.byteLength === 1 && chunk[0] === OPEN) this.#open(target);
      else lent.destroy();
    };
    const onEnd = () => lent.destroy();
    lent.on('data', onOpen).on('end', onEnd);
    if (lent.destroyed) queueMicrotask(() => events.onClosed());
    else lent.resume();
  }

  destroy(): void {
    breakOff(this.#lent);
  }

  /** Nobody reads the target any more. What is on its way there passes while the target takes it. */
  gatewayClosed(): void {
    if (this.#left !== null || this.#lent.destroyed) return;
    const timer = setTimeout(() => this.destroy(), LINGER_MS);
    this.#left = timer;
    const moved = () => void timer.refresh();
    this.#lent.on('data', moved).on('close', () => clearTimeout(timer));
    this.#target?.on('drain', moved);
  }

  #open(place: LocalTarget): void {
    const lent = this.#lent;
    const target = place.connect();
    this.#target = target;
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      target.destroy();
    }, CONNECT_MS);
    let opened = false;
    let fault: unknown = null;
    target.on('error', (error) => {
      fault = error;
      target.destroy();
      if (opened) breakOff(lent);
    });
    target.on('close', () => {
      clearTimeout(timer);
      if (opened) this.#targetClosed(target);
      else if (!lent.destroyed)
        lent.end(Buffer.from([timedOut ? TIMED_OUT : reasonOf(fault)]), () => lent.destroy());
    });
    target.once(place.connected, () => {
      clearTimeout(timer);
      opened = true;
      if (lent.destroyed) return void target.destroy();
      lent.write(OPENED_BYTE);
      this.#join(lent, target);
    });
  }

  #join(lent: Duplex, target: Duplex): void {
    pass(lent, target);
    pass(target, lent);
    target.on('end', () => {
      // Nothing that is on its way is behind it.
      this.#events.onEnded();
      lent.end();
    });
    lent.on('end', () => {
      target.end();
      closeIfIdle(lent, target);
    });
    lent.resume();
  }

  /** What it said last is still to leave. */
  #targetClosed(target: Duplex): void {
    const lent = this.#lent;
    if (lent.destroyed) return;
    if (!target.readableEnded) breakOff(lent);
    else if (lent.writableFinished) setTimeout(() => lent.destroy(), LINGER_MS).unref();
    else lent.once('finish', () => setTimeout(() => lent.destroy(), LINGER_MS).unref());
  }
}

function pass(from: Duplex, to: Duplex): void {
  from.on('data', (chunk: Buffer) => {
    if (!to.write(chunk)) from.pause();
  });
  to.on('drain', () => from.resume());
}

/**
 * A gateway that closed its side mostly has no use for the rest; a target that is silent then is not waited
 * for.
 */
function closeIfIdle(lent: Duplex, target: Duplex): void {
  let timer = setTimeout(() => lent.destroy(), HALF_OPEN_MS);
  target.on('data', () => timer.refresh());
  lent.on('close', () => clearTimeout(timer));
}

function reasonOf(fault: unknown): number {
  const { code = '' } = (fault ?? {}) as { readonly code?: string };
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return 2;
  if (code === 'ETIMEDOUT') return TIMED_OUT;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 4;
  return /CERT|SELF_SIGNED|TLS|SSL/.test(code) ? 5 : 6;
}

const OPENED_BYTE = Buffer.from([OPENED]);
const TIMED_OUT = 3;
/** A target that is there answers in milliseconds; another agent may have one that is. */
const CONNECT_MS = 5_000;
/** The gateway closes what it has read to its end. */
const LINGER_MS = 5_000;
const HALF_OPEN_MS = 60_000;
