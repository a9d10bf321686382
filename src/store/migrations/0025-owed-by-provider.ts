// Whose tokens are to be revoked next, read from the index alone: those of a provider that hangs are passed
// over, however many.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function owedByProvider(db: Kysely<Tables>): Promise<void> {
  // It takes the place of the narrower one.
  await db.schema.dropIndex('sessions_to_revoke').execute();
  await sql`CREATE INDEX sessions_owed_by_provider ON sessions (revoke_at, provider_name, account_id, id) WHERE revoke_at IS NOT NULL`.execute(
    db,
  );
}
