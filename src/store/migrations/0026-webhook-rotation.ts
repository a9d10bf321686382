// When the secret of a webhook was last rotated, and the secrets before it, which sign beside it for a while.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function webhookRotation({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('webhooks').addColumn('secret_rotated_at', 'bigint').execute();
  await schema
    .createTable('webhook_former_secrets')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('signs_until', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('webhook_former_secrets_by_webhook')
    .on('webhook_former_secrets')
    .columns(['webhook_id', 'signs_until'])
    .execute();
}
