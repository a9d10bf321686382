// Webhooks through the API: made, shown, tested, switched, deleted; never another account's, never the secret
// twice.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startControl, type TestCall, type TestControl } from '../../../test/support/control.ts';
import {
  type Received,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../../test/support/webhook-receiver.ts';
import type { MadeWebhook, WebhookObject } from '../../wire/webhook.ts';
import { newId } from '../../domain/id.ts';
import { webhookSignature } from '../../webhooks/signature.ts';
import { Secret } from '../../domain/secret.ts';

describe('webhooks', () => {
  let control: TestControl;
  let receiver: WebhookReceiver;
  before(async () => {
    control = await startControl();
    receiver = await startWebhookReceiver();
  });
  after(async () => {
    await receiver.close();
    await control[Symbol.asyncDispose]();
  });

  const make = async (json: object): Promise<MadeWebhook> => {
    const made = await control.call({ path: '/v1/webhooks', json });
    assert.equal(made.status, 201, JSON.stringify(made.document));
    return made.document as unknown as MadeWebhook;
  };
  const remove = (id: string) => control.call({ path: `/v1/webhooks/${id}`, method: 'DELETE' });

  test('POST /v1/webhooks shows the secret once, and nothing shows it again', async () => {
    const json = { url: receiver.url, name: 'chat', kinds: ['logout', 'logout', 'share.created'] };
    const { secret, ...made } = await make(json);
    assert.match(secret, /^whs_[\w-]{43}$/);
    const { id, createdAt } = made;
    assert.deepEqual(made, {
      id,
      name: 'chat',
      url: receiver.url,
      kinds: ['logout', 'share.created'],
      enabled: true,
      createdAt,
      failingSince: null,
      lastFailure: null,
      lastDeliveredAt: null,
      waiting: 0,
      secretRotatedAt: null,
      formerSecretsUntil: null,
    });
    const shown = await control.call({ path: `/v1/webhooks/${id}` });
    assert.deepEqual(shown.document, { ...made });
    const listed = await control.call({ path: '/v1/webhooks' });
    assert.deepEqual(listed.document, { items: [made], nextCursor: null, total: 1 });
    const events = await control.call({ path: '/v1/audit-events?kind=webhook.created' });
    assert.ok(!JSON.stringify([events.document, control.log]).includes(secret));
    const [event] = events.document['items'] as Record<string, unknown>[];
    assert.equal(event?.['reason'], id);
    assert.equal((await remove(id)).status, 204);
    assert.equal((await remove(id)).document['code'], 'webhook_unknown');
  });

  test('POST /v1/webhooks refuses what is no address, or may not be called (DESIGN "Calls out")', async () => {
    const wrong = [
      'hooks.example.com',
      'http://hooks.example.com/',
      'https://user@hooks.example.com/',
      'https://hooks.example.com/#part',
      'ftp://hooks.example.com/',
      'https://hooks.example.com:0/',
      `https://hooks.example.com/${'x'.repeat(2_000)}`,
      'https://hooks.example.com\\@127.0.0.1/',
    ];
    for (const url of wrong) {
      const answer = await control.call({ path: '/v1/webhooks', json: { url } });
      assert.deepEqual([answer.status, answer.document['code']], [422, 'validation_failed'], url);
    }
    const forbidden = [
      'https://10.0.0.1/',
      'https://169.254.169.254/latest',
      'https://0x0a000001/',
      'https://[::ffff:10.0.0.1]/',
      'https://[fd00::1]/',
      'https://127.0.0.2/',
      'http://127.0.0.1:8282/',
    ];
    for (const url of forbidden) {
      const answer = await control.call({ path: '/v1/webhooks', json: { url } });
      assert.deepEqual([answer.status, answer.document['code']], [422, 'target_refused'], url);
    }
    for (const json of [{}, { url: receiver.url, kinds: ['nothing'] }, { url: receiver.url, secret: 'mine' }])
      assert.equal((await control.call({ path: '/v1/webhooks', json })).status, 422);
  });

  test('an account has at most twenty webhooks', async () => {
    const made = [];
    for (let count = 0; count < 20; count++) made.push(await make({ url: receiver.url }));
    const more = await control.call({ path: '/v1/webhooks', json: { url: receiver.url } });
    assert.deepEqual([more.status, more.document['code']], [409, 'too_many_webhooks']);
    const first = await control.call({ path: '/v1/webhooks?limit=15' });
    const rest = await control.call({
      path: `/v1/webhooks?limit=15&cursor=${String(first.document['nextCursor'])}`,
    });
    const items = [first, rest].flatMap(({ document }) => document['items'] as WebhookObject[]);
    assert.deepEqual(items.map(({ id }) => id).toSorted(), made.map(({ id }) => id).toSorted());
    for (const { id } of made) await remove(id);
  });

  test('POST /v1/webhooks/{id}/test posts the event of the test at once, signed, and says how it went', async () => {
    const { id, secret } = await make({ url: receiver.url, kinds: ['logout'] });
    const call = { path: `/v1/webhooks/${id}/test`, json: {} };
    const good = await control.call(call);
    assert.deepEqual(good.document, { delivered: true, status: 204, reason: null });
    const got = receiver.received.at(-1);
    assert.equal(got?.event['kind'], 'webhook.tested');
    assert.equal(got?.event['reason'], id);
    const signature = String(got?.headers['svc-webhook-signature']);
    const time = Number(/^t=(\d+)/.exec(signature)?.[1]);
    assert.equal(signature, webhookSignature([new Secret(secret)], got?.body ?? '', time * 1000));
    const events = await control.call({ path: '/v1/audit-events?kind=webhook.tested' });
    const [event] = events.document['items'] as Record<string, unknown>[];
    assert.deepEqual(event, got?.event);
    receiver.answer = 500;
    const bad = await control.call(call);
    assert.deepEqual(bad.document, { delivered: false, status: 500, reason: 'it answered 500' });
    receiver.answer = 204;
    assert.equal((await control.call({ path: `/v1/webhooks/${id}` })).document['waiting'], 0);
    await remove(id);
    const closed = await make({ url: 'http://127.0.0.1:9/' });
    const none = await control.call({ ...call, path: `/v1/webhooks/${closed.id}/test` });
    assert.deepEqual([none.document['delivered'], none.document['status']], [false, null]);
    assert.match(String(none.document['reason']), /ECONNREFUSED/);
    await remove(closed.id);
  });

  test('PATCH /v1/webhooks/{id} switches it off and on; what waited is dropped', async () => {
    const { id } = await make({ url: receiver.url });
    const patch = (json: object) => control.call({ path: `/v1/webhooks/${id}`, method: 'PATCH', json });
    await control.call({
      path: '/v1/shares',
      json: { name: 'told', target: 'http://127.0.0.1:3000', open: true },
    });
    const queued = await control.call({ path: `/v1/webhooks/${id}` });
    assert.equal(queued.document['waiting'], 2, 'its own making, and the share');
    const off = await patch({ enabled: false });
    assert.deepEqual([off.document['enabled'], off.document['waiting']], [false, 0]);
    const on = await patch({ enabled: true });
    assert.equal(on.document['enabled'], true);
    for (const json of [{ enabled: 1 }, { enabled: true, secret: 'whs_mine' }, { id: 'whk_mine' }])
      assert.equal((await patch(json)).status, 422);
    const events = await control.call({ path: '/v1/audit-events?kind=webhook.modified' });
    const reasons = (events.document['items'] as { reason: string }[]).map(({ reason }) => reason);
    assert.deepEqual(reasons, [`${id}: enabled`, `${id}: disabled`]);
    await remove(id);
  });

  test('PATCH /v1/webhooks/{id} changes address, name and kinds, and leaves what is not given', async () => {
    const { secret, ...made } = await make({ url: receiver.url, name: 'chat', kinds: ['logout'] });
    const path = `/v1/webhooks/${made.id}`;
    const patch = (json: object) => control.call({ path, method: 'PATCH', json });
    const other = await startWebhookReceiver();
    try {
      const led = await patch({ url: other.url });
      assert.deepEqual(led.document, { ...made, url: other.url });
      assert.notEqual(led.headers.get('etag'), null);
      const kinds = ['webhook.tested', 'login.refused', 'login.refused'];
      const changed = { ...made, url: other.url, name: null, kinds: kinds.slice(0, 2) };
      assert.deepEqual((await patch({ name: null, kinds })).document, changed);
      assert.deepEqual((await patch({})).document, changed);
      assert.deepEqual((await patch({ kinds: [] })).document, { ...changed, kinds: [] });
      await control.call({ path: `${path}/test`, json: {} });
      const got = other.received.at(-1);
      assert.ok(got);
      assert.equal(got.headers['svc-webhook-signature'], signed(got, [secret]), 'the secret stays');
    } finally {
      await other.close();
    }
    const wrong = [
      { url: 'http://hooks.example.com/' },
      { url: null },
      { name: '' },
      { kinds: ['nothing'] },
      { kinds: null },
    ];
    for (const json of wrong) {
      const refused = await patch(json);
      assert.deepEqual([refused.status, refused.document['code']], [422, 'validation_failed']);
    }
    const forbidden = await patch({ url: 'https://169.254.169.254/', enabled: false });
    assert.deepEqual([forbidden.status, forbidden.document['code']], [422, 'target_refused']);
    assert.equal((await control.call({ path })).document['enabled'], true, 'all or nothing');
    assert.deepEqual(await reasons('webhook.modified', made.id), ['kinds', 'name, kinds', 'url']);
    await remove(made.id);
  });

  test('POST /v1/webhooks/{id}/rotate-secret signs with both secrets for the overlap, and shows the new one once', async () => {
    const made = await make({ url: receiver.url });
    const path = `/v1/webhooks/${made.id}`;
    const rotate = (json: object) => control.call({ path: `${path}/rotate-secret`, json });
    const signedWith = async (...secrets: string[]) => {
      await control.call({ path: `${path}/test`, json: {} });
      const got = receiver.received.at(-1);
      assert.ok(got);
      assert.equal(got.headers['svc-webhook-signature'], signed(got, secrets));
    };
    const startedAt = Date.now();
    const second = (await rotate({})).document as unknown as MadeWebhook;
    assert.match(second.secret, /^whs_[\w-]{43}$/);
    assert.notEqual(second.secret, made.secret);
    const overlapMs = Date.parse(second.formerSecretsUntil ?? '') - Date.parse(second.secretRotatedAt ?? '');
    assert.ok(Math.abs(overlapMs - 24 * 60 * 60 * 1000) < 60_000);
    assert.ok(Date.parse(second.secretRotatedAt ?? '') >= startedAt - 1);
    await signedWith(second.secret, made.secret);
    const third = (await rotate({ overlap: '1h' })).document as unknown as MadeWebhook;
    await signedWith(third.secret, second.secret, made.secret);
    const last = (await rotate({ overlap: 'none' })).document as unknown as MadeWebhook;
    assert.equal(last.formerSecretsUntil, null);
    await signedWith(last.secret);
    for (const overlap of ['0s', '8d', 'soon', '', 'NONE']) {
      const { status, document } = await rotate({ overlap });
      assert.deepEqual([status, document['code']], [422, 'validation_failed'], overlap);
    }
    const shown = await control.call({ path });
    const events = await control.call({ path: '/v1/audit-events?kind=webhook.secret_rotated' });
    const seen = JSON.stringify([shown.document, events.document, control.log]);
    for (const { secret } of [made, second, third, last]) assert.ok(!seen.includes(secret));
    assert.deepEqual(await reasons('webhook.secret_rotated', made.id), [
      'overlap none',
      'overlap 1h',
      'overlap 24h',
    ]);
    for (let count = 0; count < 3; count++) assert.equal((await rotate({})).status, 200);
    const full = await rotate({});
    assert.deepEqual([full.status, full.document['code']], [409, 'limit_reached']);
    await remove(made.id);
  });

  /** What the audit log says of one webhook, the newest first. */
  const reasons = async (kind: string, id: string): Promise<readonly string[]> => {
    const { document } = await control.call({ path: `/v1/audit-events?kind=${kind}` });
    return (document['items'] as { reason: string }[])
      .filter(({ reason }) => reason.startsWith(`${id}: `))
      .map(({ reason }) => reason.slice(id.length + 2));
  };

  type Delivery = Readonly<Record<string, unknown>> & { readonly id: string };
  const deliveriesOf = async (id: string, query = '') => {
    const { status, document } = await control.call({ path: `/v1/webhooks/${id}/deliveries${query}` });
    assert.equal(status, 200, JSON.stringify(document));
    return document as unknown as { items: readonly Delivery[]; nextCursor: string | null };
  };
  const failedTest = async (id: string, text: string): Promise<string> => {
    Object.assign(receiver, { answer: 500, text });
    await control.call({ path: `/v1/webhooks/${id}/test`, json: {} });
    Object.assign(receiver, { answer: 204, text: '' });
    return (await deliveriesOf(id)).items[0]?.id ?? '';
  };

  test('GET /v1/webhooks/{id}/deliveries has what was sent and answered, page after page (issue "Audit")', async () => {
    const { id, secret } = await make({ url: receiver.url, name: 'chat' });
    assert.deepEqual(await deliveriesOf(id), { items: [], nextCursor: null });
    const failed = await failedTest(id, `<script>alert(1)</script> got ${secret}`);
    const got = receiver.received.at(-1);
    assert.equal(got?.id, failed);
    await control.call({ path: `/v1/webhooks/${id}/test`, json: {} });
    const both = await deliveriesOf(id);
    assert.deepEqual(
      both.items.map(({ kind, state, status, attempt }) => [kind, state, status, attempt]),
      [
        ['webhook.tested', 'delivered', 204, null],
        ['webhook.tested', 'failed', 500, null],
      ],
    );
    const first = await deliveriesOf(id, '?limit=1');
    const rest = await deliveriesOf(id, `?limit=1&cursor=${first.nextCursor}`);
    assert.deepEqual([...first.items, ...rest.items], both.items);
    assert.deepEqual((await deliveriesOf(id, '?state=failed')).items, both.items.slice(1));
    const { document } = await control.call({ path: `/v1/webhook-deliveries/${failed}` });
    assert.equal(document['payload'], got?.body);
    const [attempt] = document['attempts'] as Record<string, unknown>[];
    assert.deepEqual(
      [attempt?.['origin'], attempt?.['status'], attempt?.['answer'], attempt?.['reason']],
      [new URL(receiver.url).origin, 500, '<script>alert(1)</script> got [hidden]', 'it answered 500'],
    );
    assert.ok(!JSON.stringify([document, control.log]).includes(secret));
    for (const query of [
      '?cursor=x',
      '?state=lost',
      `?cursor=${Buffer.from('1-whk_x').toString('base64url')}`,
    ]) {
      const path = `/v1/webhooks/${id}/deliveries${query}`;
      assert.equal((await control.call({ path })).document['code'], 'validation_failed', query);
    }
    await remove(id);
    const gone = await control.call({ path: `/v1/webhooks/${id}/deliveries` });
    assert.equal(gone.document['code'], 'webhook_unknown');
  });

  test('POST …/redeliver sends the same id and payload, signed anew by the secrets of now, and writes down who did', async () => {
    const { id, secret } = await make({ url: receiver.url, kinds: ['logout'] });
    const failed = await failedTest(id, 'busy');
    const former = receiver.received.at(-1);
    await control.call({ path: `/v1/webhooks/${id}`, method: 'PATCH', json: { enabled: false } });
    const rotated = await control.call({ path: `/v1/webhooks/${id}/rotate-secret`, json: {} });
    const call = { path: `/v1/webhook-deliveries/${failed}/redeliver`, json: {} };
    const answer = await control.call(call);
    assert.deepEqual(answer.document, { delivered: true, status: 204, reason: null });
    const got = receiver.received.at(-1);
    assert.ok(got && former && got !== former);
    assert.deepEqual([got.id, got.body], [former.id, former.body]);
    const signature = got.headers['svc-webhook-signature'];
    assert.equal(signature, signed(got, [String(rotated.document['secret']), secret]));
    const { document } = await control.call({ path: `/v1/webhook-deliveries/${failed}` });
    assert.deepEqual(
      [document['state'], (document['attempts'] as { status: number }[]).map(({ status }) => status)],
      ['delivered', [500, 204]],
    );
    const events = await control.call({ path: '/v1/audit-events?kind=webhook.redelivered' });
    const [event] = events.document['items'] as Record<string, unknown>[];
    assert.equal(event?.['reason'], `${id}: ${failed}`);
    assert.match(String(event?.['actor']), /^api-key:key_/);
    const unknown = await control.call({ ...call, path: call.path.replace(failed, newId('dlv')) });
    assert.deepEqual([unknown.status, unknown.document['code']], [404, 'delivery_unknown']);
    const codes = new Set<unknown>();
    for (let count = 0; count < 40; count++) codes.add((await control.call(call)).document['code']);
    assert.ok(codes.has('rate_limited'), 'it calls another server, so it is bounded');
    await remove(id);
  });

  test('webhooks of another account read as unknown in every operation (THREATS "Tenancy")', async () => {
    const { id } = await make({ url: receiver.url });
    const delivery = await failedTest(id, '');
    const calls: TestCall[] = [
      { path: `/v1/webhooks/${id}` },
      { path: `/v1/webhooks/${id}`, method: 'PATCH', json: { enabled: false } },
      { path: `/v1/webhooks/${id}`, method: 'DELETE' },
      { path: `/v1/webhooks/${id}/test`, json: {} },
      { path: `/v1/webhooks/${id}/rotate-secret`, json: {} },
      { path: `/v1/webhooks/${id}/deliveries` },
    ];
    for (const call of calls) {
      const nobodys = { ...call, path: call.path.replace(id, newId('whk')) };
      for (const each of [call, nobodys]) {
        const answer = await control.call({ ...each, as: control.mallory });
        assert.deepEqual([answer.status, answer.document['code']], [404, 'webhook_unknown']);
      }
    }
    const listed = await control.call({ path: '/v1/webhooks', as: control.mallory });
    assert.deepEqual(listed.document['items'], []);
    const log: TestCall[] = [
      { path: `/v1/webhook-deliveries/${delivery}` },
      { path: `/v1/webhook-deliveries/${delivery}/redeliver`, json: {} },
    ];
    const former = receiver.received.length;
    for (const call of log) {
      const answer = await control.call({ ...call, as: control.mallory });
      assert.deepEqual([answer.status, answer.document['code']], [404, 'delivery_unknown']);
    }
    assert.equal(receiver.received.length, former);
    assert.equal((await control.call({ path: `/v1/webhooks/${id}` })).document['enabled'], true);
    await remove(id);
  });
});

function signed({ headers, body }: Received, secrets: readonly string[]): string {
  const time = Number(/^t=(\d+)/.exec(String(headers['svc-webhook-signature']))?.[1]);
  return webhookSignature(
    secrets.map((secret) => new Secret(secret)),
    body,
    time * 1000,
  );
}
