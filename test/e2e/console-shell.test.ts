// The frame around the console's pages by keyboard and on a phone: the way past the areas, the drawer, the
// person's menu, colours, lists whose rows keep their roles as cards, and what is shown when a part of the
// program is gone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { until } from '../support/chromium.ts';
import { startConsole, type TestConsole } from '../support/console-browser.ts';
import { fillConsole } from '../support/console-data.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole();
  await fillConsole(site.service);
});
after(() => site.close());

const PHONE = { viewport: { width: 390, height: 844 } };

test('by keyboard: past the areas to the page, into another area, and to its beginning', async (t) => {
  const tab = await site.tab(t);
  await tab.open('/shares');
  const { page } = tab;
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await hasFocus(page.locator('#page'));
  await page.getByRole('link', { name: 'Sessions', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
  // What is read next is the page that was opened.
  await hasFocus(page.locator('#page'));
  const here = page.getByRole('navigation', { name: 'Areas' }).locator('[aria-current=page]');
  assert.equal(await here.innerText(), 'Sessions');
  tab.noTrouble();
});

test('on a phone the areas are behind a button: Escape gives the focus back, a choice gives it to the page', async (t) => {
  const tab = await site.tab(t, PHONE);
  await tab.open('/shares');
  const { page } = tab;
  const button = page.getByRole('button', { name: 'Menu', exact: true });
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await button.focus();
  await page.keyboard.press('Enter');
  await drawer.waitFor();
  await tab.accessible();
  // The page behind it is out of reach.
  for (let stops = 0; stops < 16; stops++) {
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(OUTSIDE), false, 'the focus stays in the drawer');
  }
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await hasFocus(button);
  await button.click();
  await drawer.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
  await drawer.waitFor({ state: 'hidden' });
  await hasFocus(page.locator('#page'));
  tab.noTrouble();
});

test('the person’s menu says who is in, closes on Escape, keeps the chosen colours, and logs out', async (t) => {
  const tab = await site.tab(t);
  await tab.open('/shares');
  const { page } = tab;
  const person = page.getByRole('button', { name: 'admin@acme.test admin' });
  await person.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'API reference' }).waitFor();
  await tab.accessible();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'API reference' }).waitFor({ state: 'hidden' });
  await hasFocus(person);
  await person.click();
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await until('it is dark', async () => (await page.evaluate(GROUND)) === 'rgb(19, 20, 22)');
  await tab.open('/shares');
  assert.equal(await page.evaluate(GROUND), 'rgb(19, 20, 22)', 'they are kept');
  await person.click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('link', { name: 'Log in' }).waitFor();
  tab.noTrouble();
});

test('G and a letter goes to an area, ? lists the keys and switches them off; none counts where somebody types', async (t) => {
  const tab = await site.tab(t, { viewport: { width: 320, height: 800 }, colorScheme: 'dark' });
  await tab.open('/audit');
  const { page } = tab;
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.getByRole('heading', { level: 1, name: 'Shares' }).waitFor();
  await page.getByRole('searchbox').first().fill('');
  await page.keyboard.type('g?n');
  assert.equal(await page.getByRole('searchbox').first().inputValue(), 'g?n');
  await page.locator('#page').focus();
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await list.getByText('Sessions').waitFor();
  await tab.accessible();
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await list.getByRole('checkbox', { name: /single-key/ }).uncheck();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'hidden' });
  await page.locator('#page').focus();
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.keyboard.press('?');
  await list.getByRole('checkbox', { name: /single-key/ }).check();
  await list.getByRole('button', { name: 'Close' }).click();
  assert.match(page.url(), /\/console\/shares/);
  await page.locator('#page').focus();
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
  tab.noTrouble();
});

test('the field that goes to places finds people, keys, pages and actions', async (t) => {
  const tab = await site.tab(t);
  await tab.open('/audit');
  const { page } = tab;
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Name of a page, an action or a thing' });
  await field.fill('admin@acme');
  await page.getByRole('option', { name: 'admin@acme.test Person' }).waitFor();
  await field.fill('first');
  await page.getByRole('option', { name: 'first API key' }).waitFor();
  await field.fill('authority');
  await page.getByRole('option', { name: 'Certificate authority Page' }).waitFor();
  await field.fill('new sh');
  await page.getByRole('option', { name: 'New share Action' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'New share' }).waitFor();
  tab.noTrouble();
});

test('a service that does not answer is told within five seconds, once, and what was there stays', async (t) => {
  const tab = await site.tab(t, { viewport: { width: 320, height: 800 }, colorScheme: 'dark' });
  await tab.open('/sessions');
  const { page } = tab;
  const note = page.getByRole('status').filter({ hasText: 'Doorward is unavailable' });
  await tab.profile.setOffline(true);
  await note.waitFor({ timeout: 5_000 });
  // A list that is read again every five seconds says nothing of its own.
  assert.equal(await page.getByRole('alert').count(), 0);
  await tab.accessible();
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  await tab.profile.setOffline(false);
  await note.waitFor({ state: 'hidden', timeout: 10_000 });
  await page.route('**/console/', (route) => route.abort());
  await note.waitFor();
  await page.unroute('**/console/');
  await note.waitFor({ state: 'hidden' });
});

test('a logout that the service does not take is said, and can be tried again', async (t) => {
  const tab = await site.tab(t);
  await tab.open('/shares');
  const { page } = tab;
  await page.getByRole('button', { name: 'admin@acme.test admin' }).click();
  for (const answer of [null, 503]) {
    await page.route('**/auth/logout', (route) =>
      answer === null ? route.abort() : route.fulfill({ status: answer }),
    );
    await page.getByRole('button', { name: 'Log out' }).click();
    const news = page.getByRole('region', { name: 'News' });
    await news.getByText('You are still logged in').waitFor();
    await news.getByRole('button', { name: 'Close' }).click();
    await page.unroute('**/auth/logout');
    await page.getByRole('button', { name: 'admin@acme.test admin' }).click();
  }
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('link', { name: 'Log in' }).waitFor();
});

test('Ctrl+K goes to a share or an area by its name, and Escape back to where one was', async (t) => {
  const tab = await site.tab(t);
  await tab.open('/audit');
  const { page } = tab;
  const field = page.getByRole('combobox', { name: 'Name of a page, an action or a thing' });
  await page.getByRole('link', { name: 'Sessions', exact: true }).focus();
  await page.keyboard.press('Control+k');
  await field.waitFor();
  await page.getByRole('option', { name: 'grafana Share' }).waitFor();
  await tab.accessible();
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'hidden' });
  await hasFocus(page.getByRole('link', { name: 'Sessions', exact: true }));
  await page.getByRole('button', { name: 'Go to…' }).click();
  await field.fill('s');
  await page.getByRole('option', { name: 'Shares Area', selected: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: 'Sessions Area', selected: true }).waitFor();
  await field.fill('graf');
  await page.getByRole('option', { name: 'grafana Share', selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/shares/grafana');
  await hasFocus(page.locator('#page'));
  tab.noTrouble();
});

test('a list keeps its rows, columns and names for screen readers when it is shown as cards', async (t) => {
  for (const input of [{}, PHONE]) {
    const tab = await site.tab(t, input);
    await tab.open('/shares');
    const row = tab.page.getByRole('table', { name: 'Shares' }).getByRole('row', { name: /grafana/ });
    await row.getByRole('rowheader', { name: 'grafana' }).waitFor();
    const roles = await browserRoles(tab.page);
    for (const role of ['table', 'columnheader', 'row', 'rowheader', 'cell'])
      assert.ok(roles.has(role), `${role} at ${JSON.stringify(input)}`);
    // Anywhere in the row, not on its link, and not where it is chosen.
    await row
      .getByRole('cell')
      .filter({ hasNot: tab.page.getByRole('checkbox') })
      .first()
      .click({ position: { x: 4, y: 4 } });
    await tab.page.waitForURL('**/console/shares/grafana');
    tab.noTrouble();
  }
});

test('what is shown stays while it cannot be read reset: who is in, and the thing on the page', async (t) => {
  const tab = await site.tab(t);
  const { page } = tab;
  await tab.open('/providers/partners');
  const edit = page.getByRole('button', { name: 'Edit' });
  await edit.waitFor();
  const asked = new Set<string>();
  await page.route(/\/auth\/session$|\/v1\/auth-providers\/partners$/, async (route) => {
    await route.fulfill({ status: 403, json: { code: 'not_allowed' } });
    asked.add(route.request().url());
  });
  // Back in the tab after a while, by a clock of the test.
  await page.evaluate('{ const ahead = Date.now() + 60_000; Date.now = () => ahead; }');
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
  await until('both are asked for again', () => asked.size === 2);
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  await page.evaluate("fetch('/auth/session')");
  assert.ok(await edit.isVisible());
  tab.noTrouble();
});

test('after an upgrade, a page whose program is gone says that a newer version is here', async (t) => {
  const tab = await site.tab(t);
  await tab.open('/shares');
  await tab.page.route('**/console/assets/audit-area-*', (route) => route.fulfill({ status: 404, body: '' }));
  await tab.page.getByRole('link', { name: 'Audit', exact: true }).click();
  await tab.page.getByRole('heading', { name: 'A new version is available' }).waitFor();
  await tab.page.unrouteAll();
  await tab.page.getByRole('button', { name: 'Reload' }).click();
  await tab.page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
  tab.noTrouble(/audit-area|dynamically imported/);
});

/** Where it goes is settled a moment after the page is drawn. */
function hasFocus(one: Locator): Promise<void> {
  return one.and(one.page().locator(':focus')).waitFor();
}

/** What the browser itself tells screen readers, however the table is laid out. */
async function browserRoles(page: Page): Promise<ReadonlySet<unknown>> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return new Set(nodes.filter(({ ignored }) => !ignored).map(({ role }) => role?.value));
}

/** The browser's own controls are in reach, too: then the page's focus is nowhere. */
const OUTSIDE = `!['', 'BODY'].includes(document.activeElement.tagName) && document.activeElement.closest('dialog') === null`;
const GROUND = 'getComputedStyle(document.body).backgroundColor';
