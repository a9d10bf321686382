// How many revoked certificates of an account the gateways and revocation lists still hold.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function revokedByAccount(db: Kysely<Tables>): Promise<void> {
  await sql`CREATE INDEX client_certificates_revoked_by_account ON client_certificates (account_id, not_after) WHERE revoked_at IS NOT NULL`.execute(
    db,
  );
}
