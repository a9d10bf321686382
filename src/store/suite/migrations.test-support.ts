// What every engine must do when its form is changed (`migrations/run.ts`).

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Engine } from '../engine.ts';
import { firstTables } from '../migrations/0001-first-tables.ts';
import { type Migration, migrate } from '../migrations/run.ts';

/** Engines on one store that is empty, as processes have them; closed when the test is over. */
export type OpenEngines = (
  t: { after(end: () => Promise<void>): void },
  count: number,
) => Promise<readonly Engine[]>;

export function migrationsSuite(name: string, open: OpenEngines): void {
  describe(`migrate() on ${name}`, () => {
    test('runs what is missing, once and in order, and all or nothing', async (t) => {
      const engine = await firstOf(open, t);
      const ran: string[] = [];
      const one = step('one', ran);
      const failing = { ...step('two', ran), run: () => Promise.reject(new Error('a fault in a migration')) };
      await assert.rejects(migrate(engine, [FIRST, one, failing]), /a fault in a migration/);
      const both = [FIRST, one, step('two', ran)];
      await Promise.all([migrate(engine, both), migrate(engine, both)]);
      assert.deepEqual(ran, ['one', 'one', 'two']);
      const rows = await engine.read.selectFrom('migrations').select(['number', 'name']).execute();
      assert.deepEqual(
        rows.map(({ number, name: label }) => `${number} ${label}`),
        ['1 first-tables', '2 one', '3 two'],
      );
    });

    test('brings an empty store to its form once when many start at the same time', async (t) => {
      const engines = await open(t, 5);
      await Promise.all(engines.map((engine) => migrate(engine, [FIRST])));
      const rows = await engines[0]?.read.selectFrom('migrations').select('name').execute();
      assert.deepEqual(
        rows?.map((row) => row.name),
        ['first-tables'],
      );
    });

    test('leaves one version back running on the new form (issue "Store")', async (t) => {
      const engine = await firstOf(open, t);
      await migrate(engine, [FIRST, step('wider', [], 'ALTER TABLE attempts ADD COLUMN note text')]);
      await migrate(engine, [FIRST]);
      await engine.transact((db) => db.insertInto('attempts').values({ id: 'a', expires_at: 1 }).execute());
      const rows = await engine.read.selectFrom('attempts').select('id').execute();
      assert.deepEqual(
        rows.map(({ id }) => id),
        ['a'],
      );
    });

    test('refuses a form that says it is not for this version, and changes nothing', async (t) => {
      const engine = await firstOf(open, t);
      const gone = { ...step('narrower', [], 'DROP TABLE attempts'), worksFrom: 2 };
      const later = { ...step('later', []), worksFrom: 2 };
      await migrate(engine, [FIRST, gone, later]);
      await migrate(engine, [FIRST, gone]);
      await assert.rejects(migrate(engine, [FIRST]), {
        code: 'store_unusable',
        message: /number 3, this doorward knows 1/,
      });
    });
  });
}

async function firstOf(open: OpenEngines, t: Parameters<OpenEngines>[0]): Promise<Engine> {
  const [engine] = await open(t, 1);
  if (engine === undefined) throw new Error('one engine was asked for');
  await migrate(engine, [FIRST]);
  return engine;
}

function step(name: string, ran: string[], statement?: string): Migration {
  return {
    name,
    run: async (db) => {
      ran.push(name);
      await sql.raw(statement ?? `CREATE TABLE ${name} (id integer)`).execute(db);
    },
  };
}

/** The first release's form. The suite has lists of its own, so that it holds whatever forms come. */
const FIRST: Migration = { name: 'first-tables', run: firstTables };
