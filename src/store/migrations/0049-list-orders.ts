// The orders in which sessions and shares are listed, each of which an index has; and the active sessions of
// each share, which a list of shares counts.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function listOrders(db: Kysely<Tables>): Promise<void> {
  const statements = [
    'CREATE INDEX sessions_by_last_seen ON sessions (account_id, last_seen_at, id)',
    'CREATE INDEX sessions_living_of_share ON sessions (share_id, expires_at) WHERE ended_at IS NULL',
    'CREATE INDEX shares_by_creation ON shares (account_id, created_at, id)',
    'CREATE INDEX shares_by_change ON shares (account_id, updated_at, id)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
