// The main job in Chromium, over plain HTTP and over TLS: contract 5.1, 2.5, 2.6, 4.2.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { logIn, openLoggedIn, startChromium, type TestChromium } from '../support/chromium.ts';
import type { Echo } from '../support/echo-backend.ts';
import { startTestService, type TestService } from '../support/service.ts';

const EMAIL = 'ada@example.com';

for (const scheme of ['http', 'https'] as const)
  describe(`over ${scheme}`, () => {
    let service: TestService;
    let chromium: TestChromium;
    before(async () => {
      service = await startTestService({ tls: scheme === 'https' });
      chromium = await startChromium(service);
    });
    after(async () => {
      await chromium.close();
      await service.close();
    });

    test(`login over ${scheme}: open, log in, back on the same address, log out, log in again (5.1, 2.6, 4.2)`, async (t) => {
      const share = await service.share('demo', { oauthEmailAddressPatterns: ['*@example.com'] });
      const { page, profile } = await chromium.visitor(t);
      const wanted = `${share.url}/reports?year=2026&q=a%20b`;

      await page.goto(wanted);
      assert.equal(new URL(page.url()).origin, service.idp.issuer, 'sent to the provider (5.1.3)');
      await logIn(page, EMAIL);
      await page.waitForURL(wanted);
      const echo = JSON.parse(await page.locator('body').innerText()) as Echo;
      assert.equal(echo.target, '/reports?year=2026&q=a%20b');
      assert.equal(echo.headers['svc-auth-provider'], 'corp');
      assert.equal(echo.headers['svc-auth-email'], EMAIL);
      const expires = Date.parse(String(echo.headers['svc-auth-expires']));
      assert.ok(expires > Date.now() && expires <= Date.now() + SESSION_LIFETIME_MS);
      assert.doesNotMatch(
        String(echo.headers.cookie ?? ''),
        /svc-auth/,
        'no cookie of ours goes to the backend',
      );

      const revocations = service.idp.counts.revocations;
      await page.goto(`${share.url}/.svc/logout`);
      await page.locator('input[name=email]').waitFor();
      assert.ok(page.url().startsWith(service.idp.issuer), 'the provider asks who logs in next (4.2)');
      assert.ok(service.idp.counts.revocations > revocations, 'the token was revoked (4.2.1)');
      assert.equal((await sessionCookies(profile)).length, 0, 'the cookie is gone (4.2.2)');

      await logIn(page, EMAIL);
      await page.waitForURL(`${share.url}/`);
      await page.goto(wanted);
      assert.equal(page.url(), wanted);
    });

    test(`session cookie over ${scheme}: what the browser keeps of it (2.5)`, async (t) => {
      const share = await service.share('cookie');
      const { page, profile } = await chromium.visitor(t);
      await openLoggedIn(page, `${share.url}/`, EMAIL);
      const [cookie, ...more] = await sessionCookies(profile);
      assert.ok(cookie);
      assert.deepEqual(more, []);
      assert.equal(cookie.domain, '.share.localhost');
      assert.equal(cookie.path, '/');
      assert.equal(cookie.httpOnly, true);
      assert.equal(cookie.sameSite, 'Lax');
      assert.equal(cookie.secure, scheme === 'https');
      assert.ok(cookie.expires > Date.now() / 1000);
      assert.ok(cookie.expires <= Date.now() / 1000 + SESSION_LIFETIME_MS / 1000, 'at most session_lifetime');
      assert.equal(await page.evaluate('document.cookie'), '', 'no page can read it');
      for (const other of (await profile.cookies(service.endpointUrl)).filter(
        ({ name }) => name !== cookie.name,
      )) {
        assert.ok(other.httpOnly, other.name);
        assert.equal(other.secure, scheme === 'https', other.name);
        assert.equal(
          other.domain,
          new URL(service.endpointUrl).hostname,
          `${other.name} stays with its host`,
        );
      }
      const bindings = (await profile.cookies(share.url)).filter(({ name }) => name.includes('bind'));
      assert.equal(bindings.length, scheme === 'https' ? 1 : 0, 'over https there is a binding');
      for (const { name, domain, secure, httpOnly } of bindings) {
        assert.ok(name.startsWith('__Host-svc-auth-bind'));
        assert.deepEqual(
          { domain, secure, httpOnly },
          { domain: new URL(share.url).hostname, secure: true, httpOnly: true },
        );
      }
    });
  });

async function sessionCookies(profile: Awaited<ReturnType<TestChromium['visitor']>>['profile']) {
  return (await profile.cookies()).filter(({ name }) => name === 'svc-auth-session');
}

/** As the test service is configured: `session_lifetime: 6h`. */
const SESSION_LIFETIME_MS = 6 * 60 * 60 * 1000;
