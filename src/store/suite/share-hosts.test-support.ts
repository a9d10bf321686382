// The suite's part on host names of their own (DESIGN 2.3): unique once proved, and nobody's before.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountId, newId, type ShareHostId } from '../../domain/id.ts';
import type { HostProof } from '../shares/host.ts';
import type { Store } from '../store.ts';
import type { ShareRow } from '../shares/share.ts';
import { START, type OpenBench, addAccount, addShare, benchOf, settingsAt } from './bench.test-support.ts';

export function shareHostsSuite(open: OpenBench): void {
  test('hosts.claim() answers at nothing; hosts.prove() adds the host to its share (DESIGN 2.3)', async () => {
    await using bench = await benchOf(open);
    const { hosts, shares, changes } = bench.store;
    const share = await addShare(bench.store);
    await claim(bench.store, share, 'app.customer.com');
    assert.deepEqual(await shares.findById(share.id), share);
    assert.equal(await hosts.holder('app.customer.com'), null);
    const before = await changes.latest();
    const { row: proved, isNew, displaced } = (await prove(bench.store, share)) ?? {};
    assert.deepEqual([isNew, displaced], [true, null]);
    assert.deepEqual([proved?.provedAt, proved?.proof], [START + 1, 'dns']);
    const after = { ...share, hosts: ['app.customer.com'], version: 2, updatedAt: START + 1 };
    assert.deepEqual(await shares.findById(share.id), after);
    assert.deepEqual((await shares.findByIds([share.id]))[0], after);
    assert.deepEqual((await changes.since(before)).changes, [{ kind: 'share', id: share.id }]);
    assert.deepEqual(await hosts.holder('app.customer.com'), proved);
    assert.deepEqual(await hosts.find(share.accountId, proved?.id ?? ''), proved);
    // Again is no change.
    assert.deepEqual(await prove(bench.store, share), { row: proved, isNew: false, displaced: null });
    assert.equal((await shares.findById(share.id))?.version, 2);
  });

  test('a change of a share keeps its hosts, and hosts.prove() is held against the version that was judged', async () => {
    await using bench = await benchOf(open);
    const { shares } = bench.store;
    const share = await addShare(bench.store);
    await claim(bench.store, share, 'app.customer.com');
    const change = { accountId: share.accountId, id: share.id, at: START };
    await shares.modify({ ...change, settings: settingsAt(1, OFF) });
    await assert.rejects(prove(bench.store, share), { code: 'precondition_failed' });
    await prove(bench.store, share, { shareVersion: 2 });
    await assert.rejects(shares.modify({ ...change, settings: settingsAt(2, OFF) }), {
      code: 'precondition_failed',
    });
    const changed = await shares.modify({ ...change, settings: settingsAt(3, OFF) });
    assert.deepEqual([changed?.hosts, changed?.version], [['app.customer.com'], 4]);
  });

  test('hosts.prove() proves the claim that was judged, not one made again for the host', async () => {
    await using bench = await benchOf(open);
    const { hosts, shares } = bench.store;
    const judged = await addShare(bench.store);
    const other = await addShare(bench.store, { accountId: judged.accountId });
    await claim(bench.store, judged, 'app.customer.com');
    const id = (await hosts.find(judged.accountId, 'app.customer.com'))?.id;
    assert.ok(id);
    await hosts.remove(judged.accountId, id, START);
    await claim(bench.store, other, 'app.customer.com');
    assert.equal(await prove(bench.store, judged, { id }), null);
    assert.deepEqual((await shares.findById(other.id))?.hosts, []);
  });

  test('an unproved claim blocks nobody; the proved host is one account’s', async () => {
    await using bench = await benchOf(open);
    const { hosts, shares } = bench.store;
    const squatter = await addShare(bench.store);
    const owner = await addShare(bench.store);
    for (const share of [squatter, owner]) await claim(bench.store, share, 'app.customer.com');
    await prove(bench.store, owner);
    await assert.rejects(prove(bench.store, squatter), { code: 'host_taken' });
    // Not even as another's account in whose name it is.
    const displaces = newId('acc');
    await assert.rejects(prove(bench.store, squatter, { displaces }), { code: 'host_taken' });
    assert.deepEqual((await shares.findById(squatter.id))?.hosts, []);
    assert.deepEqual((await shares.findById(owner.id))?.hosts, ['app.customer.com']);
    assert.equal((await hosts.holder('app.customer.com'))?.accountId, owner.accountId);
  });

  test('a host goes to one of many that prove it at once', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const rivals = await Promise.all(Array.from({ length: 6 }, () => addShare(bench.store)));
    for (const share of rivals) await claim(bench.store, share, 'app.customer.com');
    const answers = await Promise.allSettled(
      rivals.map((share, index) => prove(index % 2 === 0 ? bench.store : other, share)),
    );
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    const found = await bench.store.shares.findByIds(rivals.map(({ id }) => id));
    assert.equal(found.flatMap(({ hosts }) => hosts).length, 1);
  });

  test('hosts.prove() takes the host from an account whose own proof is gone', async () => {
    await using bench = await benchOf(open);
    const { hosts, shares, changes } = bench.store;
    const [former, next] = [await addShare(bench.store), await addShare(bench.store)];
    for (const share of [former, next]) await claim(bench.store, share, 'app.customer.com');
    await prove(bench.store, former);
    const before = await changes.latest();
    const proved = await prove(bench.store, next, { displaces: former.accountId });
    assert.equal(proved?.displaced?.shareId, former.id);
    const lost = await shares.findById(former.id);
    assert.deepEqual([lost?.hosts, lost?.version], [[], 3]);
    assert.deepEqual((await shares.findById(next.id))?.hosts, ['app.customer.com']);
    assert.equal(await hosts.find(former.accountId, 'app.customer.com'), null);
    const changed = (await changes.since(before)).changes.map(({ id }) => id);
    assert.deepEqual(new Set(changed), new Set([former.id, next.id]));
  });

  test('hosts.remove() and the end of the share take the host away', async () => {
    await using bench = await benchOf(open);
    const { hosts, shares } = bench.store;
    const share = await addShare(bench.store);
    await claim(bench.store, share, 'app.customer.com');
    const id = (await prove(bench.store, share))?.row.id ?? '';
    assert.equal((await hosts.remove(share.accountId, id, START + 2))?.host, 'app.customer.com');
    assert.deepEqual((await shares.findById(share.id))?.hosts, []);
    assert.equal(await hosts.remove(share.accountId, 'app.customer.com', START + 2), null);
    await claim(bench.store, share, 'app.customer.com');
    await prove(bench.store, share, { shareVersion: 3 });
    await shares.remove(share.accountId, share.id);
    assert.equal(await hosts.find(share.accountId, 'app.customer.com'), null);
    const other = await addShare(bench.store);
    await claim(bench.store, other, 'app.customer.com');
    assert.equal((await prove(bench.store, other))?.row.proof, 'dns');
  });

  test('hosts.claim() is made once in an account, and so often for a share', async () => {
    await using bench = await benchOf(open);
    const share = await addShare(bench.store);
    const { accountId } = share;
    const second = await addShare(bench.store, { accountId });
    await claim(bench.store, share, 'a.customer.com');
    await assert.rejects(claim(bench.store, second, 'a.customer.com'), { code: 'host_taken' });
    const many = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) => claim(bench.store, share, `${index}.customer.com`)),
    );
    assert.equal(many.filter(({ status }) => status === 'fulfilled').length, MOST - 1);
    for (const answer of many)
      if (answer.status === 'rejected')
        assert.equal((answer.reason as { code?: unknown }).code, 'too_many_hosts');
    await assert.rejects(claim(bench.store, { ...share, id: newId('shr') }, 'x.customer.com'), {
      code: 'share_unknown',
    });
    const page = await bench.store.hosts.list(accountId, { after: null, limit: 10, shareId: share.id });
    assert.equal(page.rows.length, MOST);
    const ofSecond = await bench.store.hosts.list(accountId, { after: null, limit: 10, shareId: second.id });
    assert.deepEqual(ofSecond, NONE);
  });

  test('hosts of another account are unknown to every call (THREATS "Tenancy")', async () => {
    await using bench = await benchOf(open);
    const { hosts } = bench.store;
    const share = await addShare(bench.store);
    const mallory = await addAccount(bench.store);
    await claim(bench.store, share, 'app.customer.com');
    const { id } = (await hosts.find(share.accountId, 'app.customer.com')) ?? { id: '' };
    for (const named of [id, 'app.customer.com']) {
      assert.equal(await hosts.find(mallory, named), null);
      assert.equal(await hosts.remove(mallory, named, START), null);
    }
    assert.deepEqual(await hosts.list(mallory, { after: null, limit: 10, shareId: share.id }), NONE);
    assert.equal(await prove(bench.store, { ...share, accountId: mallory }), null);
    const stolen = claim(bench.store, { ...share, accountId: mallory }, 'other.customer.com');
    await assert.rejects(stolen, { code: 'share_unknown' });
  });

  test('hosts.grant() lets one account prove without a record; revoking takes the host away', async () => {
    await using bench = await benchOf(open);
    const { hosts, shares } = bench.store;
    const [share, rival] = [await addShare(bench.store), await addShare(bench.store)];
    const { accountId } = share;
    for (const each of [share, rival]) await claim(bench.store, each, 'app.customer.com');
    await assert.rejects(prove(bench.store, share, { proof: 'operator' }), { code: 'host_taken' });
    const grant = { host: 'app.customer.com', accountId, createdAt: START };
    await hosts.grant(grant);
    await hosts.grant({ ...grant, createdAt: START + 1 });
    assert.deepEqual(await hosts.grants(), [grant]);
    assert.deepEqual(
      [await hosts.isGranted(accountId, grant.host), await hosts.isGranted(rival.accountId, grant.host)],
      [true, false],
    );
    await assert.rejects(prove(bench.store, rival), { code: 'host_taken' });
    await assert.rejects(hosts.grant({ ...grant, accountId: rival.accountId }), { code: 'host_taken' });
    assert.equal((await prove(bench.store, share, { proof: 'operator' }))?.row.proof, 'operator');
    await assert.rejects(prove(bench.store, rival, { displaces: accountId }), { code: 'host_taken' });
    assert.equal(await hosts.revoke(rival.accountId, grant.host, START + 2), false);
    assert.equal(await hosts.revoke(accountId, grant.host, START + 2), true);
    assert.deepEqual((await shares.findById(share.id))?.hosts, []);
    await prove(bench.store, rival);
    await assert.rejects(hosts.grant(grant), { code: 'host_taken' });
  });
}

function claim(store: Store, share: Pick<ShareRow, 'id' | 'accountId'>, host: string): Promise<void> {
  const { id: shareId, accountId } = share;
  return store.hosts.claim({ id: newId('hst'), accountId, shareId, host, createdAt: START, most: MOST });
}

async function prove(
  store: Store,
  { accountId }: { readonly accountId: AccountId },
  how: {
    readonly id?: ShareHostId;
    readonly proof?: HostProof;
    readonly displaces?: AccountId;
    readonly shareVersion?: number;
  } = {},
) {
  const { proof = 'dns', displaces = null, shareVersion = 1 } = how;
  const host = 'app.customer.com';
  const claimed = await store.hosts.find(accountId, host);
  return store.hosts.prove({
    accountId,
    id: how.id ?? claimed?.id ?? newId('hst'),
    host,
    proof,
    displaces,
    shareVersion,
    at: START + 1,
  });
}

const MOST = 3;
const OFF = { enabled: false };
const NONE = { rows: [], next: null };
