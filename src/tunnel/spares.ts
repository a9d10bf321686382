// Connections of an agent's that nobody uses yet, the newest first: the others get a chance to grow old. How
// many all agents of one account may keep at a worker is limited, because each takes a place that a visitor
// of another account's could have.

import type { Lent } from './lent.ts';

/** One for each account. */
export class SpareRoom {
  readonly #most: number;
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get left(): number {
    return this.#most - this.#held;
  }

  changed(by: number): void {
    this.#held += by;
  }
}

export class Spares {
  readonly #room: SpareRoom;
  readonly #lent: Lent[] = [];

  constructor(room: SpareRoom) {
    this.#room = room;
  }

  get size(): number {
    return this.#lent.length;
  }

  /** As many as there may be, of so many that are wanted. */
  most(wanted: number): number {
    return Math.min(wanted, this.size + Math.max(0, this.#room.left));
  }

  /** Closed when there is no room. */
  add(lent: Lent): void {
    if (this.#room.left <= 0) return void lent.socket.destroy();
    this.#room.changed(1);
    lent.wasSpare = true;
    this.#lent.push(lent);
  }

  take(): Lent | undefined {
    return this.#gone(this.#lent.pop());
  }

  /** Closes the oldest beyond so many. */
  shrinkTo(count: number): void {
    while (this.size > count) this.#gone(this.#lent.shift())?.socket.destroy();
  }

  delete(lent: Lent): void {
    const at = this.#lent.indexOf(lent);
    if (at !== -1) this.#gone(this.#lent.splice(at, 1)[0]);
  }

  #gone(lent: Lent | undefined): Lent | undefined {
    if (lent !== undefined) this.#room.changed(-1);
    return lent;
  }
}
