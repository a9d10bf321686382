// Which shares had requests without an answer, found without reading every hour of every share.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function unansweredHours(db: Kysely<Tables>): Promise<void> {
  await sql`CREATE INDEX share_hours_faults ON share_hours (account_id, share_id, at) WHERE faulted > 0`.execute(
    db,
  );
}
