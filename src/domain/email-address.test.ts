import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyCharacter } from '../../test/support/any-character.ts';
import { comparableAddress, isAsciiAddress, parseEmailAddress } from './email-address.ts';

const GOOD = [
  'a@corp.com',
  'A.B+tag@Corp.COM',
  "o'brien@example.com",
  'a@localhost',
  'x!#$%&*/=?^_`{|}~-@example.com',
  `${'a'.repeat(242)}@example.com`,
];
for (const text of GOOD) {
  test(`parseEmailAddress() takes ${text.slice(0, 30)} as given (DESIGN "Email")`, () => {
    assert.equal(parseEmailAddress(text), text);
  });
}

const BAD = [
  '',
  '@',
  'a',
  'a@',
  '@corp.com',
  'attacker@evil.com@company.com',
  'a@b@',
  'a b@corp.com',
  ' a@corp.com',
  'a@corp.com ',

  '"a"@corp.com',
  'a,b@corp.com',
  'a@corp.com,b@corp.com',
  'a@corp.com\r\nx: y',
  'a@corp.com\n',
  'a\0@corp.com',
  'a\t@corp.com',

  'a@corp.com\u200b',
  'a＠corp.com',
  '\x7fa@corp.com',
  `${'a'.repeat(243)}@example.com`,
];
for (const text of BAD) {
  test(`parseEmailAddress() refuses ${JSON.stringify(text.slice(0, 30))} (DESIGN "Email")`, () => {
    assert.equal(parseEmailAddress(text), null);
  });
}

test('parseEmailAddress() takes nothing that could end a header or be split in two (DESIGN "Email")', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: 'binary-ascii' }), (local, domain) => {
      const email = parseEmailAddress(`${local}@${domain}`);
      if (email === null) return;
      assert.doesNotMatch(email, /[^\x21-\x7e\p{L}\p{M}\p{Nd}]/u);
      assert.equal(parseEmailAddress(email), email, 'it has one form');
      assert.ok(Buffer.byteLength(email) <= 254);
      assert.equal(email.split('@').length, 2);
      assert.doesNotMatch(email, /[",]/);
    }),
  );
});

const INTERNATIONAL: readonly (readonly [given: string, address: string])[] = [
  ['jörg@example.com', 'jörg@example.com'],
  ['jo\u0308rg@example.com', 'jörg@example.com'],
  ['JÖRG@Example.COM', 'jörg@example.com'],
  ['Ann@bücher.example', 'Ann@xn--bcher-kva.example'],
  ['ann@BÜCHER.Example', 'ann@xn--bcher-kva.example'],
  ['ann@bu\u0308cher.example', 'ann@xn--bcher-kva.example'],
  ['ann@faß.example', 'ann@xn--fa-hia.example'],
  ['δοκιμή@παράδειγμα.δοκιμή', 'δοκιμή@xn--hxajbheg2az3al.xn--jxalpdlp'],
  ['日本@例え.テスト', '日本@xn--r8jz45g.xn--zckzah'],
];
for (const [given, address] of INTERNATIONAL) {
  test(`parseEmailAddress() brings ${given} into its one form (RFC 6531)`, () => {
    assert.equal(parseEmailAddress(given), address);
    assert.equal(parseEmailAddress(address), address);
    assert.equal(comparableAddress(given), address.toLowerCase());
    assert.equal(isAsciiAddress(given), false);
  });
}

/** What turns into ASCII by compatibility or case, is invisible, no letter, or no domain. */
const CONFUSING = [
  ...'\u212aate@corp.com|ｋate@corp.com|İvan@corp.com|ﬁ@corp.com|ſ@corp.com|½@corp.com'.split('|'),
  ...'a\u200d@corp.com|a\ufe0f@corp.com|\u115f@corp.com|a\u202e@corp.com|\u0308a@corp.com'.split('|'),
  ...'=\u0338@corp.com|“a”@corp.com|💌@corp.com|a，b@corp.com|ä b@corp.com|ä@b@corp.com|ä"@corp.com'.split(
    '|',
  ),
  ...'a@ｅxample.com|a@b。com|a@ö..com|a@.ö|a@ö_b.com|a@١٢٧.0.0.1|ä@|@ö.com|\ud800@corp.com'.split('|'),
  `${'ö'.repeat(125)}@corp.com`,
];
for (const text of CONFUSING) {
  test(`parseEmailAddress() refuses ${JSON.stringify(text.slice(0, 30))}, which is not what it seems (RFC 6531)`, () => {
    assert.equal(parseEmailAddress(text), null);
  });
}

test('comparableAddress() takes no text beyond ASCII for an address (U+212A becomes k in lower case)', () => {
  assert.notEqual(comparableAddress('ann.\u212Aim@corp.com'), comparableAddress('ann.kim@corp.com'));
  assert.equal(comparableAddress('Ann.Kim@Corp.com'), comparableAddress('ann.kim@corp.com'));
});
