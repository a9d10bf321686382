// What certificates are called, how long they were allowed for, when people are told of their end, and the
// revocation lists that were published last.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function certificateLife(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;
  // Without a name or validity of its own: one that was kept before these columns.
  await schema.alterTable('client_certificates').addColumn('name', 'text').execute();
  await schema.alterTable('client_certificates').addColumn('validity_ms', 'bigint').execute();
  await schema.alterTable('client_certificates').addColumn('next_notice_at', 'bigint').execute();
  await sql`UPDATE client_certificates SET next_notice_at = created_at + (not_after - created_at) / 3 * 2`.execute(
    db,
  );
  await sql`CREATE INDEX client_certificates_by_notice ON client_certificates (next_notice_at) WHERE next_notice_at IS NOT NULL`.execute(
    db,
  );
  // Pages of a revocation list in their order.
  await sql`CREATE INDEX client_certificates_listed ON client_certificates (ca_id, id) WHERE revoked_at IS NOT NULL`.execute(
    db,
  );
  await sql`CREATE INDEX client_certificates_renewed ON client_certificates (renewed_from) WHERE renewed_from IS NOT NULL`.execute(
    db,
  );
  await schema
    .createTable('revocation_lists')
    .addColumn('ca_id', 'text', (column) => column.primaryKey().references('account_cas.id'))
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('this_update', 'bigint', (column) => column.notNull())
    .addColumn('next_update', 'bigint', (column) => column.notNull())
    .addColumn('list', 'text', (column) => column.notNull())
    .execute();
}
