import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SHARE } from '../../test/support/decision-rows.ts';
import { newId } from '../domain/id.ts';
import type { ServiceToken } from '../domain/service-token.ts';
import { createServiceTokens } from './service-tokens.ts';
import { tokenCounts } from './token-judge.ts';

const TOKEN: ServiceToken = {
  id: newId('tok'),
  accountId: SHARE.accountId,
  name: 'deploy-bot',
  hash: 'hash',
  shareIds: [newId('shr'), SHARE.id],
  expiresAt: 1_000,
};

test('tokenCounts() asks for account, share and time, all of them (DESIGN "Service tokens")', () => {
  assert.equal(tokenCounts(TOKEN, SHARE, 999), true);
  assert.equal(tokenCounts(TOKEN, SHARE, 1_000), false);
  assert.equal(tokenCounts(TOKEN, SHARE, Number.NaN), false);
  assert.equal(tokenCounts({ ...TOKEN, shareIds: [newId('shr')] }, SHARE, 999), false);
  assert.equal(tokenCounts({ ...TOKEN, accountId: newId('acc') }, SHARE, 999), false);
});

test('createServiceTokens() finds by hash and id until it is told otherwise (DESIGN "Service tokens")', () => {
  const tokens = createServiceTokens({ reset: true, tokens: [TOKEN], gone: [] });
  assert.equal(tokens.findByHash('hash'), TOKEN);
  tokens.tell({ reset: false, tokens: [], gone: [newId('tok')] });
  assert.equal(tokens.findById(TOKEN.id), TOKEN);
  // Expired ones need not be told to a worker that starts later.
  assert.deepEqual(tokens.all().tokens, []);
  const later = { ...TOKEN, hash: 'other', expiresAt: Infinity };
  tokens.tell({ reset: false, tokens: [later], gone: [] });
  assert.deepEqual([tokens.findByHash('hash'), tokens.findByHash('other')], [undefined, later]);
  assert.deepEqual(tokens.all().tokens, [later]);
  tokens.tell({ reset: false, tokens: [], gone: [TOKEN.id] });
  assert.deepEqual([tokens.findByHash('other'), tokens.findById(TOKEN.id)], [undefined, undefined]);
  tokens.tell({ reset: false, tokens: [TOKEN], gone: [] });
  tokens.tell({ reset: true, tokens: [], gone: [] });
  assert.equal(tokens.findByHash('hash'), undefined);
});
