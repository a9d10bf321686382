import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressBlock, addressSite } from './address-site.ts';

test('addressSite() counts a /64 of IPv6 together, addressBlock() a /48, and both an address of IPv4 alone', () => {
  const [own, near, wide, far] = [
    '2001:db8:1:2::1',
    '2001:db8:1:2:ffff::',
    '2001:db8:1:3::1',
    '2001:db8:2:2::1',
  ];
  assert.equal(addressSite(own), addressSite(near));
  assert.notEqual(addressSite(own), addressSite(wide));
  assert.equal(addressBlock(own), addressBlock(wide));
  assert.notEqual(addressBlock(own), addressBlock(far));
  assert.notEqual(addressBlock(own), addressSite(own));
  for (const counted of [addressSite, addressBlock]) {
    assert.equal(counted('::ffff:192.0.2.7'), '192.0.2.7');
    assert.notEqual(counted('192.0.2.7'), counted('192.0.2.8'));
    assert.equal(counted('unknown'), 'unknown');
  }
});
