// `/.svc/session.js` in Chromium (contract 5.2), included by pages under as strict a policy as there is: the
// warning, the logout at the end, a session that ended elsewhere, and quiet where there is nothing to say.

import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/axe.ts';
import { openLoggedIn, startChromium, until, type TestChromium } from '../support/chromium.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSite, type SiteBackend } from '../support/site-backend.ts';

const EMAIL = 'ada@example.com';
const LIFETIME_MS = 25_000;

/** Sessions of less than half a minute, and of six hours. */
let short: TestService;
let long: TestService;
let shortly: TestChromium;
let lastingly: TestChromium;
let site: SiteBackend;
before(async () => {
  site = await startSite('site');
  layOutPages();
  [short, long] = await Promise.all([
    startTestService({ tls: true, oauth: { session_lifetime: `${LIFETIME_MS / 1000}s` } }),
    startTestService({ tls: true }),
  ]);
  [shortly, lastingly] = await Promise.all([startChromium(short), startChromium(long)]);
});
after(async () => {
  await Promise.all([shortly?.close(), lastingly?.close()]);
  await Promise.all([short?.close(), long?.close(), site?.close()]);
});

const warning = (page: Page) => page.getByRole('alertdialog', { name: 'Your session ends soon' });

test('session script: warns before the end, for keyboard and screen reader, light and dark; then logs out at the provider (5.2, 4.2)', async (t) => {
  const { page, asked, faults } = await visit(t, { name: 'warned', path: '/soon', isShort: true });
  await warning(page).waitFor();
  assert.match(await warning(page).innerText(), /You will be logged out at \d/);
  await assertAccessible(page, { only: AXE_RULES });
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertAccessible(page, { only: AXE_RULES });
  const colours = "[...document.querySelectorAll('div')].at(-1).shadowRoot.querySelector('dialog')";
  assert.deepEqual(
    await page.evaluate(
      `(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(${colours}))`,
    ),
    ['rgb(18, 18, 18)', 'rgb(255, 255, 255)'],
  );
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await warning(page).waitFor({ state: 'detached' });
  // The provider's own login page, which asks for an account: nobody is logged in again by themselves.
  await page.waitForURL((next) => next.origin === short.idp.issuer);
  await page.locator('input[name=email]').waitFor();
  const { items } = await short.client.sessions.list({ share: 'warned' });
  assert.deepEqual(
    items.map(({ active, endReason }) => [active, endReason]),
    [[false, 'logout']],
  );
  assert.equal(asked.length, 2, 'at the beginning and at the end, and not once while nobody was there');
  assert.deepEqual(faults, []);
});

test('session script: “Stay logged in” logs in beside the page, which goes on (5.2)', async (t) => {
  const { url, page, profile, faults } = await visit(t, { name: 'renewed', path: '/soon', isShort: true });
  await page.locator('input').fill('half a form');
  await warning(page).waitFor();
  const opened = profile.waitForEvent('page');
  await page.keyboard.press('Enter');
  const tab = await opened;
  await tab.waitForURL(`${url}/soon`);
  await warning(page).waitFor({ state: 'detached' });
  assert.equal(await page.locator('input').inputValue(), 'half a form');
  assert.equal(await page.evaluate('window.told.at(-1).type'), 'svc-session-renewed');
  const { items } = await short.client.sessions.list({ share: 'renewed' });
  assert.equal(items.filter(({ active }) => active).length, 1);
  assert.deepEqual(faults, []);
});

test('session script: a logout in another tab is noticed, and the page is covered until somebody logs in (5.2)', async (t) => {
  const { url, page, profile, faults } = await visit(t, { name: 'left', path: '/plain' });
  const other = await profile.newPage();
  await other.goto(`${url}/plain`);
  await other.getByRole('link', { name: 'Log out here' }).click();
  await other.waitForURL((next) => next.origin === long.idp.issuer);
  const ended = page.getByRole('alertdialog', { name: 'You are logged out' });
  await ended.waitFor();
  await assertAccessible(page, { only: AXE_RULES });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  assert.ok(await ended.isVisible(), 'no key takes it away');
  assert.equal(await page.evaluate('window.told.at(-1).detail.reason'), 'logged-out');
  await page.getByRole('button', { name: 'Log in again' }).click();
  await page.waitForURL(`${url}/plain`);
  await ended.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('window.told.length'), 0, 'the page was loaded again, by a login');
  assert.deepEqual(faults, []);
});

test('session script: a session that an administrator ends is noticed when the visitor comes back to the tab', async (t) => {
  const { page, faults } = await visit(t, { name: 'taken', path: '/plain' });
  await long.client.sessions.endAll({ share: 'taken' });
  await comeBack(page);
  await page.getByRole('alertdialog', { name: 'You are logged out' }).waitFor();
  assert.deepEqual(faults, []);
});

test('session script: a page of one person is covered once another is logged in', async (t) => {
  const { url, page, faults } = await visit(t, { name: 'swapped', path: '/plain' });
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const session = { email: 'bob@example.com', expires, logout_url: `${url}/.svc/logout` };
  await page.route('**/.svc/session', (route) => route.fulfill({ json: session }));
  await comeBack(page);
  await page.getByRole('alertdialog', { name: 'Someone else is logged in now' }).waitFor();
  assert.deepEqual(faults, []);
});

test('session script: an application shows its own warning and sees to the end itself, by events (5.2)', async (t) => {
  const { url, page, faults } = await visit(t, { name: 'own', path: '/own', isShort: true });
  await until('the application is told of the end', () =>
    page.evaluate<boolean>("window.told.some(({ type }) => type === 'svc-session-ended')"),
  );
  const told =
    await page.evaluate<readonly { type: string; detail: Record<string, string> }[]>('window.told');
  assert.deepEqual(
    told.map(({ type }) => type),
    ['svc-session-warning', 'svc-session-ended'],
  );
  const [warned, ended] = told.map(({ detail }) => detail);
  assert.equal(warned?.['loginUrl'], '/.svc/login?return_to=%2Fown%3Fa%3Db');
  assert.equal(
    warned['logoutUrl'],
    `${url}/.svc/logout?redirect_url=${encodeURIComponent('https://bye.example/')}`,
  );
  assert.ok(Date.parse(warned['expires'] ?? '') > Date.now());
  assert.equal(ended?.['reason'], 'expired');
  assert.equal(await page.getByRole('alertdialog').count(), 0);
  assert.equal(page.url(), `${url}/own?a=b`, 'it is not sent anywhere');
  assert.deepEqual(faults, []);
});

test('session script: without a session, without a login and twice in a page it is quiet', async (t) => {
  const open = await long.share('quiet', { target: site.url, oauthProvider: null });
  const { page } = await lastingly.visitor(t);
  const faults = faultsOf(page);
  const asked = sessionRequests(page);
  await page.goto(`${open.url}/twice`);
  await until('it has asked', () => asked.length > 0);
  await page.evaluate("new Promise((done) => setTimeout(done, 300, ''))");
  assert.equal(asked.length, 1);
  assert.equal(await page.getByRole('alertdialog').count(), 0);
  assert.deepEqual(faults, []);
});

test('session script: a page of a sibling share can neither load it nor read what it asks (THREATS "Sibling shares")', async (t) => {
  const { url } = await visit(t, { name: 'victim', path: '/plain' });
  const share = await long.share('evil', { target: site.url });
  const { page } = await lastingly.visitor(t);
  await openLoggedIn(page, `${share.url}/lax`, EMAIL);
  const outcome = await page.evaluate<string>(`new Promise((done) => {
    const script = document.createElement('script');
    script.src = ${JSON.stringify(`${url}/.svc/session.js`)};
    script.addEventListener('load', () => done('loaded'));
    script.addEventListener('error', () => done('refused'));
    document.head.append(script);
  })`);
  assert.equal(outcome, 'refused');
});

/** To a tab that rested for as long as it does before it asks again, by a clock of the test. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate('{ const ahead = Date.now() + 11_000; Date.now = () => ahead; }');
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
}

type Draft = { readonly name: string; readonly path: string; readonly isShort?: true };

/** A visitor who has just logged in to a page of a new share. */
async function visit(t: TestContext, { name, path, isShort }: Draft) {
  const service = isShort === true ? short : long;
  const { url } = await service.share(name, { target: site.url });
  const { page, profile } = await (isShort === true ? shortly : lastingly).visitor(t);
  const faults = faultsOf(page);
  const asked = sessionRequests(page);
  await openLoggedIn(page, `${url}${path}${path === '/own' ? '?a=b' : ''}`, EMAIL);
  return { url, page, profile, asked, faults };
}

/** What the page's scripts threw, and what its policy stopped. */
function faultsOf(page: Page): readonly string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (/Content.Security.Policy|Trusted/i.test(message.text())) faults.push(message.text());
  });
  return faults;
}

function sessionRequests(page: Page): readonly string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/.svc/session') asked.push(request.url());
  });
  return asked;
}

/** Under as strict a policy as there is. */
function pageWith(script: string) {
  return {
    headers: { 'content-security-policy': STRICT },
    body: `<!doctype html><html lang="en"><title>Page</title><script src="/told.js"></script>${script}
      <main><h1>Page</h1><label>Text <input></label> <a href="/.svc/logout">Log out here</a></main>`,
  };
}

function layOutPages(): void {
  site.pages.set('/told.js', { headers: { 'content-type': 'text/javascript' }, body: TOLD });
  site.pages.set('/soon', pageWith('<script src="/.svc/session.js" defer data-warn-before="19s"></script>'));
  site.pages.set('/plain', pageWith('<script src="/.svc/session.js" defer></script>'));
  site.pages.set('/twice', pageWith('<script src="/.svc/session.js" defer></script>'.repeat(2)));
  site.pages.set('/lax', { body: '<!doctype html><title>Lax</title>' });
  site.pages.set(
    '/own',
    pageWith(`<script src="/own.js"></script><script src="/.svc/session.js" defer data-warn-before="19s"
      data-redirect-url="https://bye.example/"></script>`),
  );
  site.pages.set('/own.js', { headers: { 'content-type': 'text/javascript' }, body: OWN });
}

const STRICT =
  "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const TOLD = `window.told = [];
for (const what of ['warning', 'ended', 'renewed'])
  document.addEventListener('svc-session-' + what, ({ type, detail }) => told.push({ type, detail }));`;
const OWN = `for (const what of ['warning', 'ended'])
  document.addEventListener('svc-session-' + what, (event) => event.preventDefault());`;
/** What the dialog answers for; the page around it is the test's. */
const AXE_RULES = [
  'aria-dialog-name',
  'color-contrast',
  'button-name',
  'link-name',
  'aria-allowed-attr',
  'target-size',
];
