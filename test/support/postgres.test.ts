import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { installedBinaries, reachableBinaries, serverUser } from './postgres-binaries.ts';
import {
  type PostgresTestStore,
  offerPostgres,
  openPostgresTestStore,
  startOwnPostgres,
  startPostgres,
} from './postgres.ts';
import { addShare } from './store.ts';

const asRoot = process.getuid?.() === 0;

test(
  'reachableBinaries() copies what the server’s user cannot enter: a checkout in root’s home',
  { skip: !asRoot && 'only root runs the server as somebody else' },
  (t) => {
    // Where any user may enter, unlike the folder in it.
    const folder = mkdtempSync(join(tmpdir(), 'doorward-reach-'));
    execFileSync('chmod', ['711', folder]);
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const locked = join(folder, 'root');
    mkdirSync(locked, { mode: 0o700 });
    const installed = join(locked, 'native');
    cpSync(installedBinaries(), installed, { recursive: true, verbatimSymlinks: true });
    const user = serverUser();
    assert.equal(spawnSync(join(installed, 'bin/initdb'), ['--version'], { ...user, cwd: '/' }).status, null);
    const found = reachableBinaries(user, folder, installed);
    assert.equal(found, join(folder, 'native'));
    assert.equal(spawnSync(join(found, 'bin/initdb'), ['--version'], { ...user, cwd: '/' }).status, 0);
  },
);

test('startOwnPostgres() rejects at once with the reason when the server does not start', async () => {
  await withOffer({ port: 1, password: 'x', form: 'x', binaries: '/nowhere', mould: '/nowhere' }, () =>
    assert.rejects(startOwnPostgres(), /^Error: Cannot start PostgreSQL: .*\/nowhere/s),
  );
});

test('startPostgres() takes databases of its own on the server that is offered, and leaves none there', async () => {
  await using offer = await offerPostgres();
  await withOffer(JSON.parse(offer.env['DOORWARD_TEST_POSTGRES'] ?? ''), async () => {
    const [one, two] = [await startPostgres(), await startPostgres()];
    const databases = async (): Promise<readonly string[]> => {
      const rows = await two.query<{ datname: string }>(
        two.operator,
        `SELECT datname FROM pg_database WHERE datname ~ '^(file|test)_'`,
      );
      return rows.map(({ datname }) => datname);
    };
    {
      await using store = await openPostgresTestStore(one);
      await using other = await openPostgresTestStore(one);
      const share = await addShare(store);
      assert.deepEqual(
        (await store.shares.all()).map(({ id }) => id),
        [share.id],
      );
      assert.deepEqual(await other.shares.all(), []);
      assert.equal((await databases()).length, 4);
    }
    await one[Symbol.asyncDispose]();
    assert.equal((await databases()).length, 1);
    assert.equal(new URL(one.operator.reveal()).port, new URL(two.operator.reveal()).port);
    await two[Symbol.asyncDispose]();
  });
});

test('openPostgresTestStore() uses a database again that is as new, and none whose form or settings a test changed', async () => {
  await using server = await startPostgres();
  const urls: string[] = [];
  const use = async (work: (store: PostgresTestStore) => Promise<unknown>): Promise<void> => {
    await using store = await openPostgresTestStore(server);
    urls.push(store.url.reveal());
    await work(store);
  };
  const contents = async ({ url }: PostgresTestStore) => {
    const tables = await server.query<{ name: string }>(
      url,
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    );
    const rows = tables.map(({ name }) => server.query(url, `SELECT * FROM "${name}"`));
    const sequences = server.query(url, 'SELECT sequencename, last_value FROM pg_sequences ORDER BY 1');
    // Which master key it is differs from store to store.
    return {
      ...Object.fromEntries((await Promise.all(rows)).map((row, at) => [tables[at]?.name, row])),
      meta: [],
      sequences: await sequences,
    };
  };
  const seen: unknown[] = [];
  await use(async (store) => {
    seen.push(await contents(store));
    await addShare(store);
    assert.notDeepEqual(await contents(store), seen[0]);
  });
  await use(async (store) => seen.push(await contents(store)));
  assert.equal(urls[1], urls[0]);
  assert.deepEqual(seen[1], seen[0]);
  const changes = [
    'CREATE TABLE mine (id int)',
    'DROP TABLE attempts',
    'ALTER DATABASE "<>" SET default_transaction_read_only = on',
    'ALTER ROLE CURRENT_USER SET statement_timeout = 1',
  ];
  for (const change of changes) {
    const before = urls.length;
    await use(({ url }) => server.query(url, change.replace('<>', new URL(url.reveal()).pathname.slice(1))));
    await use(async () => {});
    assert.notEqual(urls[before], urls[before + 1], change);
  }
});

async function withOffer(offer: unknown, run: () => Promise<void>): Promise<void> {
  const former = process.env['DOORWARD_TEST_POSTGRES'];
  process.env['DOORWARD_TEST_POSTGRES'] = JSON.stringify(offer);
  try {
    await run();
  } finally {
    if (former === undefined) delete process.env['DOORWARD_TEST_POSTGRES'];
    else process.env['DOORWARD_TEST_POSTGRES'] = former;
  }
}
