// Keeps the addresses that sessions are found by: an address comes with its first session, and goes with its
// last. One that was seen within a day is not written again, so that logins of one person do not wait for
// each other. A login after that locks the address: whoever deletes it at the same moment then finds it seen.

export const POSTGRES_SESSION_SEARCH: readonly string[] = [
  `CREATE FUNCTION session_emails_part() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO session_email_parts (account_id, part, email)
       SELECT DISTINCT NEW.account_id, substr(NEW.email, position, 12), NEW.email
       FROM search_positions WHERE position <= length(NEW.email);
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION session_emails_go() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM session_email_parts
       WHERE account_id = OLD.account_id AND email = OLD.email AND part IN (
         SELECT substr(OLD.email, position, 12) FROM search_positions WHERE position <= length(OLD.email));
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION sessions_find() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF NOT EXISTS (
       SELECT 1 FROM session_emails
       WHERE account_id = NEW.account_id AND email = lower(NEW.email) AND seen_at > NEW.created_at - 86400000)
     THEN
       INSERT INTO session_emails (account_id, email, seen_at)
         VALUES (NEW.account_id, lower(NEW.email), NEW.created_at)
         ON CONFLICT (account_id, email)
         DO UPDATE SET seen_at = greatest(session_emails.seen_at, excluded.seen_at);
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION sessions_lose() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF NOT EXISTS (
       SELECT 1 FROM sessions WHERE account_id = OLD.account_id AND lower(email) = lower(OLD.email))
     THEN
       DELETE FROM session_emails
         WHERE account_id = OLD.account_id AND email = lower(OLD.email)
           AND seen_at <= OLD.created_at + 86400000;
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER session_emails_parted AFTER INSERT ON session_emails
   FOR EACH ROW EXECUTE FUNCTION session_emails_part()`,
  `CREATE TRIGGER session_emails_gone AFTER DELETE ON session_emails
   FOR EACH ROW EXECUTE FUNCTION session_emails_go()`,
  `CREATE TRIGGER sessions_found AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION sessions_find()`,
  `CREATE TRIGGER sessions_lost AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION sessions_lose()`,
];
