// Keys that get no certificate any more; how long a line of renewals may be; and what finds the certificates
// of a key, and those that were issued for the tokens of another.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function compromisedKeys(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('compromised_keys')
    // The account's and the key's, so that the table has one key.
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('key_hash', 'text', (column) => column.notNull())
    .addColumn('marked_at', 'bigint', (column) => column.notNull())
    .addColumn('marked_by', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('client_certificates_by_key')
    .on('client_certificates')
    .columns(['account_id', 'key_hash'])
    .execute();
  await sql`CREATE INDEX client_certificates_by_maker ON client_certificates (account_id, allowed_by) WHERE allowed_by LIKE 'certificate:%'`.execute(
    db,
  );
  for (const column of ['line_since', 'renewable_ms'] as const)
    await schema.alterTable('client_certificates').addColumn(column, 'bigint').execute();
  await schema.alterTable('certificate_request_tokens').addColumn('renewable_ms', 'bigint').execute();
}
