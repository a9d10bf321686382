import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseEmailAddress } from './email-address.ts';

const GOOD = [
  'a@corp.com',
  'A.B+tag@Corp.COM',
  "o'brien@example.com",
  'a@localhost',
  'x!#$%&*/=?^_`{|}~-@example.com',
  `${'a'.repeat(242)}@example.com`,
];
for (const text of GOOD) {
  test(`parseEmailAddress() takes ${text.slice(0, 30)} as given (DESIGN 3 Email)`, () => {
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

  'ä@corp.com',
  'a@cörp.com',
  'a@corp.com\u200b',
  'a＠corp.com',
  '\x7fa@corp.com',
  `${'a'.repeat(243)}@example.com`,
];
for (const text of BAD) {
  test(`parseEmailAddress() refuses ${JSON.stringify(text.slice(0, 30))} (DESIGN 3 Email)`, () => {
    assert.equal(parseEmailAddress(text), null);
  });
}

test('parseEmailAddress() takes nothing that could end a header or be split in two (DESIGN 3 Email)', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary-ascii' }), (local, domain) => {
      const email = parseEmailAddress(`${local}@${domain}`);
      if (email === null) return;
      assert.match(email, /^[\x21-\x7e]+$/);
      assert.equal(email.split('@').length, 2);
      assert.doesNotMatch(email, /[",]/);
    }),
  );
});
