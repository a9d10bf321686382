import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestStore } from '../../../test/support/store.ts';
import { DEFAULT_LIMITS } from '../../domain/account-limits.ts';
import { newId } from '../../domain/id.ts';
import { addShare } from '../../store/suite/bench.test-support.ts';
import { createAccount } from './create.ts';
import { accountView } from './show.ts';

test('accountView() tells how much of each limit an account uses, of no other account, and which gateways live', async () => {
  await using store = await openTestStore();
  const now = Date.now();
  const { account } = await createAccount(store, { name: 'acme', adminEmail: 'ann@acme.test', now });
  const { account: other } = await createAccount(store, { name: 'other', adminEmail: 'bob@other.test', now });
  for (const name of ['a', 'b']) await addShare(store, { accountId: account.id, name });
  await addShare(store, { accountId: other.id, name: 'c' });
  const gateway = {
    id: newId('gtw'),
    tunnelUrl: 'https://t.test',
    workers: 2,
    version: '1.2.3',
    startedAt: now,
  };
  await store.gateways.beat(gateway, 60_000);
  const shown = await accountView(store, account, { ...DEFAULT_LIMITS, shares: 5 });
  const used = new Map(shown.limits.map(({ limit, used: count, allowed }) => [limit, [count, allowed]]));
  assert.deepEqual(used.get('shares'), [2, 5]);
  assert.deepEqual(used.get('members')?.[0], 1);
  assert.deepEqual(used.get('apiKeys')?.[0], 1);
  assert.deepEqual(used.get('hosts')?.[0], 0);
  assert.deepEqual(
    shown.gateways.map(({ version, workers }) => [version, workers]),
    [['1.2.3', 2]],
  );
  assert.ok(!JSON.stringify(shown).includes('ann@acme.test'), 'how much, and nothing of it');
});
