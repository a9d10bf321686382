// A session counts once the browser that set out confirmed it: until when that may happen. Null for one that
// is confirmed, or needs no confirmation, as those that were begun before this column was.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function sessionConfirmation(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('confirm_by', 'bigint').execute();
  // Few at any moment: whoever ends them looks every few seconds.
  await sql`CREATE INDEX sessions_unconfirmed ON sessions (confirm_by) WHERE confirm_by IS NOT NULL`.execute(
    db,
  );
}
