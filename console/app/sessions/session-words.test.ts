import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countText, endWords } from './session-words.ts';

const list = (count: number) => ({
  items: Array.from({ length: count }),
  total: count,
  more: null,
  isLoading: false,
});

test('countText() tells how many sessions there are, and says once what all of them share', () => {
  const here = { state: 'active', provider: 'corp' } as const;
  assert.equal(countText(list(0), here), '');
  assert.equal(countText(list(1), here), '1 session');
  assert.equal(countText(list(2), here), '2 sessions, all by corp');
  assert.equal(countText(list(2), { ...here, provider: null }), '2 sessions');
  assert.equal(countText(list(2), { ...here, state: 'ended' }), 'ended: 2 sessions, all by corp');
});

test('endWords() says why a session ended, and leaves no reason out', () => {
  assert.equal(endWords(null), 'expired');
  assert.equal(endWords('ended_by_admin'), 'ended by an admin');
  assert.equal(endWords('provider_changed'), 'provider changed');
});
