// The suite's part on API keys that members make.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../../domain/id.ts';
import { newId } from '../../domain/id.ts';
import type { LimitedApiKey } from '../people/people.ts';
import { HOUR_MS, START, type OpenBench, addAccount, benchOf } from './bench.test-support.ts';
import { addMember, loginOf, memberOf } from './people.test-support.ts';

export function apiKeysSuite(open: OpenBench): void {
  test('apiKeys.create() keeps role, scope, end and first characters; a name is given once in an account', async () => {
    await using bench = await benchOf(open);
    const { apiKeys } = bench.store;
    const accountId = await addAccount(bench.store);
    const key = keyOf(accountId, { start: 'dw_9fK2xA', expiresAt: START + HOUR_MS, createdBy: 'operator' });
    await apiKeys.create(key, null);
    const { hash, ...visible } = key;
    const kept = { ...visible, login: null, lastUsedAt: null };
    assert.deepEqual(await apiKeys.findByHash(hash), { ...kept, accountSuspended: false });
    const names = (await apiKeys.list(accountId, { after: null, limit: 9 })).rows.map(({ name }) => name);
    assert.deepEqual(names, ['ci', 'first']);
    assert.deepEqual(await apiKeys.list(accountId, { after: ['bx'], limit: 1 }), {
      rows: [kept],
      next: ['ci'],
    });
    const twice = apiKeys.create(keyOf(accountId, { hash: 'another' }), null);
    await assert.rejects(twice, { code: 'name_taken' });
    assert.equal((await apiKeys.find(accountId, 'first'))?.start, null, 'none was said');
    await apiKeys.create(keyOf(await addAccount(bench.store), { hash: 'elsewhere' }), null);
  });

  test('apiKeys.create() keeps the login that a key came from (RFC 8628)', async () => {
    await using bench = await benchOf(open);
    const { apiKeys } = bench.store;
    const accountId = await addAccount(bench.store);
    for (const emailVerified of [true, false]) {
      const login = { provider: 'corp', generation: 'first', emailVerified };
      const name = `of-${emailVerified}`;
      await apiKeys.create(keyOf(accountId, { name, hash: name, login }), null);
      assert.deepEqual((await apiKeys.findByHash(name))?.login, login);
    }
  });

  test('apiKeys.remove() finds by name or id within the account only (THREATS "Tenancy")', async () => {
    await using bench = await benchOf(open);
    const { apiKeys } = bench.store;
    const accountId = await addAccount(bench.store);
    const other = await addAccount(bench.store);
    const key = keyOf(accountId);
    await apiKeys.create(key, null);
    for (const named of [key.id, key.name]) {
      assert.equal(await apiKeys.find(other, named), null);
      assert.equal(await apiKeys.remove(other, named), null);
      assert.equal((await apiKeys.find(accountId, named))?.id, key.id);
    }
    assert.notEqual(await apiKeys.findByHash(key.hash), null);
    assert.equal((await apiKeys.remove(accountId, key.name))?.id, key.id);
    assert.equal(await apiKeys.findByHash(key.hash), null);
    await apiKeys.create(key, null);
    assert.equal((await apiKeys.remove(accountId, key.id))?.name, key.name);
    assert.equal(await apiKeys.remove(accountId, key.id), null);
  });

  test('apiKeys.remove() and members.remove() tell the gateways of each key that is gone (3 Tunnel)', async () => {
    await using bench = await benchOf(open);
    const { apiKeys, changes, members } = bench.store;
    const accountId = await addAccount(bench.store);
    const bob = await addMember(bench.store, { accountId, email: 'bob@acme.com' });
    const own = keyOf(accountId);
    const bobs = keyOf(accountId, { name: 'bobs', hash: 'bobs', memberId: bob.id, scope: 'tunnel' });
    const reader = keyOf(accountId, { name: 'reader', hash: 'reader', scope: 'read' });
    for (const key of [own, bobs, reader]) await apiKeys.create(key, null);
    const all = [own.id, bobs.id, reader.id];
    assert.deepEqual((await apiKeys.serving(all)).toSorted(), [own.id, bobs.id].toSorted());
    const before = await changes.latest();
    await apiKeys.remove(accountId, own.name);
    await members.remove(accountId, bob.id);
    assert.deepEqual((await changes.since(before)).changes, [
      { kind: 'api-key', id: own.id },
      { kind: 'api-key', id: bobs.id },
      // Tunnels of certificates that they allowed end, too.
      { kind: 'member', id: bob.id },
    ]);
    assert.deepEqual(await apiKeys.serving(all), []);
    assert.deepEqual(await apiKeys.serving([]), []);
  });

  test('apiKeys.remove() leaves somebody who can act for the account, whoever deletes at once', async () => {
    await using bench = await benchOf(open);
    const { consoleSessions, members } = bench.store;
    const stores = [bench.store, await bench.again()];
    for (let round = 0; round < 4; round++) {
      const accountId = await addAccount(bench.store);
      await bench.store.apiKeys.create(keyOf(accountId, { hash: `second ${round}` }), null);
      const weak = [
        { name: 'reader', scope: 'read' },
        { name: 'plain', role: 'member' },
        { name: 'expired', expiresAt: START - 1 },
      ] as const;
      for (const less of weak)
        await bench.store.apiKeys.create(keyOf(accountId, { ...less, hash: `${less.name} ${round}` }), null);
      const ended = await Promise.allSettled(
        ['ci', 'first'].map((name, index) => stores[index]?.apiKeys.remove(accountId, name)),
      );
      assert.deepEqual(ended.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
      const refused = ended.find((one) => one.status === 'rejected');
      assert.equal((refused?.reason as { code: string } | undefined)?.code, 'last_admin');
      for (const { name } of weak) assert.ok(await bench.store.apiKeys.remove(accountId, name));
      const left = await bench.store.apiKeys.list(accountId, { after: null, limit: 9 });
      assert.equal(left.rows.length, 1);
    }
    const accountId = await addAccount(bench.store);
    await addMember(bench.store, { accountId, email: 'boss@acme.com', role: 'admin' });
    await assert.rejects(bench.store.apiKeys.remove(accountId, 'first'), { code: 'last_admin' });
    await consoleSessions.begin(loginOf('boss@acme.com'));
    assert.ok(await bench.store.apiKeys.remove(accountId, 'first'), 'an admin who logged in can act');
    assert.equal((await members.list(accountId, { after: null, limit: 9 })).rows.length, 2);
  });

  test('apiKeys.findByHash() gives a key no more than its member is by now', async () => {
    await using bench = await benchOf(open);
    const { apiKeys, consoleSessions, members } = bench.store;
    const accountId = await addAccount(bench.store);
    await addMember(bench.store, { accountId, email: 'bob@acme.com', role: 'admin' });
    await consoleSessions.begin(loginOf('bob@acme.com'));
    const { id: memberId } = await memberOf(bench.store, accountId, 'bob@acme.com');
    await apiKeys.create(keyOf(accountId, { memberId }), null);
    await apiKeys.create(keyOf(accountId, { memberId, name: 'less', hash: 'less', role: 'member' }), null);
    const roles = async () => [
      (await apiKeys.findByHash('hash'))?.role,
      (await apiKeys.findByHash('less'))?.role,
    ];
    assert.deepEqual(await roles(), ['admin', 'member']);
    await members.changeRole(accountId, memberId, 'member');
    assert.deepEqual(await roles(), ['member', 'member']);
  });

  test('members.changeRole() to auditor: their keys serve no tunnels any more, and gateways are told of each', async () => {
    await using bench = await benchOf(open);
    const { apiKeys, changes, members } = bench.store;
    const accountId = await addAccount(bench.store);
    const bob = await addMember(bench.store, { accountId, email: 'bob@acme.com' });
    const full = keyOf(accountId, { memberId: bob.id });
    const tunnel = keyOf(accountId, { memberId: bob.id, name: 'agent', hash: 'agent', scope: 'tunnel' });
    for (const key of [full, tunnel]) await apiKeys.create(key, null);
    assert.equal((await apiKeys.serving([full.id, tunnel.id])).length, 2);
    const before = await changes.latest();
    assert.equal((await members.changeRole(accountId, bob.id, 'auditor'))?.role, 'auditor');
    const told = (await changes.since(before)).changes.map(({ id }) => id).toSorted();
    assert.deepEqual(told, [full.id, tunnel.id, bob.id].toSorted());
    assert.deepEqual(await apiKeys.serving([full.id, tunnel.id]), []);
    const rights = async (hash: string) => {
      const key = await apiKeys.findByHash(hash);
      return [key?.role, key?.scope];
    };
    assert.deepEqual(await rights(full.hash), ['auditor', 'read']);
    assert.deepEqual(await rights('agent'), ['auditor', 'tunnel']);
    await members.changeRole(accountId, bob.id, 'member');
    assert.equal((await apiKeys.serving([full.id, tunnel.id])).length, 2);
  });

  test('apiKeys.create() makes none for who is deleted at that moment', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const accountId = await addAccount(bench.store);
    const maker = keyOf(accountId, { name: 'maker', hash: 'maker' });
    await bench.store.apiKeys.create(maker, null);
    await bench.store.apiKeys.remove(accountId, 'maker');
    const late = bench.store.apiKeys.create(keyOf(accountId), { keyId: maker.id });
    await assert.rejects(late, { code: 'not_allowed' });
    for (let round = 0; round < 10; round++) {
      const member = await addMember(bench.store, { accountId, email: `bob${round}@acme.com` });
      const key = keyOf(accountId, { memberId: member.id, name: `k${round}`, hash: `h${round}` });
      const [, made] = await Promise.allSettled([
        other.members.remove(accountId, member.id),
        bench.store.apiKeys.create(key, { keyId: null }),
      ]);
      if (made.status === 'rejected') assert.equal(made.reason.code, 'not_allowed');
      assert.equal(await bench.store.apiKeys.findByHash(key.hash), null);
    }
  });
}

export function keyOf(accountId: AccountId, over: Partial<LimitedApiKey> = {}): LimitedApiKey {
  return {
    id: newId('key'),
    accountId,
    name: 'ci',
    hash: 'hash',
    createdAt: START,
    role: 'admin',
    scope: 'full',
    expiresAt: null,
    memberId: null,
    createdBy: null,
    ...over,
  };
}
