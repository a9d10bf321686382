// The original address after a login (contract 3, 4.1), however long, in Chromium over HTTP/2 and TLS, and
// over plain HTTP.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { logIn, openLoggedIn, startChromium, type TestChromium } from '../support/chromium.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSite, type SiteBackend } from '../support/site-backend.ts';

const EMAIL = 'ada@example.com';

for (const tls of [true, false])
  describe(`long addresses over ${tls ? 'TLS' : 'plain HTTP'}`, () => {
    let service: TestService;
    let chromium: TestChromium;
    let site: SiteBackend;
    before(async () => {
      service = await startTestService({ tls });
      site = await startSite('site');
      chromium = await startChromium(service);
    });
    after(() => Promise.all([chromium.close(), service.close(), site.close()]));
    const siteShare = async (name: string) => (await service.share(name, { target: site.url })).url;

    test('a query of 16 KiB is kept, to the character, and its cookies go with the login (3, 4.1)', async (t) => {
      const url = `${await siteShare('long')}/search?q=${incompressible(16_382)}`;
      const { profile, page } = await chromium.visitor(t);
      await openLoggedIn(page, url, EMAIL);
      const cookies = await profile.cookies();
      assert.deepEqual(
        cookies.map(({ name }) => name).filter((name) => name.includes('svc-auth-address')),
        [],
      );
    });

    test('tabs with long addresses of their own come back to theirs', async (t) => {
      const share = await siteShare('tabs');
      const { profile, page } = await chromium.visitor(t);
      await openLoggedIn(page, `${await siteShare('known')}/`, EMAIL);
      const urls = [1, 2, 3].map((tab) => `${share}/tab-${tab}?${incompressible(5_000)}`);
      const tabs = await Promise.all(urls.map(() => profile.newPage()));
      await Promise.all(tabs.map((tab, index) => tab.goto(urls[index]!)));
      for (const [index, tab] of tabs.entries()) assert.equal(tab.url(), urls[index]);
    });

    test('the link of a failed login leads back to it, and so does another account', async (t) => {
      const share = await service.share('guarded', {
        target: site.url,
        oauthEmailAddressPatterns: ['ada@*'],
      });
      const url = `${share.url}/page?${incompressible(4_000)}`;
      const { page } = await chromium.visitor(t);
      await page.goto(url);
      await logIn(page, 'eve@example.org');
      await page.getByRole('link', { name: 'Use another account' }).click();
      await logIn(page, EMAIL);
      await page.waitForURL(url);

      const other = await chromium.visitor(t);
      let state = '';
      other.page.on('request', (request) => {
        state = new URL(request.url()).searchParams.get('state') ?? state;
      });
      await other.page.goto(url);
      const callback = new URL(`${service.endpointUrl}/corp/auth/callback`);
      callback.search = new URLSearchParams({
        error: 'server_error',
        state,
        iss: service.idp.issuer,
      }).toString();
      await other.page.goto(callback.href);
      await other.page.getByRole('link', { name: 'Open the page again' }).click();
      await logIn(other.page, EMAIL);
      await other.page.waitForURL(url);
    });

    test('one over 16 KiB is told before the login, which leads to its path', async (t) => {
      const share = await siteShare('beyond');
      const { page } = await chromium.visitor(t);
      const answer = await page.goto(`${share}/page?${incompressible(18_000)}`);
      assert.equal(answer?.status(), 414);
      await page.getByRole('heading', { name: 'This address is too long to keep' }).waitFor();
      await page.getByRole('link', { name: 'Log in' }).click();
      await logIn(page, EMAIL);
      await page.waitForURL(`${share}/page`);
    });
  });

function incompressible(length: number): string {
  return randomBytes(length).toString('base64url').slice(0, length);
}
