// Saved views of the console's lists: filters and order under a name, kept in the browser for one account,
// and read there as if a stranger had written them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createNodeClient } from '../../src/client/node-client.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { until } from '../support/until.ts';
import { type ConsoleTab, startConsole, type TestConsole } from '../support/console-browser.ts';
import { addAccount } from '../support/service.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole();
  for (const name of ['view-a', 'view-b'])
    await site.service.client.shares.create({ name, target: 'http://127.0.0.1:9', open: true });
});
after(() => site.close());

test('a view is saved, outlasts a reload, is opened and deleted, by keys alone', async (t) => {
  const { open, page, settled, accessible, noTrouble } = await site.tab(t);
  await open('/shares?q=view-&sort=-name&state=open');
  const { button, panel } = viewsOf(page);
  await button.press('Enter');
  await panel.getByText('No saved views yet.').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await panel.getByText('Enter a name.').waitFor();
  await accessible();
  await panel.getByLabel('Name').fill('  Everyone\tmay  open ');
  await page.keyboard.press('Enter');
  await panel.waitFor({ state: 'detached' });
  await page.getByText('The view was saved').waitFor();
  assert.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'Views');

  await open('/shares');
  await button.press('Enter');
  const view = panel.getByRole('link', { name: 'Everyone may open' });
  assert.equal(await view.getAttribute('aria-current'), null);
  await accessible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${site.origin}/console/shares?q=view-&state=open&sort=-name`);
  await settled();
  assert.deepEqual(await page.getByRole('rowheader').allInnerTexts(), ['view-b', 'view-a']);
  // Another list has its own.
  await open('/sessions');
  await button.click();
  await panel.getByText('No saved views yet.').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });

  await open('/shares?sort=-name&q=view-&state=open&unknown=1');
  await button.press('Enter');
  assert.equal(await view.getAttribute('aria-current'), 'true');
  const remove = panel.getByRole('button', { name: 'Delete the view Everyone may open' });
  await remove.press('Enter');
  await panel.getByText('No saved views yet.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await page.reload();
  await settled();
  await button.press('Enter');
  await remove.press('Enter');
  await page.reload();
  await settled();
  await button.press('Enter');
  await panel.getByText('No saved views yet.').waitFor();
  noTrouble();
});

test('each list keeps the filters and the order that it has, and nothing else of the address', async (t) => {
  const { open, page, noTrouble } = await site.tab(t);
  const { button, panel } = viewsOf(page);
  const lists = {
    sessions: 'email=ann&share=view-a&state=ended&sort=email',
    certificates: 'q=ann&state=active&expiring=30d',
    audit: 'text=ann&kind=login&result=ok&within=week',
  };
  for (const [list, query] of Object.entries(lists)) {
    await open(`/${list}?follow=&event=evt_1&${query}`);
    await button.click();
    await panel.getByLabel('Name').fill('Mine');
    await panel.getByRole('button', { name: 'Save this view' }).click();
    await panel.waitFor({ state: 'detached' });
    await open(`/${list}`);
    await button.click();
    await panel.getByRole('link', { name: 'Mine' }).click();
    await page.waitForURL(`${site.origin}/console/${list}?${query}`);
  }
  noTrouble();
});

test('a phone saves and opens views within its width, in the dark', async (t) => {
  const { open, page, accessible, noTrouble } = await site.tab(t, {
    viewport: { width: 320, height: 640 },
    hasTouch: true,
    colorScheme: 'dark',
  });
  const { button, panel } = viewsOf(page);
  for (const list of ['shares', 'audit']) {
    await open(`/${list}`);
    await button.tap();
    await panel.getByLabel('Name').fill('A name as long as one may be, which needs two lines or three');
    await panel.getByRole('button', { name: 'Save this view' }).tap();
    await panel.waitFor({ state: 'detached' });
    await button.tap();
    await accessible();
    const box = await panel.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 320, JSON.stringify(box));
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
    // A press elsewhere closes it.
    await page.touchscreen.tap(5, 5);
    await panel.waitFor({ state: 'detached' });
  }
  noTrouble();
});

test('who changes to another account in the same browser does not see the views of the first', async (t) => {
  const email = 'pat@example.com';
  const apiKey = await addAccount(site.service.config, 'other-views', 'boss@other.test');
  const other = createNodeClient({ url: new URL(site.origin), apiKey });
  const { invitation } = await other.members.create({ email, role: 'admin' });
  await walkLogin(site.service.browser(), invitation.url, {
    email,
    until: (next) => next.pathname.startsWith('/console'),
  });
  const { open, page, settled } = await site.tab(t, { as: email });
  const { button, panel } = viewsOf(page);
  await open('/shares?q=secret-project');
  const shown = (await page.locator('.account:visible').innerText()).trim();
  await button.click();
  await panel.getByLabel('Name').fill('Theirs');
  await page.keyboard.press('Enter');
  await panel.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: new RegExp(email) }).click();
  await page
    .getByRole('group', { name: 'Accounts' })
    .getByRole('button')
    .filter({ hasNotText: shown })
    .click();
  await page.locator('.account:visible').filter({ hasNotText: shown }).waitFor();
  await open('/shares');
  await settled();
  await button.click();
  await panel.getByText('No saved views yet.').waitFor();
});

test('views that a stranger wrote are names and filters: no markup, no way out of the list', async (t) => {
  const { open, page, settled, accessible, noTrouble } = await site.tab(t);
  const { button, panel } = viewsOf(page);
  await open('/shares');
  const { id } = await site.service.client.account.show();
  const views = [
    { name: '<img src=x onerror=alert(1)>', query: '//evil.example/?x=1' },
    { name: '\u202eevil', query: 'q=<script>alert(1)</script>' },
    { name: 'scheme', query: 'javascript:alert(1)' },
    null,
  ];
  const keep = (text: string) =>
    page.evaluate(`localStorage.setItem('doorward-views ${id} shares', ${JSON.stringify(text)})`);
  await keep(JSON.stringify(views));
  await button.click();
  const links = panel.getByRole('link');
  assert.deepEqual(await links.allInnerTexts(), ['<img src=x onerror=alert(1)>', 'evil', 'scheme']);
  const hrefs = await page.evaluate(
    '[...document.querySelectorAll(".views-panel a")].map(({ href }) => href)',
  );
  const list = `${site.origin}/console/shares`;
  assert.deepEqual(hrefs, [list, `${list}?q=%3Cscript%3Ealert%281%29%3C%2Fscript%3E`, list]);
  await accessible();
  await links.nth(1).click();
  await settled();
  await page.getByText('No matching shares').waitFor();
  await keep('{"a":');
  await button.click();
  await panel.getByText('No saved views yet.').waitFor();
  noTrouble();
});

test('a browser that stores nothing, or has no room, keeps views as long as the page, and says so once', async (t) => {
  for (const broken of [BLOCKED, FULL]) {
    const { open, page, profile, go, noTrouble } = await site.tab(t, { colorScheme: 'light' });
    await profile.addInitScript(broken);
    const { button, panel } = viewsOf(page);
    await open('/shares?q=view-');
    await page.evaluate(COUNT_NEWS);
    for (const name of ['First', 'Second']) {
      await button.click();
      await panel.getByLabel('Name').fill(name);
      await page.keyboard.press('Enter');
      await panel.waitFor({ state: 'detached' });
      await until(() => page.evaluate<boolean>(`news.some((text) => text.includes('${name}'))`));
    }
    const news = await page.evaluate<readonly string[]>('news');
    assert.equal(news.filter((text) => text.startsWith('Views are not kept')).length, 1, news.join());
    await go('/sessions');
    await go('/shares');
    await button.click();
    assert.deepEqual(await panel.getByRole('link').allInnerTexts(), ['First', 'Second']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /admin/ }).last().click();
    await page.locator('label:visible', { hasText: 'Dark' }).click();
    await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' });
    await open('/shares');
    await button.click();
    await panel.getByText('No saved views yet.').waitFor();
    noTrouble();
  }
});

function viewsOf(page: ConsoleTab['page']) {
  return {
    button: page.getByRole('button', { name: 'Views', exact: true }),
    panel: page.getByRole('dialog', { name: 'Saved views' }),
  };
}

/** What was said, however long ago: it goes by itself. */
const COUNT_NEWS = `news = []; new MutationObserver((all) => {
  for (const { addedNodes } of all) news.push(...[...addedNodes].map((each) => each.textContent));
}).observe(document.querySelector('.toasts'), { childList: true }); undefined`;
const BLOCKED = `Object.defineProperty(window, 'localStorage', {
  get() { throw new DOMException('Access is denied', 'SecurityError'); },
});`;
const FULL = `Storage.prototype.setItem = () => { throw new DOMException('No room', 'QuotaExceededError'); };`;
