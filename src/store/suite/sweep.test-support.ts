// The suite's part on what is deleted when it is over, and on a store that is closed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ACCESS_REQUEST_STATES } from '../../domain/access-request-state.ts';
import { type AttemptId, newId } from '../../domain/id.ts';
import { HOUR_MS, START, type OpenBench, addSession, addShare, benchOf } from './bench.test-support.ts';

const EVENT = {
  kind: 'logout',
  accountId: null,
  shareId: null,
  sessionId: null,
  provider: null,
  email: null,
  actor: null,
  ip: null,
  requestId: null,
  reason: null,
} as const;

export function sweepSuite(open: OpenBench): void {
  test('sweep() deletes ended and expired sessions and attempts, and nothing that lives', async () => {
    await using bench = await benchOf(open);
    const { attempts, sessions, sweep } = bench.store;
    const [a, b, c] = [await addShare(bench.store), await addShare(bench.store), await addShare(bench.store)];
    const ended = await addSession(bench.store, { share: a, at: START });
    const expired = await addSession(bench.store, { share: b, at: START, lifetimeMs: 10 });
    const living = await addSession(bench.store, { share: c, at: START });
    await sessions.end([ended], { reason: 'logout', at: START + 5 });
    const [old, young] = [newId('att'), newId('att')];
    await attempts.claim(old, START + 10);
    await attempts.claim(young, START + HOUR_MS);
    await sweep(START + 5);
    assert.notEqual(await sessions.find(ended), null);
    await sweep(START + 11);
    assert.equal(await sessions.find(ended), null);
    assert.equal(await sessions.state(expired), null);
    assert.notEqual(await sessions.find(living), null);
    assert.equal(await attempts.claim(old, START), true);
    assert.equal(await attempts.claim(young, START), false);
  });

  test('sweep() forgets requests for access a month after the person last asked, whatever became of them', async () => {
    await using bench = await benchOf(open);
    const { accessRequests, sweep } = bench.store;
    const share = await addShare(bench.store);
    const { accountId } = share;
    const ask = (email: string, at: number) => {
      const of = { accountId, shareId: share.id, provider: 'corp', email };
      const request = { id: newId('arq'), ...of, providerGeneration: 'corp-1', message: '', isLetIn: true };
      return accessRequests.ask({ ...request, at }, { ...EVENT, id: newId('evt'), at });
    };
    const query = { accountId, shareId: null, after: null, limit: 10 };
    const left = async () => {
      const found = await Promise.all(
        ACCESS_REQUEST_STATES.map((state) => accessRequests.list({ ...query, state })),
      );
      return found
        .flat()
        .map(({ email, state }) => `${state} ${email}`)
        .toSorted();
    };
    for (const email of ['granted@a.b', 'dismissed@a.b', 'again@a.b', 'open@a.b']) await ask(email, START);
    const all = await accessRequests.list({ ...query, state: 'open' });
    for (const { id, email } of all) {
      const state = email.startsWith('granted') ? 'granted' : 'dismissed';
      if (email.startsWith(state))
        await accessRequests.decide({ accountId, id, state, at: START, grantedUntil: START + 90 * DAY_MS });
    }
    assert.equal(await ask('again@a.b', START + 10), 'waiting');
    await sweep(START + 30 * DAY_MS);
    assert.equal((await left()).length, 4);
    await sweep(START + 30 * DAY_MS + 1);
    assert.deepEqual(await left(), ['open again@a.b']);
    await sweep(START + 31 * DAY_MS);
    assert.deepEqual(await left(), []);
    assert.equal(await ask('open@a.b', START + 31 * DAY_MS), 'asked');
  });

  test('sweep() goes on until all is swept, and keeps the last hour’s changes', async () => {
    await using bench = await benchOf(open);
    const { attempts, changes, sweep } = bench.store;
    const share = await addShare(bench.store);
    const ids = await addAttempts(bench, 1_001);
    await sweep(START + HOUR_MS);
    assert.deepEqual((await changes.since(0)).changes, [{ kind: 'share', id: share.id }]);
    for (const group of groupsOf(ids)) {
      const free = await Promise.all(group.map((id) => attempts.claim(id, START)));
      assert.equal(free.every(Boolean), true);
    }
  });

  test('sweep() says no less swept than another sweep at the same time did', async () => {
    await using bench = await benchOf(open);
    const { changes, sweep } = bench.store;
    await bench.raw('UPDATE change_counter SET number = 20, swept_to = 10');
    await bench.raw(`INSERT INTO changes (number, at, kind, subject_id) VALUES (5, 0, 'share', 'shr_x')`);
    bench.clock.time = START + 2 * HOUR_MS;
    await sweep(bench.clock.time);
    assert.equal((await changes.since(7)).gap, true);
    assert.equal((await changes.since(10)).gap, false);
  });

  test('takeSweep() is given to one of many at once, and to nobody else before its time', async () => {
    await using bench = await benchOf(open);
    const gateways = [bench.store, await bench.again(), await bench.again()];
    const taken = async (holdMs: number) => {
      const answers = await Promise.all(gateways.map((store) => store.takeSweep(holdMs)));
      return answers.filter(Boolean).length;
    };
    assert.equal(await taken(HOUR_MS), 1);
    assert.equal(await taken(HOUR_MS), 0);
    // It died, and its time is over.
    await bench.raw(`UPDATE meta SET value = '1' WHERE name = 'sweep_until'`);
    assert.equal(await taken(HOUR_MS), 1);
    // The clock was set back since.
    await bench.raw(`UPDATE meta SET value = '99999999999999' WHERE name = 'sweep_until'`);
    assert.equal(await taken(HOUR_MS), 1);
  });

  test('sweep() and forget() delete a few rows a transaction, and let others write between', async () => {
    await using bench = await benchOf(open);
    const { attempts, audit, sweep } = bench.store;
    await addAttempts(bench, 1_600);
    await audit.append(Array.from({ length: 1_600 }, () => ({ ...EVENT, id: newId('evt'), at: START })));
    for (const work of [() => sweep(START + HOUR_MS), () => audit.forget(START + HOUR_MS)]) {
      const running = { over: false };
      const done = work().finally(() => (running.over = true));
      const claimed = attempts.claim(newId('att'), START + 2 * HOUR_MS);
      let turns = 0;
      for (; !running.over; turns++) await nextTurn();
      await done;
      assert.equal(await claimed, true);
      assert.ok(turns >= 3, `${turns} turns went by for others, one a batch at least`);
    }
  });

  test('ping() answers while the store is open and throws store_unavailable after close()', async () => {
    await using bench = await benchOf(open);
    await bench.store.ping();
    const running = bench.store.attempts.claim(newId('att'), START);
    await bench.store.close();
    assert.equal(await running, true, 'close() waits for the write that runs');
    await bench.store.close();
    await assert.rejects(bench.store.ping(), { code: 'store_unavailable' });
    await assert.rejects(bench.store.attempts.claim(newId('att'), START), { code: 'store_unavailable' });
  });
}

/**
 * Attempts that expire at once, in one statement: a thousand writers at a time are not what is tested here.
 */
async function addAttempts(
  { raw }: { readonly raw: (sql: string) => Promise<void> },
  count: number,
): Promise<readonly AttemptId[]> {
  const ids: readonly AttemptId[] = Array.from({ length: count }, () => newId('att'));
  await raw(
    `INSERT INTO attempts (id, expires_at) VALUES ${ids.map((id) => `('${id}', ${START})`).join(', ')}`,
  );
  return ids;
}

function groupsOf<T>(list: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / AT_ONCE) }, (_, index) =>
    list.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
}

const DAY_MS = 24 * HOUR_MS;
/** Few enough to share the connections of a gateway on a slow machine. */
const AT_ONCE = 20;
