// How single shares answer, and how long it takes: classes of status and buckets of duration, by the minute
// and, for a week, by the hour. A version that knows none of it writes none, and reads what it did.

import type { CreateTableBuilder, Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function shareFigures(db: Kysely<Tables>): Promise<void> {
  for (const name of FIGURES)
    await db.schema
      .alterTable('share_activity')
      .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  await db.schema
    .createTable('share_hours')
    // Neither is a reference: what was counted of a share that is gone goes by its age.
    .addColumn('share_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .$call(counts)
    .addPrimaryKeyConstraint('hours_of_share', ['share_id', 'at'])
    .execute();
  await db.schema.createIndex('share_hours_by_age').on('share_hours').column('at').execute();
}

function counts<Columns extends string>(table: CreateTableBuilder<string, Columns>) {
  return [...COUNTS, ...FIGURES].reduce<CreateTableBuilder<string, string>>(
    (made, name) => made.addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0)),
    table,
  );
}

const COUNTS = ['requests', 'answered', 'refused', 'faulted'];
/** As they are with this migration: it does not change with the program. */
const FIGURES = [
  ...['1xx', '2xx', '3xx', '4xx', '5xx'].map((name) => `status_${name}`),
  ...Array.from({ length: 18 }, (_, bucket) => `took_${bucket}`),
];
