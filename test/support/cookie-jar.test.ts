import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCookieJar } from './cookie-jar.ts';

const site = new URL('https://demo.share.example.com/a/b');

test('createCookieJar() keeps host-only cookies to their host and Domain cookies to theirs and below', () => {
  const jar = createCookieJar();
  jar.store(site, ['own=1; Path=/', 'wide=2; Domain=share.example.com; Path=/']);
  assert.equal(jar.header(site), 'own=1; wide=2');
  assert.equal(jar.header(new URL('https://other.share.example.com/')), 'wide=2');
  assert.equal(jar.header(new URL('https://evilshare.example.com/')), null);
});

test('createCookieJar() refuses foreign domains, Secure over http and wrong __Host- cookies', () => {
  const jar = createCookieJar();
  const refused = jar.store(site, [
    'a=1; Domain=example.org',
    '__Host-b=1; Path=/',
    '__Host-c=1; Secure; Path=/; Domain=share.example.com',
    '__Host-d=1; Secure; Path=/',
  ]);
  assert.equal(refused.length, 3);
  assert.equal(jar.header(site), '__Host-d=1');
  assert.equal(jar.header(new URL('http://demo.share.example.com/')), null);
  assert.deepEqual(jar.store(new URL('http://demo.share.example.com/'), ['s=1; Secure']), ['s=1; Secure']);
});

test('createCookieJar() honours Path, expiry and deletion', () => {
  let now = 1_000_000;
  const jar = createCookieJar(() => now);
  jar.store(site, [
    'deep=1; Path=/a',
    'default=2',
    'short=3; Path=/; Max-Age=10',
    'gone=4; Path=/; Max-Age=10',
  ]);
  jar.store(site, ['gone=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT']);
  assert.equal(jar.header(new URL('https://demo.share.example.com/a/x')), 'deep=1; default=2; short=3');
  assert.equal(jar.header(new URL('https://demo.share.example.com/ab')), 'short=3');
  now += 10_000;
  assert.equal(jar.header(new URL('https://demo.share.example.com/ab')), null);
});
