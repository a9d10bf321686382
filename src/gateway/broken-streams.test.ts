import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BrokenCount, createBrokenStreams, isSuspect, noteBroken } from './broken-streams.ts';

test('noteBroken() counts a /48 of IPv6 as four networks, however many sites break off streams there (THREATS "Connections and fairness")', () => {
  const streams = createBrokenStreams(() => false);
  const at = (address: string) => {
    const count = streams.of(address);
    assert.ok(count);
    return count;
  };
  const over = new Set<BrokenCount>();
  for (let site = 0; site < 20; site++) {
    const count = at(`2001:db8:0:${site.toString(16)}::1`);
    for (let broken = 0; broken < 1_000; broken++) {
      const found = noteBroken(count);
      if (found !== null) over.add(found);
    }
  }
  const { around } = at('2001:db8:0:ffff::1');
  assert.ok(around);
  assert.deepEqual([...over], [around], 'no site by itself');
  assert.deepEqual(
    ['2001:db8:0:ffff::1', '2001:db8:1::1', '192.0.2.1'].map((address) => isSuspect(at(address))),
    [true, false, false],
  );
});

test('noteBroken() counts an address of IPv4 by itself', () => {
  const count = createBrokenStreams(() => false).of('192.0.2.1');
  assert.ok(count);
  assert.equal(count.around, null);
  for (let broken = 0; broken < 1_500; broken++) assert.equal(noteBroken(count), null);
  for (let broken = 0; noteBroken(count) === null; broken++) assert.ok(broken < 1_500);
  assert.ok(isSuspect(count));
});
