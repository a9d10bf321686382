import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseOrigin } from './origin.ts';
import { ServiceError } from './service-error.ts';

const GOOD: readonly (readonly [string, string])[] = [
  ['https://app.example.com', 'https://app.example.com'],
  ['HTTPS://App.Example.COM', 'https://app.example.com'],
  ['https://app.example.com:443', 'https://app.example.com'],
  ['http://localhost:5173', 'http://localhost:5173'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['http://a:80', 'http://a'],
];
for (const [text, origin] of GOOD) {
  test(`parseOrigin() takes ${text} as ${origin} (2.4)`, () => {
    assert.equal(parseOrigin(text), origin);
  });
}

const BAD = [
  '',
  '*',
  'null',
  'app.example.com',
  'https://',
  'https://app.example.com/',
  'https://app.example.com/x',
  'https://app.example.com?x',
  'https://app.example.com#x',
  'https://user@app.example.com',
  'https://*.example.com',
  'https://a b',
  'https://a\n',
  'https:/a',
  'https:\\\\a',
  'https://a:0',
  'https://a:65536',
  'https://a:',
  'ftp://a',
  'ws://a',
  'javascript:alert(1)',
  'https://é.com',
  'https://a,https://b',
  ' https://a',
  'https://1.2.3.4.5',
];
for (const text of BAD) {
  test(`parseOrigin() refuses ${JSON.stringify(text)} (2.4)`, () => {
    assert.throws(
      () => parseOrigin(text),
      (error) => error instanceof ServiceError && error.code === 'validation_failed',
    );
  });
}

test('parseOrigin() answers an origin as a browser writes it, or throws (RFC 6454)', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl({ withFragments: true }),
        fc.webAuthority().map((a) => `https://${a}`),
        fc.string(),
      ),
      (text) => {
        try {
          const origin = parseOrigin(text);
          assert.equal(new URL(origin).origin, origin);
          assert.equal(parseOrigin(origin), origin);
        } catch (error) {
          assert.ok(error instanceof ServiceError, String(error));
        }
      },
    ),
  );
});
