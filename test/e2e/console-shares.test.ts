// Shares in the console: found, made, changed where they are shown, and never overwritten unseen.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { copiedBy, openLoggedIn, until } from '../support/chromium.ts';
import { startConsole, type TestConsole } from '../support/console-browser.ts';
import { sharePublic } from '../support/share-process.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole();
});
after(() => site.close());

test('a second administrator gets a conflict, field by field, and no change is lost (DESIGN 2.5)', async (t) => {
  const { client } = site.service;
  const { id } = await site.service.share('contested', { oauthEmailAddressPatterns: ['*@example.com'] });
  const [ada, ben] = [await site.tab(t), await site.tab(t, { as: 'ben@example.com' })];
  await client.members.modify('ben@example.com', { role: 'admin' });
  for (const { open, page } of [ada, ben]) {
    await open('/shares/contested');
    await page.getByRole('button', { name: 'Edit: Who gets in' }).click();
  }
  await ada.page.getByLabel('Allowed addresses').fill('*@ada.example');
  await ada.page.getByLabel('Checked again every').fill('1h');
  await ada.page.getByRole('button', { name: 'Save' }).click();
  await ada.page.getByText('*@ada.example', { exact: true }).waitFor();

  await ben.page.getByLabel('Allowed addresses').fill('*@ben.example');
  await ben.page.getByRole('button', { name: 'Save' }).click();
  const note = ben.page.getByRole('alert');
  await note.getByText('Someone else changed this').waitFor();
  await ben.accessible();
  const sides = (field: string) =>
    note.getByRole('listitem').filter({ hasText: field }).getByRole('definition').allInnerTexts();
  assert.deepEqual(await sides('Allowed addresses'), ['*@example.com', '*@ada.example', '*@ben.example']);
  assert.deepEqual(await sides('Checked again every'), ['3h', '1h', 'not changed']);
  assert.deepEqual((await client.shares.show(id)).oauthEmailAddressPatterns, ['*@ada.example']);

  await note.getByRole('button', { name: 'Apply mine on top' }).click();
  await ben.page.getByRole('button', { name: 'Edit: Who gets in' }).waitFor();
  const now = await client.shares.show(id);
  assert.deepEqual([now.oauthEmailAddressPatterns, now.oauthCheckInterval], [['*@ben.example'], '1h']);
  ada.noTrouble();
  ben.noTrouble();
});

test('a share is made in the browser, opened through the gateway behind a login, changed and deleted', async (t) => {
  const { service } = site;
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/shares');
  await page.getByRole('link', { name: 'New share' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Wrong Name');
  await page.getByLabel('Target').fill(service.backend.url);
  // Nothing is open to everyone unless that is chosen, and said.
  const logIn = page.getByRole('group', { name: 'Log in with' }).getByRole('checkbox', { name: 'corp' });
  await expectChecked(logIn);
  await logIn.uncheck();
  await page.getByText('Open to everyone.').waitFor();
  const meant = page.getByRole('checkbox', { name: 'Everyone may open this share' });
  assert.equal(await meant.isChecked(), false);
  assert.notEqual(await meant.getAttribute('required'), null);
  await logIn.check();
  await page.getByRole('button', { name: 'Create share' }).click();
  await page
    .getByText(/use 1 to 40 of a-z/)
    .first()
    .waitFor();
  assert.equal(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid'), 'true');
  await page.getByLabel('Name', { exact: true }).fill('made-here');
  await page.getByLabel('Allowed addresses').fill('*@example.com\n[broken');
  await page.getByRole('button', { name: 'Create share' }).click();
  await page.getByText('Line 2:').waitFor();
  await page.getByLabel('Allowed addresses').fill('*@example.com');
  await accessible();
  await page.getByRole('button', { name: 'Create share' }).click();
  await page.getByRole('heading', { name: 'made-here', level: 1 }).waitFor();

  const { url } = await service.client.shares.show('made-here');
  const visitor = await site.tab(t, { as: null });
  await openLoggedIn(visitor.page, `${url}/`, 'ann@example.com');
  await visitor.page.getByText('ann@example.com').first().waitFor();
  // Live: who is in appears without asking.
  await page.getByRole('rowheader', { name: 'ann@example.com' }).waitFor();
  await page.getByRole('button', { name: /^Actions of ann@example.com at / }).click();
  await page.getByRole('menuitem', { name: 'End the session' }).click();
  await page.getByRole('button', { name: 'End them' }).click();
  await page.getByText('No active sessions.').waitFor();

  await page.getByRole('button', { name: 'Edit: Target' }).click();
  await page.getByRole('textbox', { name: 'Target' }).fill('not an address');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('[aria-invalid=true]').waitFor();
  await page.getByRole('textbox', { name: 'Target' }).fill('http://127.0.0.1:9');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('http://127.0.0.1:9', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('made-here is on', { exact: true }).waitFor();
  assert.equal((await service.client.shares.show('made-here')).enabled, true);

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await accessible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Shares', level: 1 }).waitFor();
  await assert.rejects(service.client.shares.show('made-here'), { code: 'share_unknown' });
  noTrouble();
});

test('a share behind a proxy of one’s own is made, and shows the configuration of each proxy with its host', async (t) => {
  const { service } = site;
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/shares/+new?how=behind');
  await page.getByLabel('Name', { exact: true }).fill('proxied');
  assert.equal(await page.getByLabel('Target').count(), 0);
  await page.getByRole('button', { name: 'Create share' }).click();
  await page.getByRole('heading', { name: 'Behind my own proxy' }).waitFor();
  const made = await service.client.shares.show('proxied');
  assert.deepEqual([made.behind, made.target, made.oauthProvider], [true, null, 'corp']);
  const host = new URL(made.url).hostname;
  for (const [proxy, file] of [
    ['nginx', 'app.conf'],
    ['Caddy', 'Caddyfile'],
    ['HAProxy', 'haproxy.cfg'],
    ['Traefik', 'dynamic.yaml'],
    ['Envoy', 'envoy.yaml'],
  ] as const) {
    await page.getByRole('radio', { name: proxy, exact: true }).check();
    const text = await page.getByLabel(file, { exact: true }).innerText();
    assert.ok(text.includes(host), proxy);
    assert.doesNotMatch(text, /example\.com/, proxy);
  }
  await accessible();
  noTrouble();
});

test('before it is known which logins there are, no share can be made: none is open to anybody by haste', async (t) => {
  const { open, page, noTrouble } = await site.tab(t);
  const isAsked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(/\/v1\/auth-providers\?/, async (route) => {
    isAsked.resolve();
    await held.promise;
    await route.continue();
  });
  await open('/');
  await page.getByRole('link', { name: 'New share' }).first().click();
  await isAsked.promise;
  await page.getByRole('heading', { name: 'New share' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Create share' }).count(), 0);
  held.resolve();
  await expectChecked(
    page.getByRole('group', { name: 'Log in with' }).getByRole('checkbox', { name: 'corp' }),
  );
  noTrouble();
});

test('would this address get in, and why: yes and no, in an address that can be sent on', async (t) => {
  await site.service.share('asked', { oauthEmailAddressPatterns: ['*@example.com'] });
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/shares/asked');
  await page.getByLabel('Email address').fill('ann@example.com');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('ann@example.com would get in.').waitFor();
  await page.getByText("The share's pattern *@example.com matches.").waitFor();
  await page.getByLabel('Email address').fill('eve@elsewhere.example');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('eve@elsewhere.example would not get in.').waitFor();
  await page.waitForURL(/eve%40elsewhere\.example/);
  await open(`/shares/asked?${new URL(page.url()).searchParams}`);
  await page.getByText("None of the share's patterns matches: *@example.com.").waitFor();
  await accessible();
  // A change of the rules changes the answer.
  await page.getByRole('button', { name: 'Edit: Who gets in' }).click();
  await page.getByLabel('Allowed addresses').fill('*');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('eve@elsewhere.example would get in.').waitFor();
  noTrouble();
});

test('would this visitor get in: more facts, and each condition that held, failed or is unknown', async (t) => {
  await site.service.share('facts', { allowGroups: ['eng-*'], allowAddresses: ['10.0.0.0/8'] });
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/shares/facts?email=ann%40example.com');
  await page.getByText('ann@example.com may get in.').waitFor();
  await page.getByText('groups eng-*: not known').waitFor();
  await page.getByText('More facts').click();
  await page.getByLabel('Groups', { exact: true }).fill('eng-web');
  await page.getByLabel('IP address').fill('192.0.2.1');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('ann@example.com would not get in.').waitFor();
  await page.getByText('outside 10.0.0.0/8: met').waitFor();
  await page.getByLabel('IP address').fill('10.1.2.3');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('ann@example.com would get in.').waitFor();
  await page.getByText('groups eng-*: met').waitFor();
  await accessible();
  noTrouble();
});

test('shares are found by name, target, provider and state, and what is open to anybody is said loudly', async (t) => {
  const { client } = site.service;
  await client.shares.create({ name: 'found-one', target: 'http://127.0.0.1:4711', open: true });
  await client.shares.create({
    name: 'found-two',
    target: 'http://127.0.0.1:4712',
    enabled: false,
    open: true,
  });
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/shares?q=FOUND');
  const rows = page.getByRole('rowheader');
  await rows.nth(1).waitFor();
  assert.deepEqual(await rows.locator('> a').allInnerTexts(), ['found-one', 'found-two']);
  await page.getByRole('searchbox').fill(':4712');
  await page.getByRole('rowheader', { name: 'found-one' }).waitFor({ state: 'detached' });
  await page.waitForURL(/\?q=%3A4712$/);
  await page.getByLabel('State').selectOption('on');
  await page.getByText('No matching shares').waitFor();
  await page.getByRole('link', { name: 'Show every share' }).click();
  await page.getByLabel('State').selectOption('open');
  await page.getByRole('rowheader', { name: 'found-one' }).waitFor();
  await accessible();
  await page.getByRole('button', { name: 'Actions of found-one' }).click();
  assert.equal(
    await copiedBy(page.getByRole('menuitem', { name: 'Copy the address' })),
    (await client.shares.show('found-one')).url,
  );
  await page.getByRole('link', { name: 'found-one', exact: true }).click();
  await page.getByText('Open to everyone.').waitFor();
  noTrouble();
});

test('the command of a tunnel is printed as chosen; run as printed, it brings up the share that the page waits for', async (t) => {
  const { service } = site;
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/shares/+new?how=tunnel');
  await page.getByLabel('What runs there').fill('no such thing');
  await page.getByText('This is not one of these.').waitFor();
  await page.getByLabel('What runs there').fill(String(service.backend.port));
  await page.getByLabel('Name').fill('laptop');
  await page.getByLabel('Allowed addresses').fill("*@example.com\no'neil@example.org");
  await page.getByText(`doorward login --url ${site.origin}`, { exact: true }).waitFor();
  await page.getByText('Waiting for the command.').waitFor();
  await accessible();
  const command = await page.getByText(/^doorward share public .* --name laptop .*neil/).innerText();
  const [program, ...words] = wordsOf(command);
  assert.equal(program, 'doorward');
  const running = sharePublic(t, service, { words: words.slice(2) });
  await running.line(/^http:/);
  await page.getByText('laptop is up.').waitFor();
  const share = await service.client.shares.show('laptop');
  assert.deepEqual(
    [share.tunnel, share.oauthProvider, share.oauthEmailAddressPatterns],
    ['reserved', 'corp', ['*@example.com', "o'neil@example.org"]],
  );
  await page.getByRole('link', { name: 'See the share' }).click();
  const title = page.getByRole('heading', { level: 1 }).locator('..');
  await title.getByText('on', { exact: true }).waitFor();
  await page.getByText('doorward share public 3000 --name laptop', { exact: true }).waitFor();
  await accessible();
  // Nobody serves this one.
  await service.client.shares.create({ name: 'idle', tunnel: 'reserved', oauthProvider: 'corp' });
  await open('/shares?state=down');
  await page.getByRole('row', { name: 'idle' }).getByText('no agent', { exact: true }).waitFor();
  assert.equal(await page.getByRole('rowheader', { name: 'laptop' }).count(), 0);
  noTrouble();
});

test('lists name providers as people know them, and by name where two are called the same (DESIGN 2.5)', async (t) => {
  const { client } = site.service;
  const definition = {
    issuerUrl: 'https://login.partner.example',
    clientId: 'c',
    scopes: ['openid', 'email'],
    displayName: 'Partner Login',
  };
  for (const name of ['partners', 'partners-eu'])
    await client.providers.create({ name, type: 'OIDC', config: { ...definition, clientSecret: 's' } });
  await site.service.share('extranet', { oauthProvider: 'partners-eu' });
  await site.service.share('partners-eu-notes', { oauthProvider: null });
  const { open, page, settled, noTrouble } = await site.tab(t);
  await open('/shares?provider=partners-eu');
  const row = page.getByRole('row', { name: 'extranet' });
  await row.getByText('any login at Partner Login (partners-eu)').waitFor();
  await page.getByRole('button', { name: 'Login by Partner Login (partners-eu)' }).waitFor();
  // Their number leads to those that log in with it, not to what else has its name.
  await open('/providers');
  await page.getByRole('row', { name: 'partners-eu' }).getByRole('link', { name: '1 share' }).click();
  await row.waitFor();
  await settled();
  assert.deepEqual(await page.getByRole('rowheader').allInnerTexts(), ['extranet']);
  await client.providers.remove('partners');
  await open('/audit?provider=partners-eu');
  await page.getByRole('cell', { name: 'Partner Login', exact: true }).first().waitFor();
  await page.getByRole('button', { name: /^Provider Partner Login/ }).waitFor();
  noTrouble();
});

test('a host of one’s own is claimed, shown with its record, refused until it is there, and deleted', async (t) => {
  await site.service.client.shares.create({ name: 'hosted', target: site.service.backend.url, open: true });
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/shares/hosted');
  await page.getByRole('button', { name: 'Add a host' }).click();
  await page.getByRole('textbox', { name: 'Host name' }).fill('app.doorward-test.invalid');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('_doorward-challenge.app.doorward-test.invalid', { exact: true }).waitFor();
  await accessible();
  await page.getByRole('button', { name: 'Verify app.doorward-test.invalid' }).click();
  await page
    .getByRole('alert')
    .getByText(/Cannot use host app\.doorward-test\.invalid/)
    .waitFor();
  await page.getByRole('button', { name: 'Delete app.doorward-test.invalid' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('not verified yet').waitFor({ state: 'detached' });
  noTrouble();
});

test('a member who may not list providers knows them by display name, and is offered no other change of them', async (t) => {
  const { client } = site.service;
  const config = { issuerUrl: 'https://login.vendor.example', clientId: 'c', clientSecret: 's' };
  const named = { ...config, scopes: ['openid', 'email'], displayName: 'Vendor Login' };
  await client.providers.create({ name: 'vendors', type: 'OIDC', config: named });
  await site.service.share('seen-by-member', { oauthProvider: 'vendors' });
  const member = await site.tab(t, { as: 'member' });
  const { page } = member;
  await member.open('/shares/+new');
  const choice = page.getByRole('group', { name: 'Log in with' });
  await choice.getByRole('checkbox', { name: 'Vendor Login' }).waitFor();
  assert.equal(await choice.getByRole('link', { name: 'Add a provider' }).count(), 0);
  await member.open('/shares');
  await page.getByRole('row', { name: 'seen-by-member' }).getByText('any login at Vendor Login').waitFor();
  await member.open('/shares/seen-by-member?email=ann%40vendor.example');
  await page.getByRole('button', { name: 'Edit: Who gets in' }).waitFor();
  await page.getByText('Anyone who logs in with Vendor Login gets in.').waitFor();
  await page.getByText('providers Vendor Login: met').waitFor();
  // Its page is not for them.
  assert.equal(await page.getByRole('link', { name: 'Vendor Login' }).count(), 0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('vendor');
  await page.getByRole('option').first().waitFor({ state: 'detached' });
  assert.equal(await member.page.getByRole('button', { name: 'End all' }).count(), 0);
  await member.accessible();
  member.noTrouble();
});

async function expectChecked(box: Locator): Promise<void> {
  await until('the box is checked', () => box.isChecked());
}

/** As a shell reads it. */
function wordsOf(command: string): readonly string[] {
  const script = `set -- ${command}\nfor word in "$@"; do printf '%s\\0' "$word"; done`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}
