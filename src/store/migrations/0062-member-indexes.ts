// What is a member's, and who is logged in to an account's console under an address, found without reading
// what every account has.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function memberIndexes(db: Kysely<Tables>): Promise<void> {
  const statements = [
    'CREATE INDEX console_sessions_by_address ON console_sessions (account_id, lower(email))',
    'CREATE INDEX service_tokens_by_member ON service_tokens (member_id) WHERE member_id IS NOT NULL',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
