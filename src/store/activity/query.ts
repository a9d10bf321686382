// How what shares get is kept and read: by the minute and by the hour, of accounts for longer than of shares.

import type { ActivityCounts, ShareActivity, ShareFigures } from '../../domain/activity.ts';
import type { AccountId, ShareId } from '../../domain/id.ts';

export type ActivityQuery = {
  readonly accountId: AccountId;
  /** Begins a step. */
  readonly from: number;
  /** Whole minutes; whole hours when it is an hour or more. */
  readonly stepMs: number;
};

/** What was counted in the step that begins `at`. */
export type ActivityStep = ActivityCounts & { readonly at: number };

export type ShareActivityQuery = ActivityQuery & { readonly shareId: ShareId };

/** As `ActivityStep`, of one share. */
export type ShareActivityStep = ActivityStep & Pick<ShareFigures, 'statuses' | 'durations'>;

export interface ActivityTable {
  /**
   * Adds to what this and other gateways counted in the minute and the hour of `at`, in one transaction. Each
   * share is named once.
   */
  add(at: number, shares: readonly ShareActivity[]): Promise<void>;
  /** Steps in which something was counted, in their order. */
  ofAccount(query: ActivityQuery): Promise<readonly ActivityStep[]>;
  /** As `ofAccount`, of one of its shares; nothing for the share of another account. */
  ofShare(query: ShareActivityQuery): Promise<readonly ShareActivityStep[]>;
  /** When the last step begins in which something was counted; null when nothing is kept. */
  lastAt(accountId: AccountId): Promise<number | null>;
  /** Deletes minutes and hours that are too old by `now` for what `ofAccount` is asked. */
  forget(now: number): Promise<void>;
}
