// The store's suite on PostgreSQL: one real server, a place in it for each test.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { type TestPostgres, startPostgres } from '../../../test/support/postgres.ts';
import { addShare } from '../../../test/support/store.ts';
import { Secret } from '../../domain/secret.ts';
import { newMasterKeyText, parseMasterKey } from '../sealing/master-key.ts';
import { openStore, storeOn } from '../open.ts';
import type { Store } from '../store.ts';
import { MIGRATIONS, migrate } from '../migrations/run.ts';
import { migrationsSuite } from '../suite/migrations.test-support.ts';
import { storeSuite } from '../suite/store-suite.test-support.ts';
import { openPostgres } from './open-postgres.ts';

let server: TestPostgres;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

storeSuite('PostgreSQL', async (now) => {
  const place = await server.lentPlace();
  const { url } = place;
  const masterKey = parseMasterKey(newMasterKeyText()) ?? new Secret('');
  const stores: Store[] = [];
  const open = async (): Promise<Store> => {
    // The one part that is not PostgreSQL's: the test moves the clock.
    const engine = { ...openPostgres(url), clock: () => sql<number>`${now()}::bigint` };
    const store = await storeOn(engine, masterKey);
    stores.push(store);
    return store;
  };
  return {
    store: await open(),
    again: open,
    rows: (statement) => server.query(url, statement),
    raw: async (statement) => void (await server.query(url, statement)),
    close: async () => {
      for (const store of stores) await store.close();
      await place[Symbol.asyncDispose]();
    },
  };
});

test('openStore() works in a database made as docs/how-to/postgresql.md says', async () => {
  const guide = await readFile(new URL('../../../docs/how-to/postgresql.md', import.meta.url), 'utf8');
  const statements = /```sql\n([^`]*)```/.exec(guide)?.[1]?.trim().split(';\n') ?? [];
  assert.equal(statements.length, 2);
  for (const statement of statements) await server.query(server.operator, statement);
  const url = new URL(server.operator.reveal());
  [url.username, url.password, url.pathname] = ['doorward', 'choose-a-long-one', '/doorward'];
  const engine = { kind: 'postgres', url: new Secret(url.href) } as const;
  const masterKey = parseMasterKey(newMasterKeyText()) ?? new Secret('');
  const store = await openStore({ engine, masterKey, now: Date.now, exclusive: true });
  await addShare(store);
  await store.close();
});

migrationsSuite('PostgreSQL', async (t, count) => {
  const url = await server.place();
  const engines = Array.from({ length: count }, () => openPostgres(url));
  t.after(async () => {
    for (const engine of engines) await engine.close();
  });
  return engines;
});

test('openStore() brings an empty database to its form once when processes start at the same time', async () => {
  const url = await server.place();
  const key = newMasterKeyText().trim();
  const opener = `
    const { openStore } = await import('${new URL('../open.ts', import.meta.url).href}');
    const { Secret } = await import('${new URL('../../domain/secret.ts', import.meta.url).href}');
    const [url, key] = process.argv.slice(1);
    const engine = { kind: 'postgres', url: new Secret(url) };
    const store = await openStore({ engine, masterKey: new Secret(key), now: Date.now, exclusive: true });
    process.stdout.write(String((await store.shares.all()).length));
    await store.close();`;
  const open = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', opener, url.reveal(), key]);
  const opened = await Promise.all([open(), open(), open()]);
  assert.deepEqual(
    opened.map(({ stdout }) => stdout),
    ['0', '0', '0'],
  );
  const [row] = await server.query<{ once: boolean }>(
    url,
    'SELECT count(*) > 0 AND count(*) = count(DISTINCT name) AS once FROM migrations',
  );
  assert.equal(row?.once, true);
});

test('migrate() numbers the audit event of a gateway that commits it meanwhile', async (t) => {
  const url = await server.place();
  const [migrating, writing] = [openPostgres(url), openPostgres(url)];
  t.after(() => Promise.all([migrating.close(), writing.close()]));
  const earlier = MIGRATIONS.slice(
    0,
    MIGRATIONS.findIndex(({ name }) => name === 'sessions-audit-webhooks'),
  );
  await migrate(migrating, earlier);
  const written = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const event = { id: 'evt_1', at: 1, kind: 'logout' };
  const transaction = writing.transact(async (db) => {
    await db
      .insertInto('audit_events')
      .values(event as never)
      .execute();
    written.resolve();
    await commit.promise;
  });
  await written.promise;
  const migrated = migrate(migrating).then(
    () => true,
    () => false,
  );
  const waits =
    "SELECT count(*) > 0 AS waits FROM pg_locks WHERE relation = 'audit_events'::regclass AND NOT granted";
  for (let waiting = false; !waiting;) {
    const [row] = await server.query<{ waits: boolean }>(url, waits);
    waiting = row?.waits === true;
  }
  commit.resolve();
  await transaction;
  // A machine that stalls for longer than the migration waits for the table: it is made again.
  if (!(await migrated)) await migrate(migrating);
  const numbered = await writing.read.selectFrom('audit_order').select('event_id').execute();
  assert.deepEqual(numbered, [{ event_id: 'evt_1' }]);
});
