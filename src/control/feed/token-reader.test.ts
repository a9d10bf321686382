import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAccount, openTestStore } from '../../../test/support/store.ts';
import { newId } from '../../domain/id.ts';
import { createTokenReader } from './token-reader.ts';

test('createTokenReader() tells that a removed member’s tokens are gone, also where only the member was told of (DESIGN "Service tokens")', async () => {
  const store = await openTestStore();
  const reader = createTokenReader({ store, wallNow: Date.now, providerRef: () => null });
  const accountId = await addAccount(store);
  const memberId = newId('mem');
  const token = {
    id: newId('tok'),
    accountId,
    name: 'left',
    hash: 'left',
    shareIds: [],
    createdAt: Date.now(),
    createdBy: `member:${memberId}`,
    expiresAt: Date.now() + 3_600_000,
    memberId,
    login: null,
  } as const;
  await store.serviceTokens.create(token, null);
  assert.deepEqual((await reader.all()).tokens, []);
  assert.deepEqual(await reader.news([{ kind: 'member', id: memberId }]), {
    reset: false,
    tokens: [],
    gone: [token.id],
  });
  assert.equal(await reader.news([{ kind: 'member', id: newId('mem') }]), null);
  await store.close();
});
