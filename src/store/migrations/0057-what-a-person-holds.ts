// What a person holds is found without reading all that an account ever had: request tokens that can still be
// redeemed, and certificates with a role by whoever gave it.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function whatAPersonHolds(db: Kysely<Tables>): Promise<void> {
  const statements = [
    'CREATE INDEX certificate_request_tokens_unused ON certificate_request_tokens (account_id, expires_at) WHERE used_at IS NULL',
    'CREATE INDEX client_certificates_by_role ON client_certificates (account_id, allowed_by) WHERE api_role IS NOT NULL',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
