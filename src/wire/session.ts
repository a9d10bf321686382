// A session as the control API shows it, and how sessions are searched and ended (DESIGN 2.5). Times are RFC
// 3339.

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
};

export type SessionPage = { readonly items: readonly SessionObject[]; readonly nextCursor: string | null };

export type SessionSearch = {
  readonly email?: string | undefined;
  /** Part of the address. */
  readonly q?: string | undefined;
  /** Name or id. */
  readonly share?: string | undefined;
  readonly provider?: string | undefined;
  readonly ip?: string | undefined;
  readonly state?: 'active' | 'ended' | undefined;
  readonly cursor?: string | null | undefined;
  readonly limit?: number | undefined;
};

/** Whose sessions to end: all of a person, of a share, or of a provider. */
export type SessionGroup =
  | { readonly email: string }
  | { readonly share: string }
  | { readonly provider: string };

export type EndedSessions = { readonly ended: number };
