// THREATS "Exhaustion", at a running service on both engines: callbacks that fail, of whoever is led to them,
// take no login from colleagues behind the same address.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { walkLogin } from '../support/browser-by-hand.ts';
import { onEngines } from '../support/on-engines.ts';
import { startTestService, type TestService } from '../support/service.ts';

const EMAIL = 'ada@example.com';

onEngines('floods of callbacks', ({ storeUrl }) => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ storeUrl: await storeUrl() });
  });
  after(() => service.close());

  test('callbacks that fail, of images or of people, keep no colleague behind the same address from logging in (3 Rate limits)', async () => {
    const { url } = await service.share('office');
    const forged = `${service.endpointUrl}/corp/auth/callback?state=x&code=y`;
    const waiting = service.browser();
    const { stopped } = await walkLogin(waiting, url, { email: EMAIL, until: isCallback });
    assert.ok(stopped);
    const lured = service.browser();
    const image = { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' };
    for (let count = 0; count < 61; count++)
      assert.equal((await lured.request(forged, { headers: image })).status, 400);
    assert.equal((await lured.open(forged)).status, 400, 'images were not counted');
    for (let count = 0; count < 61; count++) await lured.open(forged);
    assert.equal((await lured.open(forged)).status, 429);
    assert.equal((await waiting.follow(stopped)).last.status, 200, 'whose login was under way');
    assert.equal((await walkLogin(service.browser(), url, { email: EMAIL })).last.status, 200);
  });
});

const isCallback = ({ pathname }: URL) => pathname === '/corp/auth/callback';
