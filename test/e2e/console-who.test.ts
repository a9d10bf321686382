// Who could get in at a share, and what a person could open, in the console: from the share, a session, a
// certificate and the field that goes to places.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { startConsole, type TestConsole } from '../support/console-browser.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { until } from '../support/until.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole();
  const { share, client } = site.service;
  const wiki = await share('wiki', { oauthEmailAddressPatterns: ['*@acme.test'] });
  await share('office', { allowAddresses: ['10.0.0.0/8'] });
  await share('open', { oauthProvider: null });
  for (const email of ['ann@acme.test', 'eve@elsewhere.test'])
    await walkLogin(createBrowser(), wiki.url, { email });
  const { token } = await client.certificates.createToken({
    name: 'ann’s laptop',
    commonName: 'ann',
    emailAddress: 'ann@acme.test',
  });
  await client.certificates.redeem({ token, csr: opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr });
});
after(() => site.close());

const OPENABLE = ['office depends', 'open yes', 'wiki yes'];

test('a share says who could get in and why, and asks again when its rules change (DESIGN "Who could get in")', async (t) => {
  const { page, open, accessible, noTrouble } = await site.tab(t);
  await open('/shares/wiki');
  const panel = page.getByRole('region', { name: 'Who could get in' });
  assert.equal(await panel.getByRole('table').count(), 0, 'nothing is asked for before somebody wants it');
  await panel.getByRole('button', { name: 'Show people' }).click();
  const ann = panel.getByRole('row', { name: 'ann@acme.test' });
  await ann.waitFor();
  assert.match(await ann.innerText(), /yes[^]*pattern \*@acme\.test matches[^]*a session/);
  const eve = panel.getByRole('row', { name: 'eve@elsewhere.test' });
  await eve.waitFor();
  assert.match(await eve.innerText(), /no[^]*none of the share's patterns matches[^]*a recent login/);
  await panel.getByText(/^Let in: .*\*@acme\.test.*corp/).waitFor();
  await accessible();
  await site.service.client.shares.modify('wiki', { denyEmails: ['ann@*'] });
  await page.reload();
  await panel.getByRole('button', { name: 'Show people' }).click();
  await ann.getByText('no', { exact: true }).waitFor();
  await panel.getByText(/^Deny: /).waitFor();
  await site.service.client.shares.modify('wiki', { denyEmails: [] });
  await ann.getByRole('link').click();
  await page.getByRole('heading', { name: 'What this person can open' }).waitFor();
  noTrouble();
});

test('what a person could open is reached from a session, a certificate and the field that goes to places', async (t) => {
  const tab = await site.tab(t);
  const { page } = tab;
  const outcomes = async () => {
    await page.getByRole('heading', { name: 'What this person can open' }).waitFor();
    await tab.settled();
    const rows = page.getByRole('table', { name: 'What this person can open' }).getByRole('row');
    const found: string[] = [];
    for (const row of (await rows.all()).slice(1)) {
      const share = await row.getByRole('rowheader').innerText();
      found.push(`${share} ${await row.locator('.badge').innerText()}`);
    }
    return found;
  };
  await tab.open('/sessions');
  await page.getByRole('button', { name: /^Actions of ann@acme\.test/ }).click();
  await page.getByRole('menuitem', { name: 'What they can open' }).click();
  assert.deepEqual(await outcomes(), OPENABLE);
  await page
    .getByText('it depends on outside 10.0.0.0/8 (allow_addresses, deny)', { exact: false })
    .waitFor();
  await tab.accessible();
  assert.equal(await page.getByRole('searchbox', { name: 'Provider' }).inputValue(), 'corp');

  await tab.open('/certificates');
  await page.getByRole('link', { name: 'ann', exact: true }).click();
  await page.getByRole('link', { name: 'What its holder can open' }).click();
  assert.deepEqual(await outcomes(), OPENABLE);

  await page.keyboard.press('Control+k');
  await page
    .getByRole('combobox', { name: 'Name of a page, an action or a thing' })
    .fill('eve@elsewhere.test');
  await page.getByRole('option', { name: 'What eve@elsewhere.test can open' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/email=eve%40elsewhere\.test$/);
  assert.deepEqual(await outcomes(), ['office depends', 'open yes', 'wiki no']);
  await page.getByRole('searchbox', { name: 'Email address' }).fill('ann@acme.test');
  await page.keyboard.press('Enter');
  await page.waitForURL(/email=ann%40acme\.test$/);
  assert.deepEqual(await outcomes(), OPENABLE);
  tab.noTrouble();
});

test('a person’s page has all that they hold and did, and ends all of it with one question', async (t) => {
  const tab = await site.tab(t);
  const { page } = tab;
  const { client, share } = site.service;
  const blog = await share('blog', { oauthEmailAddressPatterns: ['*@leaving.test'] });
  const email = 'zoe@leaving.test';
  const visitor = createBrowser();
  for (let tabs = 0; tabs < 2; tabs++)
    await walkLogin(tabs === 0 ? visitor : createBrowser(), blog.url, { email });
  const made = await client.certificates.createToken({
    name: 'zoe’s laptop',
    commonName: 'zoe',
    emailAddress: email,
  });
  await client.certificates.redeem({ token: made.token, csr: opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr });
  await client.certificates.createToken({ name: 'zoe’s phone', commonName: 'zoe', emailAddress: email });
  await client.members.create({ email });
  await tab.open('/people');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Name of a page, an action or a thing' }).fill('zoe’s phone');
  await page.getByRole('option', { name: 'zoe’s phone Request token' }).click();
  await page.getByRole('heading', { level: 1, name: 'Request tokens' }).waitFor();
  await page.getByRole('table', { name: 'Request tokens' }).getByText('zoe’s phone').waitFor();
  await tab.settled();
  // That one alone.
  assert.equal(await page.getByRole('table', { name: 'Request tokens' }).getByRole('row').count(), 2);
  await page.getByRole('button', { name: 'Show all tokens' }).click();
  await page.getByRole('combobox', { name: 'State' }).waitFor();
  await tab.open('/people');
  await page.getByRole('link', { name: email }).click();
  await page.getByRole('heading', { level: 1, name: email }).waitFor();
  await page.getByText('2 sessions at shares, 1 certificate, 1 unused certificate request token').waitFor();
  for (const [table, row] of [
    ['Active sessions of this person', 'blog'],
    ['Active certificates of this person', 'zoe’s laptop'],
    ['Unused tokens of this person', 'zoe’s phone'],
    ['What this person can open', 'blog'],
    ['Recent activity', 'Certificate issued'],
  ] as const)
    await page.getByRole('table', { name: table }).getByRole('row', { name: row }).first().waitFor();
  await tab.settled();
  await tab.accessible();
  await page.getByRole('button', { name: 'End all access' }).click();
  const dialog = page.getByRole('alertdialog', { name: `End all access of ${email}?` });
  assert.deepEqual(await dialog.getByRole('listitem').allInnerTexts(), [
    '2 sessions at shares',
    '1 certificate',
    '1 unused certificate request token',
  ]);
  await tab.accessible();
  await dialog.getByRole('checkbox', { name: 'Remove them from the members' }).check();
  await dialog.getByRole('button', { name: 'End all access' }).click();
  const result = page.getByRole('status').filter({ hasText: 'All access was ended.' });
  await result.waitFor();
  assert.deepEqual(await result.getByRole('listitem').allInnerTexts(), [
    'Sessions ended: 2',
    'Console sessions ended: 0',
    'Certificates revoked: 1 (zoe’s laptop)',
    'Certificate request tokens deleted: 1 (zoe’s phone)',
    'API keys deleted: 0',
    'Membership: removed',
  ]);
  await page.getByText('No active sessions.').waitFor();
  await tab.accessible();
  const again = await visitor.request(blog.url, { headers: { accept: 'application/json' } });
  assert.equal(again.status, 401);
  tab.noTrouble();
});

test('on a person’s page, sessions and certificates are ended by menu or several at once', async (t) => {
  const tab = await site.tab(t);
  const { page } = tab;
  const { client, share } = site.service;
  const email = 'kim@leaving.test';
  const blog = await share('kims-blog', { oauthEmailAddressPatterns: ['*@leaving.test'] });
  for (let visits = 0; visits < 3; visits++) await walkLogin(createBrowser(), blog.url, { email });
  for (const name of ['kim’s laptop', 'kim’s phone', 'kim’s tablet']) {
    const { token } = await client.certificates.createToken({ name, commonName: 'kim', emailAddress: email });
    await client.certificates.redeem({ token, csr: opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr });
  }
  await tab.open(`/sessions/access?email=${encodeURIComponent(email)}`);
  const table = (name: string) => page.getByRole('table', { name });
  const sessions = table('Active sessions of this person');
  await sessions.getByRole('row').nth(3).waitFor();
  await sessions
    .getByRole('button', { name: `Actions of ${email} at kims-blog` })
    .first()
    .click();
  await tab.accessible();
  await page.getByRole('menuitem', { name: 'End the session' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End them' }).click();
  await page.getByText('The session was ended').waitFor();
  await until(async () => (await client.sessions.list({ email, state: 'active' })).items.length === 2);
  await sessions.getByRole('row').nth(3).waitFor({ state: 'detached' });
  await sessions.getByRole('columnheader').getByRole('checkbox').check();
  await page.getByRole('region', { name: 'Selected' }).getByRole('button', { name: 'End' }).click();
  await tab.accessible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End them' }).click();
  await page.getByText('No active sessions.').waitFor();
  assert.deepEqual((await client.sessions.list({ email, state: 'active' })).items, []);

  const certificates = table('Active certificates of this person');
  await certificates.getByRole('button', { name: 'Actions of kim, kim’s phone' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Reason').selectOption('key_compromise');
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await certificates.getByText('kim’s phone').waitFor({ state: 'detached' });
  await certificates.getByRole('columnheader').getByRole('checkbox').check();
  await page.getByRole('region', { name: 'Selected' }).getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await certificates.waitFor({ state: 'detached' });
  const { items } = await client.certificates.list({ email });
  const reasons = items.map(({ name, revocationReason }) => [name, revocationReason]);
  assert.deepEqual(reasons.toSorted(), [
    ['kim’s laptop', 'unspecified'],
    ['kim’s phone', 'key_compromise'],
    ['kim’s tablet', 'unspecified'],
  ]);
  tab.noTrouble();
});

test('on a phone, in the dark, nothing is wider than the page; a member is not asked for certificates', async (t) => {
  const tab = await site.tab(t, {
    viewport: { width: 320, height: 700 },
    colorScheme: 'dark',
    as: 'member',
  });
  const { page } = tab;
  for (const path of ['/sessions/access', '/sessions/access?email=ann%40acme.test', '/sessions']) {
    await tab.open(path);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, path);
    await tab.accessible();
  }
  assert.equal(await page.getByRole('searchbox', { name: 'Certificate' }).count(), 0);
  await tab.open('/shares/wiki');
  await page.getByRole('button', { name: 'Show people' }).click();
  const panel = page.getByRole('region', { name: 'Who could get in' });
  await panel.getByRole('row', { name: 'ann@acme.test' }).waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  await tab.accessible();
  tab.noTrouble();
});
