// The share as the control API shows and takes it (DESIGN 2.5). Durations are texts (`3h`), times RFC 3339.
// What its settings are is said in `domain/share-settings.ts`.

import type { ShareOrder, SortName } from '../domain/list-orders.ts';
import type { SaidSettings, ShownSettings } from '../domain/share-values.ts';
import type { TunnelKind } from '../domain/tunnel-kind.ts';

export type ShareObject = {
  readonly id: string;
  readonly name: string;
  /** Where visitors open it. */
  readonly url: string;
  /** The backend: scheme, host and port. Null exactly when agents serve it, or it is `behind` a proxy. */
  readonly target: string | null;
  readonly tunnel: TunnelKind | null;
  readonly hosts: readonly string[];
  /** When an agent was last seen to serve it, to the minute; null for one that no agent ever served. */
  readonly agentSeenAt: string | null;
  /** Only where shares are shown and listed; null for one of nobody. */
  readonly ownerIsMember?: boolean | null | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
} & ShownSettings;

/** A target, or `tunnel` for a share that agents serve, or `behind`; only an ephemeral one needs no name. */
export type NewShare = {
  readonly name?: string | undefined;
  readonly tunnel?: TunnelKind | undefined;
} & ShareChanges;

/**
 * What is left out stays as it is. `oauthProvider: null` removes the login with its patterns and its
 * interval.
 */
export type ShareChanges = { readonly target?: string | undefined } & SaidSettings;

export type ShareSearch = {
  /** Part of the name, the target or the provider's name, in any case. */
  readonly q?: string | undefined;
  readonly provider?: string | undefined;
  readonly owner?: string | undefined;
  /**
   * `open`: on, and anybody may come in. `down`: `waiting` for an agent, or `failing` to answer. `up`: on,
   * and not down. `unanswered`: on or off, with requests of the last 24 hours that got no answer.
   */
  readonly state?: 'on' | 'off' | 'open' | 'waiting' | 'failing' | 'down' | 'up' | 'unanswered' | undefined;
  /** By name unless said. */
  readonly sort?: SortName<ShareOrder> | undefined;
  readonly include?: 'figures' | undefined;
};

/** A page of a search may hold few, or none, and still have a `nextCursor`. */
export type SharePage = {
  readonly items: readonly ListedShare[];
  readonly nextCursor: string | null;
  /** Of the first page: how many there are, counted to 1,001; null where that would take too long. */
  readonly total?: number | null | undefined;
};

export type ListedShare = ShareObject & {
  /** Of the version that is listed: a change of what is on the page is made onto no other. */
  readonly etag: string;
  /** Where they were asked for. */
  readonly figures?: ShareFiguresObject | undefined;
};

export type ShareFiguresObject = {
  /** Of the last 24 hours. */
  readonly requests: number;
  /** Active ones, counted to 1,001. */
  readonly sessions: number;
  /** To the minute, or to the hour; null for none in a week. */
  readonly lastRequestAt: string | null;
};
