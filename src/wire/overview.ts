// How an account does, in figures: what the control API tells at a glance.

export type OverviewObject = {
  readonly shares: {
    readonly total: number;
    /** Neither off, waiting nor failing. */
    readonly up: number;
    readonly off: number;
    /** Of those that are on: no agent serves it. */
    readonly waiting: number;
    /** Of those that are on: the last requests got no answer of the backend. At most 1,000 are counted. */
    readonly failing: number;
    /** Those that wait or fail, at most 20 of each, by name. */
    readonly down: readonly DownShareObject[];
  };
  readonly requests: {
    readonly stepSeconds: number;
    /** Each step of the time asked for, the last one being of now. */
    readonly steps: readonly ActivityStepObject[];
    /** The minute, or the hour, of the last one; null when none came in the last week. */
    readonly lastAt: string | null;
  };
  /** Since the first step, to shares; the provider with the most first. */
  readonly logins: readonly LoginCountObject[];
  /** Those that shares may use: the configuration's and the account's own. */
  readonly providers: { readonly usable: number };
  readonly sessions: { readonly active: number };
  readonly certificates: {
    readonly active: number;
    /** Of those, over within `soonDays`. */
    readonly expiringSoon: number;
    readonly soonDays: number;
  };
};

export type DownShareObject = {
  readonly name: string;
  readonly why: 'failing' | 'waiting';
  /** When an agent was last seen, null for never; or the minute of the last fault. */
  readonly at: string | null;
};

export type ActivityStepObject = {
  /** Its beginning. */
  readonly at: string;
  readonly requests: number;
  /** The gate answered with a refusal. */
  readonly refused: number;
  /** The backend could not be reached, was too slow, or broke off. */
  readonly faulted: number;
};

export type LoginCountObject = {
  readonly provider: string;
  readonly succeeded: number;
  readonly refused: number;
  readonly failed: number;
};
