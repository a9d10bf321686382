// Requests for access as the control API shows and takes them. Times are RFC 3339.

import type { AccessRequestState } from '../domain/access-request-state.ts';

export type AccessRequestObject = {
  readonly id: string;
  /** The share's name; null when it was deleted. */
  readonly share: string | null;
  readonly shareId: string;
  readonly provider: string;
  readonly email: string;
  /** What they wrote; empty for nothing. Never to be trusted. */
  readonly message: string;
  readonly state: AccessRequestState;
  readonly firstAskedAt: string;
  readonly lastAskedAt: string;
  readonly decidedAt: string | null;
  /** Until when a granted one lets in. */
  readonly grantedUntil: string | null;
};

export type AccessRequestPage = {
  readonly items: readonly AccessRequestObject[];
  readonly nextCursor: string | null;
};

/** One of the two. */
export type AccessGrantInput = {
  /** Such as `7d`. */
  readonly for?: string | undefined;
  readonly until?: string | undefined;
};

export type AccessRequestSearch = {
  readonly share?: string | undefined;
  readonly state?: AccessRequestState | undefined;
};
