// Opens the connections that the workers of one place want. Which worker takes one is chance, so each try
// shows a ticket of every worker that wants some, and whichever has it takes that one.

import { setTimeout as pause } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import type { Lender } from './agent-session.ts';
import { backoffMs } from './backoff.ts';
import { MAX_TICKETS_SHOWN, TICKET_MS } from './limits.ts';

/** `taken`: which of the tickets; null when the worker that answered has given none of them. */
export type Raised = { readonly socket: Duplex; readonly taken: string } | null;

export type RaisingOptions = {
  /** Throws when the place cannot be reached, or refuses. */
  readonly dial: (tickets: readonly string[]) => Promise<Raised>;
  readonly signal: AbortSignal;
};

type Wanted = { readonly ticket: string; readonly lender: Lender; readonly until: number };

export class Raising {
  readonly #options: RaisingOptions;
  readonly #wanted = new Map<Lender, Wanted[]>();
  #dialling = 0;
  #failures = 0;

  constructor(options: RaisingOptions) {
    this.#options = options;
  }

  raise(tickets: readonly string[], lender: Lender): void {
    const until = performance.now() + TICKET_MS;
    const ofLender = this.#wanted.get(lender) ?? [];
    this.#wanted.set(lender, ofLender);
    for (const ticket of tickets) ofLender.push({ ticket, lender, until });
    this.#dialOn();
  }

  #dialOn(): void {
    while (this.#dialling < MAX_DIALS && !this.#options.signal.aborted) {
      const shown = this.#nextOfEach();
      if (shown.length === 0) return;
      this.#dialling += 1;
      void this.#try(shown).finally(() => {
        this.#dialling -= 1;
        this.#dialOn();
      });
    }
  }

  async #try(shown: readonly Wanted[]): Promise<void> {
    const { dial, signal } = this.#options;
    let taken: Wanted | undefined;
    try {
      const raised = await dial(shown.map(({ ticket }) => ticket));
      this.#failures = 0;
      taken = raised === null ? undefined : shown.find(({ ticket }) => ticket === raised.taken);
      if (taken !== undefined) taken.lender.lend(raised!.socket, taken.ticket);
      else raised?.socket.destroy();
    } catch {
      // The control connection tells whoever waits that the gateway is gone, if it is.
      await pause(backoffMs(this.#failures++, Math.random()), undefined, { signal }).catch(() => undefined);
    }
    for (const wanted of shown) if (wanted !== taken) this.#wantAgain(wanted);
  }

  #wantAgain(wanted: Wanted): void {
    const ofLender = this.#wanted.get(wanted.lender) ?? [];
    ofLender.unshift(wanted);
    this.#wanted.set(wanted.lender, ofLender);
  }

  #nextOfEach(): readonly Wanted[] {
    const now = performance.now();
    const shown: Wanted[] = [];
    for (const [lender, ofLender] of this.#wanted) {
      if (shown.length === MAX_TICKETS_SHOWN) break;
      let next = ofLender.shift();
      while (next !== undefined && (next.until < now || lender.isOver())) {
        lender.expired();
        next = ofLender.shift();
      }
      if (next === undefined) this.#wanted.delete(lender);
      else shown.push(next);
    }
    return shown;
  }
}

/** As many as people may come at once; on a slow link each takes several ways there and back. */
const MAX_DIALS = 64;
