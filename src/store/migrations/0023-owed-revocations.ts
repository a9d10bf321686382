// When the tokens of a session are to be revoked at its provider: at its end by itself, or at once when what
// it was made for or with goes. Null for one that holds none, or whose tokens somebody else sees to.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function owedRevocations(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('revoke_at', 'bigint').execute();
  await sql`CREATE INDEX sessions_to_revoke ON sessions (revoke_at) WHERE revoke_at IS NOT NULL`.execute(db);
  await sql`UPDATE sessions SET revoke_at = expires_at WHERE ended_at IS NULL AND tokens IS NOT NULL`.execute(
    db,
  );
}
