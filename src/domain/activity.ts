// What is counted of the requests that shares get. A request counts once, when it is over, or became a
// WebSocket.

import { BUCKETS } from './duration-buckets.ts';
import type { AccountId, ShareId } from './id.ts';

export type ActivityCounts = {
  readonly requests: number;
  /** The backend answered, whatever it said. */
  readonly answered: number;
  /** The gate answered with a refusal (4xx or 5xx): no login, a wrong address, another site's page. */
  readonly refused: number;
  /** The backend could not be reached, was too slow, or broke off: the gate's own 502, 503 and 504. */
  readonly faulted: number;
};

/** Of a share: how it answered, and how long what the backend answered took, from head to end. */
export type ShareFigures = {
  /** By the class of the status, 1xx to 5xx; first what was cut before an answer. */
  readonly statuses: Float64Array;
  /** By bucket. */
  readonly durations: Float64Array;
  readonly durationsMs: number;
};

/**
 * Of one share, since what was told before. What is left, such as visitors sent to log in, is in `requests`
 * alone.
 */
export type ShareActivity = ActivityCounts &
  ShareFigures & { readonly shareId: ShareId; readonly accountId: AccountId };

export const STATUS_CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** The class of a status; 0 and whatever is no status are the first. */
export function statusClass(status: number): number {
  const hundreds = Math.floor(status / 100);
  return hundreds < STATUS_CLASSES.length ? hundreds : 0;
}

export function noFigures(): ShareFigures {
  return {
    statuses: new Float64Array(STATUS_CLASSES.length),
    durations: new Float64Array(BUCKETS),
    durationsMs: 0,
  };
}

export function sumOf(one: ActivityCounts, other: ActivityCounts): ActivityCounts {
  return {
    requests: one.requests + other.requests,
    answered: one.answered + other.answered,
    refused: one.refused + other.refused,
    faulted: one.faulted + other.faulted,
  };
}

export function sumOfFigures(one: ShareFigures, other: ShareFigures): ShareFigures {
  return {
    statuses: added(one.statuses, other.statuses),
    durations: added(one.durations, other.durations),
    durationsMs: one.durationsMs + other.durationsMs,
  };
}

function added(one: Float64Array, other: Float64Array): Float64Array {
  return one.map((count, index) => count + (other[index] ?? 0));
}
