import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backendHead, backendTrailers } from './backend-answer.ts';

const RULES = {
  isOwnCookie: (name: string) => name === 'svc-auth-session' || name.startsWith('__host-svc-auth-'),
  host: 'demo.share.example.com',
  isPrivate: false,
};

function setCookie(value: string): string | null {
  return backendHead(['Set-Cookie', value], RULES).headers[1] ?? null;
}

test('backendHead() drops Set-Cookie of the gate’s names in every spelling (DESIGN "From backends")', () => {
  for (const value of [
    'svc-auth-session=x',
    ' svc-auth-session = x; Path=/',
    'SVC-AUTH-SESSION=x',
    '__Host-svc-auth-bind=x; Secure; Path=/',
    '=svc-auth-session=x',
    ' = svc-auth-session=x',
    '\tsvc-auth-session\t=x',
    'svc-auth-session',
  ])
    assert.equal(setCookie(value), null, value);
  for (const value of ['svc-auth-session2=x', 'a=svc-auth-session=x', 'xsvc-auth-session=1'])
    assert.equal(setCookie(value), value);
});

test('backendHead() removes a Domain that is not the share host itself (DESIGN "From backends")', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['a=1; Domain=share.example.com; Path=/', 'a=1; Path=/'],
    ['a=1; domain=.example.com', 'a=1'],
    ['a=1;DOMAIN = com ;Secure', 'a=1;Secure'],
    ['a=1; Domain=demo.share.example.com', 'a=1; Domain=demo.share.example.com'],
    ['a=1; Domain=.demo.share.example.com; Domain=example.com', 'a=1; Domain=.demo.share.example.com'],
    ['a=1; Domain', 'a=1'],
    ['a=1; Domain=', 'a=1'],
    ['a="x;y"; Path=/', 'a="x;y"; Path=/'],
  ];
  for (const [given, kept] of cases) assert.equal(setCookie(given), kept);
});

test('backendHead() drops Alt-Svc, and of Clear-Site-Data what reaches other hosts (DESIGN "From backends")', () => {
  const { headers } = backendHead(['Alt-Svc', 'h3=":443"', 'Clear-Site-Data', '"cookies", "cache"'], RULES);
  assert.deepEqual(headers, ['Clear-Site-Data', '"cache"']);
  for (const value of ['"*"', '"cookies"', '"COOKIES"', 'cookies', '*'])
    assert.deepEqual(backendHead(['clear-site-data', value], RULES).headers, [], value);
});

test('backendHead() drops hop-by-hop headers and those that Connection names, and reads the length', () => {
  const head = backendHead(
    [
      'Connection',
      'close, x-once',
      'X-Once',
      '1',
      'Transfer-Encoding',
      'chunked',
      'Content-Length',
      '5',
      'ETag',
      '"x"',
    ],
    RULES,
  );
  assert.deepEqual(head, { headers: ['Content-Length', '5', 'ETag', '"x"'], length: 5 });
});

test('backendHead() leaves the cookies of the service’s own hosts alone', () => {
  const headers = ['Set-Cookie', 'svc-auth-session=x; Domain=share.example.com'];
  assert.deepEqual(backendHead(headers, null).headers, headers);
});

test('backendTrailers() keeps what a trailer may say (RFC 9110 6.5.1)', () => {
  assert.deepEqual(backendTrailers(['grpc-status', '0', 'Set-Cookie', 'a=b', 'content-length', '4']), [
    'grpc-status',
    '0',
  ]);
});

test('backendHead() makes an answer of a protected share private unless the backend says whose it is (RFC 9111 section 3.5)', () => {
  const cases: readonly (readonly [given: readonly string[], kept: readonly string[]])[] = [
    [[], ['Cache-Control', 'private']],
    [
      ['Expires', 'Thu, 01 Jan 2099 00:00:00 GMT'],
      ['Expires', 'Thu, 01 Jan 2099 00:00:00 GMT', 'Cache-Control', 'private'],
    ],
    [
      ['Pragma', 'no-cache'],
      ['Pragma', 'no-cache', 'Cache-Control', 'private'],
    ],
    [
      ['Cache-Control', ''],
      ['Cache-Control', 'private'],
    ],
    [
      ['cache-control', 'max-age=60'],
      ['cache-control', 'max-age=60, private'],
    ],
    [
      ['Cache-Control', 'no-cache'],
      ['Cache-Control', 'no-cache, private'],
    ],
    [
      ['Cache-Control', 'republic, x-public=1'],
      ['Cache-Control', 'republic, x-public=1, private'],
    ],
    [
      ['Cache-Control', 'private="x-a"'],
      ['Cache-Control', 'private="x-a", private'],
    ],
    [
      ['Cache-Control', 'max-age=1', 'Cache-Control', 'must-revalidate'],
      ['Cache-Control', 'max-age=1', 'Cache-Control', 'must-revalidate, private'],
    ],
    ...[
      'public',
      'PUBLIC, max-age=60',
      'max-age=1,public',
      's-maxage=60',
      'no-store',
      'max-age=0, Private',
    ].map(
      (value) =>
        [
          ['Cache-Control', value],
          ['Cache-Control', value],
        ] as const,
    ),
    [
      ['Cache-Control', 'max-age=1', 'Cache-Control', 'public'],
      ['Cache-Control', 'max-age=1', 'Cache-Control', 'public'],
    ],
  ];
  for (const [given, kept] of cases) {
    assert.deepEqual(backendHead(given, { ...RULES, isPrivate: true }).headers, kept, given.join(': '));
    assert.deepEqual(backendHead(given, RULES).headers, given, 'on an open share');
  }
  // What the backend takes back with Connection is not said.
  const named = ['Connection', 'cache-control', 'Cache-Control', 'public'];
  assert.deepEqual(backendHead(named, { ...RULES, isPrivate: true }).headers, ['Cache-Control', 'private']);
});
