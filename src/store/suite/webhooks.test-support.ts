// The suite's part on webhooks and what is queued for them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEvent } from '../../domain/audit-event.ts';
import type { AuditKind } from '../../domain/audit-kind.ts';
import { type AccountId, newId, type WebhookId } from '../../domain/id.ts';
import { Secret } from '../../domain/secret.ts';
import type { Store } from '../store.ts';
import type { DeliveryAttempt } from '../webhooks/logged-delivery.ts';
import type { LeasedAttempt, LeasedDelivery, NewWebhook } from '../webhooks/webhook.ts';
import { type OpenBench, START, addAccount, benchOf } from './bench.test-support.ts';

export function webhooksSuite(open: OpenBench): void {
  tableSuite(open);
  changeSuite(open);
  queueSuite(open);
  failureSuite(open);
}

function tableSuite(open: OpenBench): void {
  test('webhooks.create() keeps every field, the secret sealed, and at most as many as it is told', async () => {
    await using bench = await benchOf(open);
    const { webhooks } = bench.store;
    const accountId = await addAccount(bench.store);
    const webhook = webhookOf(accountId, { kinds: ['logout', 'login.refused'], name: 'chat' });
    assert.equal(await webhooks.create({ webhook, secret: new Secret('whs_one'), most: 1 }), true);
    const listed = { ...webhook, ...UNTRIED };
    assert.deepEqual(await webhooks.find(accountId, webhook.id), listed);
    assert.deepEqual(await webhooks.list(accountId, { after: null, limit: 10 }), {
      rows: [listed],
      next: null,
    });
    assert.deepEqual(await secretsOf(bench.store, webhook), ['whs_one']);
    const more = { webhook: webhookOf(accountId), secret: new Secret('whs_two'), most: 1 };
    assert.equal(await webhooks.create(more), false);
    const others = await Promise.all([1, 2, 3].map(() => addOne(bench.store, accountId, 3)));
    assert.equal(others.filter((made) => made !== null).length, 2);
  });

  test('webhooks of another account read as unknown (THREATS "Tenancy")', async () => {
    await using bench = await benchOf(open);
    const { webhooks } = bench.store;
    const id = await addWebhook(bench.store, await addAccount(bench.store));
    const accountId = await addAccount(bench.store);
    assert.equal(await webhooks.find(accountId, id), null);
    assert.deepEqual(await webhooks.list(accountId, { after: null, limit: 10 }), { rows: [], next: null });
    assert.equal(await webhooks.secrets(accountId, id), null);
    assert.equal(await webhooks.modify(accountId, id, { enabled: false }), null);
    assert.equal(await webhooks.rotate(accountId, id, { secret: new Secret('whs_x'), overlapMs: 0 }), null);
    assert.equal(await webhooks.remove(accountId, id), false);
  });

  test('a webhook’s secret opens in its own row alone (DESIGN "Keys")', async () => {
    await using bench = await benchOf(open);
    const accountId = await addAccount(bench.store);
    const [mine, theirs] = [
      await addWebhook(bench.store, accountId),
      await addWebhook(bench.store, accountId),
    ];
    await bench.raw(
      `UPDATE webhooks SET secret = (SELECT secret FROM webhooks WHERE id = '${theirs}') WHERE id = '${mine}'`,
    );
    await assert.rejects(bench.store.webhooks.secrets(accountId, mine), { code: 'internal' });
  });
}

function changeSuite(open: OpenBench): void {
  test('webhooks.modify() changes what is given and leaves the rest', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const accountId = await addAccount(store);
    const id = await addWebhook(store, accountId, { name: 'chat', kinds: ['logout'] });
    await store.audit.append([eventOf(accountId, 'logout')]);
    await store.deliveries.failed(failureOf(await leaseOne(store, id), {}));
    const before = await store.webhooks.find(accountId, id);
    assert.deepEqual([before?.failingSince, before?.lastFailure], [clock.time, 'status 500']);
    assert.deepEqual(await store.webhooks.modify(accountId, id, {}), before);
    assert.deepEqual(await store.webhooks.modify(accountId, id, { name: null, kinds: [] }), {
      ...before,
      name: null,
      kinds: [],
    });
    const elsewhere = await store.webhooks.modify(accountId, id, { url: 'https://b.example/' });
    assert.deepEqual(elsewhere, {
      ...before,
      name: null,
      kinds: [],
      url: 'https://b.example/',
      failingSince: null,
      lastFailure: null,
    });
    clock.time += 2_000;
    const leased = await store.deliveries.lease({ webhookId: id, limit: 1, leaseMs: 30_000 });
    assert.equal(leased?.webhook.url, 'https://b.example/', 'what waits goes there');
    const off = await store.webhooks.modify(accountId, id, { enabled: false, name: 'again' });
    assert.deepEqual([off?.enabled, off?.name, off?.waiting], [false, 'again', 0]);
  });

  test('webhooks.rotate() lets the secret before sign beside the new one until the overlap ends', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const accountId = await addAccount(store);
    const id = await addWebhook(store, accountId);
    const rotate = (secret: string, overlapMs: number) =>
      store.webhooks.rotate(accountId, id, { secret: new Secret(secret), overlapMs });
    const first = `secret of ${id}`;
    assert.deepEqual(await rotate('whs_b', 2 * HOUR_MS), {
      ...(await store.webhooks.find(accountId, id)),
      secretRotatedAt: clock.time,
      formerSecretsUntil: clock.time + 2 * HOUR_MS,
    });
    const of = { accountId, id };
    assert.deepEqual(await secretsOf(store, of), ['whs_b', first]);
    clock.time += HOUR_MS;
    await rotate('whs_c', 2 * HOUR_MS);
    assert.deepEqual(await secretsOf(store, of), ['whs_c', 'whs_b', first]);
    await store.audit.append([eventOf(accountId, 'logout')]);
    const leased = await store.deliveries.lease({ webhookId: id, limit: 1, leaseMs: 30_000 });
    assert.deepEqual(
      leased?.secrets.map((secret) => secret.reveal()),
      ['whs_c', 'whs_b', first],
    );
    clock.time += HOUR_MS;
    assert.deepEqual(await secretsOf(store, of), ['whs_c', 'whs_b']);
    clock.time += HOUR_MS;
    assert.deepEqual(await secretsOf(store, of), ['whs_c']);
    assert.equal((await store.webhooks.find(accountId, id))?.formerSecretsUntil, null);
  });

  test('webhooks.rotate() lets no secret before sign for longer than the overlap, and no more than three', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const accountId = await addAccount(store);
    const id = await addWebhook(store, accountId);
    const rotate = (secret: string, overlapMs: number) =>
      store.webhooks.rotate(accountId, id, { secret: new Secret(secret), overlapMs });
    for (const secret of ['whs_b', 'whs_c', 'whs_d']) await rotate(secret, 5 * HOUR_MS);
    assert.equal(await rotate('whs_e', 5 * HOUR_MS), 'full');
    const shorter = await store.webhooks.find(accountId, id);
    assert.equal(shorter?.formerSecretsUntil, clock.time + 5 * HOUR_MS, 'nothing was changed');
    assert.deepEqual((await secretsOf(store, { accountId, id }))?.slice(0, 2), ['whs_d', 'whs_c']);
    const none = await rotate('whs_e', 0);
    assert.deepEqual(none, { ...shorter, formerSecretsUntil: null });
    assert.deepEqual(await secretsOf(store, { accountId, id }), ['whs_e']);
    await rotate('whs_f', HOUR_MS);
    clock.time += HOUR_MS;
    await store.sweep(0);
    await bench.raw(`UPDATE webhook_former_secrets SET signs_until = ${clock.time + HOUR_MS}`);
    assert.deepEqual(await secretsOf(store, { accountId, id }), ['whs_f'], 'it is kept no longer');
  });
}

function queueSuite(open: OpenBench): void {
  test('audit.append() queues a delivery for each webhook of the account that wants the kind', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const accountId = await addAccount(store);
    const all = await addWebhook(store, accountId);
    const some = await addWebhook(store, accountId, { kinds: ['logout'] });
    const off = await addWebhook(store, accountId, { enabled: false });
    const foreign = await addWebhook(store, await addAccount(store));
    const events = [
      eventOf(accountId, 'logout'),
      eventOf(accountId, 'login.refused'),
      eventOf(accountId, 'webhook.tested'),
      eventOf(null, 'config.reloaded'),
    ];
    await store.audit.append(events);
    await store.audit.append(events);
    const waiting = async (id: WebhookId) => (await store.webhooks.find(accountId, id))?.waiting;
    assert.deepEqual([await waiting(all), await waiting(some), await waiting(off)], [2, 1, 0]);
    const due = (await store.deliveries.due()).map(({ webhookId }) => webhookId);
    assert.deepEqual(new Set(due), new Set([all, some]));
    assert.ok(!due.includes(foreign));
    const leased = await store.deliveries.lease({ webhookId: some, limit: 5, leaseMs: 30_000 });
    assert.equal(leased?.webhook.id, some);
    assert.deepEqual(
      leased?.secrets.map((secret) => secret.reveal()),
      [`secret of ${some}`],
    );
    assert.deepEqual(
      leased?.deliveries.map(({ event, attempt, ageMs }) => [event, attempt, ageMs]),
      [[events[0], 1, 0]],
    );
  });

  test('deliveries.lease() gives each delivery to one of many gateways at once', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const other = await bench.again();
    const accountId = await addAccount(store);
    const webhookId = await addWebhook(store, accountId);
    await store.audit.append(Array.from({ length: 20 }, () => eventOf(accountId, 'logout')));
    const leases = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? store : other).deliveries.lease({ webhookId, limit: 4, leaseMs: 30_000 }),
      ),
    );
    const ids = leases.flatMap((lease) => lease?.deliveries.map(({ id }) => id) ?? []);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.length >= 4);
  });

  test('a lease that ran out is another’s, and the late holder changes nothing', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const accountId = await addAccount(store);
    const webhookId = await addWebhook(store, accountId);
    await store.audit.append([eventOf(accountId, 'logout')]);
    const late = await leaseOne(store, webhookId);
    assert.equal(await store.deliveries.lease({ webhookId, limit: 1, leaseMs: 30_000 }), null);
    clock.time += 30_000;
    const next = await leaseOne(store, webhookId);
    assert.deepEqual([next.id, next.attempt], [late.id, 2]);
    await store.deliveries.delivered(madeOf(late));
    await store.deliveries.release(late);
    assert.equal(await store.deliveries.failed(failureOf(late, {})), false);
    assert.equal((await store.webhooks.find(accountId, webhookId))?.waiting, 1);
    assert.deepEqual(await store.deliveries.due(), []);
    await store.deliveries.delivered(madeOf(next));
    const webhook = await store.webhooks.find(accountId, webhookId);
    assert.deepEqual([webhook?.waiting, webhook?.lastDeliveredAt], [0, clock.time]);
  });

  test('deliveries.release() makes it due at once', async () => {
    await using bench = await benchOf(open);
    const accountId = await addAccount(bench.store);
    const webhookId = await addWebhook(bench.store, accountId);
    await bench.store.audit.append([eventOf(accountId, 'logout')]);
    await bench.store.deliveries.release(await leaseOne(bench.store, webhookId));
    assert.equal((await leaseOne(bench.store, webhookId)).attempt, 2);
  });

  test('deliveries of a suspended account, or of a webhook that is off or gone, are not due', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const accountId = await addAccount(store);
    const webhookId = await addWebhook(store, accountId);
    await store.audit.append([eventOf(accountId, 'logout')]);
    await store.accounts.suspend(accountId, true);
    assert.deepEqual(await store.deliveries.due(), []);
    await store.accounts.suspend(accountId, false);
    assert.equal((await store.deliveries.due()).length, 1);
    assert.equal((await store.webhooks.modify(accountId, webhookId, { enabled: false }))?.waiting, 0);
    await store.audit.append([eventOf(accountId, 'logout')]);
    assert.deepEqual(await store.deliveries.due(), []);
    await store.webhooks.modify(accountId, webhookId, { enabled: true });
    await store.audit.append([eventOf(accountId, 'logout')]);
    assert.equal(await store.webhooks.remove(accountId, webhookId), true);
    assert.deepEqual(await store.deliveries.due(), []);
    assert.equal(await store.deliveries.lease({ webhookId, limit: 1, leaseMs: 1 }), null);
  });
}

function failureSuite(open: OpenBench): void {
  test('deliveries.backlog() counts what waits, and what is due for over a minute, of webhooks that are on', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const [accountId, suspended] = [await addAccount(store), await addAccount(store)];
    const [on, off] = [await addWebhook(store, accountId), await addWebhook(store, accountId)];
    await addWebhook(store, suspended);
    const events = [eventOf(accountId, 'logout'), eventOf(accountId, 'logout'), eventOf(suspended, 'logout')];
    await store.audit.append(events);
    await bench.raw(`UPDATE webhooks SET enabled = 0 WHERE id = '${off}'`);
    await bench.raw(`UPDATE accounts SET suspended = 1 WHERE id = '${suspended}'`);
    assert.deepEqual(await store.deliveries.backlog(), { waiting: 2, overdue: 0 });
    clock.time += 60_000;
    await store.deliveries.lease({ webhookId: on, limit: 1, leaseMs: 30_000 });
    assert.deepEqual(await store.deliveries.backlog(), { waiting: 2, overdue: 1 });
  });

  test('deliveries.failed() puts it off, or gives it up, and says why', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const accountId = await addAccount(store);
    const webhookId = await addWebhook(store, accountId);
    await store.audit.append([eventOf(accountId, 'logout')]);
    const first = await leaseOne(store, webhookId);
    assert.equal(await store.deliveries.failed(failureOf(first, { retryAfterMs: 5_000 })), false);
    const failing = await store.webhooks.find(accountId, webhookId);
    assert.deepEqual([failing?.failingSince, failing?.lastFailure], [START, 'status 500']);
    assert.deepEqual(await store.deliveries.due(), []);
    clock.time += 5_000;
    const second = await leaseOne(store, webhookId);
    assert.deepEqual([second.attempt, second.ageMs], [2, 5_000]);
    await store.deliveries.failed(failureOf(second, { retryAfterMs: null }));
    const given = await store.webhooks.find(accountId, webhookId);
    assert.deepEqual([given?.waiting, given?.failingSince, given?.enabled], [0, START, true]);
    await store.audit.append([eventOf(accountId, 'logout')]);
    await store.deliveries.delivered(madeOf(await leaseOne(store, webhookId)));
    assert.equal((await store.webhooks.find(accountId, webhookId))?.failingSince, null);
  });

  test('deliveries.failed() switches a webhook off that failed for too long, once, with an audit event', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const accountId = await addAccount(store);
    const webhookId = await addWebhook(store, accountId);
    const witness = await addWebhook(store, accountId, { kinds: ['webhook.disabled'] });
    await store.audit.append([1, 2, 3].map(() => eventOf(accountId, 'logout')));
    await store.deliveries.failed(failureOf(await leaseOne(store, webhookId), {}));
    clock.time += DISABLE_AFTER_MS;
    const [a, b] = [await leaseOne(store, webhookId), await leaseOne(store, webhookId)];
    const answers = [
      await store.deliveries.failed(failureOf(a, {})),
      await store.deliveries.failed(failureOf(b, {})),
    ];
    assert.deepEqual(answers, [true, false]);
    const off = await store.webhooks.find(accountId, webhookId);
    assert.deepEqual([off?.enabled, off?.waiting, off?.lastFailure], [false, 0, 'status 500']);
    assert.equal((await store.webhooks.find(accountId, witness))?.waiting, 1);
    const query = { accountId, order: 'newest', from: null, limit: 1 } as const;
    const filter = {
      kinds: [],
      email: null,
      shareId: null,
      provider: null,
      actor: null,
      result: null,
      text: null,
      since: null,
      until: null,
    };
    const { events } = await store.audit.page({ ...query, filter });
    assert.equal(events[0]?.kind, 'webhook.disabled');
    const on = await store.webhooks.modify(accountId, webhookId, { enabled: true });
    assert.deepEqual([on?.enabled, on?.failingSince, on?.lastFailure], [true, null, null]);
  });
}

export async function addWebhook(
  store: Store,
  accountId: AccountId,
  over: Partial<NewWebhook> = {},
): Promise<WebhookId> {
  const webhook = webhookOf(accountId, over);
  await store.webhooks.create({ webhook, secret: new Secret(`secret of ${webhook.id}`), most: 100 });
  return webhook.id;
}

async function addOne(store: Store, accountId: AccountId, most: number): Promise<WebhookId | null> {
  const webhook = webhookOf(accountId);
  const made = await store.webhooks.create({ webhook, secret: new Secret('any'), most });
  return made ? webhook.id : null;
}

export function webhookOf(accountId: AccountId, over: Partial<NewWebhook> = {}): NewWebhook {
  return {
    id: newId('whk'),
    accountId,
    name: null,
    url: 'https://hooks.example.com/a',
    kinds: [],
    enabled: true,
    createdAt: START,
    ...over,
  };
}

export async function leaseOne(store: Store, webhookId: WebhookId): Promise<LeasedDelivery> {
  const leased = await store.deliveries.lease({ webhookId, limit: 1, leaseMs: 30_000 });
  const [delivery] = leased?.deliveries ?? [];
  assert.ok(delivery);
  return delivery;
}

async function secretsOf(
  store: Store,
  { accountId, id }: Pick<NewWebhook, 'accountId' | 'id'>,
): Promise<readonly string[] | undefined> {
  return (await store.webhooks.secrets(accountId, id))?.map((secret) => secret.reveal());
}

export function madeOf(delivery: LeasedDelivery, over: Partial<DeliveryAttempt> = {}): LeasedAttempt {
  return {
    delivery,
    payload: payloadOf(delivery),
    attempt: attemptOf({ number: delivery.attempt, ...over }),
  };
}

export function payloadOf({ event }: Pick<LeasedDelivery, 'event'>): string {
  return JSON.stringify({ id: event.id });
}

/** One that arrived, unless said. */
export function attemptOf(over: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  return {
    number: 1,
    at: START,
    durationMs: 12,
    origin: 'https://hooks.example.com',
    status: 204,
    answer: '',
    reason: null,
    ...over,
  };
}

export function failureOf(
  delivery: LeasedDelivery,
  over: { readonly retryAfterMs?: number | null },
): Parameters<Store['deliveries']['failed']>[0] {
  return {
    ...madeOf(delivery, { status: 500, reason: 'status 500' }),
    retryAfterMs: 1_000,
    disableAfterMs: DISABLE_AFTER_MS,
    disabled: eventOf(delivery.accountId, 'webhook.disabled'),
    ...over,
  };
}

export function eventOf(accountId: AccountId | null, kind: AuditKind): AuditEvent {
  return {
    id: newId('evt'),
    at: START,
    kind,
    accountId,
    shareId: null,
    sessionId: null,
    provider: null,
    email: null,
    actor: null,
    ip: null,
    requestId: null,
    reason: null,
  };
}

const UNTRIED = {
  failingSince: null,
  lastFailure: null,
  lastDeliveredAt: null,
  waiting: 0,
  secretRotatedAt: null,
  formerSecretsUntil: null,
};
const HOUR_MS = 60 * 60 * 1000;
const DISABLE_AFTER_MS = 3 * 24 * 60 * 60 * 1000;
