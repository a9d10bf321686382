// Requests for access in the console: they wait where an admin looks first and on the share's page, live, and
// are granted for a time or dismissed, by mouse and by keyboard, once each.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { requestAccess } from '../support/access-requests.ts';
import { createBrowser } from '../support/browser-by-hand.ts';
import { logIn } from '../support/chromium.ts';
import { startConsole, type TestConsole } from '../support/console-browser.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole();
  await site.service.share('wiki', { oauthEmailAddressPatterns: ['*@acme.test'], accessRequests: true });
});
after(() => site.close());

const LIVE = { timeout: 20_000 } as const;

async function ask(email: string, message = ''): Promise<void> {
  const { url } = await site.service.client.shares.show('wiki');
  await requestAccess(createBrowser(), url, { email, message });
}

function rowOf(page: Page, email: string) {
  return page.getByRole('region', { name: 'Requests for access' }).getByRole('row', { name: email });
}

function isFocused(button: Locator): Promise<boolean> {
  return button.and(button.page().locator(':focus')).isVisible();
}

test('a request waits on the overview and at the share, and a grant lets in for as long as it says (DESIGN "Requests for access")', async (t) => {
  const admin = await site.tab(t);
  const { page } = admin;
  await admin.open();
  assert.equal(await page.getByRole('region', { name: 'Requests for access' }).count(), 0);
  await ask('eve@elsewhere.test', 'I am new here');
  const row = rowOf(page, 'eve@elsewhere.test');
  await row.waitFor(LIVE);
  assert.match(await row.innerText(), /by corp[^]*wiki[^]*I am new here/);
  await admin.accessible();
  await row.getByRole('link', { name: 'wiki' }).click();
  await admin.settled();
  await rowOf(page, 'eve@elsewhere.test')
    .getByRole('button', { name: /^Let in eve/ })
    .click();
  await page.getByRole('radio', { name: '30 days' }).check();
  await admin.accessible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Let in' }).click();
  await page.getByText('eve@elsewhere.test can open wiki for 30 days').waitFor();
  await page.getByText('No open requests.').waitFor();
  const [granted] = (await site.service.client.accessRequests.list({ state: 'granted' })).items;
  const days = (Date.parse(granted?.grantedUntil ?? '') - Date.now()) / 86_400_000;
  assert.ok(days > 29.9 && days <= 30, String(days));
  // The share's own settings are on the same page, and have the rule now.
  await page
    .getByText(/eve@elsewhere\.test, logged in with .* until /)
    .first()
    .waitFor(LIVE);
  admin.noTrouble();

  const visitor = await site.tab(t, { as: null });
  const { url } = await site.service.client.shares.show('wiki');
  await visitor.page.goto(`${url}/`);
  await logIn(visitor.page, 'eve@elsewhere.test');
  await visitor.page.waitForURL(`${url}/`);
});

test('who is slower is told that somebody else decided, and the row stays until then', async (t) => {
  await ask('sam@elsewhere.test');
  const { page, open, noTrouble } = await site.tab(t);
  await open('/shares/wiki');
  await rowOf(page, 'sam@elsewhere.test')
    .getByRole('button', { name: /^Let in sam/ })
    .click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('radio', { name: '1 day' }).check();
  const { accessRequests } = site.service.client;
  const [open1] = (await accessRequests.list()).items;
  await accessRequests.dismiss(open1?.id ?? '');
  // The list was read again since, without it.
  await page.waitForResponse(async (answer) => {
    if (!answer.url().includes('/v1/access-requests?')) return false;
    return ((await answer.json()) as { items: unknown[] }).items.length === 0;
  }, LIVE);
  await dialog.getByRole('button', { name: 'Let in' }).click();
  await page.getByText('Someone else already decided').waitFor();
  await page.getByText('No open requests.').waitFor();
  assert.deepEqual((await accessRequests.list({ state: 'granted' })).items.length, 1);
  noTrouble();
});

test('by keyboard alone, on a phone, in the dark: dismissed, and nothing is wider than the page', async (t) => {
  await ask('zoe@elsewhere.test', `${'W'.repeat(100)} ${'long '.repeat(19)}`);
  const tab = await site.tab(t, { viewport: { width: 320, height: 700 }, colorScheme: 'dark' });
  const { page } = tab;
  await tab.open();
  await rowOf(page, 'zoe@elsewhere.test').waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  await tab.accessible();
  const dismiss = page.getByRole('button', { name: /^Dismiss the request of zoe/ });
  for (let tabs = 0; tabs < 60; tabs++) {
    await page.keyboard.press('Tab');
    if (await isFocused(dismiss)) break;
  }
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog', { name: /^Dismiss the request of zoe/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  assert.equal(await isFocused(dismiss), true);
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor();
  const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Dismiss' });
  for (let tabs = 0; tabs < 5; tabs++) {
    if (await isFocused(confirm)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.getByText('The request of zoe@elsewhere.test was dismissed').waitFor();
  await page.getByRole('region', { name: 'Requests for access' }).waitFor({ state: 'detached' });
  tab.noTrouble();
});

test('a key that reads sees who asks, and decides nothing', async (t) => {
  await ask('kim@elsewhere.test');
  const { key } = await site.service.client.apiKeys.create({ name: 'reader', role: 'member', scope: 'read' });
  const { page, open, noTrouble } = await site.tab(t, { as: null });
  await open();
  await page.getByText('Log in with an API key').click();
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Log in with the key' }).click();
  const row = rowOf(page, 'kim@elsewhere.test');
  await row.waitFor();
  assert.equal(await row.getByRole('button').count(), 0);
  noTrouble();
});
