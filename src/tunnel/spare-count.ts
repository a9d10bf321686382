// How many spare connections to keep with an agent: one to begin with, more while they run out, fewer each
// quiet minute, and none once nobody came for ten.

export class SpareCount {
  #wanted = 1;
  /** Since the last look that counted. */
  #missed = 0;
  #taken = 0;
  #lookedAt: number;
  #takenAt: number;

  constructor(now: number) {
    this.#lookedAt = now;
    this.#takenAt = now;
  }

  get wanted(): number {
    return this.#wanted;
  }

  /** One was taken; `missing`: there was none. */
  took(missing: boolean, now: number): void {
    this.#takenAt = now;
    this.#taken += 1;
    if (missing) this.#missed += 1;
    if (missing || this.#wanted === 0) this.#wanted = Math.min(this.#wanted + 1, MAX_SPARE);
  }

  /** Called now and then. */
  look(now: number): void {
    if (now - this.#takenAt >= FORGET_MS) {
      this.#wanted = 0;
      return;
    }
    if (now - this.#lookedAt < QUIET_MS) return;
    if (this.#missed === 0 && this.#taken < this.#wanted)
      this.#wanted = Math.max(1, Math.floor(this.#wanted / 2));
    this.#lookedAt = now;
    this.#missed = 0;
    this.#taken = 0;
  }
}

/** A page load and a few more, at once. */
const MAX_SPARE = 32;
const QUIET_MS = 60_000;
const FORGET_MS = 600_000;
