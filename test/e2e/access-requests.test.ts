// A request for access with the whole service, on both engines: asked for by a visitor, told to a webhook,
// granted and dismissed; the grant opens the share, and outlives the service that gave it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { requestAccess } from '../support/access-requests.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { onEngines } from '../support/on-engines.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

onEngines('requests for access, with the whole service', (engine) => {
  let service: TestService;
  before(async () => {
    service = await startTestService({
      storeUrl: await engine.storeUrl(),
      outboundAllow: ['127.0.0.1'],
      corp: { require_verified_email: true },
    });
  });
  after(() => service.close());

  async function statusFor(url: string, email: string): Promise<number> {
    return (await walkLogin(service.browser(), url, { email })).last.status;
  }

  test('each step is told to a webhook without a word of the message, and the grant holds after a restart (DESIGN "Requests for access")', async (t) => {
    const receiver = await startWebhookReceiver();
    t.after(() => receiver.close());
    const { accessRequests, auditEvents, webhooks } = service.client;
    const kinds = ['access.requested', 'access.granted', 'access.dismissed'] as const;
    await webhooks.create({ url: receiver.url, kinds });
    const share = await service.share('wiki', {
      oauthEmailAddressPatterns: ['*@acme.test'],
      accessRequests: true,
    });
    for (const email of ['eve@elsewhere.test', 'sam@elsewhere.test']) {
      assert.equal(await statusFor(share.url, email), 403);
      await requestAccess(service.browser(), share.url, { email, message: `please-let-${email}` });
    }
    const { items: open } = await accessRequests.list({ share: 'wiki' });
    const idOf = (email: string) => open.find((each) => each.email === email)?.id ?? '';
    await accessRequests.grant(idOf('eve@elsewhere.test'), { for: '1d' });
    await accessRequests.dismiss(idOf('sam@elsewhere.test'));
    await until(() => receiver.received.length >= 4);
    const { items } = await auditEvents.list({ kind: [...kinds] });
    const told = receiver.received.map(({ event }) => event);
    assert.deepEqual(told.toSorted(byId), [...items].toSorted(byId));
    assert.deepEqual(
      told.map(({ kind, email, reason, shareId }) => [kind, email, reason, shareId]).toSorted(),
      [
        ['access.dismissed', 'sam@elsewhere.test', 'wiki', share.id],
        ['access.granted', 'eve@elsewhere.test', 'wiki', share.id],
        ['access.requested', 'eve@elsewhere.test', 'wiki', share.id],
        ['access.requested', 'sam@elsewhere.test', 'wiki', share.id],
      ],
    );
    for (const { body } of receiver.received) assert.ok(!body.includes('please-let'));
    await service.restart();
    assert.equal(await statusFor(share.url, 'eve@elsewhere.test'), 200);
    assert.equal(await statusFor(share.url, 'sam@elsewhere.test'), 403);
  });
});

function byId(one: object, other: object): number {
  return String(Object(one).id) < String(Object(other).id) ? -1 : 1;
}
