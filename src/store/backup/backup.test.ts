// A backup of either engine restored onto either: what is in it, what is refused, and what is left alone when
// it is.

import assert from 'node:assert/strict';
import {
  appendFile,
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { noteEngine } from '../../../test/support/note-engine.ts';
import { type TestPostgres, startPostgres } from '../../../test/support/postgres.ts';
import { Secret } from '../../domain/secret.ts';
import { type AccountId, newId } from '../../domain/id.ts';
import type { Engine } from '../engine.ts';
import { type MasterKeys, newMasterKeyText, parseMasterKeys } from '../sealing/master-key.ts';
import { MIGRATIONS, migrate } from '../migrations/run.ts';
import { type StoreEngine, openEngine, openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { keyOf } from '../suite/api-keys.test-support.ts';
import { HOUR_MS, START, addSession, addShare, revealed, tokensOf } from '../suite/bench.test-support.ts';
import { addMember, loginOf } from '../suite/people.test-support.ts';
import { addDefinition } from '../suite/share-providers.test-support.ts';
import { SEALED_COLUMNS } from '../sealing/sealed-columns.ts';
import type { Backup } from './back-up.ts';
import { KEPT_TABLES } from './kept-tables.ts';
import { backUpStore, restoreStore } from './stores.ts';

const KINDS = ['sqlite', 'postgres'] as const;

let server: TestPostgres;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

for (const from of KINDS)
  for (const to of KINDS)
    test(`restoreStore() puts every row of every table of ${from} into ${to}`, async (t) => {
      const { place, folder } = await placesOf(t);
      const [source, target, keys] = [await place(from), await place(to), freshKeys()];
      await (await openStore({ ...openingOf(source), masterKey: keys.key })).close();
      await onEngine(source, fillEveryTable);
      const file = join(folder, 'backup');
      const { rows } = await backUp(source, file);
      for (const { name } of KEPT_TABLES) assert.ok((rows[name] ?? 0) > 0, `${name} has a row`);
      const restored = await restore(target, file, { masterKeys: keys, keepSessions: true });
      assert.equal(restored.unreadable, SEALED_COLUMNS.length, 'what was never sealed is said, and stays');
      assert.equal(restored.endedInvitations, 1);
      assert.deepEqual(await onEngine(target, rowsOf), await onEngine(source, rowsOf));
    });

for (const kind of KINDS) {
  test(`backUpStore() of ${kind} is of one moment while others write, and leaves them alone`, async (t) => {
    const { place, folder } = await placesOf(t);
    const [source, target, keys] = [await place(kind), await place('sqlite'), freshKeys()];
    const store = await opened(t, source, keys);
    const share = await addShare(store);
    const writer = { stopped: false };
    let written = 0;
    const writing = (async () => {
      // Each transaction of `modify` writes a share and a change: never one without the other.
      while (!writer.stopped) {
        written = (await modify(store, share.name, share.accountId)) ?? written;
        // SQLite answers within this turn; files need others.
        await nextTurn();
      }
    })();
    const files = ['a', 'b', 'c'].map((name) => join(folder, name));
    for (const file of files) await backUp(source, file);
    writer.stopped = true;
    await writing;
    assert.ok(written > 1);
    for (const file of files) await restore(target, file, { masterKeys: keys });
    const copy = await opened(t, target, keys);
    assert.notEqual(await copy.shares.findById(share.id), null);
    const lines = (await readFile(files[2] ?? '', 'utf8')).split('\n');
    const version = Number(valueIn(lines, { table: 'shares', column: 'version' }));
    assert.ok(version >= 1 && version <= written);
    const changes = valueIn(lines, { table: 'change_counter', column: 'number' });
    assert.equal(changes, version, 'one change a version');
  });

  test(`restoreStore() onto ${kind} ends all sessions, unless told otherwise, and opens what is sealed`, async (t) => {
    const { place, folder } = await placesOf(t);
    const [source, keys] = [await place('sqlite'), freshKeys()];
    const store = await opened(t, source, keys);
    const at = Date.now();
    const share = await addShare(store);
    const id = await addSession(store, { share, at, tokens: tokensOf('kept') });
    await logInToConsole(store, share.accountId, at);
    const file = join(folder, 'backup');
    await backUp(source, file);
    await store.sessions.end([id], { reason: 'logout', at: at });

    const fresh = await place(kind);
    assert.equal((await restore(fresh, file, { masterKeys: keys })).endedSessions, 4);
    const without = await opened(t, fresh, keys);
    for (const hash of CONSOLE_HASHES) assert.equal(await without.consoleSessions.find(hash), null, hash);
    assert.equal((await without.sessions.find(id))?.endReason, 'restored');
    assert.equal((await without.sessions.state(id))?.ended, true);
    assert.deepEqual(await without.sessions.ofBrowser('browser-1', 'corp'), []);

    const other = await place(kind);
    assert.equal((await restore(other, file, { masterKeys: keys, keepSessions: true })).endedSessions, 0);
    const kept = await opened(t, other, keys);
    for (const hash of CONSOLE_HASHES) assert.notEqual(await kept.consoleSessions.find(hash), null, hash);
    const living = await kept.sessions.ofBrowser('browser-1', 'corp');
    assert.deepEqual(
      living.map(({ tokens }) => revealed(tokens)),
      [revealed(tokensOf('kept'))],
    );
  });

  test(`backUpStore() and restoreStore() of ${kind} are in the audit log, of no account (issue: change of configuration)`, async (t) => {
    const { place, folder } = await placesOf(t);
    const [source, target, keys] = [await place(kind), await place(kind), freshKeys()];
    await addShare(await opened(t, source, keys));
    const file = join(folder, 'backup');
    const made = await backUp(source, file);
    assert.deepEqual(await saidIn(source), [`store.backed_up sha256 ${made.sha256}`]);
    await restore(target, file, { masterKeys: keys });
    assert.deepEqual(await saidIn(target), [`store.restored a backup of ${made.madeAt}`]);
  });

  test(`restoreStore() onto ${kind} seals under the present key what a previous one sealed`, async (t) => {
    const { place, folder } = await placesOf(t);
    const [source, target, old, present] = [
      await place('sqlite'),
      await place(kind),
      freshKeys(),
      freshKeys(),
    ];
    const store = await opened(t, source, old);
    const share = await addShare(store);
    await addSession(store, { share, at: Date.now(), tokens: tokensOf('kept') });
    const { accountId } = share;
    const clientKey = { pem: new Secret('a key'), keyId: null };
    await addDefinition(store, { accountId, name: 'keyed' }, { clientSecret: null, clientKey });
    const file = join(folder, 'backup');
    await backUp(source, file);
    const refused = restore(target, file, { masterKeys: present });
    await assert.rejects(refused, { code: 'config_invalid', message: /another master key/ });
    const masterKeys = { ...present, previous: [old.key] };
    const done = await restore(target, file, { masterKeys, keepSessions: true });
    assert.equal(done.unreadable, 0);
    const restored = await opened(t, target, present);
    const [definition] = await restored.providerDefinitions.all();
    assert.equal(definition?.openCredential().clientKey?.pem.reveal(), 'a key', 'both of its sealed columns');
    const living = await restored.sessions.ofBrowser('browser-1', 'corp');
    assert.deepEqual(
      living.map(({ tokens }) => tokens.accessToken.reveal()),
      ['access-kept'],
    );
    await assert.rejects(openStore({ ...openingOf(target), masterKey: old.key }), { code: 'config_invalid' });
  });

  test(`restoreStore() onto ${kind} brings a backup of each older form to the newest`, async (t) => {
    const { place, folder } = await placesOf(t);
    for (let form = 1; form <= MIGRATIONS.length; form++) {
      const [source, target, keys] = [await place('sqlite'), await place(kind), freshKeys()];
      await onEngine(source, (engine) => migrate(engine, MIGRATIONS.slice(0, form)));
      await onEngine(source, (engine) => sealCheckOf(engine, keys));
      await onEngine(source, fillEveryTable);
      const file = join(folder, `form-${form}`);
      await backUp(source, file);
      const { header } = await restore(target, file, { masterKeys: keys });
      assert.equal(header.form.length, form);
      const store = await opened(t, target, keys);
      assert.equal((await store.accounts.list()).length, 1);
      await addShare(store);
    }
  });

  test(`restoreStore() onto ${kind} refuses a damaged file, and changes nothing`, async (t) => {
    const { place, folder } = await placesOf(t);
    const [source, target, keys] = [await place('sqlite'), await place(kind), freshKeys()];
    const store = await opened(t, source, keys);
    await addShare(store);
    const file = join(folder, 'backup');
    const { bytes } = await backUp(source, file);
    const whole = await readFile(file, 'utf8');
    const damaged: Readonly<Record<string, string>> = {
      empty: '',
      foreign: 'no backup at all\n',
      json: '{"a":1}\n',
      'cut short': whole.slice(0, bytes - 5),
      'without its last line': whole.split('\n').slice(0, -2).join('\n') + '\n',
      changed: whole.replace('http://127.0.0.1:3000', 'http://127.0.0.1:3001'),
      longer: `${whole}{"rows":0,"sha256":""}\n`,
      'of a later form of file': whole.replace('"version":1', '"version":2'),
    };
    for (const [name, text] of Object.entries(damaged)) {
      await writeFile(file, text);
      await assert.rejects(restore(target, file, { masterKeys: keys }), { code: 'backup_unusable' }, name);
    }
    await writeFile(file, whole.replace('"first-tables"', '"from-the-future"'));
    await assert.rejects(restore(target, file, { masterKeys: keys }), { code: 'store_unusable' });
    await assert.rejects(restore(target, `${file}.none`, { masterKeys: keys }), { code: 'backup_unusable' });
    await writeFile(file, whole);
    await restore(target, file, { masterKeys: keys });
  });
}

test('backUpStore() makes a file for its owner only, without a key or a token, and writes over nothing unasked', async (t) => {
  const { place, folder } = await placesOf(t);
  const [source, keys] = [await place('sqlite'), freshKeys()];
  const store = await opened(t, source, keys);
  await addSession(store, { share: await addShare(store), at: START, tokens: tokensOf('visible') });
  const file = join(folder, 'backup');
  const made = await backUp(source, file);
  const { mode, size } = await stat(file);
  assert.equal(mode & 0o777, 0o600);
  assert.equal(size, made.bytes);
  const text = await readFile(file, 'utf8');
  assert.ok(!text.includes('visible') && !text.includes(keys.key.reveal()));
  await assert.rejects(backUp(source, file), { code: 'usage', message: /exists/ });
  assert.equal(await readFile(file, 'utf8'), text);
  await backUp(source, file, true);
  const nowhere = join(folder, 'none', 'backup');
  await assert.rejects(backUp(source, nowhere), { code: 'usage' });
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('backup')),
    ['backup'],
  );
});

test('backUpStore() refuses what holds no store, and one of a newer version', async (t) => {
  const { place, folder } = await placesOf(t);
  for (const kind of KINDS)
    await assert.rejects(backUp(await place(kind), join(folder, 'a')), { code: 'store_unusable' });
  const source = await place('postgres');
  await (await openStore({ ...openingOf(source), masterKey: freshKeys().key })).close();
  await onEngine(source, (engine) =>
    engine.transact((db) =>
      db
        .insertInto('migrations')
        .values({ number: 1_000, name: 'from-the-future', works_from: 1, applied_at: 0 })
        .execute(),
    ),
  );
  await assert.rejects(backUp(source, join(folder, 'a')), { code: 'store_unusable' });
});

test('restoreStore() keeps the former SQLite file aside, whole, also after a crash', async (t) => {
  const { place, folder } = await placesOf(t);
  const [source, target, keys] = [await sqlitePlace(place), await sqlitePlace(place), freshKeys()];
  const store = await opened(t, source, keys);
  await addShare(store, { name: 'from-the-backup' });
  const file = join(folder, 'backup');
  await backUp(source, file);
  const former = await opened(t, target, keys);
  await addShare(former, { name: 'former' });
  await former.close();
  // What a restore that was killed leaves.
  await writeFile(`${target.file}.restoring`, 'half');
  const { keptAside } = await restore(target, file, { masterKeys: keys });
  assert.ok(keptAside !== null);
  const aside = await opened(t, { kind: 'sqlite', file: keptAside }, keys);
  assert.deepEqual(await namesIn(aside), ['former']);
  assert.deepEqual(await namesIn(await opened(t, target, keys)), ['from-the-backup']);
  assert.equal((await stat(target.file)).mode & 0o777, 0o600);
});

test('restoreStore() replaces a SQLite file that is damaged', async (t) => {
  const { place, folder } = await placesOf(t);
  const [source, target, keys] = [await sqlitePlace(place), await sqlitePlace(place), freshKeys()];
  await addShare(await opened(t, source, keys), { name: 'from-the-backup' });
  const file = join(folder, 'backup');
  await backUp(source, file);
  await (await opened(t, target, keys)).close();
  await truncate(target.file, 100);
  await appendFile(`${target.file}-wal`, 'what a log is not');
  const { keptAside } = await restore(target, file, { masterKeys: keys });
  assert.equal((await stat(keptAside ?? '')).size, 100);
  assert.deepEqual(await namesIn(await opened(t, target, keys)), ['from-the-backup']);
});

test('restoreStore() refuses while somebody serves from the store or has it open, and leaves it', async (t) => {
  const { place, folder } = await placesOf(t);
  const [target, keys] = [await sqlitePlace(place), freshKeys()];
  const serving = await openStore({ ...openingOf(target), masterKey: keys.key, exclusive: true });
  await addShare(serving, { name: 'former' });
  const file = join(folder, 'backup');
  await backUp(target, file);
  const again = () => restore(target, file, { masterKeys: keys });
  await assert.rejects(again(), { code: 'store_in_use' });
  assert.deepEqual(await namesIn(serving), ['former']);
  await serving.close();
  const beside = new DatabaseSync(target.file);
  beside.exec('BEGIN; SELECT * FROM shares');
  await assert.rejects(again(), { code: 'store_in_use' });
  beside.close();
  await again();
  const there = (await readdir(join(target.file, '..'))).filter((name) => name.includes('restoring'));
  assert.deepEqual(there, [], 'nothing is left beside it');
});

test('restoreStore() refuses a PostgreSQL database that holds a store, until that is moved aside as documented', async (t) => {
  const { place, folder } = await placesOf(t);
  const [source, target, keys] = [await place('sqlite'), await place('postgres'), freshKeys()];
  await addShare(await opened(t, source, keys), { name: 'from-the-backup' });
  const file = join(folder, 'backup');
  await backUp(source, file);
  const former = await openStore({ ...openingOf(target), masterKey: keys.key });
  await addShare(former, { name: 'former' });
  await assert.rejects(restore(target, file, { masterKeys: keys }), {
    code: 'store_unusable',
    hint: /ALTER SCHEMA/,
  });
  assert.deepEqual(await namesIn(former), ['former']);
  await former.close();
  assert.ok(target.kind === 'postgres');
  const { username } = new URL(target.url.reveal());
  await server.query(
    server.operator,
    `ALTER SCHEMA "${username}" RENAME TO "before ${username}"; CREATE SCHEMA AUTHORIZATION "${username}"`,
  );
  await restore(target, file, { masterKeys: keys });
  assert.deepEqual(await namesIn(await opened(t, target, keys)), ['from-the-backup']);
});

test('restoreStore() as root leaves files that the service’s user can open, in a new folder and in the place of a file', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root gives files away');
  const { place, folder } = await placesOf(t);
  const [source, keys] = [await place('sqlite'), freshKeys()];
  await (await openStore({ ...openingOf(source), masterKey: keys.key })).close();
  const backup = join(folder, 'backup');
  await backUp(source, backup);
  const home = join(folder, 'home');
  await mkdir(home, { mode: 0o750 });
  await chown(home, SERVICE_USER, SERVICE_USER);
  const file = join(home, 'data', 'deep', 'doorward.db');
  const ownersOf = async () => {
    const data = join(home, 'data');
    const names = ['.', ...(await readdir(data, { recursive: true }))];
    return new Set(await Promise.all(names.map(async (name) => (await stat(join(data, name))).uid)));
  };
  const target = { kind: 'sqlite', file } as const;
  await restore(target, backup, { masterKeys: keys });
  assert.deepEqual([...(await ownersOf())], [SERVICE_USER]);
  // The former file is followed, and not the folder.
  await chown(file, SERVICE_USER + 1, SERVICE_USER);
  await chmod(file, 0o640);
  await restore(target, backup, { masterKeys: keys });
  const { uid, gid, mode } = await stat(file);
  assert.deepEqual([uid, gid, mode & 0o777], [SERVICE_USER + 1, SERVICE_USER, 0o640]);
  assert.equal((await stat(home)).mode & 0o777, 0o750);
});

const SERVICE_USER = 54_321;
const CONSOLE_HASHES = ['member', 'key', 'visitor'] as const;

/** A member, a key and a visitor, whose session at a share is there. */
async function logInToConsole(store: Store, accountId: AccountId, at: number): Promise<void> {
  const { apiKeys, consoleSessions } = store;
  const of = { createdAt: at, expiresAt: at + HOUR_MS, ip: null, replaces: null };
  await addMember(store, { accountId, email: 'bob@acme.com' });
  await consoleSessions.begin(loginOf('bob@acme.com', { ...of, hash: 'member' }));
  const key = keyOf(accountId);
  await apiKeys.create(key, null);
  await consoleSessions.beginWithKey({ ...of, keyId: key.id, hash: 'key' });
  const { person } = loginOf('ann@acme.com', {}, { subject: 'subject-1' });
  assert.ok(
    await consoleSessions.beginVisit({ ...of, person, vouched: true, within: null, hash: 'visitor' }),
  );
}

type Places = {
  readonly folder: string;
  readonly place: (kind: StoreEngine['kind']) => Promise<StoreEngine>;
};

/** A folder, and stores that are not there yet. */
async function placesOf(t: TestContext): Promise<Places> {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-backup-'));
  t.after(() => rm(folder, { recursive: true }));
  let count = 0;
  return {
    folder,
    place: async (kind) => {
      if (kind === 'postgres') return { kind, url: await server.place() };
      noteEngine('SQLite');
      return { kind, file: join(folder, `store-${++count}`, 'doorward.db') };
    },
  };
}

async function sqlitePlace(place: Places['place']) {
  const engine = await place('sqlite');
  assert.ok(engine.kind === 'sqlite');
  return engine;
}

function freshKeys(): MasterKeys {
  const keys = parseMasterKeys(newMasterKeyText());
  assert.ok(keys !== null);
  return keys;
}

function openingOf(engine: StoreEngine) {
  return { engine, now: Date.now, exclusive: false };
}

/** Closed when the test is over. */
async function opened(t: TestContext, engine: StoreEngine, { key }: MasterKeys): Promise<Store> {
  const store = await openStore({ ...openingOf(engine), masterKey: key });
  t.after(() => store.close());
  return store;
}

function backUp(engine: StoreEngine, to: string, force = false): Promise<Backup> {
  return backUpStore(engine, { to, force, now: Date.now, progress: () => undefined });
}

function restore(
  engine: StoreEngine,
  file: string,
  options: { readonly masterKeys: MasterKeys; readonly keepSessions?: boolean },
) {
  return restoreStore(engine, {
    keepSessions: false,
    revokeKeys: false,
    ...options,
    file,
    now: Date.now,
    progress: () => undefined,
  });
}

async function onEngine<T>(place: StoreEngine, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine(openingOf(place));
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/**
 * One more row in each table that is there: `a` wherever a text goes, 1 for numbers, so that all refer to
 * each other.
 */
async function fillEveryTable(engine: Engine): Promise<void> {
  const tables = await engine.read.introspection.getTables();
  const { name: own } = tables.find(({ name }) => name === 'accounts') ?? { name: '' };
  assert.equal(own, 'accounts');
  await engine.transact(async (db) => {
    for (const { name } of KEPT_TABLES.filter((table) => !BY_DATABASE.has(table.name))) {
      const table = tables.find((each) => each.name === name);
      if (table === undefined) continue;
      const columns = sql.join(table.columns.map((column) => sql.ref(column.name)));
      const values = sql.join(table.columns.map(({ dataType }) => (/text/i.test(dataType) ? 'a' : 1)));
      await sql`INSERT INTO ${sql.table(name)} (${columns}) VALUES (${values})`.execute(db);
    }
  });
}

/** All of a store that a backup keeps, but for what a restore is meant to change. */
async function rowsOf(engine: Engine): Promise<Readonly<Record<string, unknown>>> {
  const all: Record<string, unknown> = {};
  for (const { name, key } of KEPT_TABLES.filter((table) => !CHANGED.has(table.name))) {
    const { rows } = await sql`SELECT * FROM ${sql.table(name)} ORDER BY ${sql.ref(key)}`.execute(
      engine.read,
    );
    all[name] = name === 'meta' ? rows.length : rows.map(keptColumns);
  }
  const noted = new Set((await operatorEvents(engine)).map(({ id }) => id));
  for (const name of ['audit_events', 'audit_order'])
    all[name] = (all[name] as [string, unknown][][]).filter(
      (row) => !row.some(([, value]) => noted.has(value)),
    );
  return all;
}

/** Without what a restore raises beyond any number of before. */
function keptColumns(row: unknown): readonly [string, unknown][] {
  return Object.entries(row as object).filter(([column]) => column !== 'version' && column !== 'crl_number');
}

async function saidIn(place: StoreEngine): Promise<readonly string[]> {
  return (await onEngine(place, operatorEvents)).map(({ kind, reason }) => `${kind} ${reason}`);
}

type OperatorRow = { readonly id: unknown; readonly kind: string; readonly reason: string };

/** What backing up and restoring wrote into the audit log. */
async function operatorEvents(engine: Engine): Promise<readonly OperatorRow[]> {
  const { rows } = await sql<OperatorRow>`SELECT id, kind, reason FROM audit_events
    WHERE actor = 'operator' AND account_id IS NULL ORDER BY at`.execute(engine.read);
  return rows;
}

/** What opening a store of an older version would have written. */
async function sealCheckOf(engine: Engine, keys: MasterKeys): Promise<void> {
  const { checkMasterKey } = await import('../meta.ts');
  const { createColumnSeal } = await import('../sealing/column-seal.ts');
  await checkMasterKey(engine, createColumnSeal(keys.key));
}

async function modify(store: Store, name: string, accountId: `acc_${string}`): Promise<number | undefined> {
  const id = (await store.shares.find(accountId, name))?.id ?? newId('shr');
  const row = await store.shares.modify({ accountId, id, settings: () => ({ enabled: true }), at: START });
  return row?.version;
}

async function namesIn(store: Store): Promise<readonly string[]> {
  return (await store.shares.all()).map(({ name }) => name);
}

/** Of the first row of a table in a backup. */
function valueIn(lines: readonly string[], of: { readonly table: string; readonly column: string }): unknown {
  const at = lines.findIndex((line) => line.startsWith(`{"table":"${of.table}"`));
  const { columns } = JSON.parse(lines[at] ?? '') as { readonly columns: readonly string[] };
  return (JSON.parse(lines[at + 1] ?? '') as readonly unknown[])[columns.indexOf(of.column)];
}

/** Triggers and migrations write them. */
const BY_DATABASE: ReadonlySet<string> = new Set(['audit_order', 'audit_counter', 'change_counter']);
/** Counters, and what a restore ends or writes. */
const CHANGED: ReadonlySet<string> = new Set(['audit_counter', 'change_counter', 'invitations', 'restores']);
