// Every page of the console, empty and with data, in light and dark, wide and on a phone: no report of the
// policy, no error, nothing that axe finds wrong, nothing to scroll sideways, one heading and a title, and
// all of it by keyboard.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Response } from 'playwright-core';
import { type ConsoleTab, startConsole, type TestConsole } from '../support/console-browser.ts';
import { fillConsole } from '../support/console-data.ts';
import { walkConsole } from '../support/console-walk.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole({
    tls: true,
    outboundAllow: ['127.0.0.1', 'localhost'],
    sections: { control: { operators: [{ provider: 'corp', email: 'admin@acme.test' }] } },
  });
});
after(() => site.close());

test('every page before there is anything', async (t) => {
  const tab = await site.tab(t);
  const walked = await walkConsole(tab, async (path) => {
    await assertPage(tab, path);
    await tab.accessible();
  });
  for (const path of [...EVERYBODYS, ...ADMINS]) assert.ok(walked.includes(path), path);
  tab.noTrouble();
});

test('a member is led to what a member may see, and to nothing that is refused', async (t) => {
  const tab = await site.tab(t, { as: 'member' });
  const refused: string[] = [];
  tab.page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  const walked = await walkConsole(tab, async (path) => {
    await assertPage(tab, path);
    assert.equal(await tab.page.getByRole('alert').count(), 0, path);
  });
  for (const path of MEMBERS) assert.ok(walked.includes(path), path);
  for (const path of ADMINS) assert.ok(!walked.includes(path), path);
  assert.deepEqual(refused, []);
  tab.noTrouble();
});

test('every page with data: light, dark, a phone, the narrowest phone, the keyboard', async (t) => {
  const hook = await startWebhookReceiver();
  t.after(() => hook.close());
  await fillConsole(site.service, { hooks: [hook.url] });
  const tab = await site.tab(t);
  const walked = await walkConsole(tab, async (path) => {
    await assertPage(tab, path);
    await tab.accessible();
    await tab.page.emulateMedia({ colorScheme: 'dark' });
    await tab.accessible({ only: ['color-contrast'] });
    await tab.page.emulateMedia({ colorScheme: 'light' });
    await onPhones(tab, path);
    await byKeyboard(tab, path);
  });
  for (const path of [...EVERYBODYS, ...ADMINS, '/shares/grafana']) assert.ok(walked.includes(path), path);
  tab.noTrouble();
});

test('the overview’s first load is under 150 KB as it is sent; its files are kept for good, by names that change with them', async (t) => {
  const tab = await site.tab(t);
  const responses: Response[] = [];
  tab.page.on('response', (response) => void responses.push(response));
  await tab.open();
  const files = responses.filter((response) => new URL(response.url()).pathname.startsWith('/console'));
  const sizes = await Promise.all(files.map((file) => sizeOf(file)));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  t.diagnostic(`${total} bytes in ${files.length} files`);
  assert.ok(total < FIRST_LOAD_BYTES, `${total} bytes: ${JSON.stringify(sizes, null, 2)}`);
  const [page, ...assets] = files;
  assert.equal(page?.headers()['cache-control'], 'no-store');
  assert.ok(assets.length >= 2);
  for (const asset of assets) {
    const { pathname } = new URL(asset.url());
    assert.match(pathname, /^\/console\/assets\/[\w-]+-[\w-]{8}\.(?:js|css|svg)$/);
    assert.equal(asset.headers()['cache-control'], 'public, max-age=31536000, immutable', pathname);
    if (!pathname.endsWith('.svg')) assert.equal(asset.headers()['content-encoding'], 'br', pathname);
  }
});

async function sizeOf(file: Response): Promise<{ path: string; bytes: number }> {
  const { responseBodySize, responseHeadersSize } = await file.request().sizes();
  return { path: new URL(file.url()).pathname, bytes: responseBodySize + responseHeadersSize };
}

/** One heading that says what the page is, and a title of its own. */
async function assertPage({ page }: ConsoleTab, path: string): Promise<void> {
  assert.equal(await page.locator('h1').count(), 1, `${path} has one heading`);
  const heading = (await page.locator('h1').innerText()).trim();
  assert.notEqual(heading, '', path);
  assert.notEqual(heading, 'Page not found', path);
  assert.match(await page.title(), /^.+ – Doorward$/, path);
}

async function onPhones(tab: ConsoleTab, path: string): Promise<void> {
  const size = tab.page.viewportSize() ?? { width: 1280, height: 800 };
  for (const width of [320, 390]) {
    await tab.page.setViewportSize({ width, height: 844 });
    assert.deepEqual(await tab.page.evaluate(WIDER), [], `${path} is not wider than ${width} px`);
  }
  await tab.accessible({ only: BY_LAYOUT });
  await tab.page.setViewportSize(size);
}

/** From the top of the page the first stop is the way past the areas, and the main action is reached. */
async function byKeyboard({ page }: ConsoleTab, path: string): Promise<void> {
  await page.evaluate(TO_TOP);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.className'), 'skip', path);
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'page', `${path}: the way past the areas`);
  if ((await page.locator('main .primary').count()) === 0) return;
  for (let stops = 1; stops <= MOST_STOPS; stops++) {
    await page.keyboard.press('Tab');
    const { isAim, isShown } = await page.evaluate<{ isAim: boolean; isShown: boolean }>(FOCUS);
    assert.ok(isShown, `${path}: where the focus is can be seen after ${stops} stops`);
    if (isAim) return;
  }
  assert.fail(`${path}: the main action is reached within ${MOST_STOPS} stops`);
}

/** Whatever sticks out of the page, by its tag and class. */
const WIDER = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [scrollWidth + ' > ' + clientWidth, ...[...document.querySelectorAll('body *')]
    .filter((each) => each.getBoundingClientRect().right > clientWidth + 0.5)
    .slice(0, 8).map((each) => each.tagName + '.' + each.className)];
})()`;
/** As after a page load: what Tab reaches first is the first thing of the page. */
const TO_TOP = `document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')`;
const FOCUS = `(() => {
  const focused = document.activeElement;
  // A choice is framed as a whole, with its words.
  const isShown = [focused, focused.closest('label') ?? focused].some((each) => {
    const { outlineStyle, boxShadow } = getComputedStyle(each);
    return outlineStyle !== 'none' || boxShadow !== 'none';
  });
  return { isAim: focused.matches('main .primary'), isShown };
})()`;
const MEMBERS = ['/', '/shares', '/shares/%2Bhosts', '/shares/%2Bnew', '/sessions', '/audit', '/me', '/apps'];
const EVERYBODYS = [...MEMBERS, '/certificates'];
const ADMINS = [
  '/providers',
  '/people',
  '/people/keys',
  '/webhooks',
  '/certificates/tokens/list',
  '/settings',
  '/operator',
  '/operator/gateways',
  '/operator/accounts/acme',
];
/** Rules whose answer depends on how much room there is. */
const BY_LAYOUT = ['scrollable-region-focusable', 'color-contrast', 'region', 'page-has-heading-one'];
const MOST_STOPS = 60;
/** Page, scripts and style of the first page, compressed: a second on a slow phone's line. */
const FIRST_LOAD_BYTES = 150_000;
