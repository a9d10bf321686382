// Watching the requests at a share: THREATS "Tenancy", "Secrets" and "Pages" where a stream brings what
// visitors wrote. (Too many watchers, and slow ones: src/control/shares/live-requests/watch.test.ts.)

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { WatchedEvent } from '../../src/client/watch-requests.ts';
import { createNodeClient } from '../../src/client/node-client.ts';
import { Secret } from '../../src/domain/secret.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { callGate } from '../support/gate.ts';
import { addAccount, startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let mallory: Secret;
before(async () => {
  service = await startTestService({ corp: { require_verified_email: true } });
  mallory = await addAccount(service.config, 'mallory', 'm@evil.test');
  await service.share('secret', { oauthEmailAddressPatterns: ['*@acme.test'] });
});
after(() => service.close());

const controlUrl = () => new URL(`http://127.0.0.1:${service.ports.control}`);

async function refusal(apiKey: Secret, share: string): Promise<unknown> {
  const client = createNodeClient({ url: controlUrl(), apiKey });
  const events = client.shares.watch(share, AbortSignal.timeout(120_000));
  return Array.fromAsync(events).then(
    () => null,
    ({ code }: { readonly code?: unknown }) => code,
  );
}

test('another account watches nothing, by name or by id, nor does a key for tunnels or no key', async () => {
  const { id } = await service.client.shares.show('secret');
  for (const share of ['secret', id, 'nothing']) assert.equal(await refusal(mallory, share), 'share_unknown');
  const { key } = await service.client.apiKeys.create({ name: 'agent', role: 'admin', scope: 'tunnel' });
  assert.equal(await refusal(new Secret(key), 'secret'), 'not_allowed');
  const path = '/v1/shares/secret/requests';
  const nobody = await callGate(service.ports.control, { host: 'control', path });
  assert.equal(nobody.status, 401);
});

test('a page of another site opens no stream with a member’s login, nor does a script of a share', async () => {
  const browser = service.browser();
  const { origin } = controlUrl();
  await walkLogin(browser, `${origin}/auth/login`, { email: 'admin@acme.test' });
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://secret.share.localhost' },
    { origin: 'null' },
  ]) {
    const answer = await browser.request(`${origin}/v1/shares/secret/requests`, { headers });
    assert.deepEqual([answer.status, JSON.parse(answer.body).code], [403, 'foreign_origin']);
  }
});

test('no query, cookie, token or header of a visitor comes on the stream; what they wrote in the path comes as JSON', async (t) => {
  await service.share('open', { oauthProvider: null });
  const leave = new AbortController();
  t.after(() => leave.abort());
  const events = service.client.shares.watch('open', leave.signal)[Symbol.asyncIterator]();
  const next = async (): Promise<WatchedEvent | undefined> => (await events.next()).value;
  assert.deepEqual(await next(), { kind: 'open' });
  const hostile = '/%0a%0aevent:end/<script>alert(1)</script>';
  const calls: readonly { path: string; headers?: Record<string, string> }[] = [
    { path: '/a?code=sesame&state=sesame' },
    { path: `${hostile}?sesame` },
    {
      path: '/b',
      headers: { cookie: 'sesame=sesame', authorization: 'Bearer sesame', 'user-agent': 'sesame' },
    },
  ];
  for (const call of calls) {
    await callGate(service.ports.gateway, { host: 'open.share.localhost', ...call });
    const event = await next();
    assert.ok(event?.kind === 'request', JSON.stringify(event));
    assert.doesNotMatch(JSON.stringify(event), /sesame/);
    assert.equal(event.request.path, call.path.split('?')[0]);
  }
});
