// The engine on a real PostgreSQL server: what it keeps, what it refuses, what it says when something goes
// wrong.

import assert from 'node:assert/strict';
import { type TestContext, after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type TestPostgres, startPostgres } from '../../../test/support/postgres.ts';
import { Secret } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Engine } from '../engine.ts';
import { migrate } from '../migrations/run.ts';
import { openPostgres } from './open-postgres.ts';

let server: TestPostgres;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

test('Engine.transact() keeps nothing when its work throws', async (t) => {
  const { engine } = await engineFor(t);
  const fault = new ServiceError('name_taken', 'Cannot do it: the name is taken');
  const failing = engine.transact(async (db) => {
    await db.insertInto('meta').values({ name: 'a', value: '1' }).execute();
    throw fault;
  });
  await assert.rejects(failing, fault);
  assert.deepEqual(await names(engine), []);
});

test('Engine.transact() commits nothing of a transaction whose statement failed, though its work went on', async (t) => {
  const { engine } = await engineFor(t);
  const careless = engine.transact(async (db) => {
    await db.insertInto('meta').values({ name: 'a', value: '1' }).execute();
    await sql`SELECT nonsense`.execute(db).catch(() => {});
  });
  await assert.rejects(careless, { code: 'internal' });
  assert.deepEqual(await names(engine), []);
});

test('Engine.read sees committed data only, and cannot write', async (t) => {
  const { engine } = await engineFor(t);
  await engine.transact(async (db) => {
    await db.insertInto('meta').values({ name: 'a', value: '1' }).execute();
    assert.deepEqual(await names(engine), []);
  });
  assert.deepEqual(await names(engine), ['a']);
  const write = engine.read.insertInto('meta').values({ name: 'b', value: '1' }).execute();
  await assert.rejects(write, ServiceError);
  assert.deepEqual(await names(engine), ['a']);
});

test('Engine says internal for a statement that is refused, without its values, and goes on', async (t) => {
  const { engine } = await engineFor(t);
  const insert = () =>
    engine.transact((db) => db.insertInto('meta').values({ name: 'sesame', value: 'sesame' }).execute());
  await insert();
  for (const refused of [insert, () => sql`SELECT ${'sesame'}::bigint`.execute(engine.read)])
    await assert.rejects(refused, (error) => {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.code, 'internal');
      assert.doesNotMatch(JSON.stringify(allOf(error)), /sesame/);
      return true;
    });
  assert.deepEqual(await names(engine), ['sesame']);
});

test('Engine commits durably and within limits, whatever the user’s defaults are', async (t) => {
  const { engine, url } = await engineFor(t, [
    'SET synchronous_commit = off',
    'SET statement_timeout = 0',
    "SET default_transaction_isolation = 'serializable'",
  ]);
  const settings = await engine.transact(async (db) => {
    const { rows } = await sql<Record<string, string>>`
      SELECT current_setting('synchronous_commit') AS durable, current_setting('statement_timeout') AS statement,
        current_setting('idle_in_transaction_session_timeout') AS standstill,
        current_setting('transaction_isolation') AS isolation`.execute(db);
    return rows[0];
  });
  assert.deepEqual(settings, {
    durable: 'on',
    statement: '5s',
    standstill: '3s',
    isolation: 'read committed',
  });
  assert.deepEqual(await server.query(url, `SHOW synchronous_commit`), [{ synchronous_commit: 'off' }]);
});

test('Engine keeps a synchronous_commit that asks for more', async (t) => {
  const { engine } = await engineFor(t, ['SET synchronous_commit = remote_apply']);
  const { rows } = await sql`SHOW synchronous_commit`.execute(engine.read);
  assert.deepEqual(rows, [{ synchronous_commit: 'remote_apply' }]);
});

test('Engine.clock() is the database’s, in whole milliseconds', async (t) => {
  const { engine, url } = await engineFor(t);
  const read = async () => {
    const { rows } = await sql<{ now: number }>`SELECT ${engine.clock()} AS now`.execute(engine.read);
    return rows[0]?.now ?? 0;
  };
  assert.ok(Number.isSafeInteger(await read()));
  const [early, now, late] = [Date.now() - 1_000, await read(), Date.now() + 1_000];
  assert.ok(early <= now && now <= late, 'the server is on this machine');
  const asked = async () => {
    const text = 'SELECT floor(extract(epoch FROM now()) * 1000) AS now';
    const [row] = await server.query<{ now: string }>(url, text);
    return Number(row?.now);
  };
  const times = [await asked(), await read(), await asked()];
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
});

test('Engine sorts and compares texts by their bytes, whatever the database’s collation', async (t) => {
  const { engine, url } = await engineFor(t);
  const unsorted = ['a', 'B', 'ab', 'a-b', 'ä'];
  const [collation] = await server.query<{ first: string }>(
    url,
    `SELECT min(name) AS first FROM (VALUES ('a'), ('B')) AS t (name)`,
  );
  assert.equal(collation?.first, 'a', 'the test’s database sorts unlike bytes');
  await engine.transact(async (db) => {
    const rows = unsorted.map((name) => ({ name, value: '' }));
    await db.insertInto('meta').values(rows).execute();
  });
  assert.deepEqual(await names(engine), ['B', 'a', 'a-b', 'ab', 'ä']);
});

test('Engine takes texts with NUL and unpaired surrogates, and finds nothing by them', async (t) => {
  const { engine } = await engineFor(t);
  const find = (name: string) =>
    engine.read.selectFrom('meta').selectAll().where('name', '=', name).executeTakeFirst();
  for (const text of ['a\0b', 'a\ud800b']) assert.equal(await find(text), undefined);
  await engine.transact((db) => db.insertInto('meta').values({ name: 'a\0b', value: '\ud800' }).execute());
  assert.deepEqual(await engine.read.selectFrom('meta').selectAll().execute(), [
    { name: 'a\uFFFDb', value: '\uFFFD' },
  ]);
});

test('Engine.transact() runs again when it was the one to leave a deadlock', async (t) => {
  const { engine } = await engineFor(t);
  await engine.transact((db) =>
    db
      .insertInto('meta')
      .values([
        { name: 'a', value: '' },
        { name: 'b', value: '' },
      ])
      .execute(),
  );
  let runs = 0;
  const holding = Promise.withResolvers<void>();
  let held = 0;
  const crossing = (first: string, second: string) =>
    engine.transact(async (db) => {
      runs++;
      const append = async (name: string) =>
        db
          .updateTable('meta')
          .set((eb) => ({ value: eb('value', '||', `${first}${second} `) }))
          .where('name', '=', name)
          .execute();
      await append(first);
      if (++held === 2) holding.resolve();
      await holding.promise;
      await append(second);
    });
  await Promise.all([crossing('a', 'b'), crossing('b', 'a')]);
  // More than two, when the one that goes again takes the row that the other is woken for.
  assert.ok(runs > 2, `${runs}`);
  const rows = await engine.read.selectFrom('meta').select('value').execute();
  for (const { value } of rows) assert.deepEqual(value.trim().split(' ').toSorted(), ['ab', 'ba']);
});

test('Engine.locks.name() is held by one at a time, until its transaction ends', async (t) => {
  const { engine } = await engineFor(t);
  const order: string[] = [];
  const holding = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const first = engine.transact(async (db) => {
    await engine.locks.name(db, 'browser x');
    holding.resolve();
    await release.promise;
    order.push('first');
  });
  await holding.promise;
  const second = engine.transact(async (db) => {
    await engine.locks.name(db, 'browser x');
    order.push('second');
  });
  await engine.transact(async (db) => {
    await engine.locks.name(db, 'browser y');
    order.push('other name');
  });
  release.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(order, ['other name', 'first', 'second']);
});

test('Engine keeps audit events from TRUNCATE too', async (t) => {
  const { url } = await engineFor(t);
  await assert.rejects(server.query(url, 'TRUNCATE audit_events'), /append-only/);
});

test('Engine.close() waits for the transaction that runs, refuses new ones, and may be called twice', async (t) => {
  const { engine } = await engineFor(t);
  const running = engine.transact((db) =>
    db.insertInto('meta').values({ name: 'a', value: '' }).executeTakeFirst(),
  );
  await Promise.all([engine.close(), engine.close()]);
  assert.equal((await running).numInsertedOrUpdatedRows, 1n);
  await assert.rejects(names(engine), { code: 'store_unavailable' });
  await assert.rejects(
    engine.transact(async () => {}),
    { code: 'store_unavailable' },
  );
});

test('openPostgres() refuses an address that cannot be, and says nothing of it', () => {
  assert.throws(
    () => openPostgres(new Secret('postgres://u:sesame@db')),
    (error) => {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.code, 'config_invalid');
      assert.doesNotMatch(`${error.message} ${error.hint}`, /sesame/);
      return true;
    },
  );
  const missing = new Secret('postgres://u:p@localhost/db?sslrootcert=%2Fnowhere%2Fca.pem');
  assert.throws(() => openPostgres(missing), { code: 'config_invalid', message: /nowhere/ });
});

test('Engine throws store_unavailable for a wrong password, database, port or TLS, without the password', async (t) => {
  const url = await server.place();
  const wrong: readonly ((address: URL) => void)[] = [
    (address) => (address.password = 'sesame'),
    (address) => (address.pathname = '/nowhere'),
    (address) => (address.port = '1'),
    // The server has no TLS: nothing is said in the clear instead.
    (address) => (address.search = 'sslmode=verify-full'),
    (address) => (address.search = 'sslmode=no-verify'),
  ];
  for (const change of wrong) {
    const address = new URL(url.reveal());
    change(address);
    const engine = openPostgres(new Secret(address.href));
    t.after(() => engine.close());
    await assert.rejects(names(engine), (error) => {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.code, 'store_unavailable', address.search);
      assert.doesNotMatch(JSON.stringify(allOf(error)), new RegExp(`sesame|${address.password}`));
      return true;
    });
  }
});

/** An engine on a place of its own. `defaults` become the user's. */
async function engineFor(
  t: TestContext,
  defaults: readonly string[] = [],
): Promise<{ readonly engine: Engine; readonly url: Secret }> {
  const url = await server.place();
  const user = new URL(url.reveal()).username;
  for (const setting of defaults) await server.query(server.operator, `ALTER ROLE "${user}" ${setting}`);
  const engine = openPostgres(url);
  t.after(() => engine.close());
  await migrate(engine);
  return { engine, url };
}

async function names(engine: Engine): Promise<readonly string[]> {
  const rows = await engine.read.selectFrom('meta').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
}

/** Everything that a log could print of an error. */
function allOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { ...error, message: error.message, stack: error.stack, cause: allOf(error.cause) };
}
