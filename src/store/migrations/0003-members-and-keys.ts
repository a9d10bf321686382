// Members that log in, their invitations and console sessions; API keys with a role, a scope and an end. The
// keys that were there before are an admin's, without limits.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function membersAndKeys(db: Kysely<Tables>): Promise<void> {
  await memberColumns(db);
  await invitations(db);
  await apiKeyColumns(db);
  await consoleSessions(db);
}

async function memberColumns({ schema }: Kysely<Tables>): Promise<void> {
  for (const column of ['provider', 'provider_generation', 'subject', 'invited_by'] as const)
    await schema.alterTable('members').addColumn(column, 'text').execute();
  for (const column of ['accepted_at', 'last_login_at'] as const)
    await schema.alterTable('members').addColumn(column, 'bigint').execute();
  await schema
    .createIndex('members_by_address')
    .on('members')
    .expression(sql`lower(email)`)
    .execute();
  await schema
    .createIndex('members_by_login')
    .on('members')
    .columns(['provider', 'subject', 'provider_generation', 'account_id'])
    .unique()
    .execute();
}

async function invitations({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('invitations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    // One at a time: a new one takes the place of the one before.
    .addColumn('member_id', 'text', (column) => column.notNull().unique().references('members.id'))
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
}

async function apiKeyColumns({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .alterTable('api_keys')
    .addColumn('role', 'text', (column) => column.notNull().defaultTo('admin'))
    .execute();
  await schema
    .alterTable('api_keys')
    .addColumn('scope', 'text', (column) => column.notNull().defaultTo('full'))
    .execute();
  await schema.alterTable('api_keys').addColumn('expires_at', 'bigint').execute();
  await schema.alterTable('api_keys').addColumn('created_by', 'text').execute();
  await schema
    .createIndex('api_keys_by_name')
    .on('api_keys')
    .columns(['account_id', 'name'])
    .unique()
    .execute();
  await schema.createIndex('api_keys_by_member').on('api_keys').column('member_id').execute();
}

async function consoleSessions({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('console_sessions')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('member_id', 'text', (column) => column.notNull().references('members.id'))
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('provider_generation', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('ip', 'text')
    .execute();
  await schema.createIndex('console_sessions_by_member').on('console_sessions').column('member_id').execute();
  await schema
    .createIndex('console_sessions_by_expiry')
    .on('console_sessions')
    .column('expires_at')
    .execute();
}
