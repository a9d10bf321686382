// Brings a store to the newest form: the migrations that it lacks, in order, in one transaction, so that a crash or a
// second process starting at the same time leaves it either before or after, never between.

import type { Kysely } from 'kysely';
import { ServiceError } from '../../domain/service-error.ts';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { firstTables } from './0001-first-tables.ts';

/** A numbered change of form. Written once; a store that has it never runs it again. */
export type Migration = {
  readonly name: string;
  readonly run: (db: Kysely<Tables>, engine: Engine) => Promise<void>;
};

/** Throws `store_unusable` when the store was made by a newer version of the service. */
export async function migrate(engine: Engine, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  await engine.transact(async (db) => {
    const applied = await appliedNumber(db);
    if (applied > migrations.length) throw newerStore(applied, migrations.length);
    for (const [index, { name, run }] of migrations.entries()) {
      const number = index + 1;
      if (number <= applied) continue;
      await run(db, engine);
      await db.insertInto('migrations').values({ number, name, applied_at: engine.clock() }).execute();
    }
  });
}

async function appliedNumber(db: Kysely<Tables>): Promise<number> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
  const row = await db
    .selectFrom('migrations')
    .select((eb) => eb.fn.max('number').as('number'))
    .executeTakeFirst();
  return row?.number ?? 0;
}

function newerStore(applied: number, known: number): ServiceError {
  return new ServiceError(
    'store_unusable',
    `Cannot open store: its form is number ${applied}, this doorward knows ${known}`,
    { hint: 'run the version of doorward that last used it, or a newer one' },
  );
}

/** In order; a migration's number is its place. Never change or remove one that was released. */
const MIGRATIONS: readonly Migration[] = [{ name: 'first-tables', run: firstTables }];
