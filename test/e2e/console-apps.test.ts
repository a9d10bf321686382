// "My apps" in a browser: what somebody may open, found by keyboard, on a small screen and in the dark; and
// what an admin says of an app.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { logIn, openLoggedIn } from '../support/chromium.ts';
import { until } from '../support/until.ts';
import { startConsole, type ConsoleTab, type TestConsole } from '../support/console-browser.ts';

const EVE = 'eve@elsewhere.test';
const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4" fill="teal"/></svg>',
);

let site: TestConsole;
before(async () => {
  site = await startConsole();
});
after(() => site.close());

test('a visitor sees the apps that let them in, finds one by keyboard, and opens it (18.6)', async (t) => {
  const { client } = site.service;
  const wiki = await site.service.share('wiki');
  await client.shares.modify('wiki', { description: 'Notes and decisions of the team', icon: 'globe' });
  await site.service.share('payroll');
  await client.shares.modify('payroll', { oauthEmailAddressPatterns: ['boss@acme.test'] });
  await site.service.share('hidden');
  await client.shares.modify('hidden', { listed: false });
  for (let count = 1; count <= 9; count++) await site.service.share(`tool-${count}`);
  const tab = await site.tab(t, {
    as: null,
    viewport: { width: 320, height: 640 },
    colorScheme: 'dark',
  });
  const { page } = tab;
  await openLoggedIn(page, `${wiki.url}/`, EVE);
  await enter(tab, '/apps');
  const apps = page.getByRole('list', { name: 'My apps' }).getByRole('link');
  await apps.first().waitFor();
  assert.deepEqual(
    (await apps.locator('strong').allTextContents()).toSorted(),
    ['wiki', ...Array.from({ length: 9 }, (_, index) => `tool-${index + 1}`)].toSorted(),
  );
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  await tab.accessible();
  // Both pages of a visitor are a link away.
  await page.getByRole('link', { name: 'My access' }).click();
  await page.getByRole('heading', { name: 'My access' }).waitFor();
  await page.getByRole('link', { name: 'My apps' }).click();
  const search = page.getByRole('searchbox', { name: 'Search your apps' });
  await search.focus();
  await page.keyboard.type('payroll');
  await page.getByText('No results.').waitFor();
  await tab.accessible();
  await search.fill('decisions');
  await page.getByRole('status').getByText('1 app').waitFor();
  assert.deepEqual(await apps.locator('strong').allTextContents(), ['wiki']);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${wiki.url}/`);
  tab.noTrouble();
});

test('a member has their apps at their name, and by the keys G and Y (18.6)', async (t) => {
  const { page, open, settled, accessible, noTrouble } = await site.tab(t);
  await open();
  await page.keyboard.press('g');
  await page.keyboard.press('y');
  await page.getByRole('heading', { name: 'My apps' }).waitFor();
  await settled();
  await accessible();
  await open();
  await page.getByRole('button', { name: /admin@acme.test/ }).click();
  await page.getByRole('link', { name: 'My apps' }).click();
  await page.getByRole('heading', { name: 'My apps' }).waitFor();
  noTrouble();
});

test('an admin says what an app is, and gives it an image that nobody is asked for (18.6)', async (t) => {
  const { url } = await site.service.share('painted');
  const { page, open, settled, accessible, noTrouble } = await site.tab(t);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).protocol));
  await open('/shares/painted');
  const panel = page.getByRole('region', { name: 'In My apps' });
  await panel.getByRole('button', { name: /^(Edit|Change)/ }).click();
  await panel.getByLabel('Description').fill('Pictures');
  await panel.getByLabel('Icon', { exact: true }).fill('https://tracker.example/pixel.png');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel
    .getByText(/as an icon: it is none/)
    .first()
    .waitFor();
  await panel.getByLabel('Icon', { exact: true }).fill('');
  const image = panel.getByLabel('Image for the icon');
  await image.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.alloc(5000, 'a') });
  await panel
    .getByRole('alert')
    .getByText(/at most 4 KiB/)
    .waitFor();
  await image.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: LOGO });
  await panel.getByRole('button', { name: 'Remove the image' }).waitFor();
  await accessible();
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByText('Pictures').waitFor();
  await settled();
  const kept = await site.service.client.shares.show('painted');
  assert.equal(kept.icon, `data:image/svg+xml;base64,${LOGO.toString('base64')}`);
  await open('/apps');
  const app = page.getByRole('link', { name: /painted/ });
  assert.equal(await app.getAttribute('href'), url);
  await until(() => page.evaluate<boolean>(`document.querySelector('.app-icon > img')?.naturalWidth > 0`));
  await accessible();
  assert.deepEqual(
    [...new Set(asked)].filter((each) => each !== 'data:'),
    ['http:'],
  );
  noTrouble();
});

async function enter({ page, open, settled }: ConsoleTab, path: string): Promise<void> {
  await open(path);
  await page.getByRole('link', { name: /^Log in with/ }).click();
  // The provider knows who is there by now, or asks.
  await page.locator('h1, input[name=email]').first().waitFor();
  if (await page.locator('input[name=email]').isVisible()) await logIn(page, EVE);
  await page.getByRole('heading', { name: 'My apps' }).waitFor();
  await settled();
}
