import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { parseLogoutRedirect } from './logout-redirect.ts';

test('parseLogoutRedirect() takes absolute http and https addresses as they are (4.2)', () => {
  for (const url of [
    'https://app.example.com',
    'http://app.example.com:8080/bye?x=1&y=%20#z',
    'HTTPS://App.Example.com/',
    'https://[2001:db8::1]/',
    'https://app.example.com/@user',
    'https://app.example.com?next=https://other.example//',
  ])
    assert.equal(parseLogoutRedirect(url, null), url);
});

test('parseLogoutRedirect() refuses what is not absolute or could be read as another host (3 Logout; THREATS "Open redirect")', () => {
  for (const url of [
    '',
    '/',
    '//evil.example',
    '/\\evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'https:\\\\evil.example',
    'https://app.example.com\\@evil.example',
    'https://app.example.com@evil.example',
    'https://user:pw@evil.example',
    'https://@evil.example',
    'https://evil.example%2f.app.example.com',
    'https://evil.example%00.app.example.com',
    ' https://evil.example',
    'https://evil.example ',
    'https://evil.example/a b',
    'https://evil\t.example',
    'https://evil.example/\r\nset-cookie: a=b',
    'https://evil.example/\u0000',
    'https://évil.example',
    'https://evil。example',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://evil.example',
    'https://',
    'https://.',
    'https://a..b',
    'https://a:99999/',
    `https://a.example/${'x'.repeat(5000)}`,
  ])
    assert.equal(parseLogoutRedirect(url, null), null, JSON.stringify(url));
});

test('parseLogoutRedirect() matches logout_redirect_hosts by label (2.1, 3 Logout)', () => {
  const hosts = ['*.example.com', 'login.corp.test'];
  const allowed = ['https://app.example.com/x', 'https://APP.Example.COM', 'https://login.corp.test:444/'];
  for (const url of allowed) assert.equal(parseLogoutRedirect(url, hosts), url);
  for (const url of [
    'https://example.com',
    'https://evilexample.com',
    'https://app.example.com.evil.test',
    'https://app-example.com',
    'https://corp.test',
    'https://xlogin.corp.test',
    'https://evil.test/?app.example.com',
    'https://evil.test#.example.com',
  ])
    assert.equal(parseLogoutRedirect(url, hosts), null, url);
  assert.equal(parseLogoutRedirect('https://app.example.com', []), null);
});

test('parseLogoutRedirect() lets nothing through that a browser takes to another host than the one that was matched', () => {
  const piece = fc.constantFrom(
    'https://',
    'http:',
    '//',
    '/',
    '\\',
    '@',
    'a.ok.test',
    'evil.test',
    '%2f',
    '?',
    '#',
    ':',
    '.',
    '\t',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
      const accepted = parseLogoutRedirect(pieces.join(''), ['*.ok.test']);
      if (accepted !== null)
        assert.ok(new URL(accepted, 'https://here.test').hostname.replace(/\.$/, '').endsWith('.ok.test'));
    }),
    { numRuns: 5000 },
  );
});
