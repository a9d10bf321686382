// Contract 3 and 8 through the whole service: how long a session lasts, and what happens at the check
// interval, with a provider that can refresh and one that cannot.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { walkLogin } from '../support/browser-by-hand.ts';
import type { Echo } from '../support/echo-backend.ts';
import { eventually } from '../support/serve-process.ts';
import { loggedIn, startThreeProviders, type ThreeProviders } from '../support/three-providers.ts';

let three: ThreeProviders;
before(async () => {
  three = await startThreeProviders();
});
after(() => three?.close());

for (const interval of ['3h', '1s']) {
  test(`session_lifetime is the longest a session lasts, checked each ${interval}: then it is invalid, also for a browser that keeps the cookie (2.1, 2.5, 3 row 6, 8)`, async (t) => {
    const short = await startThreeProviders({ oauth: { session_lifetime: '3s' } });
    t.after(short.close);
    const share = await short.service.share('short', { oauthCheckInterval: interval });
    const { browser, echo } = await loggedIn(short.service, share);
    const cookie = browser.jar.find('svc-auth-session');
    assert.ok(cookie !== undefined && cookie.expiresAt !== null);
    const expires = Date.parse(String(echo.headers['svc-auth-expires']));
    assert.ok(cookie.expiresAt <= expires + 1000);
    const keeper = short.service.browser();
    const over = await eventually('the session is over', async () => {
      keeper.jar.put({ ...cookie, expiresAt: null });
      const answer = await keeper.open(share.url);
      if (answer.status !== 200) return answer;
      // Checks on the way do not extend it.
      const { headers } = JSON.parse(answer.body) as Echo;
      assert.equal(headers['svc-auth-expires'], echo.headers['svc-auth-expires']);
      return null;
    });
    assert.ok(Date.now() >= expires - 1000);
    assert.equal(over.status, 302);
    assert.equal(over.location?.pathname, '/corp/login');
    const again = await loggedIn(short.service, share, { browser: keeper });
    assert.ok(Date.parse(String(again.echo.headers['svc-auth-expires'])) > expires);
  });
}

test('check interval reached, provider refreshes: checked without the visitor noticing (3 row 7; 2.3 --oauth-check-interval)', async () => {
  const share = await three.service.share('checked', { oauthCheckInterval: '1s' });
  const { browser } = await loggedIn(three.service, share);
  const { refreshes, authorizations } = three.service.idp.counts;
  await eventually('a refresh', async () => {
    const answer = await browser.open(share.url);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.setCookies, []);
    return three.service.idp.counts.refreshes > refreshes;
  });
  assert.equal(three.service.idp.counts.authorizations, authorizations);
});

test('check interval reached, provider does not refresh: the visitor must authenticate again (3 row 8)', async () => {
  const share = await three.service.share('unchecked', { oauthProvider: 'hub', oauthCheckInterval: '1s' });
  const { browser } = await loggedIn(three.service, share);
  const logins = three.github.authorizations.length;
  const answer = await eventually('the interval is over', async () => {
    const opened = await browser.open(share.url);
    return opened.status !== 200 && opened;
  });
  assert.equal(answer.status, 302);
  assert.equal(answer.location?.pathname, '/hub/login');
  assert.equal(three.github.counts.refreshes, 0);
  const { last } = await walkLogin(browser, share.url, { email: 'ada@example.com' });
  assert.equal(last.status, 200);
  assert.equal(three.github.authorizations.length, logins + 1);
});

test('check interval not reached: proxied, and the provider is not asked (3 row 5; 8 default 3h)', async () => {
  const share = await three.service.share('quiet');
  assert.equal(share.oauthCheckInterval, '3h');
  const { browser } = await loggedIn(three.service, share);
  const { tokenRequests, userinfos } = three.service.idp.counts;
  for (let request = 0; request < 20; request++) assert.equal((await browser.open(share.url)).status, 200);
  assert.equal(three.service.idp.counts.tokenRequests, tokenRequests);
  assert.equal(three.service.idp.counts.userinfos, userinfos);
});

test('sessions live through a restart of the service (2.5: the cookie holds them)', async () => {
  const share = await three.service.share('lasting');
  const { browser } = await loggedIn(three.service, share);
  await three.service.restart();
  assert.equal((await browser.open(share.url)).status, 200);
});
