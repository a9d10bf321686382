// The suite's part on shares and their names (contract 2.3, DESIGN 2.3).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountId, newId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { FoundShares, ShareFilter, ShareRow } from '../shares/share.ts';
import {
  START,
  type OpenBench,
  addAccount,
  addSession,
  addShare,
  benchOf,
  settingsAt,
  shareOf,
} from './bench.test-support.ts';

export function sharesSuite(open: OpenBench): void {
  test('shares.create() keeps every field (2.3)', async () => {
    await using bench = await benchOf(open);
    const { shares } = bench.store;
    const full = await addShare(bench.store);
    const bare = await addShare(bench.store, {
      enabled: false,
      oauthProvider: null,
      oauthEmailAddressPatterns: [],
      oauthCheckIntervalMs: null,
      clientCertificate: null,
      access: 'all',
      allowOrigins: [],
      identity: [],
      hostHeader: null,
      owner: null,
      description: null,
      icon: null,
      listed: true,
    });
    for (const share of [full, bare]) {
      assert.deepEqual(await shares.find(share.accountId, share.name), share);
      assert.deepEqual(await shares.findById(share.id), share);
    }
    assert.deepEqual(new Set((await shares.all()).map(({ id }) => id)), new Set([full.id, bare.id]));
  });

  test('shares.create() keeps one behind a proxy, which has no target whatever its column says (DESIGN "Forward-auth")', async () => {
    await using bench = await benchOf(open);
    const { shares } = bench.store;
    const share = await addShare(bench.store, { behind: true, target: null });
    assert.deepEqual(await shares.findById(share.id), share);
    // A version that does not know such shares can give it a target, which is none here.
    const { accountId, id } = share;
    const target = 'http://127.0.0.1:3000';
    const changed = { accountId, id, settings: () => ({ target }), at: START };
    await shares.modify(changed);
    assert.equal((await shares.findById(id))?.target, null);
    await shares.modify({ ...changed, settings: () => ({ target, behind: false }) });
    assert.deepEqual(await shares.findById(id).then((found) => [found?.target, found?.behind]), [
      target,
      false,
    ]);
  });

  test('shares.count() counts one account’s, and those that are enabled', async () => {
    await using bench = await benchOf(open);
    const { shares } = bench.store;
    const { accountId } = await addShare(bench.store);
    await addShare(bench.store, { accountId, enabled: false });
    await addShare(bench.store);
    assert.deepEqual(await shares.count(accountId), { total: 2, enabled: 1 });
    assert.deepEqual(await shares.count(await addAccount(bench.store)), { total: 0, enabled: 0 });
  });

  test('shares.find() does not see another account’s share', async () => {
    await using bench = await benchOf(open);
    const share = await addShare(bench.store);
    const other = await addAccount(bench.store);
    const { shares } = bench.store;
    assert.equal(await shares.find(other, share.name), null);
    assert.deepEqual(await shares.list(other, { after: null, limit: 10 }), { shares: [], next: null });
    const change = { id: share.id, settings: () => ({ enabled: false }), at: START };
    assert.equal(await shares.modify({ accountId: other, ...change }), null);
    assert.equal(await shares.remove(other, share.id), false);
    assert.deepEqual(await shares.findById(share.id), share);
    assert.deepEqual(await shares.findByIds([newId('shr'), share.id]), [share]);
  });

  test('shares keep their rules, and are found by each provider that those name (DESIGN "Rules")', async () => {
    await using bench = await benchOf(open);
    const { shares } = bench.store;
    const share = await addShare(bench.store, {
      oauthProvider: null,
      clientCertificate: { subject: 'build-*', unit: null },
      allowAddresses: ['10.0.0.0/8'],
      rules: [{ allow: { providers: ['other', 'third'], max_age: '1h' } }, { deny: { groups: ['x'] } }],
    });
    assert.deepEqual(await shares.findById(share.id), share);
    assert.deepEqual(
      await shares.countByProvider(share.accountId),
      new Map([
        ['other', 1],
        ['third', 1],
      ]),
    );
    for (const [provider, found] of [
      ['third', 1],
      ['thir', 0],
      ['t%', 0],
    ] as const) {
      const filter = { text: null, provider, state: null, now: START };
      const page = await shares.list(share.accountId, { after: null, limit: 10, filter });
      assert.equal(page.shares.length, found, provider);
    }
  });

  test('shares keep a login at several providers, and are counted and found by each (DESIGN "Rules")', async () => {
    await using bench = await benchOf(open);
    const { shares } = bench.store;
    const share = await addShare(bench.store, { oauthProvider: ['corp', 'other'] });
    const { accountId } = share;
    assert.deepEqual(await shares.findById(share.id), share);
    const one = await addShare(bench.store, { accountId, oauthProvider: 'corp' });
    const counts = async () => new Map(await shares.countByProvider(accountId));
    assert.deepEqual(
      await counts(),
      new Map([
        ['corp', 2],
        ['other', 1],
      ]),
    );
    const filter = { text: null, provider: 'other', state: null, now: START };
    const page = await shares.list(accountId, { after: null, limit: 10, filter });
    assert.deepEqual(page.shares, [share]);
    const text = { ...filter, provider: null, text: 'othe' };
    assert.equal((await shares.list(accountId, { after: null, limit: 10, filter: text })).shares.length, 1);
    const after = await shares.modify({
      ...one,
      settings: () => ({ oauthProvider: ['x', 'corp'] }),
      at: START,
    });
    assert.deepEqual((await shares.findById(one.id))?.oauthProvider, after?.oauthProvider);
    assert.equal((await counts()).get('x'), 1);
    await shares.modify({ ...one, settings: () => ({ oauthProvider: 'corp' }), at: START });
    assert.equal((await shares.findById(one.id))?.oauthProvider, 'corp');
    assert.equal((await counts()).get('x'), undefined);
  });

  test('shares.create() refuses a name that is taken, by the same account too', async () => {
    await using bench = await benchOf(open);
    const share = await addShare(bench.store, { name: 'demo' });
    const again = bench.store.shares.create(shareOf(share.accountId, { name: 'demo' }));
    await assert.rejects(again, { code: 'name_taken' });
    await assert.rejects(addShare(bench.store, { name: 'demo' }), { code: 'name_taken' });
    assert.deepEqual(await bench.store.shares.findById(share.id), share);
  });

  test('shares.create() never passes a name to another account, even after deletion (DESIGN 2.3)', async () => {
    await using bench = await benchOf(open);
    const { shares } = bench.store;
    const share = await addShare(bench.store, { name: 'demo' });
    assert.equal(await shares.remove(share.accountId, share.id), true);
    await bench.store.sweep(START + 10 ** 10);
    await assert.rejects(addShare(bench.store, { name: 'demo' }), { code: 'name_taken' });
    const back = await addShare(bench.store, { name: 'demo', accountId: share.accountId });
    assert.deepEqual(await shares.find(share.accountId, 'demo'), back);
  });

  test('shares.create() gives a name to one of many that ask at once', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const owners = await Promise.all(Array.from({ length: 8 }, () => addAccount(bench.store)));
    const answers = await Promise.allSettled(
      owners.map((owner, index) =>
        (index % 2 === 0 ? bench.store : other).shares.create(shareOf(owner, { name: 'demo' })),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  test('shares.list() pages by name', async () => {
    await using bench = await benchOf(open);
    const accountId = await addAccount(bench.store);
    for (const name of ['c', 'a', 'b']) await addShare(bench.store, { accountId, name });
    const page = async (after: FoundShares['next']) => {
      const { shares, next } = await bench.store.shares.list(accountId, { after, limit: 2 });
      return [shares.map(({ name }) => name).join(' '), next];
    };
    assert.deepEqual(await page(null), ['a b', ['b']]);
    assert.deepEqual(await page(['b']), ['c', null]);
    assert.deepEqual(await page(['c']), ['', null]);
  });

  test('shares.list() finds by part of name, target or provider, by provider and by state', async () => {
    await using bench = await benchOf(open);
    const accountId = await addAccount(bench.store);
    const add = (name: string, settings: Partial<ShareRow>) =>
      addShare(bench.store, { accountId, name, ...settings });
    const none = { oauthProvider: null, clientCertificate: null };
    await add('wiki', { oauthProvider: 'google', target: 'http://10.0.0.1:80' });
    await add('wiki-old', { ...none, enabled: false, target: 'http://10.0.0.2:80' });
    await add('docs', { ...none, target: 'http://WIKI.internal:80' });
    await add('machines', { ...none, clientCertificate: { subject: null, unit: null } });
    // Networks and denied addresses alone ask nobody who they are; rules do.
    await add('office', { ...none, allowAddresses: ['10.0.0.0/8'] });
    await add('ruled', { ...none, rules: [{ allow: { tokens: ['x'] } }] });
    await add('wide', { rules: [{ allow: { tokens: ['x'] } }, { allow: { everyone: true } }] });
    await add('narrow', { ...none, rules: [{ allow: { everyone: true, methods: ['GET'] } }] });
    await add('closed', { ...none, rules: [{ deny: { everyone: true } }, { allow: { tokens: [LOOK] } }] });
    await add('a', { oauthProvider: 'github', target: 'http://10.0.0.100:80' });
    await addShare(bench.store, { name: 'wiki-of-others' });
    const found = async (filter: Partial<ShareFilter>) => {
      const all = { text: null, provider: null, state: null, now: START, ...filter };
      const { shares, next } = await bench.store.shares.list(accountId, {
        after: null,
        limit: 10,
        filter: all,
      });
      assert.equal(next, null);
      return shares.map(({ name }) => name).join(' ');
    };
    assert.equal(await found({ text: 'Wiki' }), 'docs wiki wiki-old');
    assert.equal(await found({ text: 'HUB' }), 'a');
    // What means something to LIKE means itself.
    assert.deepEqual([await found({ text: '%' }), await found({ text: '10.0.0.1:' })], ['', 'wiki']);
    assert.equal(await found({ provider: 'google' }), 'wiki');
    assert.equal(await found({ provider: 'goo' }), '');
    assert.equal(await found({ state: 'off' }), 'wiki-old');
    assert.equal(await found({ state: 'on' }), 'a closed docs machines narrow office ruled wide wiki');
    assert.equal(await found({ state: 'open' }), 'docs office wide');
    assert.equal(await found({ state: 'on', text: 'wiki' }), 'docs wiki');
  });

  test('a certificate that a version before set beside rules is asked for, and the share is not open', async () => {
    await using bench = await benchOf(open);
    const { shares } = bench.store;
    const none = { oauthProvider: null, clientCertificate: null, allowPaths: [] };
    const office = await addShare(bench.store, { ...none, allowAddresses: ['10.0.0.0/8'] });
    const { accountId } = office;
    await addShare(bench.store, { ...none, accountId, rules: [{ allow: { everyone: true } }] });
    const filter = { text: null, provider: null, state: 'open' as const, now: START };
    const found = async () => (await shares.list(accountId, { after: null, limit: 9, filter })).shares.length;
    assert.equal(await found(), 2);
    const certificate = { subject: null, unit: null };
    await bench.raw(
      `UPDATE shares SET client_certificate = '${JSON.stringify(certificate)}' WHERE account_id = '${accountId}'`,
    );
    assert.equal(await found(), 0);
    const read = await shares.findById(office.id);
    assert.deepEqual(read?.clientCertificate, certificate);
    await shares.modify({ ...office, settings: () => ({ enabled: false }), at: START });
    assert.deepEqual((await shares.findById(office.id))?.clientCertificate, certificate);
  });

  test('shares.list() pages through what it finds, and looks at so many at once', async () => {
    await using bench = await benchOf(open);
    const accountId = await addAccount(bench.store);
    for (let index = 0; index < 5; index++)
      await addShare(bench.store, { accountId, name: `s${index}`, enabled: index % 2 === 0 });
    const filter = { text: null, provider: null, state: 'on' as const, now: START };
    const first = await bench.store.shares.list(accountId, { after: null, limit: 2, filter });
    assert.deepEqual([first.shares.map(({ name }) => name), first.next], [['s0', 's2'], ['s2']]);
    const rest = await bench.store.shares.list(accountId, { after: first.next, limit: 2, filter });
    assert.deepEqual([rest.shares.map(({ name }) => name), rest.next], [['s4'], null]);
    for (const statement of manyShares(accountId, 5_000)) await bench.raw(statement);
    const many = await bench.store.shares.list(accountId, {
      after: null,
      limit: 2,
      filter: { ...filter, text: 's4' },
    });
    assert.deepEqual([many.shares, many.next], [[], ['m15000']]);
  });

  test('shares.list() finds shares by their owner, in any case, and counts them', async () => {
    await using bench = await benchOf(open);
    const { shares } = bench.store;
    const accountId = await addAccount(bench.store);
    for (const [name, owner] of [
      ['a', 'Ann@acme.com'],
      ['b', 'ann@acme.com'],
      ['c', 'eve@acme.com'],
      ['d', null],
    ] as const)
      await addShare(bench.store, { accountId, name, owner });
    await addShare(bench.store, { owner: 'ann@acme.com' });
    const filter = { text: null, provider: null, state: null, owner: 'ANN@acme.com', now: START };
    const found = await shares.list(accountId, { after: null, limit: 5, filter });
    assert.deepEqual(
      found.shares.map(({ name, owner }) => [name, owner]),
      [
        ['a', 'Ann@acme.com'],
        ['b', 'ann@acme.com'],
      ],
    );
    assert.equal(await shares.countFound(accountId, filter, 9), 2);
    const [first] = found.shares;
    assert.ok(first);
    const changed = await shares.modify({
      accountId,
      id: first.id,
      settings: () => ({ enabled: false }),
      at: START,
    });
    assert.equal(changed?.owner, 'Ann@acme.com');
  });

  test('shares.list() and shares.countByProvider() tell which shares use a provider (2.4)', async () => {
    await using bench = await benchOf(open);
    const { shares } = bench.store;
    const accountId = await addAccount(bench.store);
    for (const [name, oauthProvider] of [
      ['c', 'corp'],
      ['a', 'corp'],
      ['b', 'hub'],
      ['d', null],
    ] as const)
      await addShare(bench.store, { accountId, name, oauthProvider });
    await addShare(bench.store, { oauthProvider: 'corp' });
    const filter = { text: null, provider: 'corp', state: null, now: START };
    const page = async (after: FoundShares['next'], limit: number) =>
      (await shares.list(accountId, { after, limit, filter })).shares.map(({ name }) => name);
    assert.deepEqual(await page(null, 5), ['a', 'c']);
    assert.deepEqual(await page(null, 1), ['a']);
    assert.deepEqual(await page(['a'], 5), ['c']);
    assert.deepEqual(
      new Map(await shares.countByProvider(accountId)),
      new Map([
        ['corp', 2],
        ['hub', 1],
      ]),
    );
    assert.equal((await shares.countByProvider(await addAccount(bench.store))).size, 0);
  });

  test('shares.modify() changes what it is given, and the version by one', async () => {
    await using bench = await benchOf(open);
    const { shares } = bench.store;
    const { accountId, id, ...share } = await addShare(bench.store);
    const settings = { enabled: false, oauthEmailAddressPatterns: ['a@b.c'], oauthCheckIntervalMs: null };
    const change = { accountId, id, at: START + 7 };
    const changed = await shares.modify({ ...change, settings: settingsAt(1, settings) });
    assert.deepEqual(changed, { ...share, accountId, id, ...settings, version: 2, updatedAt: START + 7 });
    assert.deepEqual(await shares.findById(id), changed);
    await assert.rejects(shares.modify({ ...change, settings: settingsAt(1, settings) }), {
      code: 'precondition_failed',
    });
    assert.equal((await shares.modify({ ...change, settings: () => settings }))?.version, 3);
    assert.equal(await shares.modify({ ...change, id: newId('shr'), settings: () => settings }), null);
  });

  test('shares.modify() and remove() leave alone what has the name by now', async () => {
    await using bench = await benchOf(open);
    const { shares } = bench.store;
    const judged = await addShare(bench.store, { name: 'demo' });
    const { accountId } = judged;
    await shares.remove(accountId, judged.id);
    const other = await addShare(bench.store, { accountId, name: 'demo' });
    const change = { accountId, id: judged.id, settings: settingsAt(1, { oauthProvider: null }), at: START };
    assert.equal(await shares.modify(change), null);
    assert.equal(await shares.remove(accountId, judged.id), false);
    assert.deepEqual(await shares.findById(other.id), other);
  });

  test('shares.modify() loses no change of many that are made at once', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const { accountId, id } = await addShare(bench.store, { allowOrigins: [] });
    const wanted = Array.from({ length: 40 }, (_, index) => `https://app-${index}.example`);
    await Promise.all(
      wanted.map((origin, index) =>
        (index % 2 === 0 ? bench.store : other).shares.modify({
          accountId,
          id,
          settings: ({ allowOrigins }) => ({ allowOrigins: [...allowOrigins, origin] }),
          at: START,
        }),
      ),
    );
    const after = await bench.store.shares.findById(id);
    assert.deepEqual(after?.allowOrigins.toSorted(), wanted.toSorted());
    assert.equal(after.version, 41);
  });

  test('shares.modify() lets one of many win that saw the same version', async () => {
    await using bench = await benchOf(open);
    const { accountId, id } = await addShare(bench.store);
    // The first round may come one by one, while connections are made.
    for (let version = 1; version < 6; version++) {
      const change = { accountId, id, settings: settingsAt(version, { enabled: false }), at: START };
      const answers = await Promise.allSettled(
        Array.from({ length: 10 }, () => bench.store.shares.modify(change)),
      );
      assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal((await bench.store.shares.findById(id))?.version, version + 1);
    }
  });

  test('shares.remove() ends the share’s sessions in the same transaction', async () => {
    await using bench = await benchOf(open);
    const { changes, sessions, shares } = bench.store;
    const share = await addShare(bench.store);
    const kept = await addSession(bench.store, { share: await addShare(bench.store), at: START });
    const id = await addSession(bench.store, { share, at: START });
    const before = await changes.latest();
    await assert.rejects(shares.remove(share.accountId, share.id, refuse), { code: 'precondition_failed' });
    assert.equal((await sessions.state(id))?.ended, false);
    assert.equal(await shares.remove(share.accountId, share.id), true);
    assert.equal(await shares.findById(share.id), null);
    const row = await sessions.find(id);
    assert.deepEqual([row?.endedAt, row?.endReason], [START, 'share_deleted']);
    assert.equal((await sessions.state(kept))?.ended, false);
    assert.deepEqual((await changes.since(before)).changes, [
      { kind: 'session', id },
      { kind: 'share', id: share.id },
    ]);
    assert.equal(await shares.remove(share.accountId, share.id), false);
    assert.equal(await shares.findById(newId('shr')), null);
    assert.deepEqual(await shares.findByIds([newId('shr'), share.id]), []);
  });
}

/** As a rule for everyone is written. */
const LOOK = '{"allow":{"everyone":true}}';

function refuse(): void {
  throw new ServiceError('precondition_failed', 'Cannot delete it');
}

/** `m10001` and so on, as a share of the account is: statements, the names first. */
function manyShares(accountId: AccountId, count: number): readonly string[] {
  const columns = `account_id, target, tunnel, enabled, oauth_provider, oauth_email_address_patterns,
    oauth_check_interval_ms, client_certificate, access, allow_origins, identity, custom_hosts, agent_seen_at, version,
    created_at, updated_at`;
  const numbers = `WITH RECURSIVE numbers (i) AS
    (SELECT 10001 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${10_000 + count})`;
  return [
    `INSERT INTO share_names (name, account_id) ${numbers} SELECT 'm' || i, '${accountId}' FROM numbers`,
    `INSERT INTO shares (id, name, ${columns}) ${numbers}
      SELECT 'shr_m' || i, 'm' || i, ${columns} FROM numbers, shares
      WHERE account_id = '${accountId}' AND name = 's0'`,
  ];
}
