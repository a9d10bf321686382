import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNetworks, networkOf } from './networks.ts';

test('createNetworks() counts a /64 of IPv6 as one and each address of IPv4 by itself, and reads an address once', () => {
  const read: string[] = [];
  const { siteOf, blockOf } = createNetworks((address) => {
    read.push(address);
    return networkOf(address);
  });
  const [one, same, other] = ['2001:db8::1', '2001:db8::ffff:2', '2001:db8:0:1::1'];
  for (let time = 0; time < 3; time++) {
    assert.equal(siteOf(one), siteOf(same));
    assert.notEqual(siteOf(one), siteOf(other));
    assert.equal(blockOf(one), blockOf(other));
    assert.deepEqual([siteOf('192.0.2.1'), blockOf('192.0.2.1')], ['192.0.2.1', null]);
  }
  assert.deepEqual(read, [one, same, other]);
  for (let count = 0; count < 20_000; count++) siteOf(`2001:db8:1::${count.toString(16)}`);
  siteOf(one);
  assert.equal(
    read.filter((address) => address === one).length,
    2,
    'whoever has not come for long is forgotten',
  );
});
