// The suite's part on sessions of API keys at the control plane.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiKeyId } from '../../domain/id.ts';
import type { NewKeySession } from '../people/console-session.ts';
import { keyOf } from './api-keys.test-support.ts';
import { HOUR_MS, START, type OpenBench, addAccount, benchOf } from './bench.test-support.ts';
import { addMember, loginOf, memberOf } from './people.test-support.ts';

export function keySessionsSuite(open: OpenBench): void {
  test('consoleSessions.beginWithKey() is the key’s as it is now, and is over when the key is', async () => {
    await using bench = await benchOf(open);
    const { accounts, apiKeys, consoleSessions } = bench.store;
    const accountId = await addAccount(bench.store, 'acme');
    const key = keyOf(accountId, { expiresAt: START + HOUR_MS });
    await apiKeys.create(key, null);
    await consoleSessions.beginWithKey(begin(key.id, { expiresAt: START + 12 * HOUR_MS }));
    const { hash: _hash, ...visible } = key;
    const kept = { ...visible, start: null, login: null, lastUsedAt: null };
    assert.deepEqual(await consoleSessions.find('one'), {
      kind: 'key',
      key: { ...kept, accountSuspended: false },
      accountName: 'acme',
      expiresAt: START + HOUR_MS,
    });
    await accounts.suspend(accountId, true);
    assert.equal(await suspendedNow(), true);
    await accounts.suspend(accountId, false);
    bench.clock.time = START + HOUR_MS;
    assert.equal(await consoleSessions.find('one'), null);
    bench.clock.time = START;
    await apiKeys.remove(accountId, key.id);
    assert.equal(await consoleSessions.find('one'), null);
    await assert.rejects(consoleSessions.beginWithKey(begin(key.id, { hash: 'late' })), {
      code: 'api_key_invalid',
    });

    async function suspendedNow(): Promise<boolean | null> {
      const session = await consoleSessions.find('one');
      return session?.kind === 'key' ? session.key.accountSuspended : null;
    }
  });

  test('consoleSessions.beginWithKey() goes with the key’s member, and is never more than the member', async () => {
    await using bench = await benchOf(open);
    const { apiKeys, consoleSessions, members } = bench.store;
    const accountId = await addAccount(bench.store);
    await addMember(bench.store, { accountId, email: 'bob@acme.com', role: 'admin' });
    await consoleSessions.begin(loginOf('bob@acme.com', { hash: 'bobs' }));
    const { id: memberId } = await memberOf(bench.store, accountId, 'bob@acme.com');
    const key = keyOf(accountId, { memberId });
    await apiKeys.create(key, null);
    // The browser's former session is over, of whatever kind it was.
    await consoleSessions.beginWithKey(begin(key.id, { replaces: 'bobs' }));
    assert.equal(await consoleSessions.find('bobs'), null);
    await members.changeRole(accountId, memberId, 'member');
    const session = await consoleSessions.find('one');
    assert.equal(session?.kind === 'key' && session.key.role, 'member');
    await members.remove(accountId, memberId);
    assert.equal(await consoleSessions.find('one'), null);
  });

  test('consoleSessions.beginWithKey() ends by itself, by logging out, and by the sweep', async () => {
    await using bench = await benchOf(open);
    const { apiKeys, consoleSessions, sweep } = bench.store;
    const accountId = await addAccount(bench.store);
    const key = keyOf(accountId);
    await apiKeys.create(key, null);
    await consoleSessions.beginWithKey(begin(key.id));
    await consoleSessions.end('one');
    assert.equal(await consoleSessions.find('one'), null);
    await consoleSessions.beginWithKey(begin(key.id));
    bench.clock.time = START + HOUR_MS;
    assert.equal(await consoleSessions.find('one'), null);
    await sweep(START + HOUR_MS + 1);
    bench.clock.time = START;
    assert.equal(await consoleSessions.find('one'), null);
  });
}

function begin(keyId: ApiKeyId, over: Partial<NewKeySession> = {}): NewKeySession {
  return {
    keyId,
    hash: 'one',
    createdAt: START,
    expiresAt: START + HOUR_MS,
    ip: '192.0.2.1',
    replaces: null,
    ...over,
  };
}
