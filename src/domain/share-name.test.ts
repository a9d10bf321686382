import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  hostOrigin,
  isReservedName,
  isShareName,
  shareHost,
  shareOrigin,
  type PublicBase,
} from './share-name.ts';

const BASE: PublicBase = { scheme: 'https', domain: 'share.example.com', port: 443 };

for (const name of ['demo', 'a', '1', 'a-b', 'a--b', '0x', 'a'.repeat(40)]) {
  test(`isShareName() takes ${name} (2.3)`, () => {
    assert.ok(isShareName(name));
  });
}
for (const name of [
  '',
  '-a',
  'a-',
  '-',
  'A',
  'a.b',
  'a_b',
  'a b',
  'é',
  'xn--caf-dma',
  'a'.repeat(41),
  'a\n',
  '*',
]) {
  test(`isShareName() refuses ${JSON.stringify(name)} (2.3)`, () => {
    assert.ok(!isShareName(name));
  });
}

test('a share answers at its name below the share domain (2.3)', () => {
  assert.equal(shareHost('demo', BASE), 'demo.share.example.com');
  assert.equal(shareOrigin('demo', BASE), 'https://demo.share.example.com');
  assert.equal(shareOrigin('demo', { ...BASE, port: 8443 }), 'https://demo.share.example.com:8443');
  assert.equal(shareOrigin('demo', { ...BASE, scheme: 'http', port: 80 }), 'http://demo.share.example.com');
  assert.equal(shareOrigin('demo', { ...BASE, scheme: 'http' }), 'http://demo.share.example.com:443');
  assert.equal(hostOrigin('app.example.com', BASE), 'https://app.example.com');
});

test("isReservedName() keeps the service's own hosts, and names that programs look up (2.3)", () => {
  const own = ['auth.share.example.com', 'control.example.com'];
  assert.ok(isReservedName('auth', BASE, own));
  assert.ok(isReservedName('wpad', BASE, own));
  assert.ok(!isReservedName('control', BASE, own));
  assert.ok(!isReservedName('demo', BASE, own));
});
