// THREATS "Session and cookie": logins at hosts that `cookie_domain` does not reach, over TLS. What the last
// leg brings there counts once, in time, in the browser that set out, at that host; the session ends with the
// others; and the cookie of one host opens nothing at another, whoever carries it there.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withStore } from '../../src/cli/accounts/operator-store.ts';
import type { Browser } from '../support/browser-by-hand.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import type { Echo } from '../support/echo-backend.ts';
import { onEngines } from '../support/on-engines.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const COOKIE = '__Host-svc-auth-session';
const EMAIL = 'ada@example.com';
const [APP, WIKI, ELSE] = ['app.customer.localhost', 'wiki.customer.localhost', 'else.customer.localhost'];
const GONE = 'gone.customer.localhost';
const HOSTS = [APP, WIKI, ELSE, GONE];

const isBegin = ({ pathname }: URL) => pathname === '/.svc/begin';
const statusOf = async (browser: Browser, url: string) => (await browser.open(url)).status;
const ownCookie = ({ jar }: Browser) => jar.all().filter(({ name }) => name === COOKIE);

onEngines('logins at hosts outside cookie_domain', (engine) => {
  let service: TestService;
  let main: string;
  before(async () => {
    service = await startTestService({ tls: true, hosts: HOSTS, storeUrl: await engine.storeUrl() });
    await withStore({ config: service.configFile }, async (store) => {
      const [account] = await store.accounts.list();
      assert.ok(account);
      for (const host of HOSTS)
        await store.hosts.grant({ host, accountId: account.id, createdAt: Date.now() });
    });
    main = (await service.share('demo')).url;
    await service.share('other');
    for (const host of [APP, WIKI]) await service.client.hosts.create({ host, share: 'demo' });
    await service.client.hosts.create({ host: ELSE, share: 'other' });
  });
  after(() => service.close());

  const urlOf = (host: string) => `https://${host}:${service.ports.gateway}`;
  async function loggedIn(page: string): Promise<Browser> {
    const browser = service.browser();
    const { last } = await walkLogin(browser, page, { email: EMAIL });
    assert.equal(last.status, 200);
    return browser;
  }

  test('a login there comes back, the cookie stays with the host, and the backend gets who it is and no cookie (2.5, 2.6)', async () => {
    const browser = service.browser();
    const page = `${urlOf(APP)}/page?a=1`;
    const { last } = await walkLogin(browser, page, { email: EMAIL });
    assert.deepEqual([last.status, last.url.href], [200, page]);
    const { headers } = JSON.parse(last.body) as Echo;
    assert.deepEqual([headers['svc-auth-email'], headers.cookie], [EMAIL, undefined]);
    const [cookie, ...more] = ownCookie(browser);
    assert.deepEqual(
      [cookie?.domain, cookie?.hostOnly, cookie?.secure, cookie?.httpOnly, cookie?.sameSite, more],
      [APP, true, true, true, 'lax', []],
    );
    const session = JSON.parse((await browser.open(`${urlOf(APP)}/.svc/session`)).body) as object;
    assert.equal((session as { logout_url: string }).logout_url, `${urlOf(APP)}/.svc/logout`);
  });

  test('a grant that is stolen, or replayed by another browser, begins nothing there; its own browser goes on (A session counts in the browser that logged in)', async () => {
    const browser = service.browser();
    const eve = service.browser();
    const page = `${urlOf(APP)}/stolen`;
    // Eve has a binding cookie of her own there.
    await eve.open(page);
    const grant = await grantOf(browser, page);
    for (const thief of [eve, service.browser()]) {
      const { status, location, setCookies } = await thief.open(grant);
      assert.deepEqual([status, location?.href, setCookies], [302, page, []]);
      assert.equal(await statusOf(thief, page), 302);
    }
    assert.equal((await browser.open(grant)).setCookies.length, 1);
    assert.equal(await statusOf(browser, page), 200);
    const replayed = await eve.open(grant);
    assert.deepEqual([replayed.status, replayed.setCookies], [302, []]);
    assert.equal(await statusOf(eve, page), 302);
  });

  test('a grant counts at no other host, of this share or another, nor when it was tampered with (A session counts in the browser that logged in)', async () => {
    const browser = service.browser();
    // A binding cookie at each of them.
    for (const host of [APP, WIKI, ELSE]) await browser.open(urlOf(host));
    const grant = await grantOf(browser, `${urlOf(APP)}/page`);
    for (const origin of [urlOf(WIKI), urlOf(ELSE), main]) {
      const { status, setCookies } = await browser.open(`${origin}${grant.pathname}${grant.search}`);
      assert.deepEqual([status, setCookies], [400, []], origin);
    }
    const sealed = grant.searchParams.get('grant') ?? '';
    for (const forged of [sealed.slice(0, -1), `${sealed.slice(0, -30)}${'A'.repeat(30)}`, '']) {
      const { status, setCookies } = await browser.open(`${urlOf(APP)}/.svc/begin?grant=${forged}`);
      assert.deepEqual([status, setCookies], [400, []]);
    }
    assert.deepEqual(ownCookie(browser), []);
  });

  test('after the logout a grant that was not used up, and one that was, give no cookie (4.2)', async () => {
    const browser = await loggedIn(`${urlOf(WIKI)}/`);
    const grant = await grantOf(browser, `${urlOf(APP)}/page`);
    await browser.open((await browser.open(`${urlOf(WIKI)}/.svc/logout`)).location ?? '');
    const { status, setCookies } = await browser.open(grant);
    assert.deepEqual([status, setCookies], [302, []]);
    assert.equal(await statusOf(browser, `${urlOf(APP)}/page`), 302);
  });

  test('a login leads to no host that is not the share’s any more, whatever its request says (THREATS "Open redirect")', async () => {
    await service.client.hosts.create({ host: GONE, share: 'demo' });
    const browser = service.browser();
    const { location } = await browser.open(`${urlOf(GONE)}/`);
    assert.ok(location !== null && location.searchParams.has('request'));
    await service.client.hosts.remove(GONE);
    const { last, stopped } = await walkLogin(browser, location, { email: EMAIL, until: isBegin });
    assert.equal(stopped?.origin ?? last.url.origin, main);
    const forged = location.searchParams.get('request')?.slice(0, -1) ?? '';
    location.searchParams.set('request', forged);
    assert.equal(await statusOf(service.browser(), location.href), 400);
  });

  test('a logout at one host ends the sessions of all of them, copied cookies too (4.2, DESIGN "Ended sessions")', async () => {
    const pages = [`${urlOf(APP)}/`, `${urlOf(ELSE)}/`, `${main}/`];
    for (const from of [APP, null]) {
      const browser = service.browser();
      for (const page of pages)
        assert.equal((await walkLogin(browser, page, { email: EMAIL })).last.status, 200);
      const copy = service.browser();
      for (const cookie of browser.jar.all()) copy.jar.put(cookie);
      // Logins of one share take the place of each other; those that are left are both open.
      const open: string[] = [];
      for (const page of pages) if ((await statusOf(copy, page)) === 200) open.push(page);
      assert.ok(open.length >= 2 && open.includes(`${urlOf(ELSE)}/`), open.join());
      const left = await browser.open(`${from === null ? main : urlOf(from)}/.svc/logout`);
      await browser.open(left.location ?? '');
      await until(async () => {
        const statuses = await Promise.all(open.map((page) => statusOf(copy, page)));
        return statuses.every((status) => status === 302);
      });
      for (const page of pages) assert.equal(await statusOf(browser, page), 302, page);
      if (from !== null)
        assert.deepEqual(
          ownCookie(browser).filter(({ domain }) => domain === from),
          [],
        );
    }
  });

  test('the cookies of one host open nothing at another, carried there by hand with the binding (THREATS "Session and cookie")', async () => {
    const browser = await loggedIn(`${urlOf(APP)}/`);
    const bound = browser.jar.all().filter(({ domain }) => domain === APP);
    assert.equal(bound.length, 2);
    for (const origin of [urlOf(WIKI), urlOf(ELSE), main]) {
      const thief = service.browser();
      const { hostname } = new URL(origin);
      for (const cookie of bound) {
        thief.jar.put({ ...cookie, domain: hostname });
        if (cookie.name === COOKIE) thief.jar.put({ ...cookie, domain: hostname, name: 'svc-auth-session' });
      }
      assert.equal(await statusOf(thief, `${origin}/`), 302, origin);
      const forged = await thief.request(`${origin}/`, { headers: { accept: 'application/json' } });
      assert.equal(forged.status, 401, origin);
    }
    // Nor does the cookie of cookie_domain open anything there.
    const shared = browser.jar.find('svc-auth-session');
    assert.ok(shared);
    const thief = service.browser();
    for (const cookie of bound) if (cookie.name !== COOKIE) thief.jar.put(cookie);
    for (const name of ['svc-auth-session', COOKIE])
      thief.jar.put({ ...shared, domain: APP, hostOnly: true, name });
    assert.equal(await statusOf(thief, `${urlOf(APP)}/`), 302);
    assert.equal(await statusOf(browser, `${urlOf(APP)}/`), 200);
  });
});

/** Up to the last leg, which is not walked. */
async function grantOf(browser: Browser, page: string): Promise<URL> {
  const { stopped } = await walkLogin(browser, page, { email: EMAIL, until: isBegin });
  assert.ok(stopped, 'the login leads by way of the host');
  return stopped;
}
