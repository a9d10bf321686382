// What the database itself does, in its own language: keep `audit_events` append-only, and tell other
// processes of each commit. Part of the first migration: once released, they change by a migration only.

import { PROCESS } from './pool.ts';

/**
 * Only rows older than the one row of `audit_retention` may go, and that is 0 except inside the retention
 * sweep.
 */
export const POSTGRES_AUDIT_GUARD: readonly string[] = [
  `CREATE FUNCTION audit_events_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN RAISE EXCEPTION 'audit events are append-only'; END $$`,
  `CREATE FUNCTION audit_events_refuse_recent() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF OLD.at >= (SELECT "before" FROM audit_retention WHERE id = 1) THEN
       RAISE EXCEPTION 'audit events are append-only';
     END IF;
     RETURN OLD;
   END $$`,
  `CREATE TRIGGER audit_events_never_updated BEFORE UPDATE ON audit_events
   FOR EACH ROW EXECUTE FUNCTION audit_events_refuse()`,
  `CREATE TRIGGER audit_events_never_deleted BEFORE DELETE ON audit_events
   FOR EACH ROW EXECUTE FUNCTION audit_events_refuse_recent()`,
  `CREATE TRIGGER audit_events_never_truncated BEFORE TRUNCATE ON audit_events
   FOR EACH STATEMENT EXECUTE FUNCTION audit_events_refuse()`,
];

/**
 * The mode that CREATE TRIGGER takes, so that no event slips in between those that were there and the first
 * numbered one.
 */
export const POSTGRES_AUDIT_STILL: readonly string[] = [
  'LOCK TABLE audit_events IN SHARE ROW EXCLUSIVE MODE',
];

/** Numbers events in the order of commits: the counter's row is locked from the first one to the commit. */
export const POSTGRES_AUDIT_ORDER: readonly string[] = [
  `CREATE FUNCTION audit_events_number() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE given bigint;
   BEGIN
     UPDATE audit_counter SET number = number + 1 WHERE id = 1 RETURNING number INTO given;
     INSERT INTO audit_order (number, event_id, account_id) VALUES (given, NEW.id, NEW.account_id);
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION audit_events_unnumber() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN DELETE FROM audit_order WHERE event_id = OLD.id; RETURN NULL; END $$`,
  `CREATE TRIGGER audit_events_numbered AFTER INSERT ON audit_events
   FOR EACH ROW EXECUTE FUNCTION audit_events_number()`,
  `CREATE TRIGGER audit_events_unnumbered AFTER DELETE ON audit_events
   FOR EACH ROW EXECUTE FUNCTION audit_events_unnumber()`,
];

export const CHANGE_CHANNEL = 'doorward_changes';

/** The server sends notifications when the transaction commits, and none when it does not. */
export const POSTGRES_CHANGE_SIGNAL: readonly string[] = [
  `CREATE FUNCTION change_counter_announce() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM pg_notify('${CHANGE_CHANNEL}', coalesce(current_setting('${PROCESS}', true), ''));
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER change_counter_announces AFTER UPDATE OF number ON change_counter
   FOR EACH ROW EXECUTE FUNCTION change_counter_announce()`,
];
