// THREATS "Outbound", for webhooks: no event is posted to the service itself, this machine, a private network
// or a metadata service, in any notation, by a redirect, or by a name that means something else later.

import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { AuditEvent } from '../../src/domain/audit-event.ts';
import { newId } from '../../src/domain/id.ts';
import { Secret } from '../../src/domain/secret.ts';
import { createAccountDiallers, type WebhookRules } from '../../src/webhooks/account-diallers.ts';
import { deliver, payloadOf } from '../../src/webhooks/deliver.ts';
import { LISTED, LOOPBACK, METADATA, PRIVATE } from '../support/address-forms.ts';
import { startControl, type TestControl } from '../support/control.ts';
import { useNameServer } from '../support/resolver.ts';
import { trapServer } from '../support/trap-server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const ALL = [...LOOPBACK, ...PRIVATE, ...METADATA];

async function statusOf(control: TestControl, url: string): Promise<number> {
  const { status, document } = await control.call({ path: '/v1/webhooks', json: { url } });
  if (status === 201)
    await control.call({ method: 'DELETE', path: `/v1/webhooks/${String(document['id'])}` });
  return status;
}

/** One delivery to what the store has, whoever wrote it there. */
async function deliveredTo(url: string, rules: Partial<WebhookRules> = {}): Promise<boolean> {
  const { fetch } = createAccountDiallers(() => ({ outboundAllow: [], ownListeners: [], ...rules }))(
    EVENT.accountId,
  );
  const about = { id: newId('dlv'), kind: EVENT.kind, payload: payloadOf(EVENT), number: 1 };
  const delivery = { ...about, url, secrets: [new Secret('whs_x')] };
  const { reason, answer } = await deliver(fetch, delivery, { now: 0, signal: null });
  if (reason === null) return true;
  assert.doesNotMatch(`${reason} ${answer}`, /trapped/);
  return false;
}

describe('Outbound: a webhook that is made', () => {
  let strict: TestControl;
  let listed: TestControl;
  before(async () => {
    strict = await startControl({ outboundAllow: [] });
    const ownListeners = [
      { host: '0.0.0.0', port: 8282 },
      { host: '::', port: 443 },
    ];
    listed = await startControl({ outboundAllow: LISTED, ownListeners });
  });
  after(async () => {
    await strict[Symbol.asyncDispose]();
    await listed[Symbol.asyncDispose]();
  });

  test('is at a public address, in whichever notation', async () => {
    assert.equal(await statusOf(strict, 'https://93.184.216.34/hook'), 201, 'a public one is taken');
    for (const host of ALL)
      for (const url of [`https://${host}/hook`, `http://${host}:8443`, `HTTPS://${host}?x`])
        assert.equal(await statusOf(strict, url), 422, url);
  });

  test('is no metadata service and none of our listeners, whatever the operator lists', async () => {
    for (const host of [...METADATA, ...LOOPBACK])
      assert.equal(await statusOf(listed, `https://${host}/hook`), 422, host);
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '[::1]'])
      assert.equal(await statusOf(listed, `http://${host}:8282/hook`), 422, host);
    assert.equal(await statusOf(listed, 'http://127.0.0.1:3000/hook'), 201, 'what is listed may be');
  });

  test('has an address that nobody reads as another', async () => {
    for (const url of [
      'https://hooks.example@127.0.0.1',
      'https://user:pw@93.184.216.34',
      'https://93.184.216.34#@127.0.0.1',
      'https://93.184.216.34\\@127.0.0.1',
      'https:\\\\127.0.0.1',
      'https:127.0.0.1',
      'https:///127.0.0.1',
      '//127.0.0.1',
      'http://93.184.216.34',
      'ftp://93.184.216.34',
      'file:///etc/passwd',
      'javascript:x',
      'https://',
      'https://93.184.216.34:0',
      'https://93.184.216.34:65536',
      'https://93.184.216.34\n.x',
      ' https://93.184.216.34',
      'https://93.184.216.34/a b',
      'https://[fe80::1%25eth0]/',
      '',
    ])
      assert.equal(await statusOf(listed, url), 422, JSON.stringify(url));
  });
});

describe('Outbound: a webhook that got past that', () => {
  test('is posted to no private, loopback or metadata address, and to none of our listeners', async (t) => {
    const trap = await trapServer(t);
    for (const host of ALL)
      for (const url of [`https://${host}:${trap.port}/`, `http://${host}:${trap.port}/`])
        assert.equal(await deliveredTo(url), false, url);
    const own = { outboundAllow: LISTED, ownListeners: [{ host: '0.0.0.0', port: trap.port }] };
    for (const host of [...LOOPBACK, ...METADATA])
      assert.equal(await deliveredTo(`http://${host}:${trap.port}/`, own), false, host);
    assert.equal(trap.connections(), 0);
  });

  test('is posted once to whoever redirects, and nowhere else', async (t) => {
    const receiver = await receiverOf(t);
    receiver.answer = 'redirect';
    assert.equal(await deliveredTo(receiver.url, { outboundAllow: ['127.0.0.1'] }), false);
    assert.equal(receiver.received.length, 1);
  });

  test('is posted to the address that was judged, and judged again each time (rebinding)', async (t) => {
    const receiver = await receiverOf(t);
    const trap = await trapServer(t, '127.0.0.2', receiver.port);
    const asked = await useNameServer(t, (_name, count) => [count === 1 ? '127.0.0.1' : '127.0.0.2']);
    const url = `http://rebind.attacker.example:${receiver.port}/hook`;
    const rules = { outboundAllow: [`127.0.0.1:${receiver.port}`] };
    assert.equal(await deliveredTo(url, rules), true);
    assert.deepEqual([asked('rebind.attacker.example'), receiver.received.length], [1, 1]);
    assert.equal(await deliveredTo(url, rules), false);
    assert.deepEqual([asked('rebind.attacker.example'), trap.connections()], [2, 0]);
  });

  test('is posted nowhere when its name was public once, or when one of its addresses is not', async (t) => {
    const trap = await trapServer(t);
    const sets: Readonly<Record<string, readonly string[]>> = {
      'both.attacker.example': ['93.184.216.34', '127.0.0.1'],
      'six.attacker.example': ['93.184.216.34', '::1'],
      'mapped.attacker.example': ['::ffff:127.0.0.1'],
      'metadata.attacker.example': ['169.254.169.254', '93.184.216.34'],
      'translated.attacker.example': ['64:ff9b::7f00:1'],
      'nobody.attacker.example': ['0.0.0.0'],
    };
    await useNameServer(t, (name, count) => sets[name] ?? [count === 1 ? '93.184.216.34' : '127.0.0.1']);
    await using control = await startControl({ outboundAllow: [] });
    const late = `https://late.attacker.example:${trap.port}/`;
    assert.equal(await statusOf(control, late), 201, 'it was public');
    assert.equal(await deliveredTo(late), false);
    for (const name of Object.keys(sets)) {
      const url = `https://${name}:${trap.port}/`;
      assert.equal(await statusOf(control, url), 422, name);
      assert.equal(await deliveredTo(url), false, name);
    }
    assert.equal(trap.connections(), 0);
  });
});

async function receiverOf(t: TestContext) {
  const receiver = await startWebhookReceiver();
  t.after(receiver.close);
  return receiver;
}

const EVENT = {
  id: newId('evt'),
  at: 0,
  kind: 'share.created',
  accountId: newId('acc'),
  shareId: null,
  sessionId: null,
  provider: null,
  email: null,
  actor: 'operator',
  ip: null,
  requestId: null,
  reason: null,
} satisfies AuditEvent;
