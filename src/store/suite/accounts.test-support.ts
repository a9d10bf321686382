// The suite's part on accounts, API keys and attempts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../domain/id.ts';
import {
  START,
  type OpenBench,
  addAccount,
  addShare,
  apiKeyOf,
  benchOf,
  caOf,
} from './bench.test-support.ts';

export function accountsSuite(open: OpenBench): void {
  test('accounts.usage() counts what the account has, and nothing of another', async () => {
    await using bench = await benchOf(open);
    const [one, two] = [await addAccount(bench.store), await addAccount(bench.store)];
    const before = await bench.store.accounts.usage(one);
    await addShare(bench.store, { accountId: one });
    await addShare(bench.store, { accountId: two });
    assert.deepEqual(await bench.store.accounts.usage(one), { ...before, shares: before.shares + 1 });
  });

  test('accounts.page() goes on behind a name, and findByName() finds the very name', async () => {
    await using bench = await benchOf(open);
    const { accounts } = bench.store;
    for (const name of ['beta', 'alpha', 'gamma']) await addAccount(bench.store, name);
    const named = async (after: string | null, limit: number) =>
      (await accounts.page({ after, limit })).map(({ name }) => name);
    assert.deepEqual(await named(null, 2), ['alpha', 'beta']);
    assert.deepEqual(await named('beta', 2), ['gamma']);
    assert.deepEqual(await named('gamma', 2), []);
    assert.equal((await accounts.findByName('beta'))?.name, 'beta');
    assert.equal(await accounts.findByName('bet'), null);
    assert.equal(await accounts.findByName('Beta'), null);
  });

  test('accounts.create() keeps account, admin and key together (DESIGN 2.4)', async () => {
    await using bench = await benchOf(open);
    const { accounts, apiKeys } = bench.store;
    const account = { id: newId('acc'), name: 'acme', createdAt: START, suspended: false };
    const apiKey = apiKeyOf(account.id, 'hash-1');
    await accounts.create({ account, adminEmail: 'ann@acme.com', apiKey });
    assert.deepEqual(await accounts.list(), [account]);
    const { hash, ...visible } = apiKey;
    assert.deepEqual(await apiKeys.findByHash(hash), {
      ...visible,
      start: null,
      role: 'admin',
      scope: 'full',
      expiresAt: null,
      memberId: (await bench.store.members.find(account.id, 'ann@acme.com'))?.id,
      createdBy: null,
      lastUsedAt: null,
      login: null,
      accountSuspended: false,
    });
    assert.equal(await apiKeys.findByHash('hash-2'), null);
  });

  test('accounts.create() refuses a second account of a name and leaves nothing of it', async () => {
    await using bench = await benchOf(open);
    await addAccount(bench.store, 'acme');
    const id = newId('acc');
    const second = bench.store.accounts.create({
      account: { id, name: 'acme', createdAt: START, suspended: false },
      adminEmail: 'eve@acme.com',
      apiKey: apiKeyOf(id, 'hash-of-eve'),
    });
    await assert.rejects(second, { code: 'account_exists' });
    assert.equal((await bench.store.accounts.list()).length, 1);
    assert.equal(await bench.store.apiKeys.findByHash('hash-of-eve'), null);
  });

  test('accounts.create() leaves no account when its key cannot be written', async () => {
    await using bench = await benchOf(open);
    const first = newId('acc');
    const create = (id: typeof first, name: string) =>
      bench.store.accounts.create({
        account: { id, name, createdAt: START, suspended: false },
        adminEmail: 'ann@acme.com',
        apiKey: apiKeyOf(id, 'the-same-hash'),
      });
    await create(first, 'acme');
    await assert.rejects(create(newId('acc'), 'other'), { code: 'internal' });
    assert.deepEqual(
      (await bench.store.accounts.list()).map(({ name }) => name),
      ['acme'],
    );
  });

  test('accounts.create() keeps the authority with the account, sealed, or neither (DESIGN "Issuing")', async () => {
    await using bench = await benchOf(open);
    const { accounts, cas, changes } = bench.store;
    const id = newId('acc');
    const { ca, privateKey } = caOf(id);
    const create = (name: string) =>
      accounts.create({
        account: { id, name, createdAt: START, suspended: false },
        adminEmail: 'ann@acme.com',
        apiKey: apiKeyOf(id),
        authority: { ca, privateKey },
      });
    const before = await changes.latest();
    await create('acme');
    assert.deepEqual(await cas.list(id, START), [{ ...ca, retiredAt: null }]);
    assert.equal((await cas.privateKey(id, ca.id))?.reveal(), privateKey.reveal());
    assert.deepEqual((await changes.since(before)).changes, [{ kind: 'ca', id: ca.id }]);
    const { id: other, ...rest } = caOf(newId('acc')).ca;
    assert.equal((await cas.put({ ca: { ...rest, id: other, accountId: id }, privateKey }, true)).id, ca.id);
    await assert.rejects(create('acme'), { code: 'account_exists' });
    assert.equal((await cas.all(START)).length, 1);
  });

  test('accounts.suspend() stops shares and keys, and gives them back', async () => {
    await using bench = await benchOf(open);
    const { accounts, apiKeys, changes, shares } = bench.store;
    const id = newId('acc');
    await accounts.create({
      account: { id, name: 'acme', createdAt: START, suspended: false },
      adminEmail: 'ann@acme.com',
      apiKey: apiKeyOf(id, 'hash-1'),
    });
    const share = await addShare(bench.store, { accountId: id });
    const before = await changes.latest();
    assert.equal(await accounts.suspend(id, true), true);
    assert.equal((await apiKeys.findByHash('hash-1'))?.accountSuspended, true);
    assert.deepEqual(await shares.all(), []);
    assert.equal(await shares.findById(share.id), null);
    assert.deepEqual(await shares.findByIds([share.id]), []);
    assert.deepEqual((await changes.since(before)).changes, [{ kind: 'share', id: share.id }]);
    await accounts.suspend(id, false);
    assert.deepEqual(await shares.findById(share.id), share);
    assert.equal(await accounts.suspend(newId('acc'), true), false);
  });

  test('apiKeys.touch() keeps the last use to the minute', async () => {
    await using bench = await benchOf(open);
    const { accounts, apiKeys } = bench.store;
    const id = newId('acc');
    const apiKey = apiKeyOf(id, 'hash-1');
    const account = { id, name: 'acme', createdAt: START, suspended: false };
    await accounts.create({ account, adminEmail: 'ann@acme.com', apiKey });
    const lastUse = async () => (await apiKeys.findByHash('hash-1'))?.lastUsedAt;
    await apiKeys.touch(apiKey.id, START + 5);
    assert.equal(await lastUse(), START + 5);
    await apiKeys.touch(apiKey.id, START + 6);
    assert.equal(await lastUse(), START + 5);
    await apiKeys.touch(apiKey.id, START + 60_005);
    assert.equal(await lastUse(), START + 60_005);
  });

  test('attempts.claim() uses an attempt up once under 50 parallel claims (3)', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const id = newId('att');
    const claims = Array.from({ length: 50 }, (_, index) =>
      (index % 2 === 0 ? bench.store : other).attempts.claim(id, START),
    );
    const won = (await Promise.all(claims)).filter(Boolean);
    assert.equal(won.length, 1);
    assert.equal(await bench.store.attempts.claim(newId('att'), START), true);
  });
}
