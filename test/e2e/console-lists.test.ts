// Lists in the console: sorted by their heads, acted on by menu and in bulk; what fails says why, and is
// still there to be done.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '../../src/domain/id.ts';
import { openLoggedIn, until } from '../support/chromium.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { startConsole, type TestConsole } from '../support/console-browser.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole();
});
after(() => site.close());

test('shares are sorted by pressing a head, which the address keeps, and the way back leads to the same place', async (t) => {
  const { client } = site.service;
  for (let n = 0; n < 60; n++)
    await client.shares.create({
      name: `sorted-${String(n).padStart(2, '0')}`,
      target: 'http://127.0.0.1:9',
      open: true,
    });
  const { open, page, settled, accessible, noTrouble } = await site.tab(t);
  await open('/shares?q=sorted-');
  const names = () => page.getByRole('rowheader').allInnerTexts();
  await page.getByText('60 shares', { exact: true }).waitFor();
  assert.equal((await names())[0], 'sorted-00');
  const head = page.getByRole('columnheader', { name: 'Name' });
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  await head.getByRole('button').press('Enter');
  await page.waitForURL(/sort=-name/);
  await settled();
  assert.equal(await head.getAttribute('aria-sort'), 'descending');
  assert.equal((await names())[0], 'sorted-59');
  await accessible();
  await page.getByRole('button', { name: 'More' }).click();
  const last = page.getByRole('link', { name: 'sorted-00', exact: true });
  await last.scrollIntoViewIfNeeded();
  const place = Number(await page.evaluate('scrollY'));
  assert.ok(place > 500, String(place));
  await last.click();
  await page.getByRole('heading', { name: 'sorted-00', level: 1 }).waitFor();
  await page.goBack();
  await last.waitFor();
  assert.equal((await names()).length, 60);
  await until('the page is where it was', async () => {
    const now = Number(await page.evaluate('scrollY'));
    return Math.abs(now - place) < 80;
  });
  noTrouble();
});

test('shares that were chosen are changed and deleted; one that changed meanwhile is reported, and left as it is', async (t) => {
  const { client } = site.service;
  for (const name of ['bulk-a', 'bulk-b', 'bulk-c'])
    await client.shares.create({ name, target: 'http://127.0.0.1:9', open: true });
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/shares?q=bulk-');
  await page.getByRole('columnheader').getByRole('checkbox', { name: 'All on this page' }).check();
  const bar = page.getByRole('region', { name: 'Selected' });
  await bar.getByText('3 selected').waitFor();
  const question = page.getByRole('alertdialog');
  await bar.getByRole('button', { name: 'Switch off' }).click();
  await question.getByText('Switch off 3 shares?').waitFor();
  await accessible();
  // Somebody else is quicker.
  await client.shares.modify('bulk-b', { allowOrigins: ['https://theirs.example'] });
  await question.getByRole('button', { name: 'Switch off' }).click();
  await question.getByText('1 failed').waitFor();
  assert.match(await question.getByRole('alert').innerText(), /^bulk-b: .*someone else changed it/);
  await accessible();
  await question.getByRole('button', { name: 'Close' }).click();
  const states = async () => (await client.shares.list({ q: 'bulk-' })).items.map(({ enabled }) => enabled);
  assert.deepEqual(await states(), [false, true, false]);
  // What failed is still chosen, and shown as it is by now.
  await bar.getByText('1 selected').waitFor();
  await bar.getByRole('button', { name: 'Switch off' }).click();
  await question.getByText('Switch off bulk-b?').waitFor();
  await question.getByRole('button', { name: 'Switch off' }).click();
  await question.waitFor({ state: 'detached' });
  assert.deepEqual(await states(), [false, false, false]);
  assert.deepEqual((await client.shares.show('bulk-b')).allowOrigins, ['https://theirs.example']);

  await page.getByRole('checkbox', { name: 'Select bulk-a' }).check();
  await page.getByRole('checkbox', { name: 'Select bulk-c' }).check();
  // What is done to another leaves them chosen.
  await page.getByRole('button', { name: 'Actions of bulk-b' }).click();
  await page.getByRole('menuitem', { name: 'Switch on' }).click();
  await question.getByRole('button', { name: 'Switch on' }).click();
  await question.waitFor({ state: 'detached' });
  await bar.getByText('2 selected').waitFor();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('2 shares were deleted').waitFor();
  await page.getByText('1 share', { exact: true }).waitFor();
  assert.deepEqual(
    (await client.shares.list({ q: 'bulk-' })).items.map(({ name }) => name),
    ['bulk-b'],
  );
  noTrouble();
});

test('the menu of a row is a menu to a keyboard, and nothing that cannot be undone comes first', async (t) => {
  await site.service.client.shares.create({ name: 'by-keys', target: 'http://127.0.0.1:9', open: true });
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/shares?q=by-keys');
  const button = page.getByRole('button', { name: 'Actions of by-keys' });
  await button.press('ArrowDown');
  const focused = () => page.evaluate('document.activeElement.textContent.trim()');
  assert.equal(await focused(), 'Open');
  assert.equal(await button.getAttribute('aria-expanded'), 'true');
  await accessible();
  await page.keyboard.press('End');
  assert.equal(await focused(), 'Delete');
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), 'Open');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(), 'Switch off');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Actions of by-keys');
  // A press on the button closes what a press opened.
  await button.click();
  await page.getByRole('menu').waitFor();
  await button.click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await button.press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').getByText('Delete by-keys?').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  assert.equal((await site.service.client.shares.show('by-keys')).name, 'by-keys');
  noTrouble();
});

test('sessions that were chosen end together; all else stays', async (t) => {
  const share = `of-${newId('shr').slice(4, 12)}`;
  await site.service.share(share);
  const { url } = await site.service.client.shares.show(share);
  for (const person of ['ann', 'bob', 'cyd']) {
    const visitor = await site.tab(t, { as: null });
    await openLoggedIn(visitor.page, `${url}/`, `${person}@example.com`);
  }
  const { open, page, accessible, noTrouble } = await site.tab(t, { colorScheme: 'dark' });
  await open(`/sessions?share=${share}&sort=email`);
  await page.getByText('3 sessions, all by corp').waitFor();
  assert.deepEqual(await page.getByRole('rowheader').allInnerTexts(), [
    'ann@example.com',
    'bob@example.com',
    'cyd@example.com',
  ]);
  for (const person of ['ann', 'cyd'])
    await page.getByRole('checkbox', { name: `Select ${person}@example.com at ${share}` }).check();
  await accessible();
  await page.getByRole('region', { name: 'Selected' }).getByRole('button', { name: 'End' }).click();
  await page.getByRole('alertdialog').getByText('End 2 sessions?').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End them' }).click();
  await page.getByText('2 sessions were ended').waitFor();
  await page.getByText('1 session', { exact: true }).waitFor();
  const { items } = await site.service.client.sessions.list({ share, state: 'active' });
  assert.deepEqual(
    items.map(({ email }) => email),
    ['bob@example.com'],
  );
  noTrouble();
});

test('certificates are sorted by when they expire, and those that were chosen are revoked for one reason; what fails stays chosen', async (t) => {
  const { certificates } = site.service.client;
  for (const [commonName, validity] of [
    ['cert-late', '90d'],
    ['cert-soon', '2d'],
    ['cert-mid', '30d'],
    ['cert-last', '200d'],
  ] as const) {
    const { token } = await certificates.createToken({ name: commonName, commonName, validity });
    await certificates.redeem({ token, csr: opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr });
  }
  const { open, page, settled, accessible, noTrouble } = await site.tab(t);
  await open('/certificates?q=cert-');
  await page.getByText('4 certificates', { exact: true }).waitFor();
  const names = () => page.getByRole('rowheader').allInnerTexts();
  // The newest first.
  assert.deepEqual(await names(), ['cert-last', 'cert-mid', 'cert-soon', 'cert-late']);
  const head = page.getByRole('columnheader', { name: 'Expires' });
  await head.getByRole('button').press('Enter');
  await page.waitForURL(/sort=expires/);
  await settled();
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  assert.deepEqual(await names(), ['cert-soon', 'cert-mid', 'cert-late', 'cert-last']);
  // By keyboard alone.
  for (const name of ['cert-soon', 'cert-mid'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).press('Space');
  const bar = page.getByRole('region', { name: 'Selected' });
  await bar.getByText('2 selected').waitFor();
  await accessible();
  await bar.getByRole('button', { name: 'Revoke' }).press('Enter');
  const question = page.getByRole('alertdialog');
  await question.getByText('Revoke 2 certificates?').waitFor();
  await question.getByLabel('Reason').selectOption({ label: 'another certificate replaced it' });
  await accessible();
  let turn = 0;
  await page.route('**/v1/client-certificates/*/revoke', (route) =>
    ++turn === 1 ? route.abort() : route.continue(),
  );
  await question.getByRole('button', { name: 'Revoke' }).press('Enter');
  await question.getByText('1 failed').waitFor();
  await accessible();
  await question.getByRole('button', { name: 'Close' }).press('Enter');
  await bar.getByText('1 selected').waitFor();
  await bar.getByRole('button', { name: 'Revoke' }).press('Enter');
  await question.getByLabel('Reason').selectOption({ label: 'another certificate replaced it' });
  await question.getByRole('button', { name: 'Revoke' }).press('Enter');
  await question.waitFor({ state: 'detached' });
  const { items } = await certificates.list({ q: 'cert-', sort: 'expires' });
  assert.deepEqual(
    items.map(({ commonName, state, revocationReason }) => [commonName, state, revocationReason]),
    [
      ['cert-soon', 'revoked', 'superseded'],
      ['cert-mid', 'revoked', 'superseded'],
      ['cert-late', 'living', null],
      ['cert-last', 'living', null],
    ],
  );
  // What cannot be undone comes last in the menu, and is not there for what is revoked.
  await page.getByRole('button', { name: 'Actions of cert-late' }).press('ArrowDown');
  await page.keyboard.press('End');
  assert.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'Revoke');
  await accessible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Actions of cert-soon' }).click();
  assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Show']);
  noTrouble(/revoke|ERR_FAILED/);
});

test('request tokens that were chosen are deleted together; a redeemed one stays', async (t) => {
  const { certificates } = site.service.client;
  for (const commonName of ['token-a', 'token-b', 'token-c'])
    await certificates.createToken({ name: commonName, commonName });
  const { open, page, accessible, noTrouble } = await site.tab(t);
  await open('/certificates/tokens?sort=-used');
  // What was redeemed comes first then, and is counted with the others.
  const last = await page.getByRole('rowheader').allInnerTexts();
  assert.deepEqual(last.slice(-3).toSorted(), ['token-a', 'token-b', 'token-c']);
  await page.getByText(`${last.length} tokens`, { exact: true }).waitFor();
  for (const name of ['token-a', 'token-c', 'cert-late'])
    await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).press('Space');
  await accessible();
  const bar = page.getByRole('region', { name: 'Selected' });
  await bar.getByRole('button', { name: 'Delete (2)' }).press('Enter');
  await page.getByRole('alertdialog').getByText('Delete 2 tokens?').waitFor();
  await accessible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByText('2 tokens were deleted').waitFor();
  await bar.getByText('1 selected').waitFor();
  const left = (await certificates.listTokens({ state: 'open' })).items.map(({ commonName }) => commonName);
  assert.deepEqual(left, ['token-b']);
  await page.getByRole('button', { name: 'Actions of token-b' }).click();
  await accessible();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The token was deleted').waitFor();
  noTrouble();
});

test('API keys are sorted by the server, and those that were chosen are deleted together', async (t) => {
  const { apiKeys } = site.service.client;
  for (const [name, expiresIn] of [
    ['key-late', '90d'],
    ['key-soon', '5d'],
    ['key-mid', '30d'],
  ] as const)
    await apiKeys.create({ name, expiresIn });
  const { open, page, settled, accessible, noTrouble } = await site.tab(t);
  await open('/people/keys');
  const names = async () =>
    (await page.getByRole('rowheader').allInnerTexts()).filter((name) => name.startsWith('key-'));
  assert.deepEqual(await names(), ['key-late', 'key-mid', 'key-soon']);
  const count = (await apiKeys.list()).items.length;
  await page.getByText(`${count} keys`, { exact: true }).waitFor();
  const head = page.getByRole('columnheader', { name: 'Expires' });
  await head.getByRole('button').press('Enter');
  await page.waitForURL(/sort=expires/);
  await settled();
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  assert.deepEqual(await names(), ['key-soon', 'key-mid', 'key-late']);
  for (const name of ['key-soon', 'key-late'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).press('Space');
  await accessible();
  const bar = page.getByRole('region', { name: 'Selected' });
  await bar.getByRole('button', { name: 'Delete' }).press('Enter');
  const question = page.getByRole('alertdialog');
  await question.getByText('Delete 2 keys?').waitFor();
  await accessible();
  let turn = 0;
  await page.route('**/v1/api-keys/*', (route) => (++turn === 1 ? route.abort() : route.continue()));
  await question.getByRole('button', { name: 'Delete' }).press('Enter');
  await question.getByText('1 failed').waitFor();
  await question.getByRole('button', { name: 'Close' }).press('Enter');
  await bar.getByText('1 selected').waitFor();
  await bar.getByRole('button', { name: 'Delete' }).press('Enter');
  await question.getByRole('button', { name: 'Delete' }).press('Enter');
  await question.waitFor({ state: 'detached' });
  await until('the list is read again', async () => (await names()).join() === 'key-mid');
  // Each is an event of its own.
  const { items } = await site.service.client.auditEvents.list({ kind: ['api_key.deleted'] });
  assert.equal(items.length, 2);
  noTrouble(/api-keys|ERR_FAILED/);
});

test('API keys and members beyond the first page are counted before they are shown', async (t) => {
  const { apiKeys, members } = site.service.client;
  for (let n = 0; n < 101; n++) {
    await apiKeys.create({ name: `counted-${n}` });
    await members.create({ email: `counted-${n}@example.com` });
  }
  const { open, page, profile, noTrouble } = await site.tab(t, { viewport: { width: 1920, height: 1080 } });
  await profile.addInitScript(COUNT_FORMATS);
  const counts = {
    '/people/keys': [(await apiKeys.list()).total, 'keys'],
    '/people': [(await members.list()).total, 'members'],
  } as const;
  for (const [path, [count, things]] of Object.entries(counts)) {
    await open(path);
    assert.equal(await page.getByRole('rowheader').count(), 100);
    await page.getByText(`${count} ${things}`, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'More' }).waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('rowheader').count(), count);
    // What writes a time takes as long to make as a row does.
    const formats = await page.evaluate<number>('formatsMade');
    assert.ok(formats < 10, `${formats} formats of times`);
    await page.getByText(`${count} ${things}`, { exact: true }).waitFor();
  }
  for (let n = 0; n < 101; n++) {
    await apiKeys.remove(`counted-${n}`);
    await members.remove(`counted-${n}@example.com`);
  }
  noTrouble();
});

test('members that were chosen are removed together; the last admin stays, and so does whoever removes them', async (t) => {
  const { members } = site.service.client;
  for (const email of ['list-a@example.com', 'list-b@example.com', 'list-c@example.com'])
    await members.create({ email, role: email.includes('-b') ? 'admin' : 'member' });
  const { open, page, settled, accessible, noTrouble } = await site.tab(t);
  await open('/people');
  const emails = async () =>
    (await page.getByRole('rowheader').allInnerTexts()).filter((email) => email.startsWith('list-'));
  assert.deepEqual(await emails(), ['list-a@example.com', 'list-b@example.com', 'list-c@example.com']);
  await page.getByRole('columnheader', { name: 'Added' }).getByRole('button').press('Enter');
  await page.waitForURL(/sort=-created/);
  await settled();
  assert.deepEqual(await emails(), ['list-c@example.com', 'list-b@example.com', 'list-a@example.com']);
  await page.getByRole('checkbox', { name: 'All on this page' }).first().check();
  const bar = page.getByRole('region', { name: 'Selected' });
  await page.getByRole('checkbox', { name: 'Select list-b@example.com' }).uncheck();
  await accessible();
  const others = (await members.list()).items.filter(
    ({ email }) => email !== 'admin@acme.test' && email !== 'list-b@example.com',
  );
  // Nobody offers to remove the only active admin, which whoever asks is.
  await bar.getByRole('button', { name: `Remove (${others.length})` }).press('Enter');
  await page.getByRole('alertdialog').getByText(`Remove ${others.length} members?`).waitFor();
  await accessible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).press('Enter');
  await page.getByText('members were removed').waitFor();
  const left = (await members.list()).items.map(({ email }) => email);
  assert.deepEqual(left, ['admin@acme.test', 'list-b@example.com']);
  await page.getByRole('button', { name: 'Actions of admin@acme.test' }).click();
  assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['What they can open', 'New login']);
  await accessible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Actions of list-b@example.com' }).click();
  assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), [
    'What they can open',
    'Invite again',
    'Change role',
    'Remove',
  ]);
  noTrouble();
});

test('host names of all shares are listed, sorted, verified and deleted together; what fails says why', async (t) => {
  const { shares, hosts } = site.service.client;
  await shares.create({ name: 'hosted', target: 'http://127.0.0.1:9', open: true });
  for (const host of ['b.listed.invalid', 'c.listed.invalid', 'a.listed.invalid'])
    await hosts.create({ host, share: 'hosted' });
  const { open, page, settled, accessible, noTrouble } = await site.tab(t);
  await open('/shares');
  await page.getByRole('link', { name: 'Host names' }).click();
  await settled();
  const names = () => page.getByRole('rowheader').allInnerTexts();
  assert.deepEqual(await names(), ['a.listed.invalid', 'b.listed.invalid', 'c.listed.invalid']);
  await page.getByText('3 host names', { exact: true }).waitFor();
  await page.getByRole('columnheader', { name: 'Added' }).getByRole('button').press('Enter');
  await page.waitForURL(/sort=-created/);
  await settled();
  assert.deepEqual(await names(), ['a.listed.invalid', 'c.listed.invalid', 'b.listed.invalid']);
  for (const name of ['a.listed.invalid', 'c.listed.invalid'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).press('Space');
  await accessible();
  const bar = page.getByRole('region', { name: 'Selected' });
  await bar.getByRole('button', { name: 'Verify' }).press('Enter');
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Verify' }).press('Enter');
  await question.getByText('2 failed').waitFor();
  await accessible();
  await question.getByRole('button', { name: 'Close' }).press('Enter');
  await bar.getByText('2 selected').waitFor();
  await bar.getByRole('button', { name: 'Delete' }).press('Enter');
  await question.getByText('Delete 2 host names?').waitFor();
  await question.getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByText('2 host names were deleted').waitFor();
  assert.deepEqual(
    (await hosts.list()).items.map(({ host }) => host),
    ['b.listed.invalid'],
  );
  await page.getByRole('button', { name: 'Actions of b.listed.invalid' }).click();
  assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Show its share', 'Verify', 'Delete']);
  await accessible();
  noTrouble();
});

test('webhooks that were chosen are switched off, on and deleted together', async (t) => {
  const { webhooks } = site.service.client;
  for (const name of ['hook-b', 'hook-a', 'hook-c'])
    await webhooks.create({ name, url: `https://${name}.example.com/` });
  const { open, page, settled, accessible, noTrouble } = await site.tab(t);
  await open('/webhooks');
  const names = () => page.getByRole('rowheader').allInnerTexts();
  // The oldest first.
  assert.deepEqual(await names(), ['hook-b', 'hook-a', 'hook-c']);
  await page.getByText('3 webhooks', { exact: true }).waitFor();
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').press('Enter');
  await page.waitForURL(/sort=name/);
  await settled();
  assert.deepEqual(await names(), ['hook-a', 'hook-b', 'hook-c']);
  const bar = page.getByRole('region', { name: 'Selected' });
  const question = page.getByRole('alertdialog');
  const act = async (label: string) => {
    await bar.getByRole('button', { name: label, exact: true }).press('Enter');
    await accessible();
    await question.getByRole('button', { name: /^(Switch|Delete)/ }).press('Enter');
    await question.waitFor({ state: 'detached' });
  };
  const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).press('Space');
  const states = async () =>
    Object.fromEntries((await webhooks.list()).items.map(({ name, enabled }) => [name, enabled]));
  for (const name of ['hook-a', 'hook-c']) await select(name);
  await accessible();
  await act('Switch off');
  await page.getByText('2 webhooks are off').waitFor();
  assert.deepEqual(await states(), { 'hook-a': false, 'hook-b': true, 'hook-c': false });
  for (const name of ['hook-a', 'hook-b']) await select(name);
  await act('Switch on (1)');
  assert.deepEqual(await states(), { 'hook-a': true, 'hook-b': true, 'hook-c': false });
  // What was on already stayed chosen.
  await select('hook-a');
  await act('Delete');
  await page.getByText('2 webhooks were deleted').waitFor();
  assert.deepEqual(await states(), { 'hook-c': false });
  noTrouble();
});

test('a list is asked for once when typing has paused; nothing is offered for a person whom the field no longer names', async (t) => {
  const share = `typed-${newId('shr').slice(4, 12)}`;
  await site.service.share(share);
  const visitor = await site.tab(t, { as: null });
  const { url } = await site.service.client.shares.show(share);
  await openLoggedIn(visitor.page, `${url}/`, 'typed@example.com');
  await site.service.client.certificates.createToken({ name: 'x', commonName: 'x' });
  const { open, page, settled, noTrouble } = await site.tab(t);
  for (const [path, box, of, asks] of [
    ['/sessions', 'Person', '/v1/sessions', 'email'],
    ['/certificates', 'Find certificates', '/v1/client-certificates', 'email'],
  ] as const) {
    await open(path);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      const text = searchParams.get('q') ?? searchParams.get(asks);
      if (pathname === of && text !== null) asked.push(text);
    });
    await page.getByRole('searchbox', { name: box }).pressSequentially('typed@example.com');
    await page.waitForURL(/typed%40example\.com/);
    await settled();
    assert.deepEqual(new Set(asked), new Set(['typed@example.com']));
  }
  await open('/sessions?email=typed%40example.com');
  const end = page.getByRole('button', { name: 'End the one session' });
  await end.waitFor();
  // At the same moment, long before the address has what is typed.
  const offered = await page.evaluate(`(${TYPE_MORE})(document.querySelector('[aria-label=Person]'))`);
  assert.deepEqual(offered, { address: 'typed@example.com', field: 'typed@example.comx', ends: false });
  await end.waitFor({ state: 'detached' });
  noTrouble();
});

/** Types one letter more, and answers what the page is then. */
const TYPE_MORE = `async (field) => {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, field.value + 'x');
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await null;
  return {
    address: new URLSearchParams(location.search).get('email'),
    field: field.value,
    ends: [...document.querySelectorAll('button')].some(({ textContent }) => textContent.startsWith('End the one')),
  };
}`;

/** Counts what is made to write times with. */
const COUNT_FORMATS = `globalThis.formatsMade = 0;
  Intl.DateTimeFormat = class extends Intl.DateTimeFormat {
    constructor(...given) {
      super(...given);
      formatsMade++;
    }
  };
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) {
    const write = Date.prototype[name];
    Date.prototype[name] = function (...given) {
      formatsMade++;
      return write.apply(this, given);
    };
  }`;

/** A part of the page, as scripts there see it. */
type Cell = { closest(of: string): { readonly scrollWidth: number; readonly clientWidth: number } | null };

test('a laptop shows names and addresses whole; a large screen who owns a share, and when it changed', async (t) => {
  const owner = 'admin@acme.test';
  const target = 'http://127.0.0.1:8000';
  await site.service.client.shares.create({ name: 'width-handbook', target, open: true, owner });
  const { open, page, noTrouble } = await site.tab(t, { viewport: { width: 1280, height: 800 } });
  await open('/shares?q=width-');
  const isWhole = (text: string) =>
    page.getByText(text, { exact: true }).evaluate((element) => {
      const cell = (element as unknown as Cell).closest('td, th');
      return cell !== null && cell.scrollWidth <= cell.clientWidth;
    });
  for (const text of ['width-handbook', target]) assert.ok(await isWhole(text), text);
  assert.equal(await page.getByRole('columnheader', { name: 'Owner' }).count(), 0);
  const person = 'margaret.heafield-hamilton@instrumentation.example';
  const { apiKeys, certificates } = site.service.client;
  await apiKeys.create({ name: 'width-reader', role: 'auditor', scope: 'read' });
  await certificates.createToken({ name: 'width-token', commonName: 'Margaret', emailAddress: person });
  await open('/people/keys');
  await page.getByRole('rowheader', { name: 'width-reader' }).waitFor();
  assert.ok(await isWhole('read what an auditor may'));
  await open('/certificates/tokens');
  assert.ok(await isWhole(person));
  await open('/shares?q=width-');
  await page.setViewportSize({ width: 1920, height: 1080 });
  for (const title of ['Last request', 'Changed', 'Created', 'Owner'])
    await page.getByRole('columnheader', { name: title }).waitFor();
  for (const text of ['width-handbook', target, owner]) assert.ok(await isWhole(text), text);
  noTrouble();
});

test('a phone sorts by a choice, selects, and shows everything within its width', async (t) => {
  for (const name of ['phone-a', 'phone-b'])
    await site.service.client.shares.create({ name, target: 'http://127.0.0.1:9', open: true });
  const { open, page, settled, accessible, noTrouble } = await site.tab(t, {
    viewport: { width: 320, height: 640 },
    hasTouch: true,
  });
  await open('/shares?q=phone-');
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('-name');
  await page.waitForURL(/sort=-name/);
  await settled();
  assert.deepEqual(await page.getByRole('rowheader').allInnerTexts(), ['phone-b', 'phone-a']);
  await page.getByRole('checkbox', { name: 'All on this page' }).check();
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Actions of phone-a' }).tap();
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
  await accessible();
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  assert.equal(isWide, false);
  noTrouble();
});
