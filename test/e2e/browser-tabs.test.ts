// Several tabs of one browser (contract 2.5, 3; DESIGN "One browser, many logins"), in Chromium.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { logIn, openLoggedIn, startChromium, type TestChromium } from '../support/chromium.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSite, type SiteBackend } from '../support/site-backend.ts';

let service: TestService;
let chromium: TestChromium;
let site: SiteBackend;
before(async () => {
  service = await startTestService({ tls: true });
  site = await startSite('site');
  chromium = await startChromium(service);
});
after(() => Promise.all([chromium.close(), service.close(), site.close()]));

const EMAIL = 'ada@example.com';

test('tabs: moving to another share starts the login again, and both stay logged in (2.5)', async (t) => {
  const [one, two] = [await siteShare('one'), await siteShare('two')];
  const { profile, page } = await chromium.visitor(t);
  await openLoggedIn(page, `${one}/first`, EMAIL);
  const started = service.idp.counts.authorizations;
  const second = await profile.newPage();
  await second.goto(`${two}/second`);
  assert.equal(second.url(), `${two}/second`);
  assert.equal(service.idp.counts.authorizations, started + 1, 'the flow was walked again');
  for (const [tab, url] of [
    [page, `${one}/again`],
    [second, `${two}/again`],
    [page, `${two}/crossed`],
    [second, `${one}/crossed`],
  ] as const)
    await stays(tab, url);
  assert.equal(service.idp.counts.authorizations, started + 1);
});

test('tabs: five that log in at once on five shares all get in, and none is lost (2.5)', async (t) => {
  const urls = await Promise.all([1, 2, 3, 4, 5].map((each) => siteShare(`five-${each}`)));
  const { profile, page } = await chromium.visitor(t);
  // The visitor is known to the provider, so that all five callbacks come at once.
  await openLoggedIn(page, `${await siteShare('before')}/`, EMAIL);
  const tabs = await Promise.all(urls.map(() => profile.newPage()));
  await Promise.all(tabs.map((tab, index) => tab.goto(`${urls[index]}/page`)));
  for (const [index, tab] of tabs.entries()) assert.equal(tab.url(), `${urls[index]}/page`);
  const started = service.idp.counts.authorizations;
  for (const [index, tab] of tabs.entries()) await stays(tab, `${urls[index]}/later`);
  assert.equal(service.idp.counts.authorizations, started);
});

test('tabs: five that log in at once on one share all get in, without a loop (2.5)', async (t) => {
  const url = await siteShare('same');
  const { profile, page } = await chromium.visitor(t);
  await openLoggedIn(page, `${await siteShare('first')}/`, EMAIL);
  const tabs = await Promise.all([1, 2, 3, 4, 5].map(() => profile.newPage()));
  await Promise.all(tabs.map((tab, index) => tab.goto(`${url}/page-${index}`)));
  for (const [index, tab] of tabs.entries())
    assert.equal(tab.url(), `${url}/page-${index}`, await tab.locator('body').innerText());
  const started = service.idp.counts.authorizations;
  for (const [index, tab] of tabs.entries()) await stays(tab, `${url}/later-${index}`);
  assert.equal(service.idp.counts.authorizations, started);
});

test('tabs: the oldest of seven logins begun side by side is told so, and its link starts it again (3)', async (t) => {
  const urls = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((each) => siteShare(`seven-${each}`)));
  const { profile, page } = await chromium.visitor(t);
  const tabs: Page[] = [page];
  while (tabs.length < urls.length) tabs.push(await profile.newPage());
  // One after the other, so that it is known which is the oldest; each waits at the provider's login page.
  for (const [index, tab] of tabs.entries()) await tab.goto(`${urls[index]}/page?tab=${index}`);
  await logIn(page, EMAIL);
  await page.getByRole('heading', { name: 'Too many logins were open at once' }).waitFor();
  await page.getByRole('link', { name: 'Open the page again' }).click();
  await page.waitForURL(`${urls[0]}/page?tab=0`);
  const newest = tabs.at(-1)!;
  await logIn(newest, EMAIL);
  await newest.waitForURL(`${urls.at(-1)}/page?tab=6`);
});

async function siteShare(name: string): Promise<string> {
  const { url } = await service.share(name, { target: site.url });
  return url;
}

/** Opens the address and gets it at once: no login on the way. */
async function stays(tab: Page, url: string): Promise<void> {
  const answer = await tab.goto(url);
  assert.ok(answer?.request().redirectedFrom() === null, `${url} was redirected`);
  assert.equal(tab.url(), url);
}
