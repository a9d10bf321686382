// What one share gets, in steps of time, as the control API tells it.

export type ShareActivityObject = {
  readonly stepSeconds: number;
  /** Each step of the time asked for, the last one being of now. */
  readonly steps: readonly ShareActivityStepObject[];
};

export type ShareActivityStepObject = {
  /** Its beginning. */
  readonly at: string;
  readonly requests: number;
  /** The backend answered, whatever it said. */
  readonly answered: number;
  /** The gate answered with a refusal. */
  readonly refused: number;
  /** The backend could not be reached, was too slow, or broke off. */
  readonly faulted: number;
  /** By class of status; `none`: cut before an answer. */
  readonly statuses: Readonly<Record<'none' | '1xx' | '2xx' | '3xx' | '4xx' | '5xx', number>>;
  /** Of what the backend answered, from head to end; null when there was nothing. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
};
