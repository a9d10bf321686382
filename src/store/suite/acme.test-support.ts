// The suite's part on certificates that come by themselves: one orders, and what is written survives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { newId } from '../../domain/id.ts';
import { Secret } from '../../domain/secret.ts';
import { LeaseLost, type AcmeLimits } from '../acme/acme.ts';
import { addAccount, type Bench, type OpenBench, START, benchOf } from './bench.test-support.ts';

const HOLD_MS = 60_000;
const NAME = '*.share.example.com';
const LIMITS: AcmeLimits = { most: 4, mostOfWindow: 3, mostOfAccount: 2, windowMs: 3_600_000 };

export function acmeSuite(open: OpenBench): void {
  test('acme.takeLease() is given to one of 50 that ask at once, and again to the one that has it', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const asked = Array.from({ length: 50 }, async (_, index) => {
      const holder = `gtw_${index}`;
      const { acme } = index % 2 === 0 ? bench.store : other;
      return { holder, taken: await acme.takeLease(holder, HOLD_MS) };
    });
    const taken = (await Promise.all(asked)).filter((each) => each.taken);
    assert.equal(taken.length, 1);
    const { holder } = taken[0]!;
    assert.equal(await other.acme.takeLease(holder, HOLD_MS), true);
    assert.equal(await other.acme.takeLease('another', HOLD_MS), false);
    bench.clock.time += HOLD_MS;
    assert.equal(await other.acme.takeLease('another', HOLD_MS), true, 'it is over');
    await bench.store.acme.releaseLease(holder);
    assert.equal(await bench.store.acme.takeLease(holder, HOLD_MS), false, 'whose it was gives nothing back');
    await other.acme.releaseLease('another');
    assert.equal(await bench.store.acme.takeLease(holder, HOLD_MS), true);
  });

  test('acme refuses every write of a gateway that lost the lease', async () => {
    await using bench = await benchOf(open);
    const { acme } = bench.store;
    const { id, account } = await begun(bench, 'former');
    bench.clock.time += HOLD_MS;
    assert.equal(await acme.takeLease('holder', HOLD_MS), true);
    const tries = { failures: 1, retryAt: START, lastFailure: 'late' };
    const order = { url: 'https://acme.example/2', privateKey: new Secret('late') };
    const late: readonly Promise<void>[] = [
      acme.beginOrder('former', id, order),
      acme.finishOrder('former', id, { ...DATES, retryAt: null, certificate: 'late' }),
      acme.failed('former', id, { ...tries, orderIsOver: true }),
      acme.plan('former', id, DATES),
      acme.remove('former', id),
      acme.present('former', challengeOf(id)),
      acme.withdraw('former', 'token'),
      acme.setNextKey('former', account.id, new Secret('late')),
      acme.useNextKey('former', account.id),
      acme.noteServer('former', account.id, tries),
    ];
    for (const each of await Promise.allSettled(late))
      assert.ok(each.status === 'rejected' && each.reason instanceof LeaseLost);
    assert.equal((await acme.order(id))?.url, 'https://acme.example/1');
    assert.deepEqual(await acme.challenges(), []);
  });

  test('acme.finishOrder() puts the order’s key beside the certificate, tells gateways, and seals both', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const { id } = await begun(bench, 'holder');
    assert.deepEqual(await store.acme.served(START), [], 'nothing is served before');
    const before = await store.changes.latest();
    await store.acme.finishOrder('holder', id, { ...DATES, retryAt: null, certificate: 'the chain' });
    const [served] = await store.acme.served(DATES.notAfter - 1);
    assert.equal(served?.certificate, 'the chain');
    assert.equal(served?.privateKey.reveal(), 'key of the order');
    assert.deepEqual(await store.acme.served(DATES.notAfter), [], 'what is over is not served');
    const [name] = await store.acme.names();
    assert.deepEqual(name, {
      id,
      accountId: null,
      name: NAME,
      createdAt: START,
      held: DATES,
      ordered: false,
      failures: 0,
      retryAt: null,
      lastFailure: null,
    });
    const { changes } = await store.changes.since(before);
    assert.deepEqual(changes, [{ kind: 'public-certificate', id }]);
    // A second order leaves what is served alone until it is finished.
    const next = { url: 'https://acme.example/2', privateKey: new Secret('next') };
    await store.acme.beginOrder('holder', id, next);
    assert.equal((await store.acme.served(START))[0]?.privateKey.reveal(), 'key of the order');
    await store.acme.failed('holder', id, {
      failures: 1,
      retryAt: START + 60_000,
      lastFailure: 'no',
      orderIsOver: true,
    });
    assert.equal(await store.acme.order(id), null);
    assert.equal((await store.acme.served(START))[0]?.certificate, 'the chain');
  });

  test('acme.want() begins each name once, and no more than the limits, for 30 that ask at once', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const [account, second] = [await addAccount(bench.store), await addAccount(bench.store)];
    const want = (name: string, accountId = account, at = START) =>
      (name.length % 2 === 0 ? other : bench.store).acme.want({ name, accountId, at }, LIMITS);
    const same = await Promise.all(Array.from({ length: 10 }, () => want('a.example')));
    assert.equal(same.filter((each) => each === 'wanted').length, 1);
    const many = await Promise.all(
      Array.from({ length: 20 }, (_, index) => want(`${'b'.repeat(index + 1)}.example`)),
    );
    assert.equal(many.filter((each) => each === 'wanted').length, 1, 'of one account');
    assert.equal(await want('c.example', second), 'wanted');
    assert.equal(await want('d.example', second), 'later', 'of one hour');
    assert.equal(await want('d.example', second, START + LIMITS.windowMs), 'wanted');
    assert.equal(await want('e.example', second, START + 9 * LIMITS.windowMs), 'later', 'at all');
    assert.equal(await bench.store.acme.want({ name: NAME, accountId: null, at: START }, null), 'wanted');
    assert.equal((await bench.store.acme.find('c.example'))?.accountId, second);
  });

  test('acme.account() is one for each directory, and goes by its next key when told to', async () => {
    await using bench = await benchOf(open);
    const { acme } = bench.store;
    const other = await bench.again();
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? acme : other.acme).account('https://acme.example', new Secret(`${index}`), START),
      ),
    );
    assert.equal(new Set(made.map(({ id, privateKey }) => `${id} ${privateKey.reveal()}`)).size, 1);
    const [{ id }] = made as [(typeof made)[number]];
    await acme.takeLease('holder', HOLD_MS);
    await acme.setNextKey('holder', id, new Secret('next'));
    const between = await other.acme.account('https://acme.example', new Secret('no'), START);
    assert.equal(between.nextKey?.reveal(), 'next');
    await acme.useNextKey('holder', id);
    const after = await other.acme.account('https://acme.example', new Secret('no'), START);
    assert.deepEqual([after.privateKey.reveal(), after.nextKey], ['next', null]);
  });

  test('acme.challenges() shows what is presented to every gateway, until it is withdrawn or its name goes', async () => {
    await using bench = await benchOf(open);
    const { acme } = bench.store;
    const other = await bench.again();
    const { id } = await begun(bench, 'holder');
    const challenge = challengeOf(id);
    await acme.present('holder', challenge);
    await acme.present('holder', challenge);
    assert.deepEqual(await other.acme.challenges(), [challenge]);
    await acme.withdraw('holder', challenge.token);
    assert.deepEqual(await other.acme.challenges(), []);
    await acme.present('holder', challenge);
    await acme.remove('holder', id);
    assert.deepEqual(await other.acme.challenges(), []);
    assert.equal(await acme.find(NAME), null);
  });
}

/** A name with an order under way. */
async function begun({ store: { acme } }: Bench, holder: string) {
  const account = await acme.account('https://acme.example', new Secret('account key'), START);
  await acme.want({ name: NAME, accountId: null, at: START }, null);
  const id = (await acme.find(NAME))!.id;
  assert.equal(await acme.takeLease(holder, HOLD_MS), true);
  const order = { url: 'https://acme.example/1', privateKey: new Secret('key of the order') };
  await acme.beginOrder(holder, id, order);
  return { id, account };
}

function challengeOf(nameId: ReturnType<typeof newId<'acn'>>) {
  const host = 'share.example.com';
  return { token: 'token', nameId, kind: 'dns-01', host, answer: 'digest', expiresAt: START };
}

const DATES = {
  notBefore: START,
  notAfter: START + 9_000_000,
  renewAt: START + 6_000_000,
  checkAt: START,
};
