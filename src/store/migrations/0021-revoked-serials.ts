// Certificates that are revoked though the store does not know them, since it was restored from a backup of
// before they were issued.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function revokedSerials({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('revoked_serials')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('ca_id', 'text', (column) => column.notNull().references('account_cas.id'))
    .addColumn('serial', 'text', (column) => column.notNull())
    .addColumn('not_after', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('revoked_by', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('revoked_serials_by_ca')
    .on('revoked_serials')
    .columns(['ca_id', 'serial'])
    .unique()
    .execute();
  await schema.createIndex('revoked_serials_by_account').on('revoked_serials').column('account_id').execute();
  await schema.createIndex('revoked_serials_by_end').on('revoked_serials').column('not_after').execute();
}
