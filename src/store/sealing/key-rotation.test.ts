// Rotating the master key on both engines: under writes, killed in the midst, and with gateways that have
// another copy of the key file.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { noteEngine } from '../../../test/support/note-engine.ts';
import { type TestPostgres, startPostgres } from '../../../test/support/postgres.ts';
import { newId } from '../../domain/id.ts';
import { Secret } from '../../domain/secret.ts';
import { createColumnSeal } from './column-seal.ts';
import { writeMasterKeys } from './key-file.ts';
import { rotateMasterKey } from './key-rotation.ts';
import { type MasterKeys, moreMasterKeys, newMasterKeyText, readMasterKeys } from './master-key.ts';
import { putInForce } from '../meta.ts';
import { type StoreEngine, openEngine, openStore } from '../open.ts';
import { SEALED_COLUMNS, placeIn } from './sealed-columns.ts';
import type { Store } from '../store.ts';
import type { ShareRow } from '../shares/share.ts';
import { START, addSession, addShare, revealed, tokensOf } from '../suite/bench.test-support.ts';

let server: TestPostgres;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`rotateMasterKey() on ${kind} seals every column again, and the old key is useless then`, async (t) => {
    const at = await layOut(t, kind);
    const old = await readMasterKeys(at.keyFile);
    const seen: number[] = [];
    const rotation = await rotate(at, { progress: (secrets) => seen.push(secrets) });
    const count = await secretsOf(at);
    assert.deepEqual(rotation, { state: 'rotated', resealed: count, unreadable: 0 });
    assert.ok(count >= 3 + at.sessions);
    assert.equal(seen.at(-1), count);
    const keys = await readMasterKeys(at.keyFile);
    assert.notEqual(keys.key.reveal(), old.key.reveal());
    const kept = `${keys.key.reveal()}\nprevious ${old.key.reveal()}\n`;
    assert.equal(await readFile(at.keyFile, 'utf8'), kept, 'the former key opens backups made before');
    assert.equal((await stat(at.keyFile)).mode & 0o777, 0o600);
    assert.deepEqual(await sealedUnder(at, old.key), []);
    assert.equal((await sealedUnder(at, keys.key)).length, count);
    const withOld = openStore({ engine: at.engine, masterKey: old.key, now: Date.now, exclusive: false });
    await assert.rejects(withOld, { code: 'config_invalid' });
    const events = await onEngine(at.engine, ({ read }) =>
      read.selectFrom('audit_events').selectAll().execute(),
    );
    assert.deepEqual(
      events.map(({ kind: what, actor, account_id, reason }) => [what, actor, account_id, reason]),
      [['master_key.rotated', 'operator', null, `${count} secrets re-encrypted`]],
    );
    await checkSecrets(t, at);
    assert.deepEqual(
      (await readdir(at.folder)).filter((name) => name.endsWith('.new')),
      [],
    );
  });

  test(`rotateMasterKey() on ${kind} leaves nothing under the old key though a gateway writes all the while`, async (t) => {
    const at = await layOut(t, kind);
    const old = await readMasterKeys(at.keyFile);
    const gateway = await serve(t, at);
    const writer = { stopped: false, began: 0 };
    const writing = (async () => {
      while (!writer.stopped) {
        const browser = `browser-${writer.began++}`;
        await addSession(gateway, { share: at.share, at: Date.now(), browser, tokens: tokensOf('live') });
        await nextTurn();
      }
    })();
    const rotation = await rotate(at);
    assert.equal(rotation.state, 'rotated');
    const during = writer.began;
    while (writer.began < during + 3) await nextTurn();
    writer.stopped = true;
    await writing;
    assert.deepEqual(await sealedUnder(at, old.key), []);
    // The gateway that was open all the time, and one that starts now, read all of them.
    for (const store of [gateway, await serve(t, at)])
      for (let number = 0; number < writer.began; number++) {
        const [living] = await store.sessions.ofBrowser(`browser-${number}`, 'corp');
        assert.deepEqual(living && revealed(living.tokens), revealed(tokensOf('live')));
      }
  });

  test(`rotateMasterKey() on ${kind} goes on after each moment at which it may be killed`, async (t) => {
    const at = await layOut(t, kind);
    const old = await readMasterKeys(at.keyFile);
    const next = await keysOf(newMasterKeyText(), at.folder);
    // The file of the next key was written half.
    await writeFile(`${at.keyFile}.new`, 'half');
    // The file names the next key.
    await writeMasterKeys(at.keyFile, { ...old, next: next.key });
    await checkSecrets(t, at);
    // The next key is in force.
    await onEngine(at.engine, (engine) => putInForce(engine, createColumnSeal(next.key).first));
    await checkSecrets(t, at);
    await addSession(await serve(t, at), { share: at.share, at: Date.now(), browser: 'later' });
    assert.equal((await sealedUnder(at, next.key)).length, 1);
    // Some are sealed again.
    const broken = rotate(at, {
      progress: (secrets) => {
        if (secrets > 3) throw new Error('broken off');
      },
    });
    await assert.rejects(broken, /broken off/);
    await checkSecrets(t, at);
    const rotation = await rotate(at);
    assert.equal(rotation.state, 'rotated');
    const { key } = await readMasterKeys(at.keyFile);
    assert.equal(key.reveal(), next.key.reveal());
    assert.deepEqual(await sealedUnder(at, old.key), []);
    await checkSecrets(t, at);
  });

  test(`rotateMasterKey() on ${kind} ends well though it is killed again and again`, async (t) => {
    const at = await layOut(t, kind);
    const old = await readMasterKeys(at.keyFile);
    for (const lines of [0, 1, 2, 4]) {
      const { ended } = await killedAfter(at, lines);
      if (!ended) await checkSecrets(t, at);
    }
    await rotate(at);
    assert.deepEqual(await sealedUnder(at, old.key), []);
    await checkSecrets(t, at);
  });
}

test('rotateMasterKey() refuses a second one at the same time, and a key file of another store', async (t) => {
  const at = await layOut(t, 'sqlite');
  const both = await Promise.allSettled([rotate(at), rotate(at)]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  const refused = both.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
  assert.equal((refused.reason as { code: string }).code, 'store_in_use');
  await checkSecrets(t, at);
  const foreign = join(at.folder, 'foreign.key');
  await writeFile(foreign, newMasterKeyText(), { mode: 0o600 });
  await assert.rejects(rotate({ ...at, keyFile: foreign }), { code: 'config_invalid' });
});

test('rotateMasterKey() prepares first, so that gateways of other machines can have the next key', async (t) => {
  const at = await layOut(t, 'postgres');
  const elsewhere = { ...at, keyFile: join(at.folder, 'elsewhere.key') };
  await copyFile(at.keyFile, elsewhere.keyFile);
  const gateway = await serve(t, elsewhere);
  assert.deepEqual(await rotate(at, { prepareOnly: true }), { state: 'prepared' });
  const prepared = await readMasterKeys(at.keyFile);
  assert.equal((await sealedUnder(at, prepared.key)).length, await secretsOf(at));
  // As documented.
  await copyFile(at.keyFile, elsewhere.keyFile);
  assert.equal((await rotate(at)).state, 'rotated');
  await addSession(gateway, { share: at.share, at: Date.now(), browser: 'elsewhere' });
  assert.equal((await gateway.sessions.ofBrowser('elsewhere', 'corp')).length, 1);
  assert.equal((await sealedUnder(at, prepared.key)).length, 0);
});

test('a gateway without the new key seals nothing with the old, and goes on once it has the file', async (t) => {
  const at = await layOut(t, 'postgres');
  const elsewhere = { ...at, keyFile: join(at.folder, 'elsewhere.key') };
  await copyFile(at.keyFile, elsewhere.keyFile);
  const gateway = await serve(t, elsewhere);
  const { key: old } = await readMasterKeys(at.keyFile);
  await rotate(at);
  const begin = { share: at.share, at: Date.now(), browser: 'elsewhere' };
  await assert.rejects(addSession(gateway, begin), { code: 'store_unavailable', hint: /Copy/ });
  assert.deepEqual(await sealedUnder(at, old), []);
  await copyFile(at.keyFile, elsewhere.keyFile);
  await addSession(gateway, begin);
  assert.deepEqual(await sealedUnder(at, old), []);
  assert.equal((await gateway.sessions.ofBrowser('elsewhere', 'corp')).length, 1);
});

type Laid = {
  readonly folder: string;
  readonly keyFile: string;
  readonly engine: StoreEngine;
  readonly share: ShareRow;
  readonly sessions: number;
};

/** A store with one of each secret, more sessions than a transaction takes, and the file of its key. */
async function layOut(t: TestContext, kind: StoreEngine['kind']): Promise<Laid> {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-rotation-'));
  t.after(() => rm(folder, { recursive: true }));
  const keyFile = join(folder, 'master.key');
  await writeFile(keyFile, newMasterKeyText(), { mode: 0o600 });
  const engine: StoreEngine =
    kind === 'postgres' ? { kind, url: await server.place() } : { kind, file: join(folder, 'doorward.db') };
  if (kind === 'sqlite') noteEngine('SQLite');
  const { key } = await readMasterKeys(keyFile);
  const store = await openStore({ engine, masterKey: key, now: Date.now, exclusive: false });
  const share = await addShare(store);
  await addDefinition(store, share);
  await store.webhooks.create({
    webhook: {
      id: newId('whk'),
      accountId: share.accountId,
      name: null,
      url: 'https://example.com/',
      kinds: [],
      enabled: true,
      createdAt: START,
    },
    secret: new Secret('webhook secret'),
    most: 10,
  });
  for (let number = 0; number < SESSIONS; number++)
    await addSession(store, { share, at: Date.now(), browser: `first-${number}`, tokens: tokensOf('first') });
  await store.close();
  await onEngine(engine, (opened) => addAuthority(opened.transact, share, key));
  return { folder, keyFile, engine, share, sessions: SESSIONS };
}

async function addDefinition(store: Store, { accountId }: ShareRow): Promise<void> {
  const definition = {
    id: newId('prv'),
    accountId,
    name: 'partner',
    type: 'GOOGLE',
    config: { clientId: 'c' },
    version: 1,
    createdAt: START,
    updatedAt: START,
  } as const;
  await store.providerDefinitions.create({
    definition: definition as never,
    clientSecret: new Secret('client secret'),
  });
}

type Transact = Awaited<ReturnType<typeof openEngine>>['transact'];

/** Past the tables: what they ask of an authority is no matter here. */
async function addAuthority(transact: Transact, { accountId }: ShareRow, key: Secret): Promise<void> {
  const place = { table: 'account_cas', column: 'private_key', rowId: 'ca_1', accountId } as const;
  const sealed = createColumnSeal(key).first.seal(place, new Secret('authority'));
  await transact((db) =>
    sql`INSERT INTO account_cas (id, account_id, certificate, private_key, created_at, not_after, crl_number)
      VALUES ('ca_1', ${accountId}, '', ${sealed}, 1, 1, 1)`.execute(db),
  );
}

function rotate(
  { engine, keyFile }: Laid,
  options: { readonly progress?: (secrets: number) => void; readonly prepareOnly?: boolean } = {},
) {
  const { progress = () => undefined, prepareOnly = false } = options;
  return rotateMasterKey({ engine, keyFile, prepareOnly, now: Date.now, progress });
}

/** As a gateway has it. */
async function serve(t: TestContext, { engine, keyFile }: Laid): Promise<Store> {
  const { key: masterKey } = await readMasterKeys(keyFile);
  const more = moreMasterKeys(keyFile);
  const store = await openStore({
    engine,
    masterKey,
    moreMasterKeys: more,
    now: Date.now,
    exclusive: false,
  });
  t.after(() => store.close());
  return store;
}

/** With the key file as it is, everything opens. */
async function checkSecrets(t: TestContext, at: Laid): Promise<void> {
  const store = await serve(t, at);
  const definitions = await store.providerDefinitions.all();
  assert.deepEqual(
    definitions.map(({ openCredential }) => openCredential().clientSecret?.reveal()),
    ['client secret'],
  );
  for (let number = 0; number < at.sessions; number++) {
    const [living] = await store.sessions.ofBrowser(`first-${number}`, 'corp');
    assert.deepEqual(living && revealed(living.tokens), revealed(tokensOf('first')));
  }
  await store.close();
}

/** Which secrets this key alone opens. */
async function sealedUnder({ engine }: Laid, key: Secret): Promise<readonly string[]> {
  const seal = createColumnSeal(key);
  const opened: string[] = [];
  for (const { column, row } of await sealedRows(engine)) {
    try {
      seal.open(placeIn(column, row.id, row.account_id), row.value);
      opened.push(row.id);
    } catch {
      // Sealed under another.
    }
  }
  return opened;
}

async function secretsOf({ engine }: Laid): Promise<number> {
  return (await sealedRows(engine)).length;
}

type Row = { readonly id: string; readonly account_id: string; readonly value: string };

function sealedRows(place: StoreEngine) {
  return onEngine(place, async ({ read }) => {
    const found: { readonly column: (typeof SEALED_COLUMNS)[number]; readonly row: Row }[] = [];
    for (const column of SEALED_COLUMNS) {
      const [table, value] = [sql.table(column.table), sql.ref(column.column)];
      const { rows } = await sql<Row>`SELECT id, account_id, ${value} AS value FROM ${table}
        WHERE ${value} IS NOT NULL`.execute(read);
      found.push(...rows.map((row) => ({ column, row })));
    }
    return found;
  });
}

async function onEngine<T>(
  engine: StoreEngine,
  work: (opened: Awaited<ReturnType<typeof openEngine>>) => Promise<T>,
): Promise<T> {
  const opened = await openEngine({ engine, now: Date.now, exclusive: false });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

async function keysOf(text: string, folder: string): Promise<MasterKeys> {
  const file = join(folder, 'another.key');
  await writeFile(file, text, { mode: 0o600 });
  return readMasterKeys(file);
}

/**
 * Starts a rotation in a process of its own and kills it after so many lines of progress, if it has not ended
 * before.
 */
async function killedAfter({ engine, keyFile }: Laid, lines: number): Promise<{ readonly ended: boolean }> {
  const place = engine.kind === 'sqlite' ? engine.file : engine.url.reveal();
  const child = spawn(process.execPath, [ROTATION, engine.kind, place, keyFile], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // Killed before it read its answer, it leaves a broken pipe.
  child.stdin.on('error', () => undefined);
  const exited = once(child, 'exit');
  let seen = 0;
  let ended = false;
  for await (const line of createInterface(child.stdout)) {
    if (line === 'started') child.stdin.write('go\n');
    ended ||= line.startsWith('{');
    if (seen++ === lines) child.kill('SIGKILL');
  }
  await exited;
  assert.ok(seen > 0, 'it said something before it ended');
  return { ended };
}

const ROTATION = fileURLToPath(new URL('../suite/rotation.test-support.ts', import.meta.url));
/** More than one transaction of the rotation takes. */
const SESSIONS = 120;
