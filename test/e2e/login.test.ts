// The main job over plain HTTP, with the certified OpenID provider: contract 5.1, points 1 to 8.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { walkLogin } from '../support/browser-by-hand.ts';
import type { Echo } from '../support/echo-backend.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

test('login: a visitor comes back to the address with its query, and the backend sees who they are (5.1, 2.6)', async () => {
  const share = await service.share('demo', { oauthEmailAddressPatterns: ['*@example.com'] });
  const browser = service.browser();
  const wanted = `${share.url}/reports?year=2026&q=a%20b`;
  const { last } = await walkLogin(browser, wanted, { email: 'ada@example.com' });
  assert.equal(last.url.href, wanted);
  assert.equal(last.status, 200);
  const echo = JSON.parse(last.body) as Echo;
  assert.equal(echo.target, '/reports?year=2026&q=a%20b');
  assert.equal(echo.headers['svc-auth-provider'], 'corp');
  assert.equal(echo.headers['svc-auth-email'], 'ada@example.com');
  assert.match(String(echo.headers['svc-auth-expires']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

test('login: an address that matches no pattern gets a page and no session (3, 7)', async () => {
  const share = await service.share('closed', { oauthEmailAddressPatterns: ['*@example.com'] });
  const browser = service.browser();
  const { last } = await walkLogin(browser, share.url, { email: 'eve@elsewhere.test' });
  assert.equal(last.status, 403);
  assert.match(last.body, /eve@elsewhere\.test/);
  assert.equal(browser.jar.header(new URL(share.url))?.includes('svc-auth-session') ?? false, false);
});
