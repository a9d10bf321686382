// Keeps the addresses that sessions are found by: an address comes with its first session, and goes with its
// last. One that was seen within a day is not written again.

export const SQLITE_SESSION_SEARCH: readonly string[] = [
  `CREATE TRIGGER session_emails_parted AFTER INSERT ON session_emails
   BEGIN
     INSERT INTO session_email_parts (account_id, part, email)
       SELECT DISTINCT NEW.account_id, substr(NEW.email, position, 12), NEW.email
       FROM search_positions WHERE position <= length(NEW.email);
   END`,
  `CREATE TRIGGER session_emails_gone AFTER DELETE ON session_emails
   BEGIN
     DELETE FROM session_email_parts
       WHERE account_id = OLD.account_id AND email = OLD.email AND part IN (
         SELECT substr(OLD.email, position, 12) FROM search_positions WHERE position <= length(OLD.email));
   END`,
  `CREATE TRIGGER sessions_found AFTER INSERT ON sessions
   WHEN NOT EXISTS (
     SELECT 1 FROM session_emails
     WHERE account_id = NEW.account_id AND email = lower(NEW.email) AND seen_at > NEW.created_at - 86400000)
   BEGIN
     INSERT INTO session_emails (account_id, email, seen_at)
       VALUES (NEW.account_id, lower(NEW.email), NEW.created_at)
       ON CONFLICT (account_id, email) DO UPDATE SET seen_at = max(seen_at, excluded.seen_at);
   END`,
  `CREATE TRIGGER sessions_lost AFTER DELETE ON sessions
   WHEN NOT EXISTS (
     SELECT 1 FROM sessions WHERE account_id = OLD.account_id AND lower(email) = lower(OLD.email))
   BEGIN
     DELETE FROM session_emails
       WHERE account_id = OLD.account_id AND email = lower(OLD.email) AND seen_at <= OLD.created_at + 86400000;
   END`,
];
