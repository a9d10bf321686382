// What sessions are found by: any part of their email address. The database itself adds an address with its
// first session, whichever version begins that, and deletes it with the last. Addresses of sessions of before
// come by themselves, a few at a time.

import { type Kysely, sql } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';

export async function sessionEmails(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const { textByBytes, rowsInKey } = engine;
  const statements = [
    `CREATE TABLE session_emails (
       account_id text NOT NULL, email ${textByBytes} NOT NULL, seen_at bigint NOT NULL,
       PRIMARY KEY (account_id, email)) ${rowsInKey}`,
    `CREATE TABLE session_email_parts (
       account_id text NOT NULL, part ${textByBytes} NOT NULL, email ${textByBytes} NOT NULL,
       PRIMARY KEY (account_id, part, email)) ${rowsInKey}`,
    'CREATE TABLE search_positions (position integer PRIMARY KEY)',
    `WITH RECURSIVE count (position) AS (
       SELECT 1 UNION ALL SELECT position + 1 FROM count WHERE position < ${MAX_POSITION})
     INSERT INTO search_positions (position) SELECT position FROM count`,
    'CREATE TABLE session_emails_filled (id integer PRIMARY KEY, after_id text)',
    `INSERT INTO session_emails_filled (id, after_id) VALUES (1, '')`,
    ...engine.sessionSearch,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** No address is longer (RFC 5321 section 4.5.3.1 allows 256 octets). */
const MAX_POSITION = 320;
