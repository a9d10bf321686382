// Logins of the command line that a person confirms in a browser (RFC 8628): those that wait, and what became
// of them.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function deviceLogins({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('device_logins')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('device_hash', 'text', (column) => column.notNull().unique())
    .addColumn('user_hash', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('ip', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('decision', 'text')
    .addColumn('account_id', 'text', (column) => column.references('accounts.id'))
    .addColumn('member_id', 'text')
    .execute();
  await schema.createIndex('device_logins_by_network').on('device_logins').column('network').execute();
  await schema.createIndex('device_logins_by_end').on('device_logins').column('expires_at').execute();
}
