// Whether a forwarded request still moves: what each side last did, as marks that `stalled()` turns into
// times, since the paths of bytes read no clock. No limit is a total: whatever moves may take hours (DESIGN
// "Ambiguous HTTP").

export type ForwardLimits = {
  /**
   * How long the backend may take to begin its answer once it has the whole request, or to take more of the
   * request.
   */
  readonly headMs: number;
  /** How long a visitor may send nothing of a body that the backend waits for. */
  readonly bodyStallMs: number;
  /** How long a visitor may read nothing of an answer that is there. */
  readonly answerStallMs: number;
};

/**
 * Generous: reports and exports take minutes, and nobody is harmed by waiting; an event stream begins at
 * once.
 */
export const FORWARD_LIMITS: ForwardLimits = {
  headMs: 300_000,
  bodyStallMs: 30_000,
  answerStallMs: 300_000,
};

/** Who has stood still for too long, and with what. */
export type Stall = 'no_answer' | 'body_not_taken' | 'body_stopped' | 'answer_not_read';

export class Progress {
  bodyEnded: boolean;
  answerBegun = false;
  answerEnded = false;
  /** Bytes of the body came. */
  bodyMoved = true;
  #bodyPaused = false;
  #answerPaused = false;
  // On the clock of `stalled()`; 0 while there is nothing to wait for.
  #bodyMovedAt = 0;
  #bodyPausedAt = 0;
  #waitingSince = 0;
  #answerPausedAt = 0;

  constructor(hasBody: boolean) {
    this.bodyEnded = !hasBody;
  }

  /** Whether the backend has no room for more of the body. */
  pauseBody(paused: boolean): void {
    this.#bodyPaused = paused;
    if (!paused) this.#bodyPausedAt = 0;
  }

  /** Whether the visitor has no room for more of the answer. */
  pauseAnswer(paused: boolean): void {
    this.#answerPaused = paused;
    if (!paused) this.#answerPausedAt = 0;
  }

  /** Asked once in a while with a time in milliseconds, always of the same clock; null while all is well. */
  stalled(now: number, limits: ForwardLimits): Stall | null {
    if (!this.bodyEnded) return this.#bodyStalled(now, limits) ?? this.#answerStalled(now, limits);
    if (this.answerBegun) return this.#answerStalled(now, limits);
    if (this.#waitingSince === 0) this.#waitingSince = now;
    return now - this.#waitingSince >= limits.headMs ? 'no_answer' : null;
  }

  #bodyStalled(now: number, { headMs, bodyStallMs }: ForwardLimits): Stall | null {
    if (this.answerBegun && !this.answerEnded) {
      // Both sides talk: a backend that answers need not read, and a visitor who listens need not speak.
      this.#bodyMovedAt = 0;
      this.#bodyPausedAt = 0;
      return null;
    }
    if (this.#bodyPaused) {
      // A backend that takes no more bytes is slow itself, and the visitor isn't to blame.
      this.#bodyMovedAt = now;
      if (this.#bodyPausedAt === 0) this.#bodyPausedAt = now;
      return now - this.#bodyPausedAt >= headMs ? 'body_not_taken' : null;
    }
    if (this.bodyMoved || this.#bodyMovedAt === 0) {
      this.bodyMoved = false;
      this.#bodyMovedAt = now;
    }
    return now - this.#bodyMovedAt >= bodyStallMs ? 'body_stopped' : null;
  }

  /**
   * Once both sides have said all, what is left of the answer is on its way, and nothing else tells whether
   * it moves.
   */
  #answerStalled(now: number, { answerStallMs }: ForwardLimits): Stall | null {
    if (!this.#answerPaused && !(this.answerEnded && this.bodyEnded)) return null;
    if (this.#answerPausedAt === 0) this.#answerPausedAt = now;
    return now - this.#answerPausedAt >= answerStallMs ? 'answer_not_read' : null;
  }
}
