// A session as it is kept, and what holds it while it is checked and says how it ended.

import type { AuditEvent } from '../../domain/audit-event.ts';
import type { AccountId, SessionId, ShareId } from '../../domain/id.ts';
import type { Secret } from '../../domain/secret.ts';
import type { SessionFacts } from '../../domain/session-facts.ts';

export type SessionRow = {
  readonly id: SessionId;
  readonly shareId: ShareId;
  readonly accountId: AccountId;
  readonly providerName: string;
  readonly providerGeneration: string;
  readonly subject: string;
  readonly email: string;
  readonly browserHash: string;
  readonly bindingHash: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly checkedAt: number;
  readonly endedAt: number | null;
  readonly endReason: string | null;
  readonly lastSeenAt: number;
  readonly ip: string | null;
  /** The provider's own id of the login there (`sid`), when its id token has one. */
  readonly providerSid: string | null;
  /** `User-Agent` of the login, cut; null where none was sent. */
  readonly userAgent: string | null;
};

/** Encrypted in the store with the master key; table, column, row and account are its associated data. */
export type StoredTokens = {
  readonly accessToken: Secret;
  readonly refreshToken: Secret | null;
  readonly idToken: Secret | null;
  /** Whether it came with the access token. Absent: it did not. */
  readonly idTokenIsNew?: boolean;
  readonly subject: string | null;
  /** When a refresh gave the access token, in milliseconds since the epoch; null or absent for a login's. */
  readonly refreshedAt?: number | null;
};

export type SessionEnding = {
  readonly reason: string;
  readonly at: number;
  /** As in `endSessions()`: their tokens are revoked later. */
  readonly owesTokens?: boolean;
  /** What the audit says of each of them, should it end by this. */
  readonly events?: ReadonlyMap<SessionId, AuditEvent>;
};

export type SessionLease = {
  readonly row: SessionRow;
  readonly tokens: StoredTokens;
  /** As the last check, or the login, left them. */
  readonly facts?: SessionFacts;
  readonly fence: number;
};
