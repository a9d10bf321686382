import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { comparablePath, matchesPath, parsePathRule, wideRule } from './path-rule.ts';

describe('parsePathRule() (DESIGN "Rules")', () => {
  const rows: readonly (readonly [rule: string, path: string, matches: boolean])[] = [
    ['/healthz', '/healthz', true],
    ['/healthz', '/healthz/', false],
    ['/healthz', '/Healthz', false],
    ['/hooks/*', '/hooks/a', true],
    ['/hooks/*', '/hooks/a/b', true],
    ['/hooks/*', '/hooks/', true],
    ['/hooks/*', '/hooks', true],
    ['/hooks/*', '/hooksy', false],
    ['/*', '/', true],
    ['/*', '/a', true],
    ['/*', '*', false],
    ['/caf%c3%a9', '/caf%C3%A9', true],
    ['/caf%C3%A9/*', '/caf%c3%a9/x', true],
    ['/a[b]', '/a%5Bb%5d', true],
    ['/a%5bb%5D', '/a[b]', true],
  ];
  for (const [rule, path, matches] of rows)
    test(`${rule} ${matches ? 'holds' : 'does not hold'} ${path}`, () => {
      assert.equal(matchesPath(parsePathRule(rule), comparablePath(path) ?? ''), matches);
    });
  for (const text of [
    '',
    'a',
    '/a*',
    '/*/b',
    '/a//b',
    '/a/../b',
    '/a/.',
    '/a?b',
    '/a#b',
    '/a;b',
    '/%61',
    '/é',
    `/${'a'.repeat(1_100)}`,
  ])
    test(`refuses ${text.slice(0, 20)}`, () => {
      assert.throws(() => parsePathRule(text), /^ServiceError: Cannot parse path/);
    });
});

describe('comparablePath() (DESIGN "Rules")', () => {
  const ambiguous = [
    '/a%2fb',
    '/a%2Fb',
    '/a%5cb',
    '/a\\b',
    '/a/..',
    '/../a',
    '/a/./b',
    '/.',
    '//a',
    '/a//b',
    '/a/%2e%2e/b',
    '/a/.%2e/b',
    '/a/..;/b',
    '/a;x=1',
    '/a%3bx',
    '/%61dmin',
    '/%2561dmin',
    '/a%00',
    '/a%0d%0a',
    '/a%2',
    '/a%zz',
    '/a%c0%af',
    '/a%ff',
    '/a%40b',
    '/a"b',
    '/a{b}',
  ];
  for (const path of ambiguous) test(`${path} is ambiguous`, () => assert.equal(comparablePath(path), null));
  for (const path of [
    '/',
    '/a.b/c',
    '/a/.well-known/x',
    '/a/...',
    '/a%20b',
    '/a@b',
    '/a|b',
    '/a:b,c=d&e',
    '*',
  ])
    test(`${path} is plain`, () => assert.equal(comparablePath(path), path));

  test('no two spellings that decode to the same are told apart', () => {
    const part = fc.constantFrom(
      'a',
      '/',
      '.',
      '%20',
      '%c3%a9',
      '%C3%A9',
      '[',
      '%5b',
      '%5D',
      ']',
      '%41',
      'A',
      '%2F',
      ';',
      '^',
      '%7c',
      '|',
    );
    const path = fc.array(part, { maxLength: 6 }).map((parts) => `/${parts.join('')}`);
    fc.assert(
      fc.property(path, path, (one, other) => {
        const [a, b] = [comparablePath(one), comparablePath(other)];
        if (a === null || b === null) return;
        assert.equal(a === b, decodeURIComponent(one) === decodeURIComponent(other));
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('wideRule() holds what a backend may take for the path that is refused (THREATS "Path and host confusion")', () => {
  const rows: readonly (readonly [rule: string, path: string, matches: boolean])[] = [
    ['/admin', '/admin', true],
    ['/admin', '/ADMIN', true],
    ['/admin', '/admin/', true],
    ['/Admin/', '/admin', true],
    ['/admin', '/admin/x', false],
    ['/admin', '/administrator', false],
    ['/admin/*', '/Admin/x', true],
    ['/admin/*', '/ADMIN', true],
    ['/admin/*', '/admin/', true],
    ['/admin/*', '/administrator', false],
    ['/caf%C3%A9/*', '/CAF%C3%89/x', true],
    ['/*', '/', true],
    ['/*', '/a/', true],
  ];
  for (const [rule, path, matches] of rows)
    test(`${rule} ${matches ? 'holds' : 'does not hold'} ${path}`, () => {
      assert.equal(matchesPath(wideRule(parsePathRule(rule)), comparablePath(path) ?? ''), matches);
    });
});
