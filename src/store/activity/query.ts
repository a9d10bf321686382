// How what shares get is kept and read: of accounts by the minute and by the hour, of shares by the minute.

import type { ActivityCounts, ShareActivity } from '../../domain/activity.ts';
import type { AccountId } from '../../domain/id.ts';

export type ActivityQuery = {
  readonly accountId: AccountId;
  /** Begins a step. */
  readonly from: number;
  /** Whole minutes; whole hours when it is an hour or more. */
  readonly stepMs: number;
};

/** What was counted in the step that begins `at`. */
export type ActivityStep = ActivityCounts & { readonly at: number };

export interface ActivityTable {
  /**
   * Adds to what this and other gateways counted in the minute and the hour of `at`, in one transaction. Each
   * share is named once.
   */
  add(at: number, shares: readonly ShareActivity[]): Promise<void>;
  /** Steps in which something was counted, in their order. */
  ofAccount(query: ActivityQuery): Promise<readonly ActivityStep[]>;
  /** When the last step begins in which something was counted; null when nothing is kept. */
  lastAt(accountId: AccountId): Promise<number | null>;
  /** Deletes minutes and hours that are too old by `now` for what `ofAccount` is asked. */
  forget(now: number): Promise<void>;
}
