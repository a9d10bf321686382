import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { addAccount, addShare, openTestStore } from '../../test/support/store.ts';
import { newId } from '../domain/id.ts';
import type { Secret } from '../domain/secret.ts';
import { newMasterKeyText, parseMasterKey } from './sealing/master-key.ts';
import { MIGRATIONS } from './migrations/run.ts';
import { type StoreOptions, openStore } from './open.ts';
import { addSession, tokensOf } from './suite/bench.test-support.ts';

test('openStore() makes folder and files for their owner only', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'doorward-store-'));
  const folder = join(place.path, 'data');
  const engine = { kind: 'sqlite', file: join(folder, 'doorward.db') } as const;
  const store = await openStore({ engine, masterKey: freshKey(), now: Date.now, exclusive: true });
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  const files = await readdir(folder);
  assert.deepEqual(files.toSorted(), [
    'doorward.db',
    'doorward.db-shm',
    'doorward.db-wal',
    'doorward.db.lock',
  ]);
  for (const file of files) assert.equal((await stat(`${folder}/${file}`)).mode & 0o777, 0o600, file);
  await store.close();
});

test('openStore() refuses a second that serves, and lets the operator’s command work beside the first', async () => {
  await using store = await openTestStore();
  for (let tries = 0; tries < 2; tries++)
    await assert.rejects(openStore(optionsOf(store, { exclusive: true })), { code: 'store_in_use' });
  const beside = await openStore(optionsOf(store, { exclusive: false }));
  await addAccount(beside, 'acme');
  await beside.close();
  assert.deepEqual(
    (await store.accounts.list()).map(({ name }) => name),
    ['acme'],
  );
});

test('openStore() opens again after close(), with everything kept', async () => {
  await using store = await openTestStore();
  const share = await addShare(store);
  await store.close();
  assert.deepEqual((await readdir(dirname(store.sqliteFile))).toSorted(), [
    'doorward.db',
    'doorward.db.lock',
  ]);
  const again = await openStore(optionsOf(store, { exclusive: true }));
  assert.deepEqual(await again.shares.all(), [share]);
  await again.close();
});

test('openStore() refuses another master key, and leaves the store to the right one', async () => {
  await using store = await openTestStore();
  await store.close();
  const wrong = openStore(optionsOf(store, { masterKey: freshKey(), exclusive: true }));
  await assert.rejects(wrong, { code: 'config_invalid', message: /master key/ });
  await (await openStore(optionsOf(store, { exclusive: true }))).close();
});

test('openStore() keeps no token in plain text in its files', async () => {
  await using store = await openTestStore();
  const share = await addShare(store);
  await addSession(store, { share, at: Date.now(), tokens: tokensOf('visible') });
  const folder = dirname(store.sqliteFile);
  for (const file of await readdir(folder))
    assert.equal((await readFile(`${folder}/${file}`)).includes('visible'), false, file);
});

test('openStore() refuses a store of a newer version', async () => {
  await using store = await openTestStore();
  await store.close();
  const database = new DatabaseSync(store.sqliteFile);
  database.exec(`INSERT INTO migrations VALUES (1000, 'from-the-future', 1000, 0)`);
  database.close();
  await assert.rejects(openStore(optionsOf(store, { exclusive: true })), { code: 'store_unusable' });
});

test('openStore() brings a new file to its form once when many start at once', async () => {
  await using store = await openTestStore();
  const engine = { kind: 'sqlite', file: `${store.sqliteFile}.second` } as const;
  const options = optionsOf(store, { engine, exclusive: false });
  const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(options)));
  await Promise.all(stores.map((one) => addAccount(one)));
  assert.equal((await stores[0]?.accounts.list())?.length, 6);
  for (const one of stores) await one.close();
});

test('openStore() brings a new file to its form once when processes start at the same time', async () => {
  await using store = await openTestStore();
  const file = `${store.sqliteFile}.third`;
  const opener = `
    const { openStore } = await import('${new URL('open.ts', import.meta.url).href}');
    const { Secret } = await import('${new URL('../domain/secret.ts', import.meta.url).href}');
    const [file, key] = process.argv.slice(1);
    const engine = { kind: 'sqlite', file };
    const store = await openStore({ engine, masterKey: new Secret(key), now: Date.now, exclusive: false });
    process.stdout.write(String((await store.shares.all()).length));
    await store.close();`;
  const key = store.masterKey.reveal();
  const open = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', opener, file, key]);
  const opened = await Promise.all([open(), open()]);
  assert.deepEqual(
    opened.map(({ stdout }) => stdout),
    ['0', '0'],
  );
  const database = new DatabaseSync(file);
  const names = database.prepare('SELECT name FROM migrations ORDER BY number').all();
  database.close();
  assert.deepEqual(
    names.map(({ name }) => name),
    MIGRATIONS.map(({ name }) => name),
  );
});

test('openStore() throws store_unavailable for what is no store and for a folder that cannot be made', async () => {
  await using store = await openTestStore();
  const other = `${dirname(store.sqliteFile)}/notes.txt`;
  await writeFile(other, 'not a database, but long enough to be looked at '.repeat(100));
  for (const file of [other, `${other}/deeper/doorward.db`, dirname(store.sqliteFile)])
    for (const exclusive of [true, false])
      await assert.rejects(openStore(optionsOf(store, { engine: { kind: 'sqlite', file }, exclusive })), {
        code: 'store_unavailable',
      });
});

test('the store throws store_unavailable when its file was deleted or replaced under it', async () => {
  await using store = await openTestStore();
  await store.ping();
  await rename(store.sqliteFile, `${store.sqliteFile}.away`);
  const attempt = newId('att');
  await assert.rejects(store.ping(), { code: 'store_unavailable', message: /deleted/ });
  await assert.rejects(store.attempts.claim(attempt, 0), { code: 'store_unavailable' });
  await writeFile(store.sqliteFile, '');
  await assert.rejects(store.shares.all(), { code: 'store_unavailable', message: /replaced/ });
  await rename(`${store.sqliteFile}.away`, store.sqliteFile);
  assert.equal(await store.attempts.claim(attempt, 0), true, 'the file is back');
});

test('the store waits, without blocking the thread, while another process writes', async () => {
  await using store = await openTestStore();
  const other = new DatabaseSync(store.sqliteFile);
  other.exec('BEGIN IMMEDIATE');
  const claim = store.attempts.claim(newId('att'), 0);
  assert.equal(await Promise.race([claim, turns()]), 'waiting');
  await store.ping();
  other.exec('ROLLBACK');
  other.close();
  assert.equal(await claim, true);
});

/** The event loop goes round: the thread is free. */
async function turns(): Promise<string> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  return 'waiting';
}

function optionsOf(
  store: { readonly sqliteFile: string; readonly masterKey: Secret },
  options: Partial<StoreOptions> & Pick<StoreOptions, 'exclusive'>,
): StoreOptions {
  const engine = { kind: 'sqlite', file: store.sqliteFile } as const;
  return { engine, masterKey: store.masterKey, now: Date.now, ...options };
}

function freshKey(): Secret {
  const key = parseMasterKey(newMasterKeyText());
  if (key === null) throw new Error('a key was to be had');
  return key;
}
