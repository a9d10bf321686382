import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPassphrase } from './passphrase.ts';

test('newPassphrase() uses each of its 32 characters, and never the same twice', () => {
  const many = Array.from({ length: 200 }, newPassphrase);
  for (const passphrase of many) assert.match(passphrase, /^[a-km-np-z2-9]{4}(?:-[a-km-np-z2-9]{4}){4}$/);
  assert.equal(new Set(many).size, many.length);
  // 4,000 draws of 32: that one is missing has a probability of about 10^-53.
  assert.equal(new Set(many.join('').replaceAll('-', '')).size, 32);
});
