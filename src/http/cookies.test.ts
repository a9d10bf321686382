import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { cookieValues, parseCookies, serialiseSetCookie, withoutCookies } from './cookies.ts';

test('parseCookies() keeps order, duplicates and every byte of a value (RFC 6265 5.4)', () => {
  assert.deepEqual(parseCookies('b=1; a="x y=z"; b=2;c=;  d = \xe9 '), [
    { name: 'b', value: '1' },
    { name: 'a', value: '"x y=z"' },
    { name: 'b', value: '2' },
    { name: 'c', value: '' },
    { name: 'd', value: '\xe9' },
  ]);
  assert.deepEqual(parseCookies(undefined), []);
  assert.deepEqual(parseCookies('; ;'), []);
  assert.deepEqual(parseCookies('nameless; =x'), [
    { name: '', value: 'nameless' },
    { name: '', value: 'x' },
  ]);
});

test('parseCookies() is bounded: 512 pairs, and nothing of a header over 32 KiB (THREATS "Sibling shares": cookie bombs)', () => {
  assert.equal(parseCookies('a=1;'.repeat(1000)).length, 512);
  assert.deepEqual(parseCookies(`a=${'x'.repeat(32_768)}`), []);
});

test('cookieValues() gives the first few of a name and no other (3 Session cookie: at most four)', () => {
  const pairs = parseCookies('s=1; S=0; s=2; t=0; s=3; s=4; s=5');
  assert.deepEqual(cookieValues(pairs, 's', 4), ['1', '2', '3', '4']);
  assert.deepEqual(cookieValues(pairs, 'none', 4), []);
});

test('withoutCookies() removes every cookie of the names and leaves the others byte for byte (3 Stripping)', () => {
  assert.equal(withoutCookies('a=1;  b="x; y"; c', isOurs), 'a=1;  b="x; y"; c');
  assert.equal(withoutCookies('svc=1; a= 2 ;svc=3;svc = 4; b=5', isOurs), 'a= 2 ; b=5');
  assert.equal(withoutCookies('svc=1; svc=2', isOurs), null);
  assert.equal(withoutCookies(`${'a=1;'.repeat(5000)}svc=1`, isOurs)?.includes('svc'), false);
});

test('withoutCookies() never leaves one that parseCookies() would find', () => {
  const piece = fc.constantFrom('svc', '=', ';', ' ', '\t', 'a', '"', '1', ' svc=', '; svc = x', ';svc');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const left = withoutCookies(pieces.join(''), isOurs);
      assert.deepEqual(cookieValues(parseCookies(left ?? undefined), 'svc', 9), []);
      const others = parseCookies(pieces.join('')).filter((pair) => !isOurs(pair.name));
      assert.deepEqual(parseCookies(left ?? undefined), others);
    }),
  );
});

test('serialiseSetCookie() writes the attributes of the session cookie (3 Session cookie)', () => {
  const session = { name: 'svc-auth-session', value: 'e.y', domain: 'example.com', maxAgeSeconds: 60.9 };
  assert.equal(
    serialiseSetCookie({ ...session, secure: true }),
    'svc-auth-session=e.y; Domain=example.com; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
  );
  assert.equal(
    serialiseSetCookie({ name: '__Host-x', value: '', domain: null, maxAgeSeconds: 0, secure: true }),
    '__Host-x=; Path=/; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax; Secure',
  );
  assert.equal(
    serialiseSetCookie({ name: 'x', value: 'y', domain: null, maxAgeSeconds: null, secure: false }),
    'x=y; Path=/; HttpOnly; SameSite=Lax',
  );
});

test('serialiseSetCookie() refuses what would end the value early (THREATS "Header smuggling")', () => {
  for (const value of ['a;b', 'a b', 'a\r\nb', 'a,b', 'a"b', 'a\\b', 'é'])
    assert.throws(() =>
      serialiseSetCookie({ name: 'x', value, domain: null, maxAgeSeconds: null, secure: true }),
    );
  for (const name of ['', 'a=b', 'a;b', 'a b', 'a\n'])
    assert.throws(() =>
      serialiseSetCookie({ name, value: 'x', domain: null, maxAgeSeconds: null, secure: true }),
    );
});

function isOurs(name: string): boolean {
  return name === 'svc';
}

test('headers that are alike but for a letter are never taken for each other, however often they come (contract 2.5)', () => {
  const like = 'x'.repeat(200);
  const headers = Array.from(
    { length: 3_000 },
    (_, n) =>
      `svc=${like.slice(0, n % 200)}${String.fromCharCode(97 + (n % 26))}${like.slice(n % 200)}; n=${n}`,
  );
  for (const again of [headers, headers.toReversed(), headers])
    for (const header of again) {
      const [svc = '', n = ''] = header.split('; ').map((pair) => pair.slice(pair.indexOf('=') + 1));
      assert.deepEqual(parseCookies(header), [
        { name: 'svc', value: svc },
        { name: 'n', value: n },
      ]);
      assert.equal(withoutCookies(header, isOurs), `n=${n}`);
      assert.equal(
        withoutCookies(header, (name) => name === 'n'),
        `svc=${svc}`,
      );
    }
});
