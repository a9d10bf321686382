// When all access of a person was ended: a login that had set out before begins no session afterwards.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function accessEndings({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('access_endings')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('ended_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('access_endings_key', ['account_id', 'email'])
    .execute();
  await schema.createIndex('access_endings_by_time').on('access_endings').column('ended_at').execute();
}
