import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalText } from './total-text.ts';

const three = { items: [1, 2, 3], total: null, more: null, isLoading: false };
const share = { one: 'share' };

test('totalText() tells how many there are, and no more than was counted', () => {
  assert.equal(totalText({ ...three, items: [] }, share), '');
  assert.equal(totalText({ ...three, isLoading: true }, share), '');
  assert.equal(totalText({ ...three, items: [1] }, share), '1 share');
  assert.equal(totalText(three, share), '3 shares');
  assert.equal(totalText({ ...three, more: () => null }, share), '3+ shares');
  assert.equal(totalText({ ...three, more: () => null, total: 1_000 }, share), '1,000 shares');
  assert.equal(totalText({ ...three, more: () => null, total: 1_001 }, share), '1,000+ shares');
});
