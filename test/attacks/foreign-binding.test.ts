// THREATS "Session and cookie": a login link that was made for the attacker's browser, opened by a visitor.
// Whatever that leads to, no session of the visitor opens beside the attacker's binding cookie, wherever
// below the cookie domain the session cookie went. In Chromium over TLS, where the provider logs in without a
// click.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import type { Browser } from '../support/browser-by-hand.ts';
import { startChromium, until, type TestChromium } from '../support/chromium.ts';
import { startSameSiteProvider, type SameSiteProvider } from '../support/providers/same-site-provider.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSite, type SiteBackend } from '../support/site-backend.ts';

let provider: SameSiteProvider;
let service: TestService;
let chromium: TestChromium;
let victim: SiteBackend;
let sibling: SiteBackend;
let evil: string;
before(async () => {
  provider = await startSameSiteProvider('same', 'ada@example.com');
  service = await startTestService({ tls: true, providers: (endpointUrl) => [provider.entry(endpointUrl)] });
  victim = await startSite('victim');
  sibling = await startSite('sibling');
  chromium = await startChromium(service);
  await service.share('id', { target: provider.standIn.issuer, oauthProvider: null });
  ({ url: evil } = await service.share('evil', { target: sibling.url, oauthProvider: null }));
});
after(async () => {
  await chromium.close();
  await service.close();
  await Promise.all([provider.close(), victim.close(), sibling.close()]);
});

test('a click on a login link of another browser makes no session that opens there (A session counts in the browser that logged in)', async (t) => {
  const { url } = await service.share('clicked', { target: victim.url, oauthProvider: 'same' });
  const { eve, link } = await loginLink(`${url}/payslip`);
  const { page, profile } = await chromium.visitor(t);
  sibling.pages.set('/lure', { body: `<!doctype html><a href="${link}">Go</a>` });
  // The attacker's page closes the window before it is back at the share: what is left is the cookie.
  const devtools = await profile.newCDPSession(page);
  devtools.on('Fetch.requestPaused', ({ requestId }) => {
    void devtools.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  });
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: `${url}/*` }] });
  await page.goto(`${evil}/lure`);
  await page.getByRole('link').click();
  await until('the session cookie', async () =>
    (await profile.cookies()).some(({ name }) => name === 'svc-auth-session'),
  );
  await assertUseless(eve, profile, `${url}/stolen`);
  await devtools.send('Fetch.disable');
  await page.goto(`${url}/payslip`);
  await assertUseless(eve, profile, `${url}/stolen`);
  assert.deepEqual(emailsAt('/payslip'), ['ada@example.com'], 'the visitor is logged in as themselves');
});

test('a login link of another browser does not log a visitor out who is logged in (A session counts in the browser that logged in)', async (t) => {
  const { url } = await service.share('kept', { target: victim.url, oauthProvider: 'same' });
  const { page } = await chromium.visitor(t);
  await page.goto(`${url}/first`);
  const { link } = await loginLink(`${url}/led`);
  await page.goto(link);
  await page.waitForURL(`${url}/led`);
  const begun = provider.standIn.counts.tokens;
  const answer = await page.goto(`${url}/second`);
  assert.equal(answer?.request().redirectedFrom(), null, 'no login on the way');
  assert.equal(provider.standIn.counts.tokens, begun);
  assert.deepEqual(emailsAt('/second'), ['ada@example.com']);
});

for (const rule of ['prefetch', 'prerender'] as const)
  test(`a page that has such a link ${rule}ed starts nothing, and the link works when it is opened (Sec-Purpose)`, async (t) => {
    const { url } = await service.share(rule, { target: victim.url, oauthProvider: 'same' });
    const { eve, link } = await loginLink(`${url}/${rule}ed`);
    const { page, profile } = await chromium.visitor(t);
    sibling.pages.set(`/${rule}`, {
      body: `<!doctype html><script type="speculationrules">${JSON.stringify({
        [rule]: [{ source: 'list', urls: [link, `${url}/ahead`], eagerness: 'immediate' }],
      })}</script>`,
    });
    const refused = await refusals();
    const begun = provider.standIn.counts.tokens;
    await page.goto(`${evil}/${rule}`);
    await until('the browser to look ahead', async () => (await refusals()) > refused);
    // Whatever the browser still does ahead has its turn before a page that is loaded after it.
    await page.goto(`${evil}/later`);
    assert.deepEqual(
      (await profile.cookies()).filter(({ name }) => name.includes('svc-auth')).map(({ name }) => name),
      [],
    );
    assert.equal(provider.standIn.counts.tokens, begun, 'no login was completed');
    await assertUseless(eve, profile, `${url}/stolen`);
    await page.goto(`${url}/${rule}ed`);
    assert.equal(page.url(), `${url}/${rule}ed`);
    assert.deepEqual(emailsAt(`/${rule}ed`), ['ada@example.com']);
  });

/** A browser of the attacker's that set out, and the link that it was given. */
async function loginLink(url: string): Promise<{ readonly eve: Browser; readonly link: string }> {
  const eve = service.browser();
  const { location } = await eve.open(url);
  assert.equal(location?.pathname, '/same/login');
  return { eve, link: location.href };
}

/** What a host below the cookie domain is sent, beside the attacker's own binding, opens nothing. */
async function assertUseless(eve: Browser, profile: BrowserContext, url: string): Promise<void> {
  const sent = await profile.cookies('https://taken-over.share.localhost/');
  for (const { name, value } of sent.filter(({ domain }) => domain.startsWith('.')))
    eve.jar.store(new URL(url), [`${name}=${value}; Domain=share.localhost; Path=/; Secure`]);
  const { status, location } = await eve.open(url);
  assert.deepEqual([status, location?.pathname], [302, '/same/login']);
  assert.deepEqual(emailsAt(new URL(url).pathname), []);
}

/** How often a login was refused at its start, by the log. */
async function refusals(): Promise<number> {
  const lines = (await readFile(service.logFile, 'utf8')).split('\n');
  return lines.filter((line) => line.includes('"/same/login"') && line.includes('"status":403')).length;
}

function emailsAt(path: string): readonly unknown[] {
  return victim.seen.filter(({ target }) => target === path).map(({ headers }) => headers['svc-auth-email']);
}
