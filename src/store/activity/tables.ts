// The columns of the tables of what shares get, as the database has them.

/** Of an account in the step that begins `at`; `ActivityCounts`. */
export type ActivityColumns = {
  account_id: string;
  step_ms: number;
  at: number;
  requests: number;
  answered: number;
  refused: number;
  faulted: number;
};

/** Of a share in the minute that begins `at`. */
export type ShareActivityColumns = Omit<ActivityColumns, 'step_ms'> & { share_id: string };
