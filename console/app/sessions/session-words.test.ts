import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countText, endWords } from './session-words.ts';

const [ann, again, bob] = ['ann@corp.com', 'Ann@Corp.com', 'bob@corp.com'].map((email) => ({ email }));

test('countText() counts sessions and the people that they are of', () => {
  const here = { hasMore: false, state: 'active' } as const;
  assert.equal(countText([], here), '');
  assert.equal(countText([ann!], here), '1 session of one person');
  assert.equal(countText([ann!, again!], here), '2 sessions of one person');
  assert.equal(countText([ann!, bob!], { ...here, hasMore: true }), 'more than 2 sessions of 2 people');
  assert.equal(countText([ann!, bob!], { ...here, state: 'ended' }), 'ended: 2 sessions of 2 people');
});

test('endWords() says why a session ended, and leaves no reason out', () => {
  assert.equal(endWords(null), 'expired');
  assert.equal(endWords('ended_by_admin'), 'ended by an admin');
  assert.equal(endWords('provider_changed'), 'provider changed');
});
