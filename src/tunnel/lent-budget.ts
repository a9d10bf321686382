// How many connections an agent's process lends at once, whatever its gateways ask for.

import { MAX_LENT_OF_PROCESS } from './limits.ts';

export class LentBudget {
  readonly #most: number;
  #lent = 0;

  constructor(most = MAX_LENT_OF_PROCESS) {
    this.#most = most;
  }

  /** False when there is no room. Whoever got some gives it back once. */
  take(): boolean {
    if (this.#lent >= this.#most) return false;
    this.#lent += 1;
    return true;
  }

  give(): void {
    this.#lent -= 1;
  }
}
