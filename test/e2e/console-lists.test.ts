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
  const head = page.getByRole('columnheader', { name: 'Until' });
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
  await open('/certificates/tokens');
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
