import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addShare, openTestStore } from '../../test/support/store.ts';
import type { AuditEvent } from '../domain/audit-event.ts';
import { type AccountId, newId } from '../domain/id.ts';
import { addSession } from '../store/suite/bench.test-support.ts';
import { type SweeperDeps, startSweeper, sweepOnce } from './sweeper.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2030, 0, 1);

test('sweepOnce() forgets audit events older than store.audit_retention, and asks for it each time', async () => {
  await using store = await openTestStore(() => NOW);
  const accountId: AccountId = newId('acc');
  const events = [0, 9, 11, 399, 401].map((days) => eventOf(accountId, days));
  await store.audit.append(events);
  const filter = {
    kinds: [],
    email: null,
    shareId: null,
    provider: null,
    actor: null,
    result: null,
    text: null,
    since: null,
    until: null,
  };
  const kept = async () => {
    const query = { accountId, filter, order: 'newest', from: null, limit: 10 } as const;
    return (await store.audit.page(query)).events.map(({ reason }) => reason);
  };
  let days = 400;
  const retention = () => ({ auditRetentionMs: days * DAY_MS, endedRetentionMs: DAY_MS });
  const deps = { store: { ...store, takeSweep: async () => true }, now: () => NOW, retention, log: SILENT };
  await sweepOnce(deps);
  assert.deepEqual(await kept(), ['399 days ago', '11 days ago', '9 days ago', '0 days ago']);
  days = 10;
  await sweepOnce(deps);
  assert.deepEqual(await kept(), ['9 days ago', '0 days ago']);
});

test('sweepOnce() goes on after a fault of the store', async () => {
  const store = await openTestStore(() => NOW);
  await store.dispose();
  const warned: string[] = [];
  const log = { ...SILENT, warn: (_fields: object, message: string) => void warned.push(message) };
  await sweepOnce({ store, now: () => NOW, retention: () => FOREVER, log });
  assert.deepEqual(warned, ['Cannot delete expired data']);
});

test('sweepOnce() tells of certificates and authorities that are about to be over, on one gateway', async () => {
  await using store = await openTestStore(() => NOW);
  const told: number[] = [];
  const noteExpiring = async (at: number) => told.push(at);
  const noteEnding = async (at: number) => told.push(at);
  const gateway = {
    ...store,
    certificates: { ...store.certificates, noteExpiring },
    cas: { ...store.cas, noteEnding },
  };
  const deps = { store: gateway, now: () => NOW, retention: () => FOREVER, log: SILENT };
  await Promise.all([sweepOnce(deps), sweepOnce(deps)]);
  assert.deepEqual(told, [NOW, NOW]);
});

test('sweepOnce() deletes sessions that are over for store.ended_retention, and no others', async () => {
  let now = NOW;
  await using store = await openTestStore(() => now);
  const share = await addShare(store);
  const lifetimeMs = 10 * DAY_MS;
  const begin = (browser: string) => addSession(store, { share, at: NOW, browser, lifetimeMs });
  const [ended, living] = [await begin('a'), await begin('b')];
  await store.sessions.end([ended], { reason: 'logout', at: NOW + DAY_MS });
  const retention = () => ({ ...FOREVER, endedRetentionMs: 3 * DAY_MS });
  const sweepAt = async (days: number) => {
    now = NOW + days * DAY_MS;
    await sweepOnce({ store, now: () => now, retention, log: SILENT });
    const found = await store.sessions.states([ended, living]);
    return found.map(({ id }) => (id === ended ? 'ended' : 'living')).toSorted();
  };
  assert.deepEqual(await sweepAt(3.9), ['ended', 'living']);
  assert.deepEqual(await sweepAt(4.1), ['living']);
  assert.deepEqual(await sweepAt(12.9), ['living']);
  assert.deepEqual(await sweepAt(13.1), []);
});

test('sweepOnce() deletes an ephemeral share whose agent left without a word for an hour, and no other (Kinds of share)', async () => {
  let now = NOW;
  await using store = await openTestStore(() => now);
  const agents = { target: null, createdAt: NOW } as const;
  const gone = await addShare(store, { ...agents, name: 'gone', tunnel: 'ephemeral' });
  const served = await addShare(store, { ...agents, name: 'served', tunnel: 'ephemeral' });
  const kept = await addShare(store, { ...agents, name: 'kept', tunnel: 'reserved' });
  const sweepAt = async (minutes: number) => {
    now = NOW + minutes * 60_000;
    await sweepOnce({ store, now: () => now, retention: () => FOREVER, log: SILENT });
    return (await store.shares.findByIds([gone.id, served.id, kept.id])).map(({ name }) => name).toSorted();
  };
  assert.deepEqual(await sweepAt(50), ['gone', 'kept', 'served']);
  // The gateway notes it each minute while a tunnel is there.
  await store.shares.agentSeen(served.id, now);
  assert.deepEqual(await sweepAt(70), ['kept', 'served']);
  assert.deepEqual(await sweepAt(120), ['kept']);
});

test('sweepOnce() is for one gateway at a time, and for another when that one died', async () => {
  let now = NOW;
  await using store = await openTestStore(() => now);
  const swept: string[] = [];
  const gateway = (name: string) =>
    sweepOnce({
      store: { ...store, sweep: async () => void swept.push(name) },
      now: () => now,
      retention: () => FOREVER,
      log: SILENT,
    });
  await gateway('first');
  await gateway('second');
  now += 8 * 60_000;
  await gateway('second');
  assert.deepEqual(swept, ['first']);
  now += 2 * 60_000;
  await Promise.all([gateway('second'), gateway('first')]);
  assert.deepEqual(swept, ['first', 'second']);
});

test('startSweeper() sweeps soon after the start, then every ten minutes, until it is stopped', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  let asked = 0;
  const takeSweep = async () => {
    asked++;
    return false;
  };
  const store = { takeSweep } as unknown as SweeperDeps['store'];
  const stop = startSweeper({ store, now: () => NOW, retention: () => FOREVER, log: SILENT });
  assert.equal(asked, 0);
  t.mock.timers.tick(60_000);
  assert.equal(asked, 1);
  t.mock.timers.tick(20 * 60_000);
  assert.equal(asked, 3);
  stop();
  t.mock.timers.tick(60 * 60_000);
  assert.equal(asked, 3);
});

function eventOf(accountId: AccountId, days: number): AuditEvent {
  const at = NOW - days * DAY_MS;
  return { ...BARE, id: newId('evt'), at, accountId, reason: `${days} days ago` };
}

const FOREVER = { auditRetentionMs: NOW, endedRetentionMs: NOW };
const BARE = {
  kind: 'logout',
  shareId: null,
  sessionId: null,
  provider: null,
  email: null,
  actor: null,
  result: null,
  text: null,
  ip: null,
  requestId: null,
  reason: null,
} as const;
const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
