// The columns of the tables of what shares get, as the database has them.

import { STATUS_CLASSES } from '../../domain/activity.ts';
import { BUCKETS } from '../../domain/duration-buckets.ts';

const STATUSES = STATUS_CLASSES.filter((name) => name !== 'none');

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

/** Of a share in the minute, or the hour, that begins `at`. */
export type ShareActivityColumns = Omit<ActivityColumns, 'step_ms'> &
  Record<FigureColumn, number> & { share_id: string };

/** `ShareFigures`: responses by class of status but the first, and durations by bucket. */
export type FigureColumn = `status_${(typeof STATUSES)[number]}` | `took_${number}`;

export const STATUS_COLUMNS: readonly FigureColumn[] = STATUSES.map((name) => `status_${name}` as const);
export const TOOK_COLUMNS: readonly FigureColumn[] = Array.from(
  { length: BUCKETS },
  (_, bucket) => `took_${bucket}` as const,
);
