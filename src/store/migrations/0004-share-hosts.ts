// Host names of their own for shares: claims, of which one at most for each host is proved, and what
// operators grant. The proved ones stand with the share, too, so that reading shares takes one table.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function shareHosts(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;
  await schema
    .alterTable('shares')
    .addColumn('custom_hosts', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
  await schema
    .createTable('share_hosts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    // They go with the share, also when the version before deletes it.
    .addColumn('share_id', 'text', (column) => column.notNull().references('shares.id').onDelete('cascade'))
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('proved_at', 'bigint')
    .addColumn('proof', 'text')
    .addUniqueConstraint('share_hosts_by_account', ['account_id', 'host'])
    .execute();
  await schema.createIndex('share_hosts_by_share').on('share_hosts').column('share_id').execute();
  await sql`CREATE UNIQUE INDEX share_hosts_proved ON share_hosts (host) WHERE proved_at IS NOT NULL`.execute(
    db,
  );
  await schema
    .createTable('host_grants')
    .addColumn('host', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
}
