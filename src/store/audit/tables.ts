// The columns of the tables of audit events, as the database has them.

export type AuditEventsTable = {
  id: string;
  at: number;
  kind: string;
  account_id: string | null;
  share_id: string | null;
  session_id: string | null;
  provider: string | null;
  email: string | null;
  actor: string | null;
  ip: string | null;
  request_id: string | null;
  reason: string | null;
  /** Of events of a former version; none is written any more. */
  who_gets_in: string | null;
  rule: string | null;
  /** JSON of an `AuditChange`. */
  changes: string | null;
};

/** One row. The guard lets events go that are older than `before`; outside the retention sweep it is 0. */
export type AuditRetentionTable = { id: number; before: number };

/** Each audit event in the order of commits; the database writes it. */
export type AuditOrderTable = { number: number; event_id: string; account_id: string | null };

/** Which words an event has (`search/`), by its number in `audit_order`. */
export type AuditWordsTable = { number: number; word_id: number };

/** One row: the number of the last event whose words are there. */
export type AuditSearchedTable = { id: number; number: number };
