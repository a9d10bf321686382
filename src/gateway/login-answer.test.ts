import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHead } from './head-facts.ts';
import { loginAnswerKind, returnUrlOf } from './login-answer.ts';

test('loginAnswerKind() has a row for each sign of DESIGN "Not a page load"', () => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ['redirect', 'GET', []],
    ['redirect', 'GET', ['Accept', '*/*']],
    ['redirect', 'HEAD', ['Accept', 'text/html']],
    ['redirect', 'GET', ['Sec-Fetch-Mode', 'navigate', 'Accept', 'text/html,application/xhtml+xml']],
    ['redirect', 'GET', ['Accept', 'application/json, text/html;q=0.5']],
    ['unauthorized', 'GET', ['Sec-Fetch-Mode', 'cors']],
    ['unauthorized', 'GET', ['Sec-Fetch-Mode', 'websocket']],
    ['unauthorized', 'GET', ['X-Requested-With', 'XMLHttpRequest', 'Accept', 'text/html']],
    ['unauthorized', 'GET', ['Accept', 'application/json']],
    ['unauthorized', 'GET', ['Accept', 'application/problem+json']],
    ['see-other', 'POST', ['Sec-Fetch-Mode', 'navigate']],
    ['see-other', 'POST', ['Content-Type', 'multipart/form-data; boundary=x', 'Accept', 'text/html']],
    ['unauthorized', 'POST', ['Content-Type', 'application/json', 'Accept', 'text/html']],
    ['unauthorized', 'POST', ['Content-Type', 'application/x-www-form-urlencoded']],
    ['unauthorized', 'PUT', ['Sec-Fetch-Mode', 'navigate']],
    ['unauthorized', 'OPTIONS', []],
  ];
  for (const [kind, method, headers] of rows)
    assert.equal(loginAnswerKind(method, false, readHead(headers)), kind, `${method} ${headers.join()}`);
  assert.equal(loginAnswerKind('GET', true, readHead([])), 'unauthorized', 'a WebSocket upgrade');
});

test('returnUrlOf() is the whole URL; for a call of a page it is that page (DESIGN "Return URL")', () => {
  const origin = 'https://demo.example.com';
  assert.equal(
    returnUrlOf(origin, '/a?b=%20', { kind: 'redirect', referer: `${origin}/x` }),
    `${origin}/a?b=%20`,
  );
  assert.equal(
    returnUrlOf(origin, '/api', { kind: 'unauthorized', referer: `${origin}/x?y` }),
    `${origin}/x?y`,
  );
  assert.equal(returnUrlOf(origin, '*', { kind: 'unauthorized', referer: null }), `${origin}/`);
  for (const referer of [
    'https://demo.example.com.evil.org/',
    'https://demo.example.com@evil.org/',
    'https://evil.org/',
  ])
    assert.equal(returnUrlOf(origin, '/api', { kind: 'unauthorized', referer }), `${origin}/api`);
});
