// What the last test and the last trial of a provider found, for the account that made them.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function providerFindings({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('provider_findings')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('found_at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('found', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('provider_findings_key', ['account_id', 'provider', 'kind'])
    .execute();
}
