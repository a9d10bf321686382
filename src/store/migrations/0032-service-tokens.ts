// Service tokens of accounts. Which shares they are for is a list of ids, since a share that is deleted takes
// nothing of a token with it, and its id is given to no other.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function serviceTokens({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('service_tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('share_ids', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute();
  await schema
    .createIndex('service_tokens_by_name')
    .on('service_tokens')
    .columns(['account_id', 'name'])
    .unique()
    .execute();
}
