import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTrustedProxies, plainAddress, visitorOf } from './forwarding-headers.ts';

const NOBODY = createTrustedProxies([]);
const PROXIES = createTrustedProxies(['10.0.0.0/8', '::1']);

test('visitorOf() believes X-Forwarded-For from trusted proxies only, up to the first stranger (DESIGN 3)', () => {
  const cases: readonly (readonly [string, string | null, string, string])[] = [
    ['192.0.2.1', '203.0.113.9', '192.0.2.1', '192.0.2.1'],
    ['10.0.0.1', null, '10.0.0.1', '10.0.0.1'],
    ['10.0.0.1', '203.0.113.9', '203.0.113.9', '203.0.113.9, 10.0.0.1'],
    ['10.0.0.1', '6.6.6.6, 203.0.113.9', '203.0.113.9', '203.0.113.9, 10.0.0.1'],
    ['10.0.0.1', '203.0.113.9, 10.2.3.4', '203.0.113.9', '203.0.113.9, 10.2.3.4, 10.0.0.1'],
    ['10.0.0.1', '203.0.113.9:4711', '203.0.113.9', '203.0.113.9, 10.0.0.1'],
    ['10.0.0.1', '[2001:db8::9]:4711, 10.2.3.4:80', '2001:db8::9', '2001:db8::9, 10.2.3.4, 10.0.0.1'],
    ['10.0.0.1', '[2001:db8::9]', '2001:db8::9', '2001:db8::9, 10.0.0.1'],
    ['10.0.0.1', '[2001:db8::9', '10.0.0.1', '10.0.0.1'],
    ['10.0.0.1', '203.0.113.9:x', '10.0.0.1', '10.0.0.1'],
    ['10.0.0.1', '203.0.113.9, rubbish', '10.0.0.1', '10.0.0.1'],
    ['10.0.0.1', '', '10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9', '203.0.113.9, 10.0.0.1'],
    ['::1', '2001:db8::1', '2001:db8::1', '2001:db8::1, ::1'],
  ];
  for (const [remote, header, address, chain] of cases)
    assert.deepEqual(visitorOf(remote, header, PROXIES), { address, chain }, `${remote} ${header}`);
  assert.deepEqual(visitorOf('10.0.0.1', '203.0.113.9', NOBODY), { address: '10.0.0.1', chain: '10.0.0.1' });
});

test('visitorOf() reads a bounded number of hops', () => {
  const long = Array.from({ length: 1000 }, () => '10.9.9.9').join(', ');
  assert.equal(visitorOf('10.0.0.1', long, PROXIES).chain.split(', ').length, 17);
});

test('createTrustedProxies() refuses what it cannot read', () => {
  assert.throws(() => createTrustedProxies(['10.0.0.0/99']), { code: 'validation_failed' });
});

test('plainAddress() takes IPv4 out of IPv6', () => {
  assert.equal(plainAddress('::ffff:192.0.2.1'), '192.0.2.1');
  assert.equal(plainAddress('2001:db8::1'), '2001:db8::1');
});
