// The suite's part on what is deleted when it is over, and on a store that is closed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../domain/id.ts';
import { HOUR_MS, START, type OpenBench, addSession, addShare, benchOf } from './bench.test-support.ts';

export function sweepSuite(open: OpenBench): void {
  test('sweep() deletes ended and expired sessions and attempts, and nothing that lives', async () => {
    await using bench = await benchOf(open);
    const { attempts, sessions, sweep } = bench.store;
    const [a, b, c] = [await addShare(bench.store), await addShare(bench.store), await addShare(bench.store)];
    const ended = await addSession(bench.store, { share: a, at: START });
    const expired = await addSession(bench.store, { share: b, at: START, lifetimeMs: 10 });
    const living = await addSession(bench.store, { share: c, at: START });
    await sessions.end([ended], 'logout', START + 5);
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

  test('sweep() goes on until all is swept, and keeps the last hour’s changes', async () => {
    await using bench = await benchOf(open);
    const { attempts, changes, sweep } = bench.store;
    const share = await addShare(bench.store);
    const ids = Array.from({ length: 1_001 }, () => newId('att'));
    await Promise.all(ids.map((id) => attempts.claim(id, START)));
    await sweep(START + HOUR_MS);
    assert.deepEqual((await changes.since(0)).changes, [{ kind: 'share', id: share.id }]);
    const free = await Promise.all(ids.map((id) => attempts.claim(id, START)));
    assert.equal(free.every(Boolean), true);
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
