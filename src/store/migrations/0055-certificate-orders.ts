// The orders in which certificates are listed, each of which an index has.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function certificateOrders(db: Kysely<Tables>): Promise<void> {
  const statements = [
    'CREATE INDEX client_certificates_by_creation ON client_certificates (account_id, created_at, id)',
    'CREATE INDEX client_certificates_by_expiry ON client_certificates (account_id, not_after, id)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
