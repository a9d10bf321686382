// Providers that accounts define, and their names: a freed name stays its account's.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function providerDefinitions({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('provider_names')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .execute();
  await schema
    .createTable('provider_definitions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('config', 'text', (column) => column.notNull())
    .addColumn('client_secret', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('shares_by_provider').on('shares').columns(['oauth_provider']).execute();
}
