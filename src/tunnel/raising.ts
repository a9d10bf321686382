// Opens the connections that the workers of one place want. Which worker takes one is chance, so each try
// shows a ticket of every worker that wants some, and whichever it comes to takes its own. There are as many
// tries at once as connections are wanted: a ticket may be shown by several, and counts for one of them.

import { setTimeout as pause } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import type { Lender } from './agent-session.ts';
import { backoffMs } from './backoff.ts';
import { MAX_LENT_OF_PROCESS, MAX_TICKETS_SHOWN, TICKET_MS } from './limits.ts';

/** `taken`: which of the tickets; null when the worker that answered has given none of them. */
export type Raised = { readonly socket: Duplex; readonly taken: string } | null;

export type RaisingOptions = {
  /** Throws when the place cannot be reached, or refuses. */
  readonly dial: (tickets: readonly string[]) => Promise<Raised>;
  readonly signal: AbortSignal;
};

type Wanted = {
  readonly ticket: string;
  readonly lender: Lender;
  readonly until: number;
  /** Tries that show it now. */
  tries: number;
};

export class Raising {
  readonly #options: RaisingOptions;
  readonly #wanted = new Map<Lender, Set<Wanted>>();
  #dialling = 0;
  #failures = 0;
  /** Tries since the last that came to a worker that wanted one. */
  #missedInRow = 0;

  constructor(options: RaisingOptions) {
    this.#options = options;
  }

  raise(tickets: readonly string[], lender: Lender): void {
    const until = performance.now() + TICKET_MS;
    const ofLender = this.#wanted.get(lender) ?? new Set();
    this.#wanted.set(lender, ofLender);
    let room = MAX_LENT_OF_PROCESS - this.#count();
    for (const ticket of tickets)
      // More could not be lent, and each try looks at all that are wanted.
      if (room-- > 0) ofLender.add({ ticket, lender, until, tries: 0 });
      else lender.expired();
    this.#dialOn();
  }

  #count(): number {
    let count = 0;
    for (const { size } of this.#wanted.values()) count += size;
    return count;
  }

  #dialOn(): void {
    const live = this.#live();
    const most = Math.min(
      MAX_DIALS,
      live.reduce((sum, ofLender) => sum + ofLender.length, 0),
    );
    while (this.#dialling < most && !this.#options.signal.aborted) {
      this.#dialling += 1;
      void this.#try(leastTriedOfEach(live)).finally(() => {
        this.#dialling -= 1;
        this.#dialOn();
      });
    }
  }

  async #try(shown: readonly Wanted[]): Promise<void> {
    const { dial } = this.#options;
    for (const wanted of shown) wanted.tries += 1;
    try {
      const raised = await dial(shown.map(({ ticket }) => ticket));
      this.#failures = 0;
      if (raised === null) await this.#pause(Math.min(++this.#missedInRow * MISSED_MS, MISSED_MAX_MS));
      else this.#lend(raised, shown);
    } catch {
      // The control connection tells whoever waits that the gateway is gone, if it is.
      await this.#pause(backoffMs(this.#failures++, Math.random()));
    }
    for (const wanted of shown) wanted.tries -= 1;
  }

  #lend({ socket, taken }: NonNullable<Raised>, shown: readonly Wanted[]): void {
    this.#missedInRow = 0;
    const wanted = shown.find(({ ticket }) => ticket === taken);
    if (wanted !== undefined && this.#wanted.get(wanted.lender)?.delete(wanted) === true)
      wanted.lender.lend(socket, taken);
    else socket.destroy();
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#options.signal }).catch(() => undefined);
  }

  /** By lender. What is too old, and shown by none, is forgotten. */
  #live(): readonly (readonly Wanted[])[] {
    const now = performance.now();
    for (const [lender, ofLender] of this.#wanted) {
      for (const wanted of ofLender)
        if (wanted.tries === 0 && !isLive(wanted, now)) {
          ofLender.delete(wanted);
          lender.expired();
        }
      if (ofLender.size === 0) this.#wanted.delete(lender);
    }
    return Array.from(this.#wanted.values(), (ofLender) =>
      [...ofLender].filter((one) => isLive(one, now)),
    ).filter((ofLender) => ofLender.length > 0);
  }
}

function isLive({ until, lender }: Wanted, now: number): boolean {
  return until >= now && !lender.isOver();
}

function leastTriedOfEach(live: readonly (readonly Wanted[])[]): readonly Wanted[] {
  return live
    .map((ofLender) => ofLender.reduce((least, one) => (one.tries < least.tries ? one : least)))
    .toSorted((one, other) => one.tries - other.tries)
    .slice(0, MAX_TICKETS_SHOWN);
}

/** As many as people may come at once; on a slow link each takes several ways there and back. */
const MAX_DIALS = 64;
/** With the worst of luck many tries come to other workers: the more, the slower. */
const MISSED_MS = 2;
const MISSED_MAX_MS = 250;
