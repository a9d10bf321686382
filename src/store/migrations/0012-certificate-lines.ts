// Finds the certificates of a line: what was renewed keeps the request token of the first of its line.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function certificateLines(db: Kysely<Tables>): Promise<void> {
  await sql`CREATE INDEX client_certificates_by_token ON client_certificates (token_id, not_after) WHERE token_id IS NOT NULL`.execute(
    db,
  );
}
