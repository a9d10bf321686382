// The form of the console: what stands beside each other begins at one height, a table below its title, and a
// phone shows the list that somebody came for.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { walkLogin } from '../support/browser-by-hand.ts';
import { startConsole, type TestConsole } from '../support/console-browser.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole();
  const { url } = await site.service.share('wiki', { oauthEmailAddressPatterns: ['*@acme.test'] });
  await walkLogin(site.service.browser(), url, { email: 'ada@acme.test' });
});
after(() => site.close());

test('titles of cards beside each other are at one height, whatever else is in their heads', async (t) => {
  const tab = await site.tab(t);
  for (const path of ['/', '/shares/wiki', '/providers/corp', '/certificates/authority']) {
    await tab.open(path);
    const cards = await Promise.all(
      (await tab.page.locator('.panel:has(> header h2)').all()).map(async (card) => ({
        card: await boxOf(card),
        title: await boxOf(card.locator('> header h2')),
      })),
    );
    for (const one of cards)
      for (const other of cards)
        if (one.card.y === other.card.y)
          assert.ok(Math.abs(one.title.y - other.title.y) < 1, `${path}: ${one.title.y}, ${other.title.y}`);
  }
});

test('the first column of a table in a card begins where the title does', async (t) => {
  const tab = await site.tab(t);
  await tab.open('/shares/wiki');
  const apart = await tab.page.evaluate<number[]>(APART);
  assert.ok(apart.length > 0);
  for (const pixels of apart) assert.ok(Math.abs(pixels) < 2, `${pixels} px beside the title`);
});

test('on a phone the list begins in the upper half, all tabs are seen, and filters open by keyboard', async (t) => {
  const tab = await site.tab(t, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const { page } = tab;
  for (const path of ['/shares', '/audit']) {
    await tab.open(path);
    const { y } = await boxOf(page.locator('.list').first());
    assert.ok(y < 422, `${path} begins at ${y}`);
  }
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await tab.open('/certificates');
    for (const link of await page.locator('.tabs > a').all()) {
      const { x, width: wide } = await boxOf(link);
      assert.ok(x >= 0 && x + wide <= width, `${await link.innerText()} at ${width}`);
    }
  }
  await tab.open('/audit?kind=login.refused');
  const filters = page.getByRole('button', { name: 'Filters (1)' });
  assert.equal(await filters.getAttribute('aria-expanded'), 'false');
  await page.getByLabel('Result').waitFor({ state: 'hidden' });
  await filters.focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Result').waitFor();
  await tab.accessible();
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  await page.getByLabel('Result').selectOption({ label: 'Refused' });
  await page.getByRole('button', { name: 'Filters (2)' }).waitFor();
  tab.noTrouble();
});

async function boxOf(what: Locator) {
  const box = await what.boundingBox();
  assert.ok(box !== null);
  return box;
}

/** How far from its title the first box or text of each table in a card begins. */
const APART = `[...document.querySelectorAll('.panel:has(> .list tbody th)')].map((card) => {
  const [title, cell] = [card.querySelector('h2'), card.querySelector('tbody tr > :first-child')];
  const box = cell.querySelector('input[type=checkbox]')?.getBoundingClientRect().x;
  const text = cell.getBoundingClientRect().x + parseFloat(getComputedStyle(cell).paddingLeft);
  return (box ?? text) - title.getBoundingClientRect().x;
})`;
