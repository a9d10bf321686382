// What makes `audit_events` append-only on SQLite: triggers that abort. Only rows older than the one row of
// `audit_retention` may go, and that is 0 except inside the retention sweep's own transaction.

export const SQLITE_AUDIT_GUARD: readonly string[] = [
  `CREATE TRIGGER audit_events_never_updated BEFORE UPDATE ON audit_events
   BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END`,
  `CREATE TRIGGER audit_events_never_deleted BEFORE DELETE ON audit_events
   WHEN OLD.at >= (SELECT "before" FROM audit_retention WHERE id = 1)
   BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END`,
];
