// What makes `audit_events` append-only on SQLite: triggers that abort. Only rows older than the one row of
// `audit_retention` may go, and that is 0 except inside the retention sweep's own transaction.

export const SQLITE_AUDIT_GUARD: readonly string[] = [
  `CREATE TRIGGER audit_events_never_updated BEFORE UPDATE ON audit_events
   BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END`,
  `CREATE TRIGGER audit_events_never_deleted BEFORE DELETE ON audit_events
   WHEN OLD.at >= (SELECT "before" FROM audit_retention WHERE id = 1)
   BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END`,
];

/**
 * Numbers events in the order of commits, since one transaction at a time writes; a forgotten event's number
 * goes too.
 */
export const SQLITE_AUDIT_ORDER: readonly string[] = [
  `CREATE TRIGGER audit_events_numbered AFTER INSERT ON audit_events
   BEGIN
     UPDATE audit_counter SET number = number + 1 WHERE id = 1;
     INSERT INTO audit_order (number, event_id, account_id)
       SELECT number, NEW.id, NEW.account_id FROM audit_counter WHERE id = 1;
   END`,
  `CREATE TRIGGER audit_events_unnumbered AFTER DELETE ON audit_events
   BEGIN DELETE FROM audit_order WHERE event_id = OLD.id; END`,
];
