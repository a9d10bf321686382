// When the store was restored from a backup: what happened between the two is not in it.

import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function restores({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('restores')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('backed_up_at', 'bigint', (column) => column.notNull())
    .addColumn('restored_at', 'bigint', (column) => column.notNull())
    .execute();
}
