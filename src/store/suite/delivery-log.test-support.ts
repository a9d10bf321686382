// The suite's part on the log of deliveries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountId, newId, type WebhookId } from '../../domain/id.ts';
import type { Store } from '../store.ts';
import type { AttemptedDelivery } from '../webhooks/logged-delivery.ts';
import { type OpenBench, START, addAccount, benchOf } from './bench.test-support.ts';
import {
  addWebhook,
  attemptOf,
  eventOf,
  failureOf,
  leaseOne,
  madeOf,
  payloadOf,
} from './webhooks.test-support.ts';

export function deliveryLogSuite(open: OpenBench): void {
  test('deliveries.failed() and delivered() log each attempt: what was sent, what came, and when it is tried again', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const of = await oneOf(store);
    await store.audit.append([eventOf(of.accountId, 'logout')]);
    const first = await leaseOne(store, of.webhookId);
    const failed = { status: 500, answer: 'no "disk"\n', reason: 'it answered 500' };
    await store.deliveries.failed({ ...failureOf(first, { retryAfterMs: 5_000 }), ...madeOf(first, failed) });
    const [logged] = await pageOf(store, of);
    assert.deepEqual(logged, {
      id: first.id,
      ...of,
      eventId: first.event.id,
      kind: 'logout',
      state: 'retrying',
      lastAt: START,
      last: { number: 1, at: START, durationMs: 12, status: 500, reason: 'it answered 500' },
      nextAt: START + 5_000,
    });
    clock.time += 5_000;
    const second = await leaseOne(store, of.webhookId);
    const leased = await store.deliveryLog.find(of.accountId, first.id);
    // Whoever dies here leaves what is true: one result, and a further try when the lease is over.
    assert.deepEqual([leased?.state, leased?.attempts.length], ['retrying', 1]);
    assert.equal(leased?.nextAt, clock.time + 30_000);
    await store.deliveries.delivered(madeOf(second));
    const found = await store.deliveryLog.find(of.accountId, first.id);
    assert.deepEqual([found?.state, found?.nextAt, found?.lastAt], ['delivered', null, clock.time]);
    assert.equal(found?.payload, payloadOf(first));
    assert.deepEqual(found?.attempts, [attemptOf({ ...failed, number: 1 }), attemptOf({ number: 2 })]);
    assert.deepEqual(await store.deliveries.due(), []);
  });

  test('deliveries.delivered() logs nothing for a lease that was lost: each attempt is recorded once', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const of = await oneOf(store);
    await store.audit.append([eventOf(of.accountId, 'logout')]);
    const late = await leaseOne(store, of.webhookId);
    clock.time += 30_000;
    const next = await leaseOne(store, of.webhookId);
    await store.deliveries.delivered(madeOf(late));
    assert.deepEqual(await pageOf(store, of), []);
    await store.deliveries.delivered(madeOf(next));
    await store.deliveries.delivered(madeOf(next));
    const found = await store.deliveryLog.find(of.accountId, next.id);
    assert.deepEqual(
      found?.attempts.map(({ number }) => number),
      [2],
    );
  });

  test('deliveryLog.list() has the last 100 deliveries of a webhook and few more, the last tried first, page after page', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const [of, other] = [await oneOf(store), await oneOf(store)];
    await byHand(store, other);
    const ids: string[] = [];
    for (let count = 0; count < 104; count++) {
      clock.time += count % 3;
      // One in sixteen cuts the log.
      ids.push(await byHand(store, of, count === 103 ? '0' : '2'));
      const { length } = await pageOf(store, of);
      assert.equal(length, count === 103 ? 100 : count + 1);
    }
    const all = await pageOf(store, of);
    const pages = [];
    for (let before = null; ;) {
      const page = await store.deliveryLog.list(of, { state: null, before, limit: 30 });
      if (page.length === 0) break;
      pages.push(...page);
      before = page.at(-1) ?? null;
    }
    assert.deepEqual(pages, all);
    assert.ok(all.every(({ id }) => ids.slice(3).includes(id)));
    assert.equal((await pageOf(store, other)).length, 1, 'another webhook keeps its own');
  });

  test('deliveryLog.find() has the last ten attempts', async () => {
    await using bench = await benchOf(open);
    const of = await oneOf(bench.store);
    const delivery = deliveryOf(of);
    for (let at = 1; at <= 13; at++)
      await bench.store.deliveryLog.attempted(delivery, attemptOf({ number: null, at }));
    const found = await bench.store.deliveryLog.find(of.accountId, delivery.id);
    assert.deepEqual(
      found?.attempts.map(({ at }) => at),
      [4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    );
  });

  test('deliveryLog.attempted() keeps both of two attempts at once, on two gateways', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const of = await oneOf(bench.store);
    const delivery = deliveryOf(of);
    await bench.store.deliveryLog.attempted(delivery, attemptOf({ number: null, at: 0 }));
    const attempts = [1, 2, 3, 4, 5, 6].map((at) =>
      (at % 2 === 0 ? bench.store : other).deliveryLog.attempted(delivery, attemptOf({ number: null, at })),
    );
    await Promise.all(attempts);
    const found = await bench.store.deliveryLog.find(of.accountId, delivery.id);
    assert.deepEqual(found?.attempts.map(({ at }) => at).toSorted(), [0, 1, 2, 3, 4, 5, 6]);
  });

  test('deliveryLog.attempted() that arrived drops the retries, one that failed leaves them', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const of = await oneOf(store);
    await store.audit.append([eventOf(of.accountId, 'logout')]);
    const leased = await leaseOne(store, of.webhookId);
    await store.deliveries.failed(failureOf(leased, { retryAfterMs: 60_000 }));
    const found = await store.deliveryLog.find(of.accountId, leased.id);
    assert.ok(found);
    clock.time += 1_000;
    const wrong = { number: null, status: 503, reason: 'it answered 503' };
    await store.deliveryLog.attempted(found, attemptOf(wrong));
    assert.equal((await store.deliveryLog.find(of.accountId, leased.id))?.nextAt, START + 60_000);
    await store.deliveryLog.attempted(found, attemptOf({ number: null }));
    const arrived = await store.deliveryLog.find(of.accountId, leased.id);
    assert.deepEqual([arrived?.state, arrived?.nextAt], ['delivered', null]);
    const webhook = await store.webhooks.find(of.accountId, of.webhookId);
    assert.deepEqual(
      [webhook?.waiting, webhook?.failingSince, webhook?.lastDeliveredAt],
      [0, null, clock.time],
    );
  });

  test('deliveryLog.list() tells by state what arrived, what is tried again and what is not', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const of = await oneOf(store);
    await store.audit.append([1, 2, 3].map(() => eventOf(of.accountId, 'logout')));
    const [a, b, c] = [
      await leaseOne(store, of.webhookId),
      await leaseOne(store, of.webhookId),
      await leaseOne(store, of.webhookId),
    ];
    await store.deliveries.delivered(madeOf(a));
    await store.deliveries.failed(failureOf(b, { retryAfterMs: 5_000 }));
    await store.deliveries.failed(failureOf(c, { retryAfterMs: null }));
    const by = async (state: 'delivered' | 'retrying' | 'failed') =>
      (await store.deliveryLog.list(of, { state, before: null, limit: 9 })).map((each) => [
        each.id,
        each.state,
      ]);
    assert.deepEqual(await by('delivered'), [[a.id, 'delivered']]);
    assert.deepEqual(await by('retrying'), [[b.id, 'retrying']]);
    assert.deepEqual(await by('failed'), [[c.id, 'failed']]);
    await store.webhooks.modify(of.accountId, of.webhookId, { enabled: false });
    assert.deepEqual((await by('failed')).length, 2, 'nobody tries what was dropped');
  });

  test('the log of a webhook goes with it and with time, and is another account’s never (THREATS "Tenancy")', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const of = await oneOf(store);
    const id = await byHand(store, of);
    const theirs = await oneOf(store);
    assert.deepEqual(await pageOf(store, { ...of, accountId: theirs.accountId }), []);
    assert.deepEqual(await pageOf(store, theirs), []);
    assert.equal(await store.deliveryLog.find(theirs.accountId, id), null);
    assert.equal((await store.deliveryLog.find(of.accountId, id))?.id, id);
    await store.deliveryLog.attempted(deliveryOf({ ...of, accountId: theirs.accountId }), attemptOf());
    assert.equal((await pageOf(store, of)).length, 1, 'nothing of another account is kept');
    clock.time += 1_000;
    const later = await byHand(store, of);
    await store.deliveryLog.forget(clock.time);
    assert.deepEqual(
      (await pageOf(store, of)).map((each) => each.id),
      [later],
    );
    await store.webhooks.remove(of.accountId, of.webhookId);
    assert.deepEqual(await pageOf(store, of), []);
    await byHand(store, of);
    assert.deepEqual(await pageOf(store, of), [], 'nothing is kept of a webhook that is gone');
  });
}

type Of = { readonly accountId: AccountId; readonly webhookId: WebhookId };

async function oneOf(store: Store): Promise<Of> {
  const accountId = await addAccount(store);
  return { accountId, webhookId: await addWebhook(store, accountId) };
}

function pageOf(store: Store, of: Of) {
  return store.deliveryLog.list(of, { state: null, before: null, limit: 1000 });
}

async function byHand(store: Store, of: Of, end = ''): Promise<AttemptedDelivery['id']> {
  const made = deliveryOf(of);
  const id: AttemptedDelivery['id'] = `dlv_${made.id.slice(4, made.id.length - end.length)}${end}`;
  const delivery = { ...made, id };
  await store.deliveryLog.attempted(delivery, attemptOf({ number: null }));
  return delivery.id;
}

function deliveryOf(of: Of): AttemptedDelivery {
  return { id: newId('dlv'), ...of, eventId: newId('evt'), kind: 'logout', payload: '{}' };
}
