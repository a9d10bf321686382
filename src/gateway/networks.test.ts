import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressSite } from '../domain/address-site.ts';
import { createNetworks } from './networks.ts';

test('createNetworks() counts a /64 of IPv6 as one and each address of IPv4 by itself, and reads an address once', () => {
  const read: string[] = [];
  const networkOf = createNetworks((address) => {
    read.push(address);
    return addressSite(address);
  });
  const [one, same, other] = ['2001:db8::1', '2001:db8::ffff:2', '2001:db8:0:1::1'];
  for (let time = 0; time < 3; time++) {
    assert.equal(networkOf(one), networkOf(same));
    assert.notEqual(networkOf(one), networkOf(other));
    assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
  }
  assert.deepEqual(read, [one, same, other]);
  for (let count = 0; count < 20_000; count++) networkOf(`2001:db8:1::${count.toString(16)}`);
  networkOf(one);
  assert.equal(
    read.filter((address) => address === one).length,
    2,
    'whoever has not come for long is forgotten',
  );
});
