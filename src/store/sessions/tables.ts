// The columns of the tables of sessions, and the attempts that make them, as the database has them.

export type SessionsTable = {
  id: string;
  share_id: string;
  account_id: string;
  provider_name: string;
  provider_generation: string;
  subject: string;
  email: string;
  browser_hash: string;
  binding_hash: string | null;
  created_at: number;
  expires_at: number;
  checked_at: number;
  ended_at: number | null;
  end_reason: string | null;
  last_seen_at: number;
  ip: string | null;
  /** Sealed; null once the session ended and nobody is to revoke them any more. */
  tokens: string | null;
  refreshable: number;
  /** Grows with each lease; a holder of an older one is refused. */
  fence: number;
  /** Null when nobody holds the lease. */
  leased_until: number | null;
  /** `sid` of the id token. */
  provider_sid: string | null;
  /** `User-Agent` of the login, cut. */
  user_agent: string | null;
  /** Until when its browser may confirm it; null once it did, or where none is asked for. */
  confirm_by: number | null;
  /** 1 when the login showed a verified address; null when nobody looked. */
  email_verified: number | null;
  /** JSON of `SessionFacts`; null when nobody asked for any. */
  facts: string | null;
  /** When its tokens are to be revoked at the provider; null when there is nothing to do. */
  revoke_at: number | null;
};

/** An address in lower case that a session has, and when one began last, to a day. */
export type SessionEmailsTable = { account_id: string; email: string; seen_at: number };

/** What begins at a character of it, cut. */
export type SessionEmailPartsTable = { account_id: string; part: string; email: string };

/** One row: the session up to which those of before an upgrade have theirs; null for all. */
export type SessionEmailsFilledTable = { id: number; after_id: string | null };

/** Numbers from 1 on. */
export type SearchPositionsTable = { position: number };

export type AttemptsTable = { id: string; expires_at: number };
