// What is counted of the requests that shares get. A request counts once, when it is over, or became a
// WebSocket.

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

/**
 * Of one share, since what was told before. What is left, such as visitors sent to log in, is in `requests`
 * alone.
 */
export type ShareActivity = ActivityCounts & { readonly shareId: ShareId; readonly accountId: AccountId };

export function sumOf(one: ActivityCounts, other: ActivityCounts): ActivityCounts {
  return {
    requests: one.requests + other.requests,
    answered: one.answered + other.answered,
    refused: one.refused + other.refused,
    faulted: one.faulted + other.faulted,
  };
}
