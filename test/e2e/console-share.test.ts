// The page of a share in Chromium: what it got and how long that took, as pictures and as a table; where it
// leads, at the top; live requests, folded until there are some; who is in although no longer let in.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { readMasterKey } from '../../src/store/sealing/master-key.ts';
import { until } from '../support/until.ts';
import { startConsole, type TestConsole } from '../support/console-browser.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { fillShareActivity } from '../support/console-activity.ts';
import { freePort } from '../support/free-port.ts';
import { callGate } from '../support/gate.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole();
});
after(() => site.close());

test('a share’s page shows requests, refusals and response times as pictures that fill their card, and as a table', async (t) => {
  const share = await site.service.share('busy');
  await fillShareActivity(site.service, share.id);
  const tab = await site.tab(t);
  await tab.open('/shares/busy');
  const panel = tab.page.getByRole('region', { name: 'Activity', exact: true });
  await panel.locator('canvas').nth(1).waitFor();
  for (const width of [1920, 1280, 320]) {
    await tab.page.setViewportSize({ width, height: 900 });
    await until(() => tab.page.evaluate<boolean>(FILLED));
  }
  await tab.accessible();
  await tab.page.setViewportSize({ width: 1280, height: 900 });
  await tab.page.emulateMedia({ colorScheme: 'dark' });
  await tab.accessible();

  // By keyboard alone: the table, then another time.
  await panel.getByText('Show as a table').focus();
  await tab.page.keyboard.press('Enter');
  const table = panel.getByRole('table', { name: 'Activity in the last 24 hours' });
  const titles = ['From', 'Requests', 'Refused', 'Unanswered', 'Half within', '95% within'];
  assert.deepEqual(await table.getByRole('columnheader').allInnerTexts(), titles);
  assert.equal(await table.getByRole('row').count(), 13);
  const counts = await table.locator('td:nth-child(2)').allInnerTexts();
  assert.ok(counts.filter((text) => Number(text.replaceAll(',', '')) > 0).length >= 11, counts.join(' '));
  await table
    .getByRole('cell', { name: /^\d+(?:\.\d+)? (?:ms|s)$/ })
    .first()
    .waitFor();
  await tab.accessible();
  await panel.getByRole('radio', { name: '24 h' }).focus();
  await tab.page.keyboard.press('ArrowRight');
  await panel.getByRole('table', { name: 'Activity in the last 7 days' }).waitFor();
  await tab.page.waitForURL(({ searchParams }) => searchParams.get('hours') === '168');
  tab.noTrouble();
});

test('a share without requests says so; its target and host names stand at the top', async (t) => {
  const share = await site.service.share('quiet');
  const tab = await site.tab(t);
  await tab.open('/shares/quiet');
  const panel = tab.page.getByRole('region', { name: 'Activity', exact: true });
  await panel.getByText('No requests in the last 24 hours').waitFor();
  await panel.getByText('No responses in the last 24 hours').waitFor();
  const titles = await tab.page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts();
  assert.deepEqual(titles.slice(0, 4), ['Target', 'Host names', 'Activity', 'Live requests']);
  await tab.page
    .getByRole('region', { name: 'Target' })
    .getByText(share.target ?? '')
    .waitFor();
  tab.noTrouble();
});

test('live requests are folded until there are some, and stay as somebody left them', async (t) => {
  await site.service.share('live');
  const tab = await site.tab(t);
  await tab.open('/shares/live');
  const panel = tab.page.getByRole('region', { name: 'Live requests' });
  await panel.getByRole('status').getByText('Live').waitFor();
  const waiting = panel.getByRole('heading', { name: 'Waiting for the first request' });
  assert.equal(await waiting.count(), 0);
  await panel.getByRole('button', { name: 'Show', exact: true }).press('Enter');
  await waiting.waitFor();
  await panel.getByRole('button', { name: 'Hide', exact: true }).press('Enter');
  await waiting.waitFor({ state: 'detached' });
  await tab.open('/shares/live');
  await panel.getByRole('status').getByText('Live').waitFor();
  await callGate(site.service.ports.gateway, { host: 'live.share.localhost', path: '/first' });
  await panel.getByRole('row', { name: 'GET /first' }).waitFor();
  await panel.getByRole('button', { name: 'Hide', exact: true }).click();
  await callGate(site.service.ports.gateway, { host: 'live.share.localhost', path: '/second' });
  await panel.getByText('2 since you opened this page').waitFor();
  assert.equal(await panel.getByRole('row').count(), 0);
  await tab.accessible();
  tab.noTrouble();
});

test('who is in and no longer let in is marked, with the reason, and ended with one action', async (t) => {
  const share = await site.service.share('staff', {
    oauthEmailAddressPatterns: ['*@acme.test', '*@old.test'],
  });
  for (const email of [
    'ann@acme.test',
    'bob@old.test',
    'cat@old.test',
    'dan@acme.test',
    'eve@acme.test',
    'fay@acme.test',
  ])
    await walkLogin(site.service.browser(), share.url, { email });
  const tab = await site.tab(t);
  await tab.open('/shares/staff');
  const panel = tab.page.getByRole('region', { name: 'Active sessions' });
  await panel.getByRole('row', { name: 'ann@acme.test' }).waitFor();
  assert.equal(await panel.getByText('no longer let in').count(), 0);
  // Seen without a reload, since the page reads the share again.
  await site.service.client.shares.modify('staff', { oauthEmailAddressPatterns: ['*@acme.test'] });
  await panel.getByText('The rules no longer let in 2 of these people.').waitFor();
  for (const email of ['bob@old.test', 'cat@old.test'])
    await panel.getByRole('row', { name: email }).getByText('no longer let in').waitFor();
  assert.equal(await panel.getByRole('row', { name: 'ann@acme.test' }).getByText('no longer').count(), 0);
  // As in the list of sessions: a menu in each row, and several at once.
  await panel.getByRole('button', { name: 'Actions of ann@acme.test at staff' }).click();
  await tab.page.getByRole('menuitem', { name: 'What they can open' }).waitFor();
  await tab.page.keyboard.press('Escape');
  for (const email of ['dan@acme.test', 'eve@acme.test', 'fay@acme.test'])
    await panel.getByRole('checkbox', { name: `Select ${email} at staff` }).check();
  await tab.accessible();
  await tab.page.getByRole('region', { name: 'Selected' }).getByRole('button', { name: 'End' }).click();
  await tab.page.getByRole('alertdialog').getByText('End 3 sessions?').waitFor();
  await tab.page.getByRole('alertdialog').getByRole('button', { name: 'End them' }).click();
  await tab.page.getByText('3 sessions were ended').waitFor();
  await panel.getByRole('row', { name: 'dan@acme.test' }).waitFor({ state: 'detached' });
  await panel.getByRole('row', { name: 'bob@old.test' }).waitFor();
  await tab.page.setViewportSize({ width: 320, height: 844 });
  await tab.accessible();
  await panel.getByRole('button', { name: 'End these sessions' }).press('Enter');
  await tab.page.getByRole('alertdialog').getByRole('button', { name: 'End them' }).press('Enter');
  await tab.page.getByText('2 sessions were ended').waitFor();
  await panel.getByRole('row', { name: 'bob@old.test' }).waitFor({ state: 'detached' });
  await panel.getByRole('row', { name: 'ann@acme.test' }).waitFor();
  assert.equal(await panel.getByText('The rules no longer let in').count(), 0);
  tab.noTrouble();
});

test('a target that takes no connection is said in the same words on the page, in the list and on the overview', async (t) => {
  const port = await freePort();
  const target = `http://127.0.0.1:${port}`;
  await site.service.share('still', { target });
  const { engine, masterKeyFile } = site.service.config.store;
  const masterKey = await readMasterKey(masterKeyFile);
  const store = await openStore({ engine, masterKey, now: Date.now, exclusive: false });
  t.after(() => store.close());
  // As the service itself does every half a minute.
  await store.shares.looked({ looked: [target], silent: [target] });
  const tab = await site.tab(t);
  await tab.open('/shares/still');
  const words = tab.page.getByText('target not answering', { exact: true });
  await words.waitFor();
  await tab.accessible();
  await tab.open('/shares?state=failing');
  await tab.page
    .getByRole('row', { name: 'still' })
    .getByText('target not answering', { exact: true })
    .waitFor();
  assert.equal(await tab.page.getByRole('rowheader').count(), 1);
  await tab.open();
  const down = tab.page.getByRole('region', { name: 'Shares that are down' });
  await down.getByRole('listitem').filter({ hasText: 'still' }).getByText('target not answering').waitFor();
  // It takes connections from here on, however soon the service looks at it by itself.
  const answering = createServer().listen(port, '127.0.0.1');
  t.after(() => answering.close());
  await once(answering, 'listening');
  await store.shares.looked({ looked: [target], silent: [] });
  await tab.open('/shares/still');
  await words.waitFor({ state: 'detached' });
  tab.noTrouble();
});

/** Each picture is as wide as its place, and high enough to be read. */
const FILLED = `(() => {
  const plots = [...document.querySelectorAll('.chart-plot')];
  return plots.length === 2 && plots.every((plot) => {
    const [canvas] = plot.querySelectorAll('canvas');
    if (!canvas) return false;
    const [inner, outer] = [canvas.getBoundingClientRect(), plot.getBoundingClientRect()];
    return Math.abs(inner.width - outer.width) < 2 && Math.abs(inner.height - outer.height) < 2 && outer.height > 150;
  });
})()`;
