import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { compiledOnce, type On } from './compiled.ts';
import { sqliteDialect } from './sqlite/dialect.ts';
import type { Tables } from './tables.ts';

test('compiledOnce() builds once for each database, and asks with the values of each call', async () => {
  let built = 0;
  const named = compiledOnce(({ db, locks }, { name, value }: { name: string; value: string }) => {
    built++;
    return db
      .selectFrom('meta')
      .select('value')
      .where('name', '=', name)
      .where('value', '=', value)
      .modifyEnd(locks.unchanged);
  });
  const [first, second] = [databaseWith('one'), databaseWith('two')];
  const ask = async (on: On, value: string) =>
    (await named(on, { value, name: 'n' })).rows.map((row) => row.value);
  assert.deepEqual(await ask(first, 'one'), ['one']);
  assert.deepEqual(await ask(first, 'two'), []);
  assert.deepEqual(await ask(second, 'two'), ['two']);
  assert.deepEqual(await ask(second, 'one'), []);
  assert.deepEqual(await ask(first, 'one'), ['one']);
  assert.equal(built, 2);
});

/** With one row in `meta`. */
function databaseWith(value: string): On {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE meta (name text, value text); INSERT INTO meta VALUES ('n', '${value}')`);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(database, { check: () => {} }) });
  return { db, locks: { name: noLock, sharedName: noLock, unchanged: sql``, changing: sql`` } };
}

async function noLock(): Promise<void> {}
