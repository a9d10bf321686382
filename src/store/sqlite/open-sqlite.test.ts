import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { newId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Engine } from '../engine.ts';
import { migrate } from '../migrations/run.ts';
import { seenUpdate } from '../sessions/mark-seen.ts';
import { migrationsSuite } from '../suite/migrations.test-support.ts';
import { openSqlite } from './open-sqlite.ts';

test('Engine.transact() keeps nothing when its work throws', async (t) => {
  const engine = await engineFor(t);
  const fault = new ServiceError('name_taken', 'Cannot do it: the name is taken');
  const failing = engine.transact(async (db) => {
    await db.insertInto('meta').values({ name: 'a', value: '1' }).execute();
    throw fault;
  });
  await assert.rejects(failing, fault);
  assert.deepEqual(await names(engine), []);
});

test('Engine.read sees committed data only, while a transaction is open', async (t) => {
  const engine = await engineFor(t);
  await engine.transact(async (db) => {
    await db.insertInto('meta').values({ name: 'a', value: '1' }).execute();
    assert.deepEqual(await names(engine), []);
  });
  assert.deepEqual(await names(engine), ['a']);
});

test('Engine.transact() runs one at a time, in the order of the calls', async (t) => {
  const engine = await engineFor(t);
  const order: string[] = [];
  await Promise.all(
    [1, 2, 3].map((number) =>
      engine.transact(async () => {
        order.push(`begin ${number}`);
        await setImmediate();
        order.push(`end ${number}`);
      }),
    ),
  );
  assert.deepEqual(order, ['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
});

test('Engine.read works through more statements than are kept', async (t) => {
  const engine = await engineFor(t);
  await engine.transact((db) => db.insertInto('meta').values({ name: 'a', value: '1' }).execute());
  for (let length = 1; length < 700; length++) {
    const list = Array.from({ length }, () => 'a');
    const rows = await engine.read.selectFrom('meta').select('value').where('name', 'in', list).execute();
    assert.deepEqual(
      rows.map(({ value }) => value),
      ['1'],
    );
  }
});

test('Engine says internal for a statement that is refused, without its values, and goes on', async (t) => {
  const engine = await engineFor(t);
  const insert = () =>
    engine.transact((db) => db.insertInto('meta').values({ name: 'a', value: 'sesame' }).execute());
  await insert();
  await assert.rejects(insert(), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'internal');
    assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /sesame/);
    return true;
  });
  await assert.rejects(sql`SELECT nonsense`.execute(engine.read), { code: 'internal' });
  assert.deepEqual(await names(engine), ['a']);
});

test('Engine.read cannot write', async (t) => {
  const engine = await engineFor(t);
  const write = engine.read.insertInto('meta').values({ name: 'a', value: '1' }).execute();
  await assert.rejects(write, ServiceError);
  assert.deepEqual(await names(engine), []);
});

test('Engine commits are on the disk before they are answered', async (t) => {
  const engine = await engineFor(t);
  await engine.transact(async (db) => {
    const synchronous = await sql<{ synchronous: number }>`PRAGMA synchronous`.execute(db);
    assert.deepEqual(
      synchronous.rows.map((row) => row.synchronous),
      [FULL],
    );
    const journal = await sql<{ journal_mode: string }>`PRAGMA journal_mode`.execute(db);
    assert.deepEqual(
      journal.rows.map((row) => row.journal_mode),
      ['wal'],
    );
    const keys = await sql<{ foreign_keys: number }>`PRAGMA foreign_keys`.execute(db);
    assert.deepEqual(
      keys.rows.map((row) => row.foreign_keys),
      [1],
    );
  });
});

test('openSqlite() keeps undone pages in memory, and sorts for a migration on the disk (Scale: a certificate for a token)', async (t) => {
  const engine = await engineFor(t);
  assert.equal(await placeOfTemporary(engine.transact), MEMORY);
  assert.equal(await placeOfTemporary(engine.transactAlone), DEFAULT);
  await assert.rejects(engine.transactAlone(() => Promise.reject(new Error('no'))));
  assert.equal(await placeOfTemporary(engine.transactLong), MEMORY);
});

test('seenUpdate() looks each session up by its id, and walks over no table of sessions (Very many visitors)', async (t) => {
  const engine = await engineFor(t);
  const seen = Array.from({ length: 500 }, (_, at) => ({ id: newId('ses'), at }));
  const { rows } = await sql<{ detail: string }>`EXPLAIN QUERY PLAN ${seenUpdate(seen)}`.execute(engine.read);
  const steps = rows.map(({ detail }) => detail).filter((detail) => /\bsessions\b/.test(detail));
  assert.equal(steps.length, 1);
  assert.match(steps[0] ?? '', /^SEARCH sessions USING INDEX \S+ \(id=\?\)/);
});

migrationsSuite('SQLite', async (t, count) => {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-sqlite-'));
  const open = () => openSqlite({ file: join(folder, 'doorward.db'), exclusive: false, now: Date.now });
  const engines = await Promise.all(Array.from({ length: count }, open));
  t.after(async () => {
    for (const engine of engines) await engine.close();
    await rm(folder, { recursive: true });
  });
  return engines;
});

async function engineFor(t: { after(end: () => Promise<void>): void }): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-sqlite-'));
  const engine = await openSqlite({ file: join(folder, 'doorward.db'), exclusive: false, now: Date.now });
  t.after(async () => {
    await engine.close();
    await rm(folder, { recursive: true });
  });
  await migrate(engine);
  return engine;
}

async function placeOfTemporary(transact: Engine['transact']): Promise<number | undefined> {
  return transact(async (db) => {
    const { rows } = await sql<{ temp_store: number }>`PRAGMA temp_store`.execute(db);
    return rows[0]?.temp_store;
  });
}

async function names(engine: Engine): Promise<readonly string[]> {
  const rows = await engine.read.selectFrom('meta').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
}

/** `PRAGMA synchronous`: 2 is FULL. */
const FULL = 2;
/** `PRAGMA temp_store`. */
const DEFAULT = 0;
const MEMORY = 2;
