// Ways into the console beside a member's: an API key, and "My access" of a person who is no member, in
// Chromium.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { startConsole, type TestConsole } from '../support/console-browser.ts';
import { logIn, openLoggedIn } from '../support/chromium.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';

const EVE = 'eve@elsewhere.test';

let site: TestConsole;
before(async () => {
  site = await startConsole();
});
after(() => site.close());

test('with an API key: the console offers what the key may, and keeps nothing of it', async (t) => {
  const { key } = await site.service.client.apiKeys.create({ name: 'reader', role: 'member', scope: 'read' });
  const { page, profile, open, settled, accessible, noTrouble } = await site.tab(t, { as: null });
  await open();
  await page.getByRole('link', { name: /^Log in with/ }).waitFor();
  await accessible();
  await page.getByText('Log in with an API key').click();
  await page.getByLabel('API key', { exact: true }).fill(`dw_${'x'.repeat(43)}`);
  await page.getByRole('button', { name: 'Log in with the key' }).click();
  await page.getByRole('alert').getByText('the API key is unknown').waitFor();
  await accessible();
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Log in with the key' }).click();
  await page.getByRole('button', { name: /API key reader/ }).waitFor();
  await settled();
  assert.equal(await page.getByRole('link', { name: 'People' }).count(), 0);
  assert.equal(await page.getByRole('link', { name: 'My access' }).count(), 0);
  const kept = await page.evaluate(
    `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])`,
  );
  assert.ok(!String(kept).includes(key));
  for (const { value, httpOnly } of await profile.cookies()) {
    assert.ok(!value.includes(key));
    assert.ok(httpOnly);
  }
  await accessible();
  // Deleted, it opens nothing from the next look on.
  await site.service.client.apiKeys.remove('reader');
  await open();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  noTrouble();
});

test('a login leads to the page that was opened before it, once', async (t) => {
  const { page, open, settled, noTrouble } = await site.tab(t, { as: null });
  await open('/sessions?q=ada');
  await page.getByRole('link', { name: /^Log in with/ }).click();
  await logIn(page, 'admin@acme.test');
  await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
  await settled();
  await page.waitForURL(`${site.origin}/console/sessions?q=ada`);
  await open();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  noTrouble();
});

test('my access: a visitor sees their own session and ends it, and the application asks for a login again', async (t) => {
  const share = await site.service.share('wiki');
  await site.service.share('other');
  const { page, open, settled, accessible, noTrouble } = await site.tab(t, {
    as: null,
    viewport: { width: 390, height: 844 },
  });
  await openLoggedIn(page, `${share.url}/`, EVE);
  await open('/me');
  await page.getByRole('link', { name: /^Log in with/ }).click();
  // The provider knows who is there by now, or asks.
  await page.locator('h1, input[name=email]').first().waitFor();
  if (await page.locator('input[name=email]').isVisible()) await logIn(page, EVE);
  await page.getByRole('heading', { name: 'My access' }).waitFor();
  await settled();
  await page.getByRole('link', { name: 'wiki' }).waitFor();
  assert.equal(await page.getByText('other', { exact: true }).count(), 0);
  assert.equal(await page.getByRole('navigation', { name: 'Areas' }).count(), 0);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  await accessible();
  // Nothing else is theirs, whatever they open.
  await open('/shares');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await open();
  await page.getByRole('heading', { name: 'My apps' }).waitFor();
  await page.getByRole('link', { name: 'My access' }).click();
  await page.getByRole('heading', { name: 'My access' }).waitFor();
  await page.getByRole('button', { name: 'End the session at wiki' }).click();
  await accessible();
  await page.getByRole('button', { name: 'End it' }).click();
  await page.getByRole('heading', { name: 'You are not logged in anywhere' }).waitFor();
  // The provider may know them still: what counts is that the gate sends this browser there.
  const answer = await page.goto(`${share.url}/`);
  let first = answer?.request() ?? null;
  for (let each = first; each !== null; each = each.redirectedFrom()) first = each;
  const asked = await first?.response();
  assert.equal(asked?.status(), 302);
  assert.match((await asked?.headerValue('location')) ?? '', /\/corp\/login\?request=/);
  noTrouble();
});

test('my access: a certificate near its end is renewed by a link that is good once, and revoked', async (t) => {
  const { client } = site.service;
  await client.certificates.setPolicy({ renewalByLogin: true });
  await certificateFor('ann@elsewhere.test', 'ann’s laptop');
  await certificateFor('bob@elsewhere.test', 'bob’s laptop');
  await nearTheirEnd();
  const { page, profile, open, settled, accessible, noTrouble } = await site.tab(t, { as: null });
  await open('/me');
  await page.getByRole('link', { name: /^Log in with/ }).click();
  await logIn(page, 'ann@elsewhere.test');
  await page.getByRole('heading', { name: 'My access' }).waitFor();
  await settled();
  await page.getByRole('rowheader', { name: /ann’s laptop/ }).waitFor();
  assert.equal(await page.getByText('bob’s laptop').count(), 0);
  await accessible();
  await page.getByRole('button', { name: 'Renew ann’s laptop' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = page.getByRole('link', { name: 'Get it on this device' });
  await link.waitFor();
  await accessible();
  const opened = profile.waitForEvent('page');
  await link.click();
  const redeeming = await opened;
  await redeeming.getByRole('button', { name: 'Get the certificate' }).click();
  await redeeming.getByLabel('Passphrase').waitFor();
  await redeeming.close();
  await page.getByRole('button', { name: 'Done' }).click();
  await page
    .getByRole('rowheader', { name: /ann’s laptop/ })
    .nth(1)
    .waitFor();
  await page.getByRole('cell', { name: 'done' }).waitFor();
  const [revoke] = await page.getByRole('button', { name: 'Revoke ann’s laptop' }).all();
  assert.ok(revoke);
  await revoke.click();
  await page.getByRole('button', { name: 'Revoke it' }).click();
  await page.getByText('revoked', { exact: true }).first().waitFor();
  await accessible();
  noTrouble();
});

async function certificateFor(emailAddress: string, name: string): Promise<void> {
  const { certificates } = site.service.client;
  const { token } = await certificates.createToken({ name, commonName: name, emailAddress });
  await certificates.redeem({ token, csr: opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr });
}

/** As if they had been issued long ago. */
async function nearTheirEnd(): Promise<void> {
  const { engine } = site.service.config.store;
  const change = 'UPDATE client_certificates SET created_at = created_at - 8640000000';
  if (engine.kind === 'sqlite') {
    const database = new DatabaseSync(engine.file, { timeout: 5_000 });
    database.exec(change);
    database.close();
  } else {
    const client = new Client({ connectionString: engine.url.reveal() });
    await client.connect();
    await client.query(change);
    await client.end();
  }
}
