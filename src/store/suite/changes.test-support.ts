// The suite's part on the change feed (DESIGN "Gateways and store").

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { newId } from '../../domain/id.ts';
import { START, type OpenBench, addAccount, addShare, benchOf, shareOf } from './bench.test-support.ts';

export function changesSuite(open: OpenBench): void {
  test('changes.since() answers what was committed after a number, in order', async () => {
    await using bench = await benchOf(open);
    const { changes, shares } = bench.store;
    assert.deepEqual(await changes.since(0), { upTo: 0, changes: [], gap: false });
    const first = await addShare(bench.store);
    const middle = await changes.latest();
    const second = await addShare(bench.store);
    const { accountId, id } = first;
    await shares.modify({ accountId, id, settings: () => ({ enabled: false }), at: START });
    const upTo = await changes.latest();
    assert.deepEqual(await changes.since(middle), {
      upTo,
      changes: [
        { kind: 'share', id: second.id },
        { kind: 'share', id: first.id },
      ],
      gap: false,
    });
    assert.deepEqual(await changes.since(upTo), { upTo, changes: [], gap: false });
  });

  test('changes.since() shows no number before a lower one, under parallel writes and reads', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const accountId = await addAccount(bench.store);
    const rows = Array.from({ length: 60 }, () => shareOf(accountId));
    let writing = true;
    const follow = async () => {
      const seen: string[] = [];
      for (let number = 0, last = false; ; last = !writing) {
        const { upTo, changes } = await other.changes.since(number);
        assert.equal(upTo - number, changes.length, 'no number is skipped');
        seen.push(...changes.map(({ id }) => id));
        number = upTo;
        if (last) return seen;
        await new Promise(setImmediate);
      }
    };
    const followed = follow();
    const writes = rows.map((row, index) => (index % 2 === 0 ? bench.store : other).shares.create(row));
    await Promise.all(writes);
    writing = false;
    assert.deepEqual((await followed).toSorted(), rows.map(({ id }) => id).toSorted());
    assert.equal(await bench.store.changes.latest(), 60);
  });

  test('changes leave no number behind when a write fails', async () => {
    await using bench = await benchOf(open);
    const share = await addShare(bench.store);
    const before = await bench.store.changes.latest();
    await assert.rejects(bench.store.shares.create(shareOf(share.accountId, { name: share.name })));
    assert.equal(await bench.store.changes.latest(), before);
  });

  test('changes.onCommit() is called when the change can be read, and only for changes', async () => {
    await using bench = await benchOf(open);
    const { attempts, changes } = bench.store;
    const reads: Promise<number>[] = [];
    const stop = changes.onCommit(() => reads.push(changes.latest()));
    const share = await addShare(bench.store);
    assert.deepEqual(await Promise.all(reads), [1]);
    await attempts.claim(newId('att'), START);
    await assert.rejects(bench.store.shares.create(shareOf(share.accountId, { name: share.name })));
    assert.equal(reads.length, 1);
    stop();
    await addShare(bench.store);
    assert.equal(reads.length, 1);
  });

  test('changes.onCommit() keeps a listener’s fault from the write', async () => {
    await using bench = await benchOf(open);
    const warned = once(process, 'warning');
    bench.store.changes.onCommit(() => {
      throw new Error('the listener failed');
    });
    const share = await addShare(bench.store);
    assert.deepEqual(await bench.store.shares.findById(share.id), share);
    const [warning] = await warned;
    assert.match(String(warning), /the listener failed/);
  });

  test('changes of another process reach a reader by polling', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const share = await addShare(other);
    assert.deepEqual((await bench.store.changes.since(0)).changes, [{ kind: 'share', id: share.id }]);
  });

  test('changes.since() says when it cannot answer all: swept, too many, or another store’s number', async () => {
    await using bench = await benchOf(open);
    const { clock, store } = bench;
    await addShare(store);
    await addShare(store);
    clock.time = START + 2 * 60 * 60 * 1000;
    await store.sweep(clock.time);
    const later = await addShare(store);
    assert.deepEqual(await store.changes.since(1), { upTo: 3, changes: [], gap: true });
    assert.deepEqual((await store.changes.since(2)).changes, [{ kind: 'share', id: later.id }]);
    assert.deepEqual(await store.changes.since(99), { upTo: 3, changes: [], gap: true });
    await bench.raw('UPDATE change_counter SET number = number + 6000');
    const many = Array.from({ length: 6_000 }, (_, index) => `(${index + 4}, 0, 'share', 'shr_x')`);
    await bench.raw(`INSERT INTO changes (number, at, kind, subject_id) VALUES ${many.join(',')}`);
    assert.deepEqual(await store.changes.since(3), { upTo: 6_003, changes: [], gap: true });
    assert.equal((await store.changes.since(1_003)).changes.length, 5_000);
  });
}
