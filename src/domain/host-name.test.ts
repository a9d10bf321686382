import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  isHostGlob,
  isLoopbackName,
  isSubdomainOf,
  isWithinDomain,
  matchesHostGlob,
  normaliseHost,
} from './host-name.ts';

const HOSTS: readonly (readonly [string, string | null])[] = [
  ['demo.share.example.com', 'demo.share.example.com'],
  ['Demo.SHARE.example.COM', 'demo.share.example.com'],
  ['demo.share.example.com.', 'demo.share.example.com'],
  ['demo.share.example.com:8443', 'demo.share.example.com'],
  ['Demo.Share.Example.com.:443', 'demo.share.example.com'],
  ['127.0.0.1:80', '127.0.0.1'],
  ['[::1]', '[::1]'],
  ['[0:0::1]:8080', '[::1]'],
  ['my_host', 'my_host'],
  ['', null],
  ['.', null],
  ['demo..com', null],
  ['demo.com..', null],
  [':80', null],
  ['demo.com:', null],
  ['demo.com:0', null],
  ['demo.com:65536', null],
  ['demo.com:80:80', null],
  ['demo.com: 80', null],
  ['demo.com:+80', null],
  ['demo.com:80a', null],
  ['user@demo.com', null],
  ['user:pw@demo.com', null],
  ['demo.com/', null],
  ['demo.com#x', null],
  ['demo.com?x', null],
  ['demo.com\\x', null],
  ['demo .com', null],
  [' demo.com', null],
  ['demo.com\t', null],
  ['demo.com,evil.com', null],
  ['dem%6f.com', null],
  ['dém.com', null],
  ['ｄemo.com', null],
  ['[::1', null],
  ['::1]', null],
  ['::1', null],
  ['[::1]x', null],
  ['[::1%eth0]', null],
  ['[demo.com]', null],
  ['[127.0.0.1]', null],
  [`${'a'.repeat(64)}.com`, null],
];
for (const [text, host] of HOSTS) {
  test(`normaliseHost() takes ${JSON.stringify(text.slice(0, 40))} as ${host} (THREATS "Path and host confusion")`, () => {
    assert.equal(normaliseHost(text), host);
  });
}

test('normaliseHost() answers what it would answer again, and nothing but host characters', () => {
  const text = fc.oneof(
    fc.string(),
    fc.domain(),
    fc.ipV6().map((ip) => `[${ip}]`),
    fc.webAuthority(),
  );
  fc.assert(
    fc.property(text, (value) => {
      const host = normaliseHost(value);
      if (host === null) return;
      assert.match(host, /^(?:[a-z0-9_.-]+|\[[0-9a-f:]+\])$/);
      assert.equal(normaliseHost(host), host);
    }),
  );
});

const WITHIN: readonly (readonly [host: string, domain: string, within: boolean, below: boolean])[] = [
  ['example.com', 'example.com', true, false],
  ['a.example.com', 'example.com', true, true],
  ['a.b.example.com', 'example.com', true, true],
  ['notexample.com', 'example.com', false, false],
  ['example.com.evil.org', 'example.com', false, false],
  ['example.com', 'a.example.com', false, false],
  ['127.0.0.1', '0.1', false, false],
  ['a.example.com', '', false, false],
];
for (const [host, domain, within, below] of WITHIN) {
  test(`isWithinDomain() and isSubdomainOf() place ${host} by label at ${domain || 'nothing'} (2.1)`, () => {
    assert.equal(isWithinDomain(host, domain), within);
    assert.equal(isSubdomainOf(host, domain), below);
  });
}

const GLOBS: readonly (readonly [host: string, glob: string, matches: boolean])[] = [
  ['app.example.com', '*.example.com', true],
  ['app.example.com', '*.EXAMPLE.com', true],
  ['app.example.com', 'app.example.com', true],
  ['example.com', '*.example.com', false],
  ['a.b.example.com', '*.example.com', false],
  ['appexample.com', '*.example.com', false],
  ['app.example.com.evil.org', '*.example.com', false],
  ['evil.org', '*.example.com', false],
  ['a.b.example.com', '*.*.example.com', true],
];
for (const [host, glob, matches] of GLOBS) {
  test(`matchesHostGlob() ${glob} ${matches ? 'matches' : 'does not match'} ${host} (DESIGN "Logout")`, () => {
    assert.equal(matchesHostGlob(host, glob), matches);
  });
}

test('isHostGlob() takes host names with whole labels starred', () => {
  for (const text of [
    '*.example.com',
    'App.example.com',
    '*.*.example.com',
    'localhost',
    '127.0.0.1',
    '[::1]',
  ])
    assert.ok(isHostGlob(text), text);
  for (const text of [
    '*',
    '*.*',
    '',
    'a*.example.com',
    '**.example.com',
    'https://a',
    'a.com:80',
    'a..com',
    '*.1',
    'é.com',
  ])
    assert.ok(!isHostGlob(text), text);
});

test('isLoopbackName() knows localhost names and loopback addresses, and nothing that only looks so', () => {
  for (const host of [
    'localhost',
    'LOCALHOST.',
    'a.b.localhost',
    '127.0.0.1',
    '127.255.0.1',
    '::1',
    '[::1]',
    '0x7f.1',
  ])
    assert.ok(isLoopbackName(host), host);
  for (const host of [
    'localhost.evil.org',
    'notlocalhost',
    '128.0.0.1',
    '::2',
    '0.0.0.0',
    '127.0.0.1.nip.io',
    '',
  ])
    assert.ok(!isLoopbackName(host), host);
});
