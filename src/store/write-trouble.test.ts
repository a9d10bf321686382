// A store that takes nothing new says why, on each engine, and that it takes writes again.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { startPostgres, type TestPostgres } from '../../test/support/postgres.ts';
import { newId } from '../domain/id.ts';
import { Secret } from '../domain/secret.ts';
import { newMasterKeyText, parseMasterKey } from './sealing/master-key.ts';
import { storeOn } from './open.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

let server: TestPostgres;
let folder: string;
before(async () => {
  [server, folder] = await Promise.all([startPostgres(), mkdtemp(join(tmpdir(), 'doorward-trouble-'))]);
});
after(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const masterKey = parseMasterKey(newMasterKeyText()) ?? new Secret('');

test('on SQLite a full disk and a read-only file are told as that, and forgotten with the next write', async () => {
  const engine = await openSqlite({ file: join(folder, 'one.db'), exclusive: true, now: Date.now });
  const store = await storeOn(engine, masterKey);
  // On the connection that writes, as the disk would: it never goes below what the file has.
  const pragma = (text: string) => engine.transact(async (db) => void (await sql.raw(text).execute(db)));
  const fill = () =>
    store.together(async () => {
      for (let claims = 0; claims < 2_000; claims++) await claim(store);
    });
  assert.equal(store.writeTrouble(), null);
  await pragma('PRAGMA max_page_count = 1');
  await assert.rejects(fill(), {
    code: 'store_unavailable',
    extra: { reason: 'disk_full' },
    message: /its disk is full/,
  });
  assert.equal(store.writeTrouble(), 'disk_full');
  await store.ping();
  assert.equal(store.writeTrouble(), 'disk_full', 'to read says nothing of writing');
  await pragma('PRAGMA max_page_count = 1000000');
  await claim(store);
  assert.equal(store.writeTrouble(), null);
  await pragma('PRAGMA query_only = ON');
  await assert.rejects(claim(store), {
    code: 'store_unavailable',
    extra: { reason: 'read_only' },
    message: /it is read-only/,
  });
  assert.equal(store.writeTrouble(), 'read_only');
  assert.equal(store.forCalls.writeTrouble(), 'read_only');
  await store.close();
});

test('on PostgreSQL a full disk (53100) and a read-only server (25006) are told as that, and forgotten with the next write', async () => {
  const url = await server.formedPlace();
  const engine = openPostgres(url);
  const store = await storeOn(engine, masterKey);
  const onlyReading = engine.transact(async (db) => {
    await sql`SET TRANSACTION READ ONLY`.execute(db);
    await db.deleteFrom('attempts').execute();
  });
  await assert.rejects(onlyReading, {
    code: 'store_unavailable',
    extra: { reason: 'read_only' },
    message: /it is read-only/,
  });
  for (const [state, reason] of [
    ['53100', 'disk_full'],
    ['25006', 'read_only'],
  ] as const) {
    await server.query(
      url,
      `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`,
    );
    await server.query(url, 'CREATE TRIGGER refuse BEFORE INSERT ON attempts EXECUTE FUNCTION refuse()');
    await assert.rejects(claim(store), { code: 'store_unavailable', extra: { reason } });
    assert.equal(store.writeTrouble(), reason);
    await server.query(url, 'DROP TRIGGER refuse ON attempts');
    await claim(store);
    assert.equal(store.writeTrouble(), null);
  }
  // Its own, to which a machine's is held.
  const [askedAt, time, toldAt] = [Date.now(), await store.clock(), Date.now()];
  assert.ok(time > askedAt - 2 && time < toldAt + 2, 'the server is on this machine');
  await store.close();
  await assert.rejects(store.clock());
});

function claim({ attempts }: Awaited<ReturnType<typeof storeOn>>): Promise<boolean> {
  return attempts.claim(newId('att'), Date.now() + 60_000);
}
