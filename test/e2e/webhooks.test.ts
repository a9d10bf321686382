// Webhooks with the whole service: what happens at the gate and the API arrives, verified by the example
// receiver; a restart loses nothing.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { walkLogin } from '../support/browser-by-hand.ts';
import { freePort } from '../support/free-port.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ outboundAllow: ['127.0.0.1'] });
});
after(() => service.close());

test('a login arrives at the example receiver, which refuses what is not signed (docs/how-to/webhooks.md)', async (t) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { secret } = await service.client.webhooks.create({ url, kinds: ['login.succeeded'] });
  const receiver = startExample({ WEBHOOK_SECRET: secret, PORT: String(port) });
  t.after(() => receiver.kill());
  await once(receiver.stderr, 'data');
  const told: Record<string, unknown>[] = [];
  createInterface(receiver.stdout).on('line', (line) =>
    told.push(JSON.parse(line) as Record<string, unknown>),
  );
  const forged = await fetch(url, {
    method: 'POST',
    headers: { 'svc-webhook-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` },
    body: '{}',
  });
  assert.equal(forged.status, 401);
  const share = await service.share('told');
  await walkLogin(service.browser(), share.url, { email: 'ada@example.com' });
  await eventually('the event arrives', () => told.length > 0);
  assert.deepEqual(
    [told[0]?.['kind'], told[0]?.['email'], told[0]?.['shareId']],
    ['login.succeeded', 'ada@example.com', share.id],
  );
  const { items } = await service.client.auditEvents.list({ kind: ['login.succeeded'] });
  assert.deepEqual(told, items);
});

test('while its secret is rotated, a receiver with either secret takes what arrives, and after it with the new one alone (docs/how-to/webhooks.md)', async (t) => {
  const { webhooks } = service.client;
  const ports = [await freePort(), await freePort()] as const;
  const made = await webhooks.create({ url: `http://127.0.0.1:${ports[0]}/`, kinds: ['webhook.tested'] });
  const rotated = await webhooks.rotateSecret(made.id);
  const secrets = [made.secret, rotated.secret] as const;
  for (const [index, port] of ports.entries()) {
    const receiver = startExample({ WEBHOOK_SECRET: secrets[index] ?? '', PORT: String(port) });
    t.after(() => receiver.kill());
    await once(receiver.stderr, 'data');
  }
  const testAt = async (port: number) => {
    await webhooks.modify(made.id, { url: `http://127.0.0.1:${port}/` });
    return (await webhooks.test(made.id)).status;
  };
  assert.deepEqual([await testAt(ports[0]), await testAt(ports[1])], [204, 204]);
  const { secret } = await webhooks.rotateSecret(made.id, { overlap: 'none' });
  assert.deepEqual([await testAt(ports[0]), await testAt(ports[1])], [401, 401]);
  const port = await freePort();
  const last = startExample({ WEBHOOK_SECRET: secret, PORT: String(port) });
  t.after(() => last.kill());
  await once(last.stderr, 'data');
  assert.equal(await testAt(port), 204);
  await webhooks.remove(made.id);
});

function startExample(env: Readonly<Record<string, string>>) {
  return spawn(
    process.execPath,
    [join(import.meta.dirname, '../../examples/webhook-receiver/receiver.mjs')],
    {
      env,
    },
  );
}

test('a change of a share arrives with what it changed, before and after', async (t) => {
  const receiver = await startWebhookReceiver();
  t.after(() => receiver.close());
  const { auditEvents, shares, webhooks } = service.client;
  const share = await service.share('entry');
  const { id } = await webhooks.create({ url: receiver.url, kinds: ['share.modified'] });
  const rules = [{ allow: { everyone: true, paths: ['/healthz'] } }] as const;
  await shares.modify(share.name, { rules, allowGroups: ['eng-*'] });
  await eventually('it arrives', () => receiver.received.length > 0);
  assert.deepEqual(receiver.received[0]?.event['changes'], {
    before: { allowGroups: [], rules: [] },
    after: { allowGroups: ['eng-*'], rules: ['allow everyone; paths /healthz'] },
    secrets: [],
    omitted: 0,
  });
  const { items } = await auditEvents.list({ kind: ['share.modified'], share: share.name });
  assert.deepEqual(
    receiver.received.map(({ event }) => event),
    items,
  );
  await webhooks.remove(id);
});

test('each step of a certificate request token arrives (contract 5.4)', async (t) => {
  const receiver = await startWebhookReceiver();
  t.after(() => receiver.close());
  const kinds = [
    'certificate_token.created',
    'certificate_token.deleted',
    'certificate.issued',
    'certificate.refused',
    'certificate.revoked',
  ] as const;
  const { certificates, webhooks } = service.client;
  const { id } = await webhooks.create({ url: receiver.url, kinds });
  const { token, id: tokenId } = await certificates.createToken({ name: 'ann', commonName: 'ann' });
  const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  await assert.rejects(certificates.redeem({ token, csr: 'none' }), { code: 'csr_refused' });
  const { serial } = await certificates.redeem({ token, csr });
  await certificates.revoke(serial, {});
  await certificates.removeToken(tokenId);
  await eventually('they arrive', () => receiver.received.length >= kinds.length);
  assert.deepEqual(receiver.received.map(({ event }) => event['kind']).toSorted(), kinds.toSorted());
  assert.ok(!receiver.received.some(({ body }) => body.includes(token)));
  await webhooks.remove(id);
});

test('what was queued before a restart is delivered after it', async (t) => {
  const receiver = await startWebhookReceiver();
  t.after(() => receiver.close());
  receiver.answer = 'stall';
  const { id } = await service.client.webhooks.create({ url: receiver.url, kinds: ['share.created'] });
  const share = await service.share('queued');
  await eventually('it is under way', () => receiver.received.length > 0);
  await service.restart();
  receiver.answer = 200;
  await eventually('it arrives', async () => (await service.client.webhooks.show(id)).waiting === 0);
  assert.equal(receiver.received.at(-1)?.event['shareId'], share.id);
  assert.equal(new Set(receiver.received.map((each) => each.id)).size, 1);
});
