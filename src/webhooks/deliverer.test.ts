// Deliveries over real sockets from a real store whose clock the test moves.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { eventually } from '../../test/support/serve-process.ts';
import { addAccount, openTestStore, type TestStore } from '../../test/support/store.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/support/webhook-receiver.ts';
import { type AuditEvent, toldEvent } from '../domain/audit-event.ts';
import { type AccountId, newId, type WebhookId } from '../domain/id.ts';
import { Secret } from '../domain/secret.ts';
import { createAccountDiallers } from './account-diallers.ts';
import { startDeliverer } from './deliverer.ts';

const SECRET = 'whs_test';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

type Bench = {
  readonly clock: { now: number };
  readonly store: TestStore;
  readonly accountId: AccountId;
  readonly deliver: () => ReturnType<typeof startDeliverer>;
  readonly receiver: (options?: { readonly port?: number }) => Promise<WebhookReceiver>;
  readonly hook: (url: string) => Promise<WebhookId>;
  readonly happen: (count: number) => Promise<readonly AuditEvent[]>;
};

async function benchOf(t: TestContext): Promise<Bench> {
  const clock = { now: Date.UTC(2030, 0, 1) };
  const store = await openTestStore(() => clock.now);
  t.after(() => store.dispose());
  const accountId = await addAccount(store);
  const deliver = () => {
    const deliverer = startDeliverer({
      deliveries: store.deliveries,
      dialler: createAccountDiallers(() => ({ outboundAllow: ['127.0.0.1'], ownListeners: [] })),
      now: () => clock.now,
      log: { warn: () => undefined, info: () => undefined },
      pollMs: 5,
    });
    t.after(() => deliverer.stop());
    return deliverer;
  };
  return {
    clock,
    store,
    accountId,
    deliver,
    async receiver(options = {}) {
      const receiver = await startWebhookReceiver(options);
      t.after(() => receiver.close());
      return receiver;
    },
    async hook(url) {
      const id = newId('whk');
      const webhook = { id, accountId, name: null, url, kinds: [], enabled: true, createdAt: clock.now };
      await store.webhooks.create({ webhook, secret: new Secret(SECRET), most: 100 });
      return id;
    },
    async happen(count) {
      const events = Array.from({ length: count }, () => eventOf(accountId, clock.now));
      await store.audit.append(events);
      return events;
    },
  };
}

test('each event is posted once, as the API tells it, signed over time and body (issue "Audit")', async (t) => {
  const bench = await benchOf(t);
  const receiver = await bench.receiver();
  const id = await bench.hook(receiver.url);
  bench.deliver();
  const events = await bench.happen(30);
  await eventually('all arrive', () => receiver.received.length === 30);
  assert.deepEqual(
    receiver.received.map(({ event }) => event).toSorted(byId),
    events.map(toldEvent).toSorted(byId),
  );
  for (const { headers, body } of receiver.received) {
    const [, time, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['svc-webhook-signature'])) ?? [];
    assert.equal(Number(time), bench.clock.now / 1000);
    assert.equal(mac, createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex'));
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['svc-webhook-kind'], 'login.refused');
  }
  assert.equal(new Set(receiver.received.map((each) => each.id)).size, 30);
  assert.ok(receiver.load.most <= 4, `${receiver.load.most} at once`);
  await eventually('nothing waits', async () => (await waiting(bench, id)) === 0);
});

test('a failed delivery is tried again with the same id until it arrives', async (t) => {
  const bench = await benchOf(t);
  const receiver = await bench.receiver();
  const id = await bench.hook(receiver.url);
  bench.deliver();
  const reasons: unknown[] = [];
  await bench.happen(1);
  for (const answer of [500, 302, 'redirect', 404] as const) {
    receiver.answer = answer;
    const before = receiver.received.length;
    bench.clock.now += 60 * MINUTE_MS;
    await eventually('it is tried', () => receiver.received.length > before);
    await eventually('the failure is noted', async () => {
      const last = (await bench.store.webhooks.find(bench.accountId, id))?.lastFailure;
      return last !== null && last !== reasons.at(-1) && reasons.push(last);
    });
  }
  assert.deepEqual(reasons, ['it answered 500', 'it answered 302', 'it answered 307', 'it answered 404']);
  receiver.answer = 200;
  bench.clock.now += 60 * MINUTE_MS;
  await eventually('it arrived', async () => (await waiting(bench, id)) === 0);
  assert.equal(new Set(receiver.received.map((each) => each.id)).size, 1);
  assert.equal((await bench.store.webhooks.find(bench.accountId, id))?.failingSince, null);
  const [logged] = await loggedOf(bench, id);
  assert.equal(logged?.state, 'delivered');
  assert.equal(logged?.payload, receiver.received[0]?.body);
  assert.deepEqual(
    logged?.attempts.map(({ number, status }) => [number, status]),
    [500, 302, 307, 404, 200].map((status, index) => [index + 1, status]),
  );
});

test('a delivery is given up after a day, and a webhook that only failed is switched off after three', async (t) => {
  const bench = await benchOf(t);
  const receiver = await bench.receiver();
  receiver.answer = 503;
  const id = await bench.hook(receiver.url);
  bench.deliver();
  await bench.happen(1);
  await eventually('it failed', () => receiver.received.length === 1);
  await eventually('it is given up', async () => {
    bench.clock.now += 60 * MINUTE_MS;
    return (await waiting(bench, id)) === 0;
  });
  assert.equal((await bench.store.webhooks.find(bench.accountId, id))?.enabled, true);
  bench.clock.now += 3 * DAY_MS;
  await bench.happen(2);
  await eventually(
    'it is switched off',
    async () => (await bench.store.webhooks.find(bench.accountId, id))?.enabled === false,
  );
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
  const query = { accountId: bench.accountId, filter, order: 'newest', from: null, limit: 1 } as const;
  const [event] = (await bench.store.audit.page(query)).events;
  assert.deepEqual([event?.kind, event?.reason], ['webhook.disabled', `${id}: it answered 503`]);
});

test('what a gateway held when it died is delivered by another once the lease is over', async (t) => {
  const bench = await benchOf(t);
  const receiver = await bench.receiver();
  const webhookId = await bench.hook(receiver.url);
  const [event] = await bench.happen(1);
  await bench.store.deliveries.lease({ webhookId, limit: 10, leaseMs: 30_000 });
  bench.deliver();
  bench.clock.now += 29_000;
  await bench.happen(1);
  await eventually('the other one arrives', () => receiver.received.length === 1);
  assert.notEqual(receiver.received[0]?.event['id'], event?.id);
  bench.clock.now += 1_000;
  await eventually('it arrives', () => receiver.received.length === 2);
  assert.equal(receiver.received[1]?.event['id'], event?.id);
  await eventually('both are logged', async () => (await loggedOf(bench, webhookId)).length === 2);
  const cut = (await loggedOf(bench, webhookId)).find(({ eventId }) => eventId === event?.id);
  // Of the first attempt nobody knows what came of it, and the log says nothing of it.
  assert.deepEqual(
    cut?.attempts.map(({ number, status }) => [number, status]),
    [[2, 204]],
  );
});

test('stopping gives up what is under way, and the next start goes on with it at once', async (t) => {
  const bench = await benchOf(t);
  const receiver = await bench.receiver();
  receiver.answer = 'stall';
  const id = await bench.hook(receiver.url);
  const first = bench.deliver();
  await bench.happen(1);
  await eventually('it is under way', () => receiver.received.length === 1);
  await first.stop();
  assert.equal((await bench.store.webhooks.find(bench.accountId, id))?.lastFailure, null);
  receiver.answer = 204;
  bench.deliver();
  await eventually('it arrives', async () => (await waiting(bench, id)) === 0);
});

test('several gateways deliver each event once', async (t) => {
  const bench = await benchOf(t);
  const receiver = await bench.receiver();
  const id = await bench.hook(receiver.url);
  for (let gateway = 0; gateway < 3; gateway++) bench.deliver();
  await bench.happen(60);
  await eventually('all arrive', () => receiver.received.length >= 60);
  assert.equal(new Set(receiver.received.map((each) => each.id)).size, 60);
  assert.equal(receiver.received.length, 60);
  await eventually('all are logged', async () => (await loggedOf(bench, id)).length === 60);
  const logged = await loggedOf(bench, id);
  assert.deepEqual(
    logged.map((each) => each.id).toSorted(),
    receiver.received.map((each) => each.id).toSorted(),
  );
  assert.ok(
    logged.every(({ attempts }) => attempts.length === 1),
    'each is recorded once',
  );
});

test('a receiver that stalls holds up no other one', async (t) => {
  const bench = await benchOf(t);
  const [slow, quick] = [await bench.receiver(), await bench.receiver()];
  slow.answer = 'stall';
  await bench.hook(slow.url);
  await bench.hook(quick.url);
  bench.deliver();
  await bench.happen(20);
  await eventually('the quick one has all', () => quick.received.length === 20);
  assert.equal(slow.load.most, 4);
});

test('no address that accounts may not call is called: private, own, metadata, http elsewhere (DESIGN "Calls out")', async (t) => {
  const bench = await benchOf(t);
  const receiver = await bench.receiver();
  const urls = [
    `http://127.0.0.2:${receiver.port}/`,
    `http://[::ffff:127.0.0.2]:${receiver.port}/`,
    'https://169.254.169.254/',
    'https://10.0.0.1/',
    'http://192.0.2.1/',
    'ftp://127.0.0.1/',
  ];
  const ids = await Promise.all(urls.map((url) => bench.hook(url)));
  bench.deliver();
  await bench.happen(1);
  for (const id of ids)
    await eventually(
      'it failed',
      async () => (await bench.store.webhooks.find(bench.accountId, id))?.lastFailure !== null,
    );
  assert.equal(receiver.received.length, 0);
});

async function loggedOf({ store, accountId }: Bench, webhookId: WebhookId) {
  const page = { state: null, before: null, limit: 200 };
  const listed = await store.deliveryLog.list({ accountId, webhookId }, page);
  const found = await Promise.all(listed.map(({ id }) => store.deliveryLog.find(accountId, id)));
  return found.filter((each) => each !== null);
}

async function waiting({ store, accountId }: Bench, id: WebhookId): Promise<number | undefined> {
  return (await store.webhooks.find(accountId, id))?.waiting;
}

function byId(a: { readonly id?: unknown }, b: { readonly id?: unknown }): number {
  return String(a.id) < String(b.id) ? -1 : 1;
}

function eventOf(accountId: AccountId, at: number): AuditEvent {
  return {
    id: newId('evt'),
    at,
    kind: 'login.refused',
    accountId,
    shareId: null,
    sessionId: null,
    provider: 'corp',
    email: 'ada@example.com',
    actor: null,
    ip: '192.0.2.1',
    requestId: 'req-1',
    reason: 'email_refused',
  };
}
