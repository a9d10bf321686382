// What somebody found who looked whether targets take connections.

export type LookedAt = {
  readonly looked: readonly string[];
  /** Those of them that took none. */
  readonly silent: readonly string[];
};
