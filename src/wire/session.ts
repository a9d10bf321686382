// A session as the control API shows it, and how sessions are searched and ended (DESIGN 2.5). Times are RFC
// 3339.

import type { SessionOrder, SortName } from '../domain/list-orders.ts';

export type SessionObject = {
  readonly id: string;
  readonly email: string;
  readonly provider: string;
  readonly shareId: string;
  /** Its name; null when the share is gone. */
  readonly share: string | null;
  /** Where the login came from. */
  readonly ip: string | null;
  /** `User-Agent` of the login, cut at 256 characters: what the browser says of itself. */
  readonly userAgent: string | null;
  /** Since when. */
  readonly createdAt: string;
  readonly lastSeenAt: string;
  /** Last verified with the provider. */
  readonly checkedAt: string;
  /** Until when at most. */
  readonly expiresAt: string;
  readonly endedAt: string | null;
  /** `logout`, `ended_by_admin`, `invalid_grant` and so on; null unless it was ended. */
  readonly endReason: string | null;
  /** Neither ended nor expired. */
  readonly active: boolean;
  /** Why the share's rules no longer let it in; told only where that was asked for. */
  readonly refusal?: string | undefined;
};

export type SessionPage = {
  readonly items: readonly SessionObject[];
  readonly nextCursor: string | null;
  /** Of the first page: how many there are, counted to 1,001; null where that would take too long. */
  readonly total?: number | null | undefined;
};

export type SessionSearch = {
  readonly email?: string | undefined;
  /** Part of the address. */
  readonly q?: string | undefined;
  /** Name or id. */
  readonly share?: string | undefined;
  readonly provider?: string | undefined;
  readonly ip?: string | undefined;
  readonly state?: 'active' | 'ended' | undefined;
  /** Active ones that the rules of `share` no longer let in; nothing else is asked for then. */
  readonly admission?: 'refused' | undefined;
  /** Newest first unless said. */
  readonly sort?: SortName<SessionOrder> | undefined;
  readonly cursor?: string | null | undefined;
  readonly limit?: number | undefined;
};

/**
 * Whose sessions to end: all of a person, of a share, or of a provider; of a share perhaps only those that
 * its rules no longer let in.
 */
export type SessionGroup =
  | { readonly email: string }
  | { readonly share: string; readonly admission?: 'refused' | undefined }
  | { readonly provider: string };

export type EndedSessions = { readonly ended: number };
