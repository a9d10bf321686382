// What `examineStore()` says of a store, and that it changes none.

import assert from 'node:assert/strict';
import fs, { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openPostgresTestStore, startPostgres } from '../../test/support/postgres.ts';
import { addAccount, addShare, openTestStore } from '../../test/support/store.ts';
import { newId } from '../domain/id.ts';
import { Secret } from '../domain/secret.ts';
import { examineStore, type StoreExamination } from './examine.ts';
import type { StoreEngine } from './open.ts';
import type { Store } from './store.ts';
import { MIGRATIONS } from './migrations/run.ts';

function check({ checks }: StoreExamination, name: string) {
  const found = checks.find((each) => each.name === name);
  assert.ok(found, `no check ${name}`);
  return found;
}

async function folderFor(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-examine-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('examineStore() makes no file where there is none (DESIGN 2.4)', async (context) => {
  const folder = await folderFor(context);
  const file = join(folder, 'data', 'doorward.db');
  const found = await examineStore({ kind: 'sqlite', file }, Date.now);
  assert.equal(found.current, false);
  assert.match(check(found, 'store').found, /does not exist yet/);
  assert.equal(check(found, 'writable').state, 'ok');
  assert.equal(existsSync(join(folder, 'data')), false);
});

test('examineStore() tells the hosts that shares have proved, on both engines (DESIGN 2.4)', async () => {
  await using sqlite = await openTestStore();
  await using server = await startPostgres();
  await using postgres = await openPostgresTestStore(server);
  const places = [
    [sqlite, { kind: 'sqlite', file: sqlite.sqliteFile }],
    [postgres, { kind: 'postgres', url: postgres.url }],
  ] as const;
  for (const [store, engine] of places) {
    const share = await addShare(store);
    const { accountId, id: shareId } = share;
    for (const host of ['b.example', 'a.example', 'claimed.example'])
      await store.hosts.claim({ id: newId('hst'), accountId, shareId, host, createdAt: 1, most: 9 });
    for (const host of ['b.example', 'a.example']) {
      const shareVersion = (await store.shares.findById(shareId))?.version ?? 0;
      const id = (await store.hosts.find(accountId, host))?.id ?? newId('hst');
      await store.hosts.prove({ accountId, id, host, proof: 'dns', displaces: null, shareVersion, at: 2 });
    }
    assert.deepEqual((await examineStore(engine, Date.now)).customHosts, ['a.example', 'b.example']);
  }
});

test('examineStore() warns of authorities that end within a year', async () => {
  await using store = await openTestStore();
  await expectEnding(store, { kind: 'sqlite', file: store.sqliteFile });
});

async function expectEnding(store: Store, engine: StoreEngine): Promise<void> {
  const accountId = await addAccount(store);
  const account = await store.accounts.find(accountId);
  assert.ok(account);
  const createdAt = Date.now();
  const notAfter = createdAt + 3_650 * DAY_MS;
  const ca = { id: newId('aca'), accountId, certificate: Buffer.of(48, 0), createdAt, notAfter };
  await store.cas.put({ ca, privateKey: new Secret('key') }, true);
  const found = async (at: number) => check(await examineStore(engine, () => at), 'certificate authorities');
  assert.equal((await found(Date.now())).state, 'ok');
  const ending = await found(notAfter - 300 * DAY_MS);
  assert.equal(ending.state, 'warn');
  assert.ok(ending.found.includes(`${account.name} (${new Date(notAfter).toISOString().slice(0, 10)})`));
}

test('examineStore() tells the form of a store: the newest, an older, one from a version to come', async () => {
  await using store = await openTestStore();
  const engine = { kind: 'sqlite', file: store.sqliteFile } as const;
  const newest = await examineStore(engine, Date.now);
  assert.deepEqual([newest.current, check(newest, 'schema').state], [true, 'ok']);
  using database = new DatabaseSync(store.sqliteFile);
  database.exec(`DELETE FROM migrations WHERE number = ${MIGRATIONS.length}`);
  const older = await examineStore(engine, Date.now);
  assert.deepEqual([older.current, check(older, 'schema').state], [false, 'ok']);
  assert.match(check(older, 'schema').found, /the next start of doorward serve upgrades it to/);
  database.exec(`INSERT INTO migrations VALUES (99, 'to-come', 1, 0)`);
  assert.equal(check(await examineStore(engine, Date.now), 'schema').state, 'warn');
  database.exec('UPDATE migrations SET works_from = 99 WHERE number = 99');
  assert.equal(check(await examineStore(engine, Date.now), 'schema').state, 'fail');
});

test('examineStore() of a file that is no store fails', async (context) => {
  const file = join(await folderFor(context), 'doorward.db');
  await writeFile(file, 'not a database, but long enough to be looked at as one\n'.repeat(100));
  const found = await examineStore({ kind: 'sqlite', file }, Date.now);
  assert.deepEqual([found.current, check(found, 'store').state], [false, 'fail']);
});

test('examineStore() asks a PostgreSQL server for its version, its clock, and the form of the store', async () => {
  await using server = await startPostgres();
  const empty = { kind: 'postgres', url: await server.place() } as const;
  const before = await examineStore(empty, Date.now);
  assert.match(check(before, 'store').found, /^PostgreSQL \d+/);
  assert.match(check(before, 'schema').found, /^no tables yet/);
  assert.equal(check(before, 'writable').state, 'ok');
  await using store = await openPostgresTestStore(server);
  const engine = { kind: 'postgres', url: store.url } as const;
  const found = await examineStore(engine, Date.now);
  assert.equal(found.current, true);
  assert.ok(
    found.checks.every(({ state }) => state === 'ok'),
    JSON.stringify(found.checks),
  );
  await expectEnding(store, engine);
  const hourAhead = await examineStore(engine, () => Date.now() + 3_600_000);
  assert.equal(check(hourAhead, 'clock').state, 'fail');
  const ahead = await examineStore(engine, () => Date.now() + 3_000);
  assert.equal(check(ahead, 'clock').state, 'fail', 'gateways log it from 2 s on');
});

test('examineStore() of a server that is not there says so, without the password', async () => {
  const url = new Secret('postgres://doorward:hunter2@127.0.0.1:1/doorward');
  const found = await examineStore({ kind: 'postgres', url }, Date.now);
  assert.equal(check(found, 'store').state, 'fail');
  assert.doesNotMatch(JSON.stringify(found), /hunter2/);
});

test('examineStore() tries a write: a full disk and one that is read-only fail, and nothing stays behind (DESIGN 2.4)', async (context) => {
  const folder = await folderFor(context);
  const engine = { kind: 'sqlite', file: join(folder, 'doorward.db') } as const;
  const stateOf = async () => check(await examineStore(engine, Date.now), 'writes');
  assert.equal((await stateOf()).state, 'ok');
  assert.deepEqual(await readdir(folder), []);
  const rows = [
    ['ENOSPC', /disk of .* is full/],
    ['EDQUOT', /disk of .* is full/],
    ['EROFS', /disk of .* is read-only/],
    ['EACCES', /is not writable/],
  ] as const;
  for (const [code, says] of rows) {
    // As the disk answers each write. What was begun is taken away all the same.
    const write = context.mock.method(fs, 'writeFileSync', () => {
      throw Object.assign(new Error(code), { code });
    });
    syncBuiltinESMExports();
    const found = await stateOf();
    write.mock.restore();
    syncBuiltinESMExports();
    assert.deepEqual([found.state, says.test(found.found)], ['fail', true], found.found);
  }
});

test('examineStore() tells a PostgreSQL server that takes no writes, or has no room for them (DESIGN 2.4)', async () => {
  await using server = await startPostgres();
  const url = await server.formedPlace();
  const stateOf = async () => check(await examineStore({ kind: 'postgres', url }, Date.now), 'writes');
  assert.equal((await stateOf()).state, 'ok');
  const operator = new URL(server.operator.reveal());
  operator.pathname = new URL(url.reveal()).pathname;
  const inThere = (statement: string) => server.query(new Secret(operator.href), statement);
  const rows = [
    ['53100', 'the disk of the server is full'],
    ['25006', 'the server is read-only'],
  ] as const;
  for (const [code, says] of rows) {
    // As such a server answers whoever takes room on its disk.
    await inThere(`CREATE OR REPLACE FUNCTION refuse_room() RETURNS event_trigger LANGUAGE plpgsql AS
      $f$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '${code}'; END $f$`);
    await inThere(`CREATE EVENT TRIGGER refuse_room ON ddl_command_start WHEN TAG IN ('CREATE TABLE')
      EXECUTE FUNCTION refuse_room()`);
    const found = await stateOf();
    await inThere('DROP EVENT TRIGGER refuse_room');
    assert.deepEqual([found.state, found.found], ['fail', says]);
  }
});

const DAY_MS = 86_400_000;
