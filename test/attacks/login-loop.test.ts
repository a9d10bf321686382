// A browser that is sent round and round is stopped with an explanation; one that logs in often because it
// logs out often, or because a check of its session takes a login, is not. Black-box, on both engines.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { walkLogin, type Browser } from '../support/browser-by-hand.ts';
import { onEngines } from '../support/on-engines.ts';
import { startTestService, type TestService } from '../support/service.ts';

onEngines('logins one after the other', ({ storeUrl }) => {
  let service: TestService;
  before(async () => {
    service = await startTestService({
      tls: true,
      idp: { refreshTokens: 'never' },
      storeUrl: await storeUrl(),
    });
  });
  after(() => service?.close());

  test('five logins within 30 s after deliberate logouts are no loop', async () => {
    const { url } = await service.share('leaving');
    const browser = service.browser();
    const out = `${service.endpointUrl}/corp/logout?redirect_url=${service.endpointUrl}/logged-out`;
    for (let login = 0; login < 5; login++) {
      assert.equal((await visit(browser, url)).status, 200, `login ${login + 1}`);
      assert.equal((await browser.follow(out)).last.status, 200);
      assert.equal((await browser.open(url)).status, 302);
    }
  });

  test('a short check interval without refresh logs in again and again, for as long as the visitor is there', async () => {
    const { url } = await service.share('checked', { oauthCheckInterval: '2s' });
    const browser = service.browser();
    let logins = 0;
    // Eight seconds; more on a machine that does much else.
    for (const end = Date.now() + 60_000; logins < 4 && Date.now() < end; await pause(100)) {
      const answer = await browser.open(url);
      if (answer.status === 200) continue;
      logins++;
      assert.equal((await visit(browser, url)).status, 200, `login ${logins}`);
    }
    assert.equal(logins, 4);
  });

  test('a browser that loses its session each time is stopped at the third login', async () => {
    const { url } = await service.share('circling');
    const browser = service.browser();
    for (let login = 0; login < 2; login++) {
      const { stopped } = await walkLogin(browser, url, { email: 'ada@example.com', until: isBegin });
      assert.ok(stopped);
      browser.jar.remove('svc-auth-session');
    }
    const last = await visit(browser, url);
    assert.equal(last.status, 409);
    assert.match(last.body, /The login keeps starting over/);
  });
});

const visit = async (browser: Browser, url: string) =>
  (await walkLogin(browser, url, { email: 'ada@example.com' })).last;
const isBegin = (next: URL) => next.pathname === '/.svc/begin';
