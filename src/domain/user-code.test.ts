import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatUserCode, newUserCode, parseUserCode } from './user-code.ts';

test('newUserCode() draws every letter alike, and no two codes (RFC 8628 section 6.1)', () => {
  const codes = Array.from({ length: 5_000 }, newUserCode);
  assert.equal(new Set(codes).size, codes.length);
  const counts = new Map<string, number>();
  for (const letter of codes.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  assert.equal(counts.size, 20);
  for (const [letter, count] of counts) assert.ok(count > 1_700 && count < 2_300, `${letter}: ${count}`);
});

test('parseUserCode() takes what people type: any case, with and without dashes and blanks', () => {
  const code = newUserCode();
  for (const typed of [code, formatUserCode(code), ` ${formatUserCode(code).toLowerCase()} `])
    assert.equal(parseUserCode(typed), code);
  for (const none of ['', 'BCDF', `${code}B`, 'AEIO-UAEI', 'BCDF-GHJ0', 'BCDF_GHJK'])
    assert.equal(parseUserCode(none), null, none);
});
