// Contract 4.2 through the whole service: the six points of logout, for each provider type.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { walkLogin, type Browser, type BrowserAnswer } from '../support/browser-by-hand.ts';
import {
  loggedIn,
  startThreeProviders,
  type ProviderUnderTest,
  type ThreeProviders,
} from '../support/three-providers.ts';
import { startTestService } from '../support/service.ts';

const BYE = 'http://bye.example/after?logout=1';
const COOKIE = 'svc-auth-session';

for (const type of ['oidc', 'google', 'github'] as const) {
  describe(`logout with ${type}`, () => {
    let three: ThreeProviders;
    let provider: ProviderUnderTest;
    before(async () => {
      three = await startThreeProviders();
      provider = providerOf(three, type);
    });
    after(() => three?.close());
    const shareAt = (name: string, at = provider.name) => three.service.share(name, { oauthProvider: at });
    const logout = (browser: Browser, query = '', at = provider.name) =>
      browser.open(`${three.service.endpointUrl}/${at}/logout${query}`);

    test(`${type}: the provider token is revoked at the provider (4.2 point 1)`, async () => {
      const { browser } = await loggedIn(three.service, await shareAt('one'));
      assert.deepEqual(provider.revoked(), []);
      await logout(browser);
      assert.ok(provider.revoked().length > 0);
      assert.deepEqual(provider.violations(), []);
    });

    test(`${type}: the session cookie is set to expire immediately, in its domain (4.2 point 2)`, async () => {
      const share = await shareAt('two');
      const { browser } = await loggedIn(three.service, share);
      assert.ok(browser.jar.find(COOKIE));
      const cleared = clearingOf(await logout(browser));
      assert.match(cleared, /^svc-auth-session=;/);
      assert.match(cleared, /; Max-Age=0/i);
      assert.match(cleared, /; Domain=share\.localhost/i);
      assert.match(cleared, /; Path=\//i);
      assert.equal(browser.jar.find(COOKIE), undefined);
      assert.equal((await browser.open(share.url)).status, 302);
    });

    test(`${type}: a copy of the cookie opens nothing after the logout (4.2 point 2)`, async () => {
      const share = await shareAt('copied');
      const { browser } = await loggedIn(three.service, share);
      const copy = browser.jar.find(COOKIE);
      assert.ok(copy);
      await logout(browser);
      const thief = three.service.browser();
      thief.jar.put(copy);
      while ((await thief.open(share.url)).status === 200) await new Promise(setImmediate);
      assert.equal((await thief.open(share.url)).location?.pathname, `/${provider.name}/login`);
    });

    test(`${type}: the browser is redirected to redirect_url if supplied (4.2 point 3, query, output)`, async () => {
      const { browser } = await loggedIn(three.service, await shareAt('three'));
      const answer = await logout(browser, `?redirect_url=${encodeURIComponent(BYE)}`);
      assert.equal(answer.status, 302);
      assert.equal(answer.location?.href, BYE);
    });

    test(`${type}: otherwise the browser ends on the provider's login page (4.2 point 3, output)`, async () => {
      const { browser } = await loggedIn(three.service, await shareAt('three-b'));
      const out = await logout(browser);
      assert.equal(out.location?.pathname, `/${provider.name}/login`);
      const { last } = await browser.follow(out.location);
      assert.equal(last.url.origin, provider.origin);
      assert.match(last.body, /<form/);
    });

    test(`${type}: a session of another provider is left alone, and nothing is revoked (4.2 point 4)`, async () => {
      const share = await shareAt('four');
      const { browser } = await loggedIn(three.service, share);
      const other = three.types.find(({ name }) => name !== provider.name)?.name;
      const revoked = provider.revoked().length;
      const answer = await logout(browser, `?redirect_url=${encodeURIComponent(BYE)}`, other);
      assert.equal(answer.location?.href, BYE);
      assert.deepEqual(answer.setCookies, []);
      assert.equal(provider.revoked().length, revoked);
      assert.equal((await browser.open(share.url)).status, 200);
    });

    test(`${type}: of two providers' sessions in one cookie only the named provider's ends (4.2 point 4)`, async () => {
      const mine = await shareAt('mine');
      const other = three.types.find(({ name }) => name !== provider.name)?.name ?? '';
      const theirs = await shareAt('theirs', other);
      const { browser } = await loggedIn(three.service, mine);
      await loggedIn(three.service, theirs, { browser });
      await logout(browser);
      assert.equal((await browser.open(mine.url)).status, 302);
      assert.equal((await browser.open(theirs.url)).status, 200);
    });

    test(`${type}: repeated, or without a session, it redirects and causes no error (4.2 point 6; 3; 7)`, async () => {
      const { browser } = await loggedIn(three.service, await shareAt('six'));
      await logout(browser);
      const revoked = provider.revoked().length;
      for (const visitor of [browser, browser, three.service.browser()]) {
        const answer = await logout(visitor, `?redirect_url=${encodeURIComponent(BYE)}`);
        assert.deepEqual([answer.status, answer.location?.href], [302, BYE]);
        const plain = await logout(visitor);
        assert.deepEqual([plain.status, plain.location?.pathname], [302, `/${provider.name}/login`]);
      }
      assert.equal(provider.revoked().length, revoked);
    });

    test(`${type}: the method is GET, the path /<provider_name>/logout (4.2)`, async () => {
      const browser = three.service.browser();
      const url = `${three.service.endpointUrl}/${provider.name}/logout`;
      assert.equal((await browser.request(url, { method: 'POST' })).status, 405);
      assert.equal((await browser.request(url.replace(provider.name, 'nobody'))).status, 404);
    });

    // The last one: the provider does not come back.
    test(`${type}: the local session is cleared although revocation fails (4.2 point 5; 7)`, async () => {
      const share = await shareAt('five');
      const { browser } = await loggedIn(three.service, share);
      await provider.goAway();
      const answer = await logout(browser, `?redirect_url=${encodeURIComponent(BYE)}`);
      assert.deepEqual([answer.status, answer.location?.href], [302, BYE]);
      assert.equal(browser.jar.find(COOKIE), undefined);
      assert.match(clearingOf(answer), /Max-Age=0/i);
      assert.equal((await browser.open(share.url)).status, 302);
    });
  });
}

test('oidc: without a revocation endpoint at the provider the logout is the same, and asks it nothing (4.2 point 1)', async (t) => {
  const service = await startTestService({ idp: { withoutRevocation: true } });
  t.after(service.close);
  const share = await service.share('plain');
  const { browser } = await loggedIn(service, share);
  const answer = await browser.open(`${service.endpointUrl}/corp/logout`);
  assert.equal(answer.status, 302);
  assert.equal(service.idp.counts.revocations, 0);
  assert.equal(browser.jar.find(COOKIE), undefined);
  const { last } = await walkLogin(browser, share.url, { email: 'ada@example.com' });
  assert.equal(last.status, 200);
});

function providerOf({ types }: ThreeProviders, type: string): ProviderUnderTest {
  const provider = types.find((each) => each.type === type);
  assert.ok(provider);
  return provider;
}

/** The `Set-Cookie` of the session cookie. */
function clearingOf({ setCookies }: BrowserAnswer): string {
  const [line, ...others] = setCookies.filter((each) => each.startsWith(`${COOKIE}=`));
  assert.deepEqual(others, []);
  return line ?? '';
}
