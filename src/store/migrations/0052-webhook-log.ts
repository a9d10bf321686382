// What was delivered to webhooks lately: what was sent, and what was answered.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function webhookLog({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('webhook_log')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addColumn('attempted_at', 'bigint', (column) => column.notNull())
    .addColumn('number', 'integer')
    .addColumn('status', 'integer')
    .addColumn('reason', 'text')
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('attempts', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('webhook_log_newest')
    .on('webhook_log')
    .columns(['webhook_id', 'last_at', 'id'])
    .execute();
  await schema.createIndex('webhook_log_by_age').on('webhook_log').column('last_at').execute();
}
