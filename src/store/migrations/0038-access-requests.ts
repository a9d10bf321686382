// Requests for access, and whether a share takes them. A request names its share without a reference, so that
// a version that knows no requests can still delete the share.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function accessRequests({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('shares').addColumn('access_requests', 'integer').execute();
  await schema
    .createTable('access_requests')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('share_id', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('provider_generation', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('first_asked_at', 'bigint', (column) => column.notNull())
    .addColumn('last_asked_at', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('decided_at', 'bigint')
    .addColumn('granted_until', 'bigint')
    .execute();
  await schema
    .createIndex('access_requests_by_person')
    .on('access_requests')
    .columns(['share_id', 'provider', 'email'])
    .unique()
    .execute();
  await schema
    .createIndex('access_requests_by_account')
    .on('access_requests')
    .columns(['account_id', 'state', 'first_asked_at', 'id'])
    .execute();
  await schema.createIndex('access_requests_by_time').on('access_requests').column('last_asked_at').execute();
}
