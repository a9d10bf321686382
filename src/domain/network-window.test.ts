import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNetworkWindow } from './network-window.ts';

const SIZE = { most: 3, windowMs: 60_000, maxNames: 100 };

test('createNetworkWindow() counts a subscriber, and a /48 of IPv6 as four, however many sites it has (THREATS "Exhaustion")', () => {
  const window = createNetworkWindow(SIZE, () => 0);
  const allowed = (address: string) => window.count(address) === null;
  assert.deepEqual(
    [1, 2, 3, 4].map((host) => allowed(`2001:db8::${host}`)),
    [true, true, true, false],
  );
  const sites = Array.from({ length: 20 }, (_, site) => `2001:db8:0:${(site + 1).toString(16)}::1`);
  assert.equal(sites.filter(allowed).length, 4 * SIZE.most - 4);
  assert.equal(window.blockedSeconds('2001:db8:0:ffff::1'), 60);
  assert.equal(window.blockedSeconds('2001:db8:1::1'), null);
});

test('createNetworkWindow() counts each address of IPv4 alone, and each thing apart', () => {
  const window = createNetworkWindow(SIZE, () => 0);
  for (let count = 0; count < 3; count++) assert.equal(window.count('192.0.2.1', 'corp'), null);
  assert.equal(window.blockedSeconds('192.0.2.1', 'corp'), 60);
  assert.equal(window.blockedSeconds('192.0.2.1'), null);
  assert.equal(window.blockedSeconds('192.0.2.2', 'corp'), null);
});
