// What looking sessions up, following the audit log and calling webhooks need: the provider's own session id,
// a number for each audit event in the order of commits, webhooks, and what is to be delivered to them.

import { type Kysely, sql } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';

export async function sessionsAuditWebhooks(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await sessionColumns(db);
  await auditOrder(db, engine);
  await webhookTables(db);
}

async function sessionColumns(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('sessions').addColumn('provider_sid', 'text').execute();
  await schema
    .createIndex('sessions_by_account')
    .on('sessions')
    .columns(['account_id', 'created_at', 'id'])
    .execute();
  await sql`CREATE INDEX sessions_by_email ON sessions (account_id, lower(email), created_at, id)`.execute(
    db,
  );
  await schema
    .createIndex('sessions_by_subject')
    .on('sessions')
    .columns(['provider_name', 'subject'])
    .execute();
  await schema
    .createIndex('sessions_by_provider_sid')
    .on('sessions')
    .columns(['provider_name', 'provider_sid'])
    .execute();
}

/** The database numbers events itself, so that those of the version before have their numbers too. */
async function auditOrder(db: Kysely<Tables>, engine: Engine): Promise<void> {
  // An event of a gateway that runs meanwhile would get no number, and never be followed or delivered.
  for (const statement of engine.auditStill) await sql.raw(statement).execute(db);
  await db.schema
    .createTable('audit_order')
    .addColumn('number', 'bigint', (column) => column.primaryKey())
    .addColumn('event_id', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', 'text')
    .execute();
  await db.schema
    .createIndex('audit_order_by_account')
    .on('audit_order')
    .columns(['account_id', 'number'])
    .execute();
  await db.schema
    .createTable('audit_counter')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .execute();
  await sql`INSERT INTO audit_order (number, event_id, account_id)
    SELECT row_number() OVER (ORDER BY at, id), id, account_id FROM audit_events`.execute(db);
  await sql`INSERT INTO audit_counter (id, number) SELECT 1, count(*) FROM audit_events`.execute(db);
  for (const statement of engine.auditOrder) await sql.raw(statement).execute(db);
}

async function webhookTables({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('webhooks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text')
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('kinds', 'text', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('failing_since', 'bigint')
    .addColumn('last_failure', 'text')
    .addColumn('last_delivered_at', 'bigint')
    .execute();
  await schema.createIndex('webhooks_by_account').on('webhooks').columns(['account_id', 'id']).execute();
  await schema
    .createTable('webhook_deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('webhook_deliveries_due')
    .on('webhook_deliveries')
    .columns(['webhook_id', 'next_at'])
    .execute();
  await schema
    .createIndex('webhook_deliveries_by_age')
    .on('webhook_deliveries')
    .column('created_at')
    .execute();
}
