// What else happens to visitors, in Chromium: refused, too late, logged out elsewhere, posting a form without
// a session, going back, loading a callback twice (contract 3, 4.1, 4.2, 7; DESIGN "Refused email", Not a
// page load, Attempts).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { logIn, openLoggedIn, startChromium, until, type TestChromium } from '../support/chromium.ts';
import { configure } from '../support/configure.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSite, type SiteBackend } from '../support/site-backend.ts';

let service: TestService;
let chromium: TestChromium;
let site: SiteBackend;
before(async () => {
  service = await startTestService();
  site = await startSite('site');
  chromium = await startChromium(service);
});
after(async () => {
  await chromium.close();
  await service.close();
  await site.close();
});

const EMAIL = 'ada@example.com';

test('logout with redirect_url: the browser goes there, and the session is over (4.2)', async (t) => {
  const share = await siteShare('leave');
  const { url: elsewhere } = await service.share('elsewhere', { target: site.url, oauthProvider: null });
  const { page, profile } = await chromium.visitor(t);
  await openLoggedIn(page, `${share}/`, EMAIL);
  const target = `${elsewhere}/bye?from=leave`;
  await page.goto(`${service.endpointUrl}/corp/logout?redirect_url=${encodeURIComponent(target)}`);
  assert.equal(page.url(), target);
  assert.deepEqual(await sessionCookies(profile), []);
  const again = await page.goto(
    `${service.endpointUrl}/corp/logout?redirect_url=${encodeURIComponent(target)}`,
  );
  assert.equal(again?.status(), 200);
  assert.equal(page.url(), target, 'without a session it does the same (4.2.6)');
});

test('refused email: a page says who, and "Use another account" gets another one in (3, 7)', async (t) => {
  const share = await siteShare('closed', { oauthEmailAddressPatterns: ['*@example.com'] });
  const { page, profile } = await chromium.visitor(t);
  const wanted = `${share}/inside?a=1`;
  await page.goto(wanted);
  const refused = page.waitForResponse((response) => response.url().includes('/auth/callback'));
  await logIn(page, 'eve@elsewhere.test');
  assert.equal((await refused).status(), 403);
  await page.getByRole('heading', { name: 'This email address does not have access' }).waitFor();
  await page.getByText('eve@elsewhere.test').waitFor();
  assert.deepEqual(await sessionCookies(profile), [], 'no session (3)');
  assert.equal(seen('/inside').length, 0);

  await page.getByRole('link', { name: 'Use another account' }).click();
  // The provider still knows eve, and asks all the same.
  await logIn(page, EMAIL);
  await page.waitForURL(wanted);
  assert.deepEqual(
    seen('/inside').map(({ headers }) => headers['svc-auth-email']),
    [EMAIL],
  );
});

test('an attempt older than intermediate_lifetime: a page says so, and a link starts again (3, 8)', async (t) => {
  const share = await siteShare('late');
  const { page, profile } = await chromium.visitor(t);
  await configure(service, { intermediate_lifetime: '1s' });
  await page.goto(`${share}/wanted?x=1`);
  const startedAt = Date.now();
  await configure(service, { intermediate_lifetime: '5m' });
  await until('the attempt to be over', () => Date.now() > startedAt + 1000);
  const late = page.waitForResponse((response) => response.url().includes('/auth/callback'));
  await logIn(page, EMAIL);
  assert.equal((await late).status(), 400);
  await page.getByRole('heading', { name: 'This login took too long' }).waitFor();
  assert.deepEqual(await sessionCookies(profile), []);

  await page.getByRole('link', { name: 'Open the page again' }).click();
  await page.waitForURL(`${share}/wanted?x=1`);
  assert.equal(seen('/wanted').length, 1);
});

test('session_lifetime over: the visitor logs in again (2.5, 3)', async (t) => {
  const share = await siteShare('short');
  const { page, profile } = await chromium.visitor(t);
  await configure(service, { session_lifetime: '2s' });
  await openLoggedIn(page, `${share}/one`, EMAIL);
  const [cookie] = await sessionCookies(profile);
  assert.ok(cookie);
  assert.ok(cookie.expires * 1000 <= Date.now() + 2000, 'the cookie lives no longer than the session');
  const expires = Date.parse(String(seen('/one')[0]?.headers['svc-auth-expires']));
  await configure(service, { session_lifetime: '6h' });
  await until('the session to be over', () => Date.now() > expires);
  const kept = { ...cookie, expires: Date.now() / 1000 + 3600 };
  await profile.addCookies([kept]);
  const started = service.idp.counts.authorizations;
  await page.goto(`${share}/two`);
  assert.equal(page.url(), `${share}/two`);
  assert.equal(
    service.idp.counts.authorizations,
    started + 1,
    'not even a browser that keeps the cookie gets in',
  );
  assert.ok(Date.parse(String(seen('/two')[0]?.headers['svc-auth-expires'])) > expires);
});

test('a form posted without a session: sent to log in, back by GET, nothing posted (5.1)', async (t) => {
  const share = await siteShare('form');
  site.pages.set('/form', {
    body: '<!doctype html><form method="post" action="/save?id=7"><input name="a" value="b"><button>Save</button></form>',
  });
  const { page, profile } = await chromium.visitor(t);
  await openLoggedIn(page, `${share}/form`, EMAIL);
  await profile.clearCookies({ name: 'svc-auth-session' });
  const posted = page.waitForResponse(
    (response) => response.url() === `${share}/save?id=7` && response.request().method() === 'POST',
  );
  await page.getByRole('button', { name: 'Save' }).click();
  assert.equal((await posted).status(), 303);
  await page.waitForURL(`${share}/save?id=7`);
  await page.getByRole('heading', { name: 'site GET' }).waitFor();
  assert.deepEqual(
    seen('/save').map(({ method }) => method),
    ['GET'],
  );
});

test('fetch() without a session: 401 as problem+json with a login_url that leads back to the page (5.1)', async (t) => {
  const share = await siteShare('fetch');
  const { page, profile } = await chromium.visitor(t);
  await openLoggedIn(page, `${share}/app?tab=2`, EMAIL);
  await profile.clearCookies({ name: 'svc-auth-session' });
  const answer = await page.evaluate(async () => {
    const response = await fetch('/api/items', { method: 'DELETE' });
    const { code, login_url } = (await response.json()) as { code: string; login_url: string };
    return { status: response.status, type: response.headers.get('content-type'), code, login_url };
  });
  assert.equal(answer.status, 401);
  assert.equal(answer.type, 'application/problem+json');
  assert.equal(answer.code, 'login_required');
  assert.equal(seen('/api/items').length, 0);
  await page.goto(answer.login_url);
  assert.equal(page.url(), `${share}/app?tab=2`);
  assert.equal(await page.evaluate(async () => (await fetch('/api/items')).status), 200);
});

test('back and forward after the login: the pages before and after, no second login (4.1)', async (t) => {
  const share = await siteShare('back');
  const { url: open } = await service.share('open', { target: site.url, oauthProvider: null });
  site.pages.set('/links', { body: `<!doctype html><a href="${share}/target?b=1">In</a>` });
  const { page } = await chromium.visitor(t);
  await openLoggedIn(page, `${await siteShare('known')}/`, EMAIL);
  await page.goto(`${open}/links`);
  await page.getByRole('link', { name: 'In' }).click();
  await page.waitForURL(`${share}/target?b=1`);
  const started = service.idp.counts.authorizations;
  await page.goBack();
  assert.equal(page.url(), `${open}/links`, 'no stop on the way is in the history');
  await page.goForward();
  assert.equal(page.url(), `${share}/target?b=1`);
  await page.reload();
  assert.equal(page.url(), `${share}/target?b=1`);
  assert.equal(service.idp.counts.authorizations, started);
});

test('a callback address loaded again: the documented page, and the session stays (4.1)', async (t) => {
  const share = await siteShare('twice');
  const { page } = await chromium.visitor(t);
  const callback = page.waitForRequest((request) => request.url().includes('/corp/auth/callback'));
  await openLoggedIn(page, `${share}/`, EMAIL);
  const again = await page.goto((await callback).url());
  assert.equal(again?.status(), 400);
  assert.match(again?.headers()['content-type'] ?? '', /^text\/html/);
  await page.getByText('Request id').waitFor();
  const reloaded = await page.reload();
  assert.equal(reloaded?.status(), 400);
  const inside = await page.goto(`${share}/still`);
  assert.ok(inside?.request().redirectedFrom() === null, 'still logged in');
});

async function siteShare(name: string, settings: Parameters<TestService['share']>[1] = {}): Promise<string> {
  const { url } = await service.share(name, { target: site.url, ...settings });
  return url;
}

function seen(path: string) {
  return site.seen.filter(({ target }) => target.split('?', 1)[0] === path);
}

async function sessionCookies(profile: Awaited<ReturnType<TestChromium['visitor']>>['profile']) {
  return (await profile.cookies()).filter(({ name }) => name === 'svc-auth-session');
}
