// The store when PostgreSQL goes away: it says so within its limits, loses nothing that it acknowledged, and
// is back by itself when the server is.

import assert from 'node:assert/strict';
import { type TestContext, after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { type OwnPostgres, openPostgresTestStore, startOwnPostgres } from '../../../test/support/postgres.ts';
import { addShare } from '../../../test/support/store.ts';
import { startStallingProxy } from '../../../test/support/stalling-proxy.ts';
import { until } from '../../../test/support/until.ts';
import { type AttemptId, newId } from '../../domain/id.ts';
import { Secret } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { newMasterKeyText, parseMasterKey } from '../sealing/master-key.ts';
import { migrate } from '../migrations/run.ts';
import { openStore } from '../open.ts';
import type { Store } from '../store.ts';
import {
  type Left,
  checkAcknowledged,
  killRounds,
  linesOf,
  startWriter,
} from '../suite/crash.test-support.ts';
import { openPostgres } from './open-postgres.ts';

let server: OwnPostgres;
before(async () => {
  server = await startOwnPostgres();
});
after(() => server[Symbol.asyncDispose]());

test('the store throws store_unavailable while its server restarts under load, and is back by itself', async (t) => {
  const url = await server.place();
  const [one, two] = [await openOn(t, url), await openOn(t, url)];
  const load = startLoad([one, two]);
  await load.untilDone(50);
  // Connections that nobody uses when the server goes.
  await Promise.all([one.ping(), two.ping()]);
  await server.stop();
  await load.untilFailed(8);
  await assert.rejects(one.ping(), { code: 'store_unavailable' });
  await server.start();
  await load.untilDone(50);
  const { done, faults } = await load.end();
  assert.deepEqual([...faults], ['store_unavailable']);
  for (const id of done)
    assert.equal(await two.attempts.claim(id, 0), false, 'what was acknowledged is kept');
});

test('the store keeps what it acknowledged when its server dies without a warning', async (t) => {
  const url = await server.place();
  const store = await openOn(t, url);
  for (let round = 0; round < CRASHES; round++) {
    const load = startLoad([store]);
    await load.untilDone(20 + round * 7);
    await server.crash();
    await load.untilFailed(1);
    await server.start();
    const { done, faults } = await load.end();
    assert.deepEqual([...faults], ['store_unavailable']);
    for (const id of done) assert.equal(await store.attempts.claim(id, 0), false);
  }
});

test('the store loses no acknowledged write when its process is killed, and opens again', async () => {
  await killRounds(await leave(), KILLS);
});

test('two processes that write, one of them killed, leave nothing half and no number without its change', async () => {
  const left = await leave();
  const [killed, other] = [startWriter(left), startWriter(left)];
  let seen = 0;
  const lines = await Promise.all([
    linesOf(killed, () => {
      if (++seen === 30) killed.kill('SIGKILL');
    }),
    linesOf(other, () => {
      if (killed.signalCode !== null && ++seen > 60) other.kill('SIGKILL');
    }),
  ]);
  await checkAcknowledged(left, lines.flat());
});

test('a transaction whose connection is ended by the server fails alone', async (t) => {
  const url = await server.place();
  const engine = openPostgres(url);
  t.after(() => engine.close());
  await migrate(engine);
  const broken = engine.transact(async (db) => {
    await db.insertInto('meta').values({ name: 'a', value: '' }).execute();
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
    // It ends between two statements, so nobody is waiting for an answer when it does.
    await server.query(server.operator, `SELECT pg_terminate_backend(${rows[0]?.pid}, 5000)`);
    await db.insertInto('meta').values({ name: 'b', value: '' }).execute();
  });
  await assert.rejects(broken, { code: 'store_unavailable' });
  assert.deepEqual(await engine.read.selectFrom('meta').select('name').execute(), []);
  await engine.transact((db) => db.insertInto('meta').values({ name: 'c', value: '' }).execute());
});

test('a process that stands still within a transaction does not hold the others up for long', async (t) => {
  const url = await server.place();
  const [stalled, engine] = [openPostgres(url), openPostgres(url)];
  t.after(() => Promise.all([stalled.close(), engine.close()]));
  await migrate(engine);
  const woken = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const still = stalled.transact(async (db) => {
    await stalled.locks.name(db, 'browser x');
    holding.resolve();
    await woken.promise;
    await db.insertInto('meta').values({ name: 'late', value: '' }).execute();
  });
  await holding.promise;
  await engine.transact((db) => engine.locks.name(db, 'browser x'));
  woken.resolve();
  await assert.rejects(still, { code: 'store_unavailable' });
});

test('the store gives a silent server up within its limits, closes all the same, and recovers when it speaks', async (t) => {
  const url = new URL((await server.place()).reveal());
  const proxy = await startStallingProxy(Number(url.port));
  t.after(() => proxy[Symbol.asyncDispose]());
  url.port = String(proxy.port);
  const others = openSockets();
  const store = await openOn(t, new Secret(url.href));
  store.changes.onCommit(() => {});
  await addShare(store);
  proxy.stall();
  const since = performance.now();
  const asked = [store.ping(), store.shares.all(), store.attempts.claim(newId('att'), 0)];
  for (const answer of await Promise.allSettled(asked))
    assert.equal(answer.status === 'rejected' && answer.reason.code, 'store_unavailable');
  assert.ok(performance.now() - since < 30_000, 'an answer is waited for seven seconds');
  // Connections that gave no answer are used no more: new ones are tried, for three seconds.
  const again = performance.now();
  const more = [store.ping(), store.attempts.claim(newId('att'), 0)];
  for (const answer of await Promise.allSettled(more)) assert.equal(answer.status, 'rejected');
  assert.ok(performance.now() - again < 20_000);
  proxy.resume();
  await store.ping();
  assert.equal((await store.shares.all()).length, 1);
  proxy.stall();
  await store.close();
  // Closing a handle takes some turns.
  for (let turn = 0; turn < 100 && openSockets() > others + proxy.open(); turn++) await setImmediate();
  assert.equal(openSockets(), others + proxy.open(), 'nothing keeps the process from its end');
});

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
}

type Load = {
  /** Resolves when so many more were acknowledged, or failed. */
  untilDone(count: number): Promise<void>;
  untilFailed(count: number): Promise<void>;
  end(): Promise<{ readonly done: readonly AttemptId[]; readonly faults: ReadonlySet<string> }>;
};

/** Four writers a store, which go on after faults. */
function startLoad(stores: readonly Store[]): Load {
  const done: AttemptId[] = [];
  const faults: string[] = [];
  const ending = new AbortController();
  const write = async (store: Store): Promise<void> => {
    while (!ending.signal.aborted) {
      const id = newId('att');
      try {
        assert.equal(await store.attempts.claim(id, 0), true);
        done.push(id);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        faults.push(error.code);
        await setImmediate();
      }
    }
  };
  const writers = stores.flatMap((store) => [1, 2, 3, 4].map(() => write(store)));
  return {
    untilDone: (count) => untilGrown(done, count),
    untilFailed: (count) => untilGrown(faults, count),
    end: async () => {
      ending.abort();
      await Promise.all(writers);
      return { done, faults: new Set(faults) };
    },
  };
}

async function untilGrown(list: readonly unknown[], count: number): Promise<void> {
  const goal = list.length + count;
  await until(() => list.length >= goal);
}

async function openOn(t: TestContext, url: Secret): Promise<Store> {
  const store = await openStore({
    engine: { kind: 'postgres', url },
    masterKey: KEY,
    now: Date.now,
    exclusive: true,
  });
  t.after(() => store.close());
  return store;
}

async function leave(): Promise<Left> {
  // Closed, and not disposed of: what is in it stays.
  const store = await openPostgresTestStore(server);
  const { url, masterKey } = store;
  const share = await addShare(store);
  await store.close();
  return { engine: { kind: 'postgres', url }, masterKey, share };
}

const KEY = parseMasterKey(newMasterKeyText()) ?? new Secret('');
const KILLS = 5;
const CRASHES = 3;
