import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFailedKeys } from './failed-keys.ts';

test('createFailedKeys() lets ten failures a minute pass, then says how long to wait (DESIGN "Rate limits")', () => {
  let now = 0;
  const failed = createFailedKeys(() => now);
  for (let failure = 0; failure < 10; failure++) assert.equal(failed.count('192.0.2.1'), null);
  now = 15_000;
  assert.equal(failed.count('192.0.2.1'), 45);
  assert.equal(failed.count('192.0.2.2'), null);
  now = 60_000;
  assert.equal(failed.count('192.0.2.1'), null);
});

test('createFailedKeys() counts a /64 of IPv6 together, however it is written (DESIGN "Rate limits")', () => {
  const failed = createFailedKeys(() => 0);
  const together = [
    '2001:db8::1',
    '2001:db8::2:3',
    '2001:db8:0:0:ffff::',
    '2001:db8:0:0:1:2:3:4',
    '2001:DB8::9',
  ];
  for (let failure = 0; failure < 10; failure++)
    assert.equal(failed.count(together[failure % together.length] ?? ''), null);
  for (const address of together) assert.equal(failed.count(address), 60, address);
  for (const address of ['2001:db8:0:1::1', '2001:db8:1::1', '::1'])
    assert.equal(failed.count(address), null, address);
});

test('createFailedKeys() lets a /48 of IPv6 no more than four subscribers fail, however many it is (DESIGN "Rate limits")', () => {
  const failed = createFailedKeys(() => 0);
  const tries = Array.from({ length: 500 }, (_, site) => failed.count(`2001:db8:0:${site.toString(16)}::1`));
  assert.equal(tries.filter((wait) => wait === null).length, 40);
  assert.equal(failed.count('2001:db8:1::1'), null);
});

test('createFailedKeys() counts a mapped IPv4 address as that address alone (DESIGN "Rate limits")', () => {
  const failed = createFailedKeys(() => 0);
  for (let failure = 0; failure < 10; failure++) failed.count('::ffff:192.0.2.1');
  assert.equal(failed.count('192.0.2.1'), 60);
  assert.equal(failed.count('::ffff:192.0.2.2'), null);
});
