// Shares as the rooms above see them. Rows of another account are not there.

import type { AccountId, ShareId } from '../../domain/id.ts';
import type { ShareOrder, Sort } from '../../domain/list-orders.ts';
import type { RoutedSettings, ShareSettings } from '../../domain/share-values.ts';
import type { TunnelKind } from '../../domain/tunnel-kind.ts';
import type { Place } from '../sorting.ts';
import type { LookedAt } from './looked-at.ts';
import type { ShareStates } from './states.ts';

export type ShareRow = {
  readonly id: ShareId;
  readonly accountId: AccountId;
  readonly name: string;
  /** Null exactly when agents serve it, or it is `behind` a proxy. */
  readonly target: string | null;
  readonly tunnel: TunnelKind | null;
  /**
   * Host names of its own that are proved, beside the one under the public base. They change in `hosts`
   * alone.
   */
  readonly hosts: readonly string[];
  /** When an agent was last seen to serve it, to the minute; changes without a new version. */
  readonly agentSeenAt: number | null;
  /** Starts at 1 and grows by one with each change: the ETag. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
} & ShareSettings;

/**
 * What the gateway has of a share. `settings` is the same object for all that are alike in them, so that very
 * many shares are read as fast as their names are.
 */
export type RoutedRow = Pick<ShareRow, 'id' | 'accountId' | 'name' | 'target' | 'hosts'> & {
  readonly settings: RoutedSettings;
};

/** What a change may set. */
export type ShareChange = ShareSettings & Pick<ShareRow, 'target'>;

export const SHARE_STATES = ['on', 'off', 'open', 'waiting', 'failing', 'down', 'up', 'unanswered'] as const;

/** Each null to leave it out. */
export type ShareFilter = {
  /** Part of the name, the target or the provider's name, in any case. */
  readonly text: string | null;
  readonly provider: string | null;
  /** An address, in any case. */
  readonly owner?: string | null;
  /**
   * `open`: on, and open to everyone. `waiting`: on, and no agent serves it.
   * `failing`: on, and the last requests got no answer of the backend, or it took no connection when a
   * gateway looked. `down`: either of these. `up`: on, and neither. `unanswered`: on or off, with a request
   * that no backend answered, in the hours that `figures` count.
   */
  readonly state: (typeof SHARE_STATES)[number] | null;
  /** For who waits or fails. */
  readonly now: number;
};

export type ShareListPage = {
  /** By name unless said. */
  readonly sort?: Sort<ShareOrder>;
  /** The `next` of the page before, in the same order. */
  readonly after: Place | null;
  readonly limit: number;
  readonly filter?: ShareFilter;
};

export type FoundShares = { readonly shares: readonly ShareRow[]; readonly next: Place | null };

export type ShareFigures = {
  /** Of the last 24 hours, this one included. */
  readonly requests: number;
  /** Neither ended nor expired; at most `MOST_COUNTED` and one. */
  readonly sessions: number;
  /** The minute of the last request, or its hour when that was hours ago; null for none in a week. */
  readonly lastRequestAt: number | null;
};

export interface ShareTable {
  /** Whether this gateway is the one to look at targets now; no other is for so many milliseconds. */
  takeLook(holdMs: number): Promise<boolean>;
  /** Targets of those of the next shares that are on, each once; `next` is null behind the last share. */
  targetsToLook(page: {
    readonly after: string | null;
    readonly most: number;
  }): Promise<{ readonly targets: readonly string[]; readonly next: string | null }>;
  /** Shares with a silent target fail for some minutes, unless it is looked at again before. */
  looked(found: LookedAt): Promise<void>;
  /** An agent serves it, at this time. No change that gateways are told of. */
  agentSeen(id: ShareId, at: number): Promise<void>;
  /** Deletes the ephemeral ones that no agent served since, as `remove` does; answers how many. */
  removeAbandoned(before: number, at: number): Promise<number>;
  /**
   * Throws `name_taken` when another share has the name, or it once belonged to another account.
   * `definitions` names those of its providers that the account defines: throws `provider_unknown` when one
   * is gone by now. Throws `limit_reached` when the account has `most` shares, and `rules_too_large` when
   * its shares would have more than `mostRules` characters of rules; unlimited unless said.
   */
  create(
    row: ShareRow,
    conditions?: {
      readonly definitions?: readonly string[];
      readonly most?: number;
      readonly mostRules?: number;
    },
  ): Promise<void>;
  find(accountId: AccountId, name: string): Promise<ShareRow | null>;
  /** Null, too, when its account is suspended. */
  findById(id: ShareId): Promise<ShareRow | null>;
  /** As `findById`, those that are there, in no order. */
  findByIds(ids: readonly ShareId[]): Promise<readonly ShareRow[]>;
  /**
   * A page of an account's shares, by name unless said; of those that match, if there is a filter. How many
   * one page looks at is bounded: one of a filter may hold few, or none, and still have a `next`.
   */
  list(accountId: AccountId, page: ShareListPage): Promise<FoundShares>;
  /**
   * How many `list` finds in all, of which `most` are counted; null where that would take looking at too
   * many.
   */
  countFound(accountId: AccountId, filter: ShareFilter, most: number): Promise<number | null>;
  /** What goes on at these. */
  figures(
    accountId: AccountId,
    ids: readonly ShareId[],
    now: number,
  ): Promise<ReadonlyMap<string, ShareFigures>>;
  count(accountId: AccountId): Promise<{ readonly total: number; readonly enabled: number }>;
  /** How many of an account's shares log in with each provider; those without any are left out. */
  countByProvider(accountId: AccountId): Promise<ReadonlyMap<string, number>>;
  /** How many are up and which are down, by `now`. */
  states(accountId: AccountId, now: number): Promise<ShareStates>;
  /** Every share of every account that is not suspended. */
  all(): Promise<readonly ShareRow[]>;
  /** As `all`, a page in one turn of the event loop, so that they are never there as rows all at once. */
  each(take: (rows: readonly RoutedRow[]) => void): Promise<void>;
  /**
   * By id: whatever has its name by now is another. Null when there is no such share. `settings` sees the
   * share as it is and says what it becomes, while nobody else can change it; it may be asked more than once,
   * and what it throws stops the change. `definitions` as in `create`, of providers that are being set.
   * `mostRules` as in `create`; a change that can add no rules does without.
   */
  modify(change: {
    readonly accountId: AccountId;
    readonly id: ShareId;
    readonly settings: (share: ShareRow) => Partial<ShareChange>;
    readonly definitions?: readonly string[];
    readonly mostRules?: number;
    readonly at: number;
  }): Promise<ShareRow | null>;
  /**
   * As `modify`: `judge` sees the share as it is. Ends its sessions in the same transaction. False when there
   * is no such share.
   */
  remove(accountId: AccountId, id: ShareId, judge?: (share: ShareRow) => void): Promise<boolean>;
}
