// Certificates that come by themselves: the account at the ACME server, names with their certificates and
// orders, challenges, and who orders.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function acme({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('acme_accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('directory', 'text', (column) => column.notNull().unique())
    .addColumn('private_key', 'text', (column) => column.notNull())
    .addColumn('next_key', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('retry_at', 'bigint')
    .addColumn('last_failure', 'text')
    .execute();
  await schema
    .createTable('acme_names')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('private_key', 'text')
    .addColumn('certificate', 'text')
    .addColumn('not_before', 'bigint')
    .addColumn('not_after', 'bigint')
    .addColumn('renew_at', 'bigint')
    .addColumn('check_at', 'bigint')
    .addColumn('order_url', 'text')
    .addColumn('order_key', 'text')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('retry_at', 'bigint')
    .addColumn('last_failure', 'text')
    .execute();
  await schema.createIndex('acme_names_by_creation').on('acme_names').column('created_at').execute();
  await schema
    .createTable('acme_challenges')
    .addColumn('token', 'text', (column) => column.primaryKey())
    .addColumn('name_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('acme_leases')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .execute();
}
