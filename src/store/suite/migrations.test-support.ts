// What every engine must do when its form is changed (`migrations/run.ts`).

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { firstTables } from '../migrations/0001-first-tables.ts';
import { LAST_RELEASED, type Migration, MIGRATIONS, migrate } from '../migrations/run.ts';

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

    test('lets the last release open and write the form of now', async (t) => {
      const engine = await firstOf(open, t);
      await migrate(engine);
      const released = MIGRATIONS.slice(0, LAST_RELEASED);
      await migrate(engine, released);
      for (const [table, row] of RELEASED_ROWS)
        await engine.transact((db) =>
          db
            .insertInto(table)
            .values(row as never)
            .execute(),
        );
      for (const [table] of RELEASED_ROWS)
        assert.ok((await engine.read.selectFrom(table).selectAll().execute()).length > 0, table);
      await engine.transact((db) => db.deleteFrom('shares').execute());
      assert.ok(MIGRATIONS.length > LAST_RELEASED);
      await assert.rejects(migrate(engine, []), { code: 'store_unusable' });
    });

    test('refuses a form that says it is not for this version, and changes nothing', async (t) => {
      const engine = await firstOf(open, t);
      const gone = { ...step('narrower', [], 'DROP TABLE attempts'), worksFrom: 2 };
      const later = { ...step('later', []), worksFrom: 2 };
      await migrate(engine, [FIRST, gone, later]);
      await migrate(engine, [FIRST, gone]);
      await assert.rejects(migrate(engine, [FIRST]), {
        code: 'store_unusable',
        message: /schema version is 3, and this version of Doorward supports 1/,
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

/** A row of each table as the last release writes it. */
const RELEASED_ROWS: readonly (readonly [keyof Tables, Readonly<Record<string, unknown>>])[] = [
  ['accounts', { id: 'a', name: 'a', created_at: 1, suspended: 0 }],
  ['members', { id: 'm', account_id: 'a', email: 'a@b.c', role: 'admin', created_at: 1 }],
  ['api_keys', { id: 'k', account_id: 'a', member_id: 'm', name: 'k', hash: 'h', created_at: 1 }],
  ['share_names', { name: 's', account_id: 'a' }],
  [
    'shares',
    {
      id: 's',
      account_id: 'a',
      name: 's',
      target: 't',
      enabled: 1,
      oauth_email_address_patterns: '[]',
      allow_origins: '[]',
      version: 1,
      created_at: 1,
      updated_at: 1,
    },
  ],
  [
    'sessions',
    {
      id: 's',
      share_id: 's',
      account_id: 'a',
      provider_name: 'p',
      provider_generation: 'g',
      subject: 's',
      email: 'a@b.c',
      browser_hash: 'b',
      created_at: 1,
      expires_at: 2,
      checked_at: 1,
      last_seen_at: 1,
      refreshable: 0,
      fence: 0,
    },
  ],
  ['attempts', { id: 'a', expires_at: 1 }],
  ['audit_events', { id: 'e', at: 1, kind: 'logout' }],
];
