import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinPrompt } from './prompt.ts';

test('joinPrompt() names each word once, and none only alone (OpenID Connect Core 3.1.2.1)', () => {
  assert.equal(joinPrompt(), null);
  assert.equal(joinPrompt(null, ''), null);
  assert.equal(joinPrompt('login', null, 'login consent'), 'login consent');
  assert.equal(joinPrompt('none'), 'none');
  assert.equal(joinPrompt('none', 'login'), 'login');
});
