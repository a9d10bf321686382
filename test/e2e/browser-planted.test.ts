// What a sibling share does to the visitor's cookies, in Chromium over TLS (DESIGN "Bound to the browser",
// From backends; THREATS "Session and cookie", Sibling shares): the visitor stays who they are, or logs in
// again; never anybody else.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { walkLogin } from '../support/browser-by-hand.ts';
import { logIn, openLoggedIn, startChromium, until, type TestChromium } from '../support/chromium.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSite, type SiteBackend } from '../support/site-backend.ts';

let service: TestService;
let chromium: TestChromium;
let victim: SiteBackend;
let sibling: SiteBackend;
/** The sibling's address: a share that anybody may open. */
let evil: string;
before(async () => {
  service = await startTestService({ tls: true });
  victim = await startSite('victim');
  sibling = await startSite('sibling');
  chromium = await startChromium(service);
  ({ url: evil } = await service.share('evil', { target: sibling.url, oauthProvider: null }));
});
after(async () => {
  await chromium.close();
  await service.close();
  await Promise.all([victim.close(), sibling.close()]);
});

const ADA = 'ada@example.com';
const EVE = 'eve@example.com';

test('a backend that sets cookies of our names, wide ones, and clears them: the visitor stays logged in (DESIGN 3)', async (t) => {
  const share = await victimShare('kept');
  const { page, profile } = await chromium.visitor(t);
  await openLoggedIn(page, `${share}/`, ADA);
  const kept = await ownCookies(profile);
  const wide = 'Domain=share.localhost; Path=/; Secure';
  sibling.pages.set('/plant', {
    headers: {
      'set-cookie': [
        `svc-auth-session=planted; ${wide}`,
        'svc-auth-session=planted; Path=/',
        `=svc-auth-session=planted; ${wide}`,
        `SVC-AUTH-SESSION=planted; ${wide}`,
        `svc-auth-session=; ${wide}; Max-Age=0`,
        '__Host-svc-auth-bind=planted; Path=/; Secure',
        `wide=1; ${wide}`,
        'own=1; Path=/; Secure',
      ],
      'clear-site-data': '"cookies", "storage"',
    },
  });
  sibling.pages.set('/clear', { headers: { 'clear-site-data': '"*"' } });
  await page.goto(`${evil}/plant`);
  await page.goto(`${evil}/clear`);
  assert.deepEqual(await ownCookies(profile), kept);
  const planted = (await profile.cookies(share)).filter(({ name }) => name === 'wide');
  assert.deepEqual(planted, [], 'a wide Domain reaches no other share');
  const own = (await profile.cookies(evil)).filter(({ name }) => name === 'own' || name === 'wide');
  assert.deepEqual(own.map(({ name, domain }) => `${name} ${domain}`).toSorted(), [
    `own ${new URL(evil).hostname}`,
    `wide ${new URL(evil).hostname}`,
  ]);
  const answer = await page.goto(`${share}/after`);
  assert.ok(answer?.request().redirectedFrom() === null, 'no login on the way');
  assert.deepEqual(emailsAt('/after'), [ADA]);
});

test('a session that somebody else made, planted by a sibling’s script: the visitor is asked to log in as themselves (DESIGN 3)', async (t) => {
  const share = await victimShare('bound');
  const stolen = await sessionOf(t, `${share}/eve`, EVE);
  const { page, profile } = await chromium.visitor(t);
  await page.goto(`${evil}/`);
  await plant(page, `svc-auth-session=${stolen}; Domain=share.localhost; Path=/; Secure`);
  assert.equal((await ownCookies(profile)).length, 1, 'the browser took it');
  await page.goto(`${share}/inbox`);
  await logIn(page, ADA);
  await page.waitForURL(`${share}/inbox`);
  assert.deepEqual(emailsAt('/inbox'), [ADA]);
});

test('a session that somebody else made, planted beside the visitor’s own: theirs counts (DESIGN 3)', async (t) => {
  const share = await victimShare('beside');
  const { page, profile } = await chromium.visitor(t);
  await openLoggedIn(page, `${share}/`, ADA);
  const second = Math.floor(Date.now() / 1000);
  await until('a session to be newer', () => Math.floor(Date.now() / 1000) > second);
  const stolen = await sessionOf(t, `${share}/eve`, EVE);
  await page.goto(`${evil}/`);
  // A longer path is sent first.
  for (const path of ['/beside', '/beside/mail'])
    await plant(page, `svc-auth-session=${stolen}; Domain=share.localhost; Path=${path}; Secure`);
  assert.equal((await ownCookies(profile)).length, 4, 'three sessions and a binding');
  const answer = await page.goto(`${share}/beside/mail`);
  assert.ok(answer?.request().redirectedFrom() === null, 'no login on the way');
  assert.deepEqual(emailsAt('/beside/mail'), [ADA]);
});

test('a binding cookie cannot be planted by a sibling, by script or answer (DESIGN 3)', async (t) => {
  const share = await victimShare('prefix');
  const { page, profile } = await chromium.visitor(t);
  await page.goto(`${evil}/`);
  for (const name of ['__Host-svc-auth-bind', '__Host-svc-auth-bind-1', '__Host-svc-auth-browser'])
    await plant(page, `${name}=planted; Domain=share.localhost; Path=/; Secure`);
  assert.deepEqual(await profile.cookies(share), []);
  assert.deepEqual(await profile.cookies(service.endpointUrl), []);
});

test('login CSRF: another browser’s callback is refused and makes no session (4.1; DESIGN "Attempts")', async (t) => {
  const share = await victimShare('csrf');
  const walk = await walkLogin(service.browser(), `${share}/`, {
    email: EVE,
    until: ({ pathname }) => pathname === '/corp/auth/callback',
  });
  assert.ok(walk.stopped, 'a code for eve, not redeemed yet');
  const { page, profile } = await chromium.visitor(t);
  const answer = await page.goto(walk.stopped.href);
  assert.equal(answer?.status(), 400);
  assert.deepEqual(
    (await profile.cookies()).filter(({ name }) => name === 'svc-auth-session'),
    [],
  );
  await openLoggedIn(page, `${share}/mine`, ADA);
  assert.deepEqual(emailsAt('/mine'), [ADA]);
});

test('login CSRF: a login link made for another browser ends in the visitor’s own login (DESIGN "Bound to the browser")', async (t) => {
  const share = await victimShare('link');
  const eve = await chromium.visitor(t);
  const link = eve.page.waitForRequest((request) => request.url().includes('/corp/login?request='));
  await eve.page.goto(`${share}/linked`);
  const { page, profile } = await chromium.visitor(t);
  await page.goto((await link).url());
  await logIn(page, ADA);
  await page.waitForURL(`${share}/linked`);
  assert.deepEqual(emailsAt('/linked'), [ADA]);
  const session = (await profile.cookies()).find(({ name }) => name === 'svc-auth-session');
  assert.ok(session);
  await eve.profile.addCookies([session]);
  await eve.page.goto(`${share}/linked`);
  await eve.page.locator('input[name=email]').waitFor();
  assert.deepEqual(emailsAt('/linked'), [ADA], 'nor does her session open in the other browser');
});

test('a cookie bomb: an explaining page at worst, and a login once the cookies are gone (THREATS "Sibling shares")', async (t) => {
  const share = await victimShare('bombed');
  const { page, profile } = await chromium.visitor(t);
  await openLoggedIn(page, `${share}/`, ADA);
  await page.goto(`${evil}/`);
  for (let index = 0; index < 40; index++)
    await plant(page, `bomb-${index}=${'x'.repeat(3000)}; Domain=share.localhost; Path=/; Secure`);
  const bombed = await page.goto(`${share}/bombed`);
  assert.equal(bombed?.status(), 431);
  await page.getByRole('heading', { name: 'The request headers are too large' }).waitFor();
  assert.deepEqual(emailsAt('/bombed'), []);
  await profile.clearCookies({ name: /^bomb-/ });
  await page.goto(`${share}/again`);
  assert.deepEqual(emailsAt('/again'), [ADA]);
});

test('a crowd of small cookies, as many as the browser keeps: the visitor is let in, after a login at worst (THREATS "Sibling shares")', async (t) => {
  const share = await victimShare('crowded');
  const { page, profile } = await chromium.visitor(t);
  await openLoggedIn(page, `${share}/`, ADA);
  await page.goto(`${evil}/`);
  await page.evaluate(`for (let index = 0; index < 400; index++)
    document.cookie = 'crowd-' + index + '=1; Domain=share.localhost; Path=/; Secure'`);
  // Writing does not wait for the cookie store, nor does the browser throw out at once what is too much.
  const names = async () => (await profile.cookies(share)).map(({ name }) => name);
  await until('the crowd', async () => (await names()).includes('crowd-399'));
  assert.ok((await names()).length > 100, String((await names()).length));
  await page.goto(`${share}/crowded`);
  assert.equal(page.url(), `${share}/crowded`);
  assert.deepEqual(emailsAt('/crowded'), [ADA]);
});

async function victimShare(name: string): Promise<string> {
  const { url } = await service.share(name, { target: victim.url });
  return url;
}

/** The session cookie of a browser of its own that logged in. */
async function sessionOf(
  t: Parameters<TestChromium['visitor']>[0],
  url: string,
  email: string,
): Promise<string> {
  const { page, profile } = await chromium.visitor(t);
  await openLoggedIn(page, url, email);
  const cookie = (await profile.cookies()).find(({ name }) => name === 'svc-auth-session');
  assert.ok(cookie);
  return cookie.value;
}

function plant(page: Page, cookie: string): Promise<unknown> {
  // Reading waits for what was written.
  return page.evaluate(`document.cookie = ${JSON.stringify(cookie)}; document.cookie`);
}

async function ownCookies(profile: BrowserContext) {
  const cookies = await profile.cookies();
  return cookies
    .filter(
      ({ name, domain }) =>
        /svc-auth-(?:session|bind)/i.test(name) || (name === '' && domain !== '127.0.0.1'),
    )
    .map(({ name, value, domain, path }) => ({ name, value, domain, path }));
}

/** Who the victim's backend saw at a path. */
function emailsAt(path: string): readonly unknown[] {
  return victim.seen.filter(({ target }) => target === path).map(({ headers }) => headers['svc-auth-email']);
}
