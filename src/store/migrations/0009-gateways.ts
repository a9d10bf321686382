// Which gateways serve from this store, where agents reach them, and when each was last known to live.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function gateways({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('gateways')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('tunnel_url', 'text', (column) => column.notNull())
    .addColumn('workers', 'integer', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute();
}
