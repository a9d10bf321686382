// Whether an account was told that its authority ends; and what finds the authorities that end, and whether
// one that issues nothing more has a certificate left that is not over.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function authorityEnds(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('account_cas').addColumn('end_noted_at', 'bigint').execute();
  await sql`CREATE INDEX account_cas_ending ON account_cas (not_after, end_noted_at) WHERE retired_at IS NULL`.execute(
    db,
  );
  await db.schema
    .createIndex('client_certificates_by_end')
    .on('client_certificates')
    .columns(['ca_id', 'not_after', 'revoked_at'])
    .execute();
}
