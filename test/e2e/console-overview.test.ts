// The overview in Chromium: figures of real requests, which change while one looks on, and lead to the lists
// behind them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ConsoleTab, TestConsole } from '../support/console-browser.ts';
import { startConsole } from '../support/console-browser.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { freePort } from '../support/free-port.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole();
});
after(() => site.close());

test('the overview teaches the first steps, ticks them off, and shows figures as they change', async (t) => {
  const { service } = site;
  const tab = await site.tab(t);
  await tab.open();
  assert.equal(await tab.page.getByRole('heading', { level: 1 }).innerText(), 'Overview');
  const steps = tab.page.getByRole('list').filter({ hasText: 'Create a share' }).getByRole('listitem');
  // The configuration has a provider.
  await steps.filter({ hasText: 'Add a provider (done)' }).waitFor();
  await tab.page.getByRole('link', { name: 'Shares up 0' }).waitFor();
  await tab.accessible();
  const share = await service.share('wiki', { oauthEmailAddressPatterns: ['ada@example.com'] });
  await tab.page.getByRole('link', { name: 'Share up 1' }).waitFor();
  await steps.filter({ hasText: 'Create a share (done)' }).waitFor();
  const visitor = service.browser();
  await walkLogin(visitor, share.url, { email: 'ada@example.com' });
  await tab.page.getByRole('link', { name: 'Active session 1' }).waitFor();
  // Sent to log in, and let in.
  await tab.page.getByRole('link', { name: 'Requests in 24 hours 2' }).waitFor();
  await steps.first().waitFor({ state: 'detached' });
  const bars = tab.page.getByRole('region', { name: 'Logins by provider' });
  await bars.getByRole('listitem').filter({ hasText: 'corp' }).getByText('1', { exact: true }).waitFor();
  await tab.page.locator('canvas').waitFor();
  await tab.accessible();
  tab.noTrouble();
});

test('what is refused, what finds no backend, and what waits for its agent are told, each with its list', async (t) => {
  const { service } = site;
  await service.share('broken', { target: `http://127.0.0.1:${await freePort()}`, oauthProvider: null });
  await service.client.shares.create({ name: 'laptop', tunnel: 'reserved', open: true });
  await service.share('resting', { enabled: false });
  const visitor = service.browser();
  const origin = (name: string) => `http://${name}.share.localhost:${service.ports.gateway}`;
  assert.equal((await visitor.request(`${origin('broken')}/`)).status, 502);
  const asked = { headers: { accept: 'application/json' } };
  assert.equal((await visitor.request(`${origin('wiki')}/api`, asked)).status, 401);
  const tab = await site.tab(t);
  await tab.open('/?hours=1');
  const tile = (name: RegExp) => tab.page.getByRole('link', { name });
  await tile(/^Requests in an hour \d+$/).waitFor();
  await tab.page.getByText('1 refused', { exact: true }).first().waitFor();
  // No list has as many as the first, and the other is listed for a day: here they lead nowhere.
  for (const name of ['refused', 'unanswered'])
    assert.equal(await tab.page.getByRole('link', { name }).count(), 0, name);
  const down = tab.page.getByRole('region', { name: 'Shares that are down' });
  await down.getByRole('listitem').filter({ hasText: 'broken' }).getByText('target not answering').waitFor();
  await down.getByRole('listitem').filter({ hasText: 'laptop' }).getByText('no agent').waitFor();
  assert.equal(await down.getByRole('listitem').filter({ hasText: 'resting' }).count(), 0);
  await inDark(tab);
  await tab.accessible();
  await leadsTo(tab, { link: '2 down', path: '/console/shares?state=down', rows: ['broken', 'laptop'] });
  await leadsTo(tab, { link: 'Share up', path: '/console/shares?state=up', rows: ['wiki'] });
  await leadsTo(tab, { link: '1 off', path: '/console/shares?state=off', rows: ['resting'] });
  await leadsTo(tab, { link: /^Active sessions?/, path: '/console/sessions' });
  await leadsTo(tab, { link: 'corp', path: '/console/audit?kind=login.succeeded&provider=corp&within=hour' });
  await leadsTo(tab, { link: 'broken', path: '/console/shares/broken' });
  await tab.page.getByRole('radio', { name: '24 h' }).check();
  await leadsTo(tab, { link: '1 unanswered', path: '/console/shares?state=unanswered', rows: ['broken'] });
  tab.noTrouble();
});

test('a member sees the figures, and no list that is an admin’s', async (t) => {
  const tab = await site.tab(t, { as: 'member' });
  await tab.open();
  await tab.page.getByRole('region', { name: 'Recent activity' }).waitFor();
  assert.equal(await tab.page.getByRole('region', { name: 'Expiring certificates' }).count(), 0);
  await tab.page.getByText('Certificates', { exact: true }).waitFor();
  assert.equal(await tab.page.locator('a[href*="/certificates"]').count(), 0);
  await tab.page.getByRole('radio', { name: '7 d' }).check();
  await tab.page.getByRole('link', { name: /Requests in 7 days/ }).waitFor();
  await tab.page.waitForURL(/\?hours=168$/);
  tab.noTrouble();
});

/** The picture is drawn again in the other colours. */
async function inDark({ page }: ConsoleTab): Promise<void> {
  await page.locator('canvas').waitFor();
  await page.evaluate(MARK);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('canvas:not([data-before])').waitFor();
}

type Lead = {
  readonly link: string | RegExp;
  readonly path: string;
  /** The names in the list there. */
  readonly rows?: readonly string[];
};

async function leadsTo(tab: ConsoleTab, { link, path, rows = [] }: Lead): Promise<void> {
  await tab.page.getByRole('main').getByRole('link', { name: link }).first().click();
  await tab.page.waitForURL(`${site.origin}${path}`);
  await tab.settled();
  for (const name of rows) await tab.page.getByRole('rowheader', { name }).waitFor();
  if (rows.length > 0) assert.equal(await tab.page.getByRole('rowheader').count(), rows.length, path);
  await tab.page.goBack();
  await tab.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

const MARK = `document.querySelector('canvas').dataset.before = ''`;
