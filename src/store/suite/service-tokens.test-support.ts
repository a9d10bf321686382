// The suite's part on service tokens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountId, newId } from '../../domain/id.ts';
import type { NewServiceToken } from '../tokens/service-token.ts';
import { HOUR_MS, START, type OpenBench, addAccount, benchOf } from './bench.test-support.ts';
import { addMember, loginOf } from './people.test-support.ts';

export function serviceTokensSuite(open: OpenBench): void {
  test('serviceTokens.create() keeps a hash and the first characters, never the token; a name is given once in an account', async () => {
    await using bench = await benchOf(open);
    const { serviceTokens } = bench.store;
    const accountId = await addAccount(bench.store);
    const token = tokenOf(accountId, { start: 'dws_9fK2xA' });
    await serviceTokens.create(token, null);
    const { hash, ...visible } = token;
    const kept = { ...visible, lastUsedAt: null };
    assert.deepEqual(await serviceTokens.find(accountId, 'deploy-bot'), kept);
    assert.deepEqual(await serviceTokens.list(accountId, { after: null, limit: 9 }), [kept]);
    assert.deepEqual(await serviceTokens.list(accountId, { after: 'deploy-bot', limit: 9 }), []);
    const twice = serviceTokens.create(tokenOf(accountId, { hash: 'another' }), null);
    await assert.rejects(twice, { code: 'name_taken' });
    await serviceTokens.create(tokenOf(await addAccount(bench.store), { hash: 'elsewhere' }), null);
    const good = await serviceTokens.good({ now: START, after: null, limit: 9 });
    assert.deepEqual(good.map((each) => each.hash).toSorted(), ['elsewhere', hash].toSorted());
  });

  test('serviceTokens.find() and remove() find by name or id within the account only (THREATS "Tenancy")', async () => {
    await using bench = await benchOf(open);
    const { serviceTokens } = bench.store;
    const accountId = await addAccount(bench.store);
    const other = await addAccount(bench.store);
    const token = tokenOf(accountId);
    await serviceTokens.create(token, null);
    for (const named of [token.id, token.name]) {
      assert.equal(await serviceTokens.find(other, named), null);
      assert.equal(await serviceTokens.remove(other, named), null);
      assert.equal((await serviceTokens.find(accountId, named))?.id, token.id);
    }
    assert.deepEqual(await serviceTokens.list(other, { after: null, limit: 9 }), []);
    assert.equal((await serviceTokens.remove(accountId, token.name))?.id, token.id);
    await serviceTokens.create(token, null);
    assert.equal((await serviceTokens.remove(accountId, token.id))?.name, token.name);
    assert.equal(await serviceTokens.remove(accountId, token.id), null);
  });

  test('serviceTokens.create() and remove() tell the gateways, which are told of no expired one (3 "Gateways and store")', async () => {
    await using bench = await benchOf(open);
    const { changes, serviceTokens } = bench.store;
    const accountId = await addAccount(bench.store);
    const before = await changes.latest();
    const token = tokenOf(accountId);
    const expired = tokenOf(accountId, { name: 'old', hash: 'old', expiresAt: START });
    for (const each of [token, expired]) await serviceTokens.create(each, null);
    const { createdAt: _at, createdBy: _by, memberId: _member, ...told } = token;
    assert.deepEqual(await serviceTokens.good({ now: START, after: null, limit: 9 }), [told]);
    assert.deepEqual(await serviceTokens.good({ now: START, after: token.id, limit: 9 }), []);
    assert.deepEqual(await serviceTokens.goodAmong([token.id, expired.id], START), [told]);
    await serviceTokens.remove(accountId, token.id);
    assert.deepEqual(await serviceTokens.goodAmong([token.id], START), []);
    assert.deepEqual((await changes.since(before)).changes, [
      { kind: 'service-token', id: token.id },
      { kind: 'service-token', id: expired.id },
      { kind: 'service-token', id: token.id },
    ]);
  });

  test('serviceTokens.seen() keeps the last use to the minute, and never an earlier one', async () => {
    await using bench = await benchOf(open);
    const { serviceTokens } = bench.store;
    const accountId = await addAccount(bench.store);
    const token = tokenOf(accountId);
    await serviceTokens.create(token, null);
    const lastUse = async () => (await serviceTokens.find(accountId, token.id))?.lastUsedAt;
    await serviceTokens.seen([{ id: token.id, at: START + 5 }]);
    await serviceTokens.seen([{ id: token.id, at: START + 6 }]);
    assert.equal(await lastUse(), START + 5);
    await serviceTokens.seen([
      { id: newId('tok'), at: START },
      { id: token.id, at: START + 60_005 },
    ]);
    await serviceTokens.seen([{ id: token.id, at: START }]);
    assert.equal(await lastUse(), START + 60_005);
  });

  test('serviceTokens.create() makes no more than the account may have, whoever makes them at once', async () => {
    await using bench = await benchOf(open);
    const stores = [bench.store, await bench.again()];
    const accountId = await addAccount(bench.store);
    const made = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        stores[index % 2]?.serviceTokens.create(
          tokenOf(accountId, { name: `t${index}`, hash: `h${index}` }),
          null,
          2,
        ),
      ),
    );
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 2);
    for (const each of made) if (each.status === 'rejected') assert.equal(each.reason.code, 'limit_reached');
  });

  test('serviceTokens.ofLogins() finds those that came from a login at a provider of the account (THREATS "Session and cookie")', async () => {
    await using bench = await benchOf(open);
    const { serviceTokens } = bench.store;
    const accountId = await addAccount(bench.store);
    const login = { provider: 'corp', generation: 'first', emailVerified: true };
    const ofLogin = tokenOf(accountId, { login });
    const over = tokenOf(accountId, { name: 'over', login, expiresAt: START });
    for (const token of [ofLogin, over, tokenOf(accountId, { name: 'of-nobody' })])
      await serviceTokens.create(token, null);
    const found = await serviceTokens.ofLogins('all', START);
    assert.deepEqual(
      found.map((token) => [token.id, token.login]),
      [[ofLogin.id, login]],
    );
    assert.deepEqual(await serviceTokens.ofLogins(['other'], START), []);
  });

  test('a member takes their service tokens along, and a new login those of the one before; who was deleted makes none', async () => {
    await using bench = await benchOf(open);
    const { consoleSessions, members, serviceTokens } = bench.store;
    const accountId = await addAccount(bench.store);
    await addMember(bench.store, { accountId, email: 'boss@acme.com', role: 'admin' });
    const bob = await addMember(bench.store, { accountId, email: 'bob@acme.com' });
    await consoleSessions.begin(loginOf('boss@acme.com'));
    const login = { provider: 'corp', generation: 'first', emailVerified: true };
    const his = tokenOf(accountId, { name: 'his', memberId: bob.id });
    const ofLogin = tokenOf(accountId, { name: 'of-login', memberId: bob.id, login });
    for (const token of [his, ofLogin]) await serviceTokens.create(token, { keyId: null });
    const entry = await consoleSessions.begin(loginOf('bob@acme.com', { hash: 'bobs' }));
    assert.deepEqual(entry.kind === 'member' ? entry.endedTokens : entry, ['of-login']);
    assert.equal((await serviceTokens.find(accountId, 'his'))?.memberId, bob.id);
    const before = await bench.store.changes.latest();
    await members.remove(accountId, bob.id);
    assert.equal(await serviceTokens.find(accountId, 'his'), null);
    const { changes } = await bench.store.changes.since(before);
    assert.ok(changes.some(({ kind, id }) => kind === 'service-token' && id === his.id));
    const late = tokenOf(accountId, { name: 'late', memberId: bob.id });
    assert.deepEqual(await serviceTokens.idsOfMembers([bob.id]), []);
    await assert.rejects(serviceTokens.create(late, { keyId: null }), { code: 'not_allowed' });
  });

  test('a token whose member a version before removed without it counts no more', async () => {
    await using bench = await benchOf(open);
    const { consoleSessions, serviceTokens } = bench.store;
    const accountId = await addAccount(bench.store);
    const bob = await addMember(bench.store, { accountId, email: 'bob@acme.com' });
    await consoleSessions.begin(loginOf('bob@acme.com', { hash: 'bobs' }));
    const login = { provider: 'corp', generation: 'first', emailVerified: true };
    const token = tokenOf(accountId, { memberId: bob.id, login });
    await serviceTokens.create(token, null);
    const counting = async () => [
      (await serviceTokens.good({ now: START, after: null, limit: 9 })).length,
      (await serviceTokens.goodAmong([token.id], START)).length,
      (await serviceTokens.ofLogins('all', START)).length,
    ];
    assert.deepEqual(await counting(), [1, 1, 1]);
    for (const table of ['console_sessions', 'invitations'])
      await bench.raw(`DELETE FROM ${table} WHERE member_id = '${bob.id}'`);
    await bench.raw(`DELETE FROM members WHERE id = '${bob.id}'`);
    assert.deepEqual(await counting(), [0, 0, 0]);
    assert.deepEqual(await serviceTokens.idsOfMembers([bob.id]), [token.id]);
    // An admin sees that it is there, and can delete it.
    assert.equal((await serviceTokens.remove(accountId, token.name))?.id, token.id);
  });
}

function tokenOf(accountId: AccountId, over: Partial<NewServiceToken> = {}): NewServiceToken {
  return {
    id: newId('tok'),
    accountId,
    name: 'deploy-bot',
    hash: newId('tok'),
    shareIds: [newId('shr'), newId('shr')],
    createdAt: START,
    createdBy: 'operator',
    expiresAt: START + HOUR_MS,
    memberId: null,
    login: null,
    ...over,
  };
}
