// Live requests on the page of a share, in Chromium: what visitors do appears by itself, with who they are
// and why somebody was not let in; held still, filtered, found again after the service was away, and over
// when the share is gone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { type ConsoleTab, startConsole, type TestConsole } from '../support/console-browser.ts';
import { callGate } from '../support/gate.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole();
});
after(() => site.close());

function panelOf({ page }: ConsoleTab) {
  const panel = page.getByRole('region', { name: 'Live requests' });
  return { panel, state: panel.getByRole('status'), row: (name: string) => panel.getByRole('row', { name }) };
}

/** A visitor without a login. */
function visit(share: string, path: string) {
  return callGate(site.service.ports.gateway, { host: `${share}.share.localhost`, path });
}

test('requests appear as they end: method, path, answer, who, why not; paused, filtered, cleared', async (t) => {
  const share = await site.service.share('wiki', { oauthEmailAddressPatterns: ['*@acme.test'] });
  const tab = await site.tab(t, { as: 'member' });
  await tab.open('/shares/wiki');
  const { panel, state, row } = panelOf(tab);
  await panel.getByRole('button', { name: 'Show', exact: true }).click();
  await panel.getByRole('heading', { name: 'Waiting for the first request' }).waitFor();
  await panel.getByRole('link', { name: share.url }).waitFor();
  await state.getByText('Live').waitFor();
  await tab.accessible();

  const ada = createBrowser();
  await walkLogin(ada, `${share.url}/orders?token=sesame`, { email: 'ada@acme.test' });
  await row('GET /orders 200 ada@acme.test').waitFor();
  await row('GET /orders 302 sent to log in 127.0.0.1').waitFor();
  assert.doesNotMatch(await panel.innerText(), /sesame/);
  const who = panel.getByRole('link', { name: 'ada@acme.test' }).first();
  assert.equal(await who.getAttribute('href'), '/console/sessions?email=ada%40acme.test');
  await site.service.client.shares.modify('wiki', { oauthEmailAddressPatterns: ['eve@acme.test'] });
  await ada.open(`${share.url}/plans`);
  await row('GET /plans 403 address not allowed ada@acme.test').waitFor();
  await tab.accessible();

  await panel.getByRole('button', { name: '4xx' }).click();
  await row('GET /plans 403').waitFor();
  await row('GET /orders 200').waitFor({ state: 'detached' });
  await tab.page.waitForURL(({ searchParams }) => searchParams.get('answers') === 'refused');
  await panel.getByRole('button', { name: 'All' }).click();
  await row('GET /orders 200').waitFor();

  await panel.getByRole('button', { name: 'Pause' }).click();
  await state.getByText('Paused').waitFor();
  await visit('wiki', '/later');
  const resume = panel.getByRole('button', { name: 'Resume, 1 new' });
  await resume.waitFor();
  assert.equal(await row('GET /later').count(), 0);
  await resume.click();
  await row('GET /later 302').waitFor();
  await panel.getByRole('button', { name: 'Clear' }).click();
  await panel.getByRole('heading', { name: 'Waiting for the first request' }).waitFor();
  tab.noTrouble();
});

test('what visitors write is text and nothing else; many at once are all there', async (t) => {
  await site.service.share('open', { oauthProvider: null });
  const tab = await site.tab(t);
  await tab.open('/shares/open');
  const { panel, state } = panelOf(tab);
  await state.getByText('Live').waitFor();
  const hostile = '/<img/src=x/onerror=alert(1)>/%3Cscript%3Ealert(1)%3C/script%3E';
  await visit('open', hostile);
  await panel.getByText(hostile).waitFor();
  await Promise.all(Array.from({ length: 40 }, (_, index) => visit('open', `/${index}`)));
  await panel.getByText('41 since').waitFor();
  assert.equal(await panel.getByRole('rowheader').count(), 41);
  await tab.accessible();
  tab.noTrouble();
});

test('a connection that cannot be made is said, and made again', async (t) => {
  await site.service.share('lost');
  const tab = await site.tab(t);
  const { state } = panelOf(tab);
  await tab.page.route('**/requests', (route) => route.abort());
  await tab.open('/shares/lost');
  await state.getByText('Connection lost, reconnecting').waitFor();
  await tab.accessible();
  await tab.page.unroute('**/requests');
  await state.getByText('Live').waitFor();
  tab.noTrouble(/ERR_FAILED/);
});

test('a tab that is not looked at leaves the connection to the one that is, and takes it up again', async (t) => {
  await site.service.share('tabs');
  const tab = await site.tab(t);
  await tab.open('/shares/tabs');
  const { state } = panelOf(tab);
  await state.getByText('Live').waitFor();
  const show = (visible: boolean) =>
    tab.page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${visible ? 'visible' : 'hidden'}', configurable: true });
       document.dispatchEvent(new Event('visibilitychange'))`,
    );
  await show(false);
  const other = await tab.profile.newPage();
  await other.goto(tab.page.url());
  await other.getByRole('region', { name: 'Live requests' }).getByText('Live', { exact: true }).waitFor();
  await state.getByText('Paused').waitFor();
  await show(true);
  await state.getByText('Live').waitFor();
  tab.noTrouble();
});

test('a service that was away is found again; a share that is gone is said', async (t) => {
  await site.service.share('going');
  const tab = await site.tab(t);
  await tab.open('/shares/going');
  const { panel, state, row } = panelOf(tab);
  await state.getByText('Live').waitFor();
  await site.service.restart();
  // It may be back sooner than anybody can see that it was away.
  for (;;) {
    await visit('going', '/back');
    const seen = await row('GET /back')
      .first()
      .waitFor({ timeout: 1_000 })
      .then(
        () => true,
        () => false,
      );
    if (seen) break;
  }
  await state.getByText('Live').waitFor();
  // The page reads the share again, too, and would say in the panel's place that it is gone.
  await tab.page.route('**/v1/shares/going', (route) => route.abort());
  await site.service.client.shares.remove('going');
  await state.getByText('Stopped').waitFor();
  await panel.getByRole('alert').getByText('Cannot find share').waitFor();
  await tab.page.unroute('**/v1/shares/going');
  await panel.waitFor({ state: 'detached' });
  tab.noTrouble(/ERR_|going/);
});
