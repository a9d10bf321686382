// Many gateways on one PostgreSQL (DESIGN "Gateways and store", "Check interval"): the order of changes, what
// one hears of the others, and what they may not do at the same time.

import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { type TestContext, after, before, test } from 'node:test';
import { type TestPostgres, startPostgres } from '../../../test/support/postgres.ts';
import { addAccount, addShare } from '../../../test/support/store.ts';
import { until } from '../../../test/support/until.ts';
import { Secret } from '../../domain/secret.ts';
import { MAX_POST_BYTES } from '../bulletin.ts';
import { recordChanges } from '../changes.ts';
import type { Engine } from '../engine.ts';
import { newMasterKeyText, parseMasterKey } from '../sealing/master-key.ts';
import { storeOn } from '../open.ts';
import type { Store } from '../store.ts';
import type { Change } from '../change.ts';
import { addSession, shareOf, startOf, tokensOf } from '../suite/bench.test-support.ts';
import { openPostgres } from './open-postgres.ts';
import { followOtherProcesses } from './other-processes.ts';

let server: TestPostgres;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

test('changes.since() never skips the number of a transaction that commits late', async (t) => {
  const url = await server.place();
  const { store, engine } = await gatewayOn(t, url);
  const slow = hold(engine, { kind: 'share', id: 'shr_slow' });
  await slow.numbered;
  const fast = engine.transact((db) =>
    recordChanges(db, [{ kind: 'share', id: 'shr_fast' }], engine.clock()),
  );
  await untilWaiting(server, url, 1);
  assert.deepEqual(await store.changes.since(0), { upTo: 0, changes: [], gap: false });
  slow.commit();
  await Promise.all([slow.over, fast]);
  assert.deepEqual((await store.changes.since(0)).changes, [
    { kind: 'share', id: 'shr_slow' },
    { kind: 'share', id: 'shr_fast' },
  ]);
});

test('changes.since() gives the number of a transaction that was undone to the next', async (t) => {
  const { store, engine } = await gatewayOn(t, await server.place());
  const slow = hold(engine, { kind: 'share', id: 'shr_slow' });
  await slow.numbered;
  const fast = engine.transact((db) =>
    recordChanges(db, [{ kind: 'share', id: 'shr_fast' }], engine.clock()),
  );
  slow.fail();
  await assert.rejects(slow.over, /undone/);
  await fast;
  assert.deepEqual(await store.changes.since(0), {
    upTo: 1,
    changes: [{ kind: 'share', id: 'shr_fast' }],
    gap: false,
  });
});

test('changes.since() is complete and in order for readers of three gateways under parallel writes', async (t) => {
  const url = await server.place();
  const gateways = [await gatewayOn(t, url), await gatewayOn(t, url), await gatewayOn(t, url)];
  const stores = gateways.map(({ store }) => store);
  const [first] = stores;
  if (first === undefined) throw new Error('three gateways');
  const accountId = await addAccount(first);
  const writing = new AbortController();
  const readers = stores.map((store) => follow(store, writing.signal));
  // No more at once than have a connection: nobody waits for one, however slow the machine is.
  const write = async (store: Store) => {
    for (let count = 0; count < 5; count++) await store.shares.create(shareOf(accountId));
  };
  await Promise.all(stores.flatMap((store) => Array.from({ length: 5 }, () => write(store))));
  writing.abort();
  const seen = await Promise.all(readers);
  assert.equal(new Set(seen[0]).size, 75);
  for (const each of seen) assert.deepEqual(each, seen[0]);
});

test('changes.onCommit() is called for another gateway’s commit, and not twice for one’s own', async (t) => {
  const url = await server.place();
  const [one, two] = [await gatewayOn(t, url), await gatewayOn(t, url)];
  const ears = { one: ear(one.store), two: ear(two.store) };
  await untilListening(server, url, 2);
  const share = await addShare(one.store);
  await ears.two.heard(1);
  assert.deepEqual((await two.store.changes.since(0)).changes, [{ kind: 'share', id: share.id }]);
  // Notifications come in the order of commits: when `two`'s is here, its own of before has long arrived.
  await addShare(two.store);
  await ears.one.heard(2);
  assert.deepEqual([ears.one.count(), ears.two.count()], [2, 2]);
});

test('followOtherProcesses() hears each commit of others, and none of its own process', async (t) => {
  const url = await server.place();
  const heard = new EventEmitter();
  let count = 0;
  const committed = () => void heard.emit('heard', ++count);
  t.after(followOtherProcesses({ url, process: 'me' }, { committed, posted: () => {} }));
  await untilListening(server, url, 1);
  const first = once(heard, 'heard');
  // Sent together, so they arrive together, in this order.
  const payloads = ['me', 'other', 'me', 'another', 'me'];
  await server.query(
    url,
    payloads.map((payload) => `SELECT pg_notify('doorward_changes', '${payload}')`).join(';'),
  );
  await first;
  await setImmediate();
  assert.equal(count, 2);
});

test('what a process posts is heard by each other that listens, and not by itself', async (t) => {
  const url = await server.place();
  const [one, two] = [await gatewayOn(t, url), await gatewayOn(t, url)];
  const heard: string[] = [];
  const all = Promise.withResolvers<void>();
  one.store.bulletin.onPost((text) => heard.push(`one ${text}`));
  two.store.bulletin.onPost((text) => {
    heard.push(`two ${text}`);
    if (text === 'last') all.resolve();
  });
  await untilListening(server, url, 2);
  const long = JSON.stringify({ text: 'ä\n\u0000'.repeat(600) });
  await one.store.bulletin.post(long);
  await one.store.bulletin.post('x'.repeat(MAX_POST_BYTES));
  await one.store.bulletin.post('last');
  await all.promise;
  assert.deepEqual(heard, [`two ${long}`, `two ${'x'.repeat(MAX_POST_BYTES)}`, 'two last']);
});

test('changes are found by polling while nothing can be heard, and hearing comes back', async (t) => {
  const url = await server.place();
  const [one, two] = [await gatewayOn(t, url), await gatewayOn(t, url)];
  const heard = ear(two.store);
  await untilListening(server, url, 1);
  await server.query(
    server.operator,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE usename = '${userOf(url)}' AND query LIKE 'LISTEN%'`,
  );
  const share = await addShare(one.store);
  assert.deepEqual((await two.store.changes.since(0)).changes, [{ kind: 'share', id: share.id }]);
  // Once it listens again it looks, for what was said meanwhile; then it hears the next.
  await heard.heard(1);
  await untilListening(server, url, 1);
  const sofar = heard.count();
  await addShare(one.store);
  await heard.heard(sofar + 1);
});

test('a gateway starts and works where nothing can be heard', async (t) => {
  const url = await server.place();
  const { store } = await gatewayOn(t, url);
  // A command is over before it could hear anything: it never listens.
  await addShare(store);
  const [row] = await server.query<{ count: string }>(
    server.operator,
    `SELECT count(*) FROM pg_stat_activity WHERE usename = '${userOf(url)}' AND query LIKE 'LISTEN%'`,
  );
  assert.equal(row?.count, '0');
});

test('sessions.lease() is given to one of three gateways in each of many races, on the database’s clock', async (t) => {
  const url = await server.place();
  const stores: readonly Store[] = [
    (await gatewayOn(t, url)).store,
    (await gatewayOn(t, url)).store,
    (await gatewayOn(t, url)).store,
  ];
  const [first] = stores;
  if (first === undefined) throw new Error('three gateways');
  const share = await addShare(first);
  const id = await addSession(first, { share, at: Date.now() });
  for (let race = 1; race <= 20; race++) {
    const leases = await Promise.all(stores.map((store) => store.sessions.lease(id, 15_000)));
    const [lease, ...others] = leases.filter((each) => each !== null);
    assert.ok(lease !== undefined && others.length === 0, 'one has it');
    assert.equal(lease.fence, race);
    assert.equal(await first.sessions.storeTokens(lease, tokensOf(`race-${race}`)), true);
    const state = await first.sessions.checked(lease);
    assert.ok(state !== null && Math.abs(state.checkedAt - Date.now()) < 5_000);
  }
});

test('sessions.lease() is free for another gateway when the database’s clock says so', async (t) => {
  const url = await server.place();
  const [one, two] = [await gatewayOn(t, url), await gatewayOn(t, url)];
  const id = await addSession(one.store, { share: await addShare(one.store), at: Date.now() });
  const late = await one.store.sessions.lease(id, 15_000);
  assert.equal(await two.store.sessions.lease(id, 15_000), null);
  await server.query(url, 'UPDATE sessions SET leased_until = leased_until - 15001');
  assert.equal((await two.store.sessions.lease(id, 15_000))?.fence, 2);
  assert.equal(late && (await one.store.sessions.storeTokens(late, tokensOf('late'))), false);
});

test('sessions.begin() leaves no session when its share is removed by another gateway meanwhile', async (t) => {
  const url = await server.place();
  const [one, two] = [await gatewayOn(t, url), await gatewayOn(t, url)];
  const share = await addShare(one.store);
  const replaced = await addSession(one.store, { share, at: Date.now() });
  const slow = hold(two.engine, { kind: 'share', id: 'shr_slow' });
  await slow.numbered;
  // It ends the one before, so it has a change to number, and waits for that with all else done.
  const start = startOf({ share, at: Date.now() });
  const begun = one.store.sessions.begin(start);
  await untilWaiting(server, url, 1);
  const removed = two.store.shares.remove(share.accountId, share.id);
  await untilWaiting(server, url, 2);
  slow.commit();
  await slow.over;
  assert.deepEqual((await begun).ended, [replaced]);
  assert.equal(await removed, true);
  assert.equal((await one.store.sessions.find(start.session.id))?.endReason, 'share_deleted');
});

test('accounts.suspend() tells of a share that another gateway makes meanwhile', async (t) => {
  const url = await server.place();
  const [one, two] = [await gatewayOn(t, url), await gatewayOn(t, url)];
  const old = await addShare(one.store);
  const latest = await one.store.changes.latest();
  const slow = hold(two.engine, { kind: 'share', id: 'shr_slow' });
  await slow.numbered;
  const share = shareOf(old.accountId);
  const created = one.store.shares.create(share);
  await untilWaiting(server, url, 1);
  const suspended = two.store.accounts.suspend(old.accountId, true);
  await untilWaiting(server, url, 2);
  slow.commit();
  await Promise.all([slow.over, created, suspended]);
  const ids = (await one.store.changes.since(latest)).changes.map(({ id }) => id);
  assert.deepEqual(ids.slice(0, 2), ['shr_slow', share.id]);
  assert.deepEqual(ids.slice(2).toSorted(), [old.id, share.id].toSorted(), 'gateways look at it once more');
});

type Gateway = { readonly store: Store; readonly engine: Engine };

async function gatewayOn(t: TestContext, url: Secret): Promise<Gateway> {
  const engine = openPostgres(url);
  const store = await storeOn(engine, KEY);
  t.after(() => store.close());
  return { store, engine };
}

/** A transaction that has its number and neither commits nor fails until told. */
function hold(engine: Engine, change: { readonly kind: 'share'; readonly id: `shr_${string}` }) {
  const numbered = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const over = engine.transact(async (db) => {
    await recordChanges(db, [change as Change], engine.clock());
    numbered.resolve();
    await told.promise;
  });
  return {
    numbered: numbered.promise,
    over,
    commit: () => told.resolve(),
    fail: () => told.reject(new Error('undone')),
  };
}

/**
 * Reads as a gateway does, until the writing is over and all was read; answers the ids in the order they
 * came.
 */
async function follow(store: Store, over: AbortSignal): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let number = 0, last = false; ; last = over.aborted) {
    const { upTo, changes } = await store.changes.since(number);
    assert.equal(upTo - number, changes.length, 'no number is skipped');
    seen.push(...changes.map(({ id }) => id));
    number = upTo;
    if (last) return seen;
  }
}

/** Counts what `onCommit` says. */
function ear(store: Store): { count(): number; heard(atLeast: number): Promise<void> } {
  const calls = new EventEmitter();
  let count = 0;
  store.changes.onCommit(() => calls.emit('call', ++count));
  return {
    count: () => count,
    heard: async (atLeast) => {
      for (let heard = count; heard < atLeast;) [heard] = await once(calls, 'call');
    },
  };
}

async function untilListening({ query, operator }: TestPostgres, url: Secret, count: number): Promise<void> {
  const listening = `SELECT FROM pg_stat_activity
    WHERE usename = '${userOf(url)}' AND query LIKE 'LISTEN%' AND state = 'idle'`;
  await until(async () => (await query(operator, listening)).length >= count);
}

/** Until so many of its user's transactions wait for another's lock. */
async function untilWaiting({ query, operator }: TestPostgres, url: Secret, count: number): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity WHERE usename = '${userOf(url)}' AND wait_event_type = 'Lock'`;
  await until(async () => (await query(operator, waiting)).length >= count);
}

function userOf(url: Secret): string {
  return new URL(url.reveal()).username;
}

const KEY = parseMasterKey(newMasterKeyText()) ?? new Secret('');
