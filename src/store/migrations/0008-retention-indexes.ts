// What the retention sweep looks for: sessions by their end, and certificate request tokens by theirs.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function retentionIndexes(db: Kysely<Tables>): Promise<void> {
  await sql`CREATE INDEX sessions_by_end ON sessions (ended_at) WHERE ended_at IS NOT NULL`.execute(db);
  await db.schema
    .createIndex('certificate_request_tokens_by_expiry')
    .on('certificate_request_tokens')
    .column('expires_at')
    .execute();
}
