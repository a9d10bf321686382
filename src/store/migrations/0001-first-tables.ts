// Accounts, shares, sessions, attempts, audit and changes, as `tables.ts` describes them.

import { type Kysely, sql } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';

export async function firstTables(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await metaTable(db);
  await accountTables(db);
  await shareTables(db);
  await sessionTables(db);
  await auditTables(db, engine);
  await changeTables(db, engine);
}

async function metaTable({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('meta')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
}

async function accountTables({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('suspended', 'integer', (column) => column.notNull())
    .execute();
  await schema
    .createTable('members')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('members_by_email', ['account_id', 'email'])
    .execute();
  await schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('member_id', 'text', (column) => column.references('members.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute();
}

async function shareTables({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('share_names')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .execute();
  await schema
    .createTable('shares')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull().unique().references('share_names.name'))
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('oauth_provider', 'text')
    .addColumn('oauth_email_address_patterns', 'text', (column) => column.notNull())
    .addColumn('oauth_check_interval_ms', 'bigint')
    .addColumn('allow_origins', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('shares_by_account').on('shares').columns(['account_id', 'name']).execute();
}

async function sessionTables({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    // Not a reference: the ended sessions of a removed share stay until they are swept.
    .addColumn('share_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('provider_name', 'text', (column) => column.notNull())
    .addColumn('provider_generation', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('browser_hash', 'text', (column) => column.notNull())
    .addColumn('binding_hash', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('checked_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('end_reason', 'text')
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('ip', 'text')
    .addColumn('tokens', 'text')
    .addColumn('refreshable', 'integer', (column) => column.notNull())
    .addColumn('fence', 'bigint', (column) => column.notNull())
    .addColumn('leased_until', 'bigint')
    .execute();
  const indexes = { browser: ['browser_hash', 'created_at'], share: ['share_id'], expiry: ['expires_at'] };
  for (const [name, columns] of Object.entries(indexes))
    await schema.createIndex(`sessions_by_${name}`).on('sessions').columns(columns).execute();
  await schema
    .createTable('attempts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('attempts_by_expiry').on('attempts').column('expires_at').execute();
}

async function auditTables(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('audit_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text')
    .addColumn('share_id', 'text')
    .addColumn('session_id', 'text')
    .addColumn('provider', 'text')
    .addColumn('email', 'text')
    .addColumn('actor', 'text')
    .addColumn('ip', 'text')
    .addColumn('request_id', 'text')
    .addColumn('reason', 'text')
    .execute();
  await db.schema
    .createIndex('audit_events_by_account')
    .on('audit_events')
    .columns(['account_id', 'at', 'id'])
    .execute();
  await db.schema.createIndex('audit_events_by_time').on('audit_events').column('at').execute();
  await db.schema
    .createTable('audit_retention')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('before', 'bigint', (column) => column.notNull())
    .execute();
  await db.insertInto('audit_retention').values({ id: 1, before: 0 }).execute();
  for (const statement of engine.auditGuard) await sql.raw(statement).execute(db);
}

async function changeTables(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('changes')
    .addColumn('number', 'bigint', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('change_counter')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('swept_to', 'bigint', (column) => column.notNull())
    .execute();
  await db.insertInto('change_counter').values({ id: 1, number: 0, swept_to: 0 }).execute();
  for (const statement of engine.changeSignal) await sql.raw(statement).execute(db);
}
