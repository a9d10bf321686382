// The audit log in the console: filters in the address, following, one event in full, exports; and webhooks,
// which are told of it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { walkLogin } from '../support/browser-by-hand.ts';
import { startConsole, type TestConsole } from '../support/console-browser.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole({ outboundAllow: ['127.0.0.1', 'localhost'] });
  const share = await site.service.share('wiki', { oauthEmailAddressPatterns: ['*@acme.test'] });
  for (const email of ['ada@acme.test', '=cmd@evil.test'])
    await walkLogin(site.service.browser(), share.url, { email });
  await site.service.share('lobby');
});
after(() => site.close());

test('filters stand in the address, and an event shows all that is known of it', async (t) => {
  const tab = await site.tab(t);
  const { page } = tab;
  await tab.open('/audit');
  await rowOf(page, 'Share created').first().waitFor();
  await page.getByLabel('What', { exact: true }).selectOption({ label: 'Login refused' });
  await rowOf(page, 'Share created').first().waitFor({ state: 'detached' });
  await page.waitForURL(({ search }) => search === '?kind=login.refused');
  await page.getByRole('cell', { name: '=cmd@evil.test' }).waitFor();
  await tab.accessible();
  await tab.open('/audit?kind=all-logins-and-sessions&email=ada%40acme.test');
  await rowOf(page, 'Logged in').waitFor();
  assert.equal(await page.getByRole('row').count(), 2);
  await page.getByLabel('Person').fill('nobody@acme.test');
  await page.getByRole('heading', { name: 'No results' }).waitFor();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.getByLabel('Share', { exact: true }).selectOption({ label: 'lobby' });
  await rowOf(page, 'Share created').click();
  const dialog = page.getByRole('dialog', { name: 'Share created' });
  await page.waitForURL(({ searchParams }) => searchParams.get('event')?.startsWith('evt_') === true);
  for (const shown of ['share.created', 'key first'])
    await dialog.getByText(shown, { exact: true }).waitFor();
  await tab.accessible();
  await dialog.getByRole('link', { name: 'lobby' }).click();
  await page.getByRole('heading', { level: 1, name: 'lobby' }).waitFor();
  tab.noTrouble();
});

test('filters that are typed in one moment stand in the address together, and none comes back when all are cleared', async (t) => {
  const tab = await site.tab(t);
  const { page } = tab;
  await tab.open('/audit');
  await rowOf(page, 'Share created').first().waitFor();
  await page.evaluate(`${TYPE} type('Search', 'login'); type('Person', 'ada@acme.test')`);
  // A page that is busy meanwhile asks for both at once.
  await page.evaluate('for (const end = performance.now() + 500; performance.now() < end; );');
  await page.waitForURL(({ search }) => search === '?text=login&email=ada%40acme.test');
  await tab.open('/audit?text=login');
  await rowOf(page, 'Logged in').first().waitFor();
  await page.evaluate(
    `${TYPE} type('Person', 'eve@acme.test');
     [...document.querySelectorAll('button')].find((button) => button.textContent === 'Clear all').click()`,
  );
  await page.waitForURL(({ search }) => search === '' || search === '?');
  for (const label of ['Search', 'Person']) assert.equal(await page.getByLabel(label).inputValue(), '');
  await page.getByLabel('Share', { exact: true }).selectOption({ label: 'lobby' });
  await rowOf(page, 'Share created').waitFor();
  tab.noTrouble();
});

test('the log is searched by text and result, and a change shows what it changed: by keyboard, at 320 px, light and dark', async (t) => {
  const { client } = site.service;
  await client.shares.modify('lobby', {
    open: false,
    oauthProvider: 'corp',
    denyEmails: ['mallory@evil.test', 'eve@evil.test'],
    rules: [{ allow: { everyone: true, paths: ['/healthz'] } }],
  });
  await client.shares.modify('lobby', { denyEmails: ['eve@evil.test', 'trudy@evil.test'] });
  const tab = await site.tab(t, { viewport: { width: 320, height: 800 }, timezoneId: 'Asia/Tokyo' });
  const { page } = tab;
  await tab.open('/audit');
  await page.getByLabel('Search').fill('trudy@ lobby');
  await page.waitForURL(/text=trudy/);
  await rowOf(page, 'Logged in').first().waitFor({ state: 'detached' });
  await rowOf(page, 'Share changed').waitFor();
  assert.equal(await rowOf(page, 'Share changed').count(), 1);
  await rowOf(page, 'Share changed')
    .getByText(/\d:\d\d:\d\d.*GMT\+9/)
    .waitFor();
  await rowOf(page, 'Share changed').getByRole('link').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Share changed' });
  const changes = dialog.getByRole('list', { name: 'Changes' });
  assert.match(await changes.getByRole('deletion').innerText(), /^Before:\s+mallory@evil\.test$/);
  assert.match(await changes.getByRole('insertion').innerText(), /^After:\s+trudy@evil\.test$/);
  await changes.getByText('1 value stays').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await tab.accessible();
    await picture(page, `audit-change-320-${colorScheme}`);
  }
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await picture(page, 'audit-320');
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByLabel('Search').fill('');
  await page.getByLabel('Result').selectOption({ label: 'Refused' });
  await page.waitForURL(/\?(?:.*&)?result=refused/);
  await page.getByRole('cell', { name: '=cmd@evil.test' }).waitFor();
  await rowOf(page, 'Share changed').first().waitFor({ state: 'detached' });
  await tab.accessible();
  await picture(page, 'audit-1280');
  await page.setViewportSize({ width: 1160, height: 900 });
  const [table, frame] = [await widthOf(page.getByRole('table')), await widthOf(page.locator('.list'))];
  assert.ok(table > 0 && table <= frame, `seven columns take ${table} of ${frame} pixels`);
  await rowOf(page, 'Login refused').first().getByRole('link').click();
  const refused = page.getByRole('dialog', { name: 'Login refused' });
  for (const shown of ['=cmd@evil.test', 'corp', 'wiki', 'No rule allows this person', 'Refused'])
    await refused.getByText(shown, { exact: true }).first().waitFor();
  await picture(page, 'audit-refused-1280');
  tab.noTrouble();
});

test('what happens while the log is followed appears by itself, until it is paused', async (t) => {
  const { client, backend } = site.service;
  const tab = await site.tab(t);
  const { page } = tab;
  await tab.open('/audit?kind=share.created');
  await page.getByRole('button', { name: 'Follow' }).click();
  await page.getByText('Live: nothing new yet.').waitFor();
  const { id } = await client.shares.create({ name: 'newcomer', target: backend.url, open: true });
  await client.shares.remove('newcomer');
  await page.getByRole('status').getByText('Live: 1 new.').waitFor();
  assert.equal(await rowOf(page, id).count(), 1);
  await tab.accessible();
  await page.waitForURL(/follow=1/);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Live: 1 new.').waitFor({ state: 'detached' });
  tab.noTrouble();
});

test('an export has every event of the filter, and no formula for a spreadsheet', async (t) => {
  const tab = await site.tab(t);
  await tab.open('/audit?kind=all-logins-and-sessions');
  const csv = await download(tab.page, 'CSV');
  assert.match(csv.name, /^audit-acme-\d{4}-\d{2}-\d{2}\.csv$/);
  const lines = csv.text.split('\r\n');
  assert.match(lines[0] ?? '', /^"at","kind","email"/);
  assert.ok(
    lines.some((line) => line.includes(`"login.refused","'=cmd@evil.test"`)),
    csv.text,
  );
  const json = await download(tab.page, 'NDJSON');
  const events = json.text.trimEnd().split('\n');
  const all = await site.service.client.auditEvents.list({
    order: 'oldest',
    kind: ['login.succeeded', 'login.refused'],
  });
  assert.deepEqual(
    events.map((line) => (JSON.parse(line) as { id: string }).id),
    all.items.map((event) => event.id),
  );
  tab.noTrouble();
});

test('a webhook is added, tested, switched, edited, given another secret and deleted; each secret is shown once', async (t) => {
  const receiver = await startWebhookReceiver();
  t.after(() => receiver.close());
  const tab = await site.tab(t);
  const { page } = tab;
  await tab.open('/webhooks');
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByLabel('Name').fill('on-call chat');
  await page.getByRole('radio', { name: 'Only selected kinds' }).check();
  await page.getByText('Shares and hosts').click();
  await page.getByRole('checkbox', { name: 'Share deleted' }).check();
  await tab.accessible();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const secret = await page.getByLabel('the secret', { exact: true }).innerText();
  assert.match(secret, /^whs_/);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('link', { name: 'on-call chat' }).click();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText('Delivered: the receiver answered 204.').waitFor();
  assert.equal(receiver.received.at(-1)?.event['kind'], 'webhook.tested');
  receiver.answer = 503;
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText(/^Not delivered: .*503/).waitFor();
  await tab.accessible();
  assert.ok(!(await page.content()).includes(secret));
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('button', { name: 'Switch on' }).waitFor();
  const [webhook] = (await site.service.client.webhooks.list()).items;
  assert.deepEqual([webhook?.enabled, webhook?.kinds], [false, ['share.deleted']]);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}&moved`);
  await page.getByRole('textbox', { name: 'Name' }).fill('');
  await page.getByText('Shares and hosts').click();
  await page.getByRole('checkbox', { name: 'Share created' }).check();
  await tab.accessible();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. Applies immediately.').waitFor();
  const [changed] = (await site.service.client.webhooks.list()).items;
  assert.deepEqual(
    [changed?.url, changed?.name, changed?.kinds.toSorted(), changed?.enabled],
    [`${receiver.url}&moved`, null, ['share.created', 'share.deleted'], false],
  );
  await page.getByRole('button', { name: 'Rotate the secret' }).click();
  await tab.accessible();
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  const second = await page.getByLabel('the secret', { exact: true }).innerText();
  assert.match(second, /^whs_/);
  assert.notEqual(second, secret);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByText('The previous secret signs until').waitFor();
  assert.ok(!(await page.content()).includes(second));
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  await tab.open('/webhooks/%2Bverify');
  await tab.accessible();
  tab.noTrouble();
});

test('a webhook’s page lists what it sent, shows an answer as text, and sends a delivery again', async (t) => {
  const receiver = await startWebhookReceiver();
  t.after(() => receiver.close());
  const { webhooks } = site.service.client;
  const { id, secret } = await webhooks.create({ url: receiver.url, name: 'tickets', kinds: ['logout'] });
  t.after(() => webhooks.remove(id));
  const hostile = '<img src=x onerror="document.title=1"> =cmd() ';
  Object.assign(receiver, { answer: 500, text: `${hostile}${secret}` });
  await webhooks.test(id);
  const tab = await site.tab(t);
  const { page } = tab;
  await tab.open(`/webhooks/${id}`);
  await rowOf(page, 'Webhook tested').getByText('failed', { exact: true }).waitFor();
  await tab.accessible();
  await page.getByLabel('State').selectOption('delivered');
  await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor();
  await page.getByLabel('State').selectOption('failed');
  await page.getByRole('link', { name: 'Webhook tested' }).click();
  const answer = page.getByLabel('the answer', { exact: true });
  assert.equal(await answer.innerText(), `${hostile}[hidden]`);
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  assert.equal(await page.getByLabel('the payload', { exact: true }).innerText(), receiver.received[0]?.body);
  assert.ok(!(await page.content()).includes(secret));
  await tab.accessible();
  Object.assign(receiver, { answer: 503, text: '' });
  await page.getByRole('button', { name: 'Redeliver' }).click();
  await page.getByText('Not delivered: it answered 503.').waitFor();
  receiver.answer = 204;
  await page.getByRole('button', { name: 'Redeliver' }).click();
  await page.getByText('Delivered: the receiver answered 204.').waitFor();
  await page.getByText('delivered', { exact: true }).waitFor();
  assert.equal(await page.getByRole('region', { name: 'Attempts' }).getByRole('listitem').count(), 3);
  assert.equal(new Set(receiver.received.slice(0, 3).map(({ body }) => body)).size, 1);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `at ${width}`);
    await tab.accessible();
  }
  tab.noTrouble();
});

async function widthOf(part: Locator): Promise<number> {
  return (await part.boundingBox())?.width ?? 0;
}

function rowOf(page: Page, text: string) {
  return page.getByRole('row').filter({ hasText: text });
}

/** Looked at by whoever changes the page: `PICTURES=/tmp/pictures`. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}

/** Types at once, as no test by hand can. */
const TYPE = `const type = (label, text) => {
  const input = [...document.querySelectorAll('label')].find((each) => each.textContent === label).control;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
};`;

async function download(page: Page, button: string) {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const file = await coming;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}
