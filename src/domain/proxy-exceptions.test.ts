import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProxyExceptions } from './proxy-exceptions.ts';

const CASES: readonly (readonly [list: string, url: string, isException: boolean])[] = [
  ['', 'https://a.example', false],
  ['*', 'https://a.example', true],
  ['example.com', 'https://example.com', true],
  ['example.com', 'https://a.example.com', true],
  ['.example.com', 'https://a.b.example.com', true],
  ['.example.com', 'https://example.com', true],
  ['*.example.com', 'https://a.example.com', true],
  ['example.com', 'https://badexample.com', false],
  ['EXAMPLE.com.', 'https://a.example.COM.', true],
  ['other.test, example.com', 'https://example.com', true],
  ['other.test example.com', 'https://example.com', true],
  ['example.com:8443', 'https://example.com:8443', true],
  ['example.com:8443', 'https://example.com', false],
  ['example.com:443', 'https://example.com', true],
  ['example.com:80', 'http://example.com', true],
  ['10.1.2.3', 'https://10.1.2.3', true],
  ['10.1.2.3', 'https://10.1.2.4', false],
  ['10.0.0.0/8', 'https://10.200.0.1', true],
  ['10.9.9.9/8', 'https://10.200.0.1', true],
  ['10.0.0.0/8', 'https://11.0.0.1', false],
  ['10.0.0.0/8:8443', 'https://10.0.0.1:8443', true],
  ['10.0.0.0/33', 'https://10.0.0.1', false],
  ['10.0.0.0/x', 'https://10.0.0.1', false],
  ['fd00::/8', 'https://[fd12::1]', true],
  ['fd12::1', 'https://[fd12::1]:8443', true],
  ['[fd12::1]:8443', 'https://[fd12::1]:8443', true],
  ['[fd12::1]:8443', 'https://[fd12::1]', false],
  ['.bücher.example', 'https://app.bücher.example', true],
  ['xn--bcher-kva.example', 'https://bücher.example', true],
  ['exa mple.com/path', 'https://example.com', false],
  ['.', 'https://a.example', false],
  [':', 'https://a.example', false],
];

test('parseProxyExceptions() takes hosts, suffixes, ports, addresses, ranges and * (NO_PROXY)', () => {
  for (const [list, url, isException] of CASES)
    assert.equal(parseProxyExceptions(list)(new URL(url)), isException, `${list} for ${url}`);
});
