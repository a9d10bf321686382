import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { newId } from '../domain/id.ts';
import type { Share } from '../domain/share.ts';
import { boundedReturnUrl, safeReturnUrl } from './return-url.ts';
import { unsetSettings } from '../../test/support/share-settings.ts';

const base = { scheme: 'https', domain: 'share.example.com', port: 8443 } as const;
const share: Share = {
  id: newId('shr'),
  accountId: newId('acc'),
  name: 'demo',
  hosts: ['demo.share.example.com', 'demo.example.com'],
  target: 'http://127.0.0.1:1',
  login: null,
  ...unsetSettings(),
};

test('safeReturnUrl() keeps an address on any host of the share byte for byte (3 Return URL)', () => {
  for (const url of [
    'https://demo.share.example.com:8443/a%2fb/../c?x=1&y=%20+|#frag',
    'https://demo.example.com:8443/',
    'https://DEMO.example.com:8443',
  ])
    assert.equal(safeReturnUrl(url, share, base), url);
});

test('safeReturnUrl() writes out what a browser might read in two ways (THREATS "Open redirect")', () => {
  const home = 'https://demo.share.example.com:8443/';
  assert.equal(
    safeReturnUrl('https://demo.share.example.com:8443\\@evil.example', share, base),
    `${home}@evil.example`,
  );
  assert.equal(safeReturnUrl(home.replace('d', '\uff44'), share, base), home);
  assert.equal(safeReturnUrl(`${home}\u00e9`, share, base), `${home}%C3%A9`);
  assert.equal(safeReturnUrl(`${home}a b\r\n`, share, base), `${home}a%20b`);
});

test('safeReturnUrl() never answers an address off the share', () => {
  const piece = fc.constantFrom(
    'https://',
    'demo.share.example.com',
    ':8443',
    '/',
    '\\',
    '@',
    'evil.example',
    '.',
    '?',
    '#',
    '\t',
    '%5c',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const url = new URL(safeReturnUrl(pieces.join(''), share, base), 'https://here.example');
      assert.ok(share.hosts.includes(url.hostname));
      assert.equal(url.port, '8443');
      assert.equal(url.username + url.password, '');
    }),
    { numRuns: 3000 },
  );
});

test('boundedReturnUrl() keeps 1 KB, then the path, then the root (3 Attempts)', () => {
  const home = 'https://demo.example.com/';
  const fits = home + 'x'.repeat(1024 - home.length);
  assert.equal(boundedReturnUrl(fits), fits);
  assert.equal(boundedReturnUrl(`${home}a?${'x'.repeat(1024)}`), `${home}a`);
  assert.equal(boundedReturnUrl(`${fits}x`), home);
  assert.equal(boundedReturnUrl('x'.repeat(2000)), '');
});
