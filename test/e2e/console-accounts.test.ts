// Somebody who is a member of two accounts changes from one to the other in the console, in two tabs.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createNodeClient } from '../../src/client/node-client.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { startConsole, type TestConsole } from '../support/console-browser.ts';
import { addAccount } from '../support/service.ts';

const EMAIL = 'pat@example.com';
let site: TestConsole;
let other: ReturnType<typeof createNodeClient>;

before(async () => {
  site = await startConsole();
  const apiKey = await addAccount(site.service.config, 'other', 'boss@other.test');
  other = createNodeClient({ url: new URL(site.origin), apiKey });
  const { invitation } = await other.members.create({ email: EMAIL, role: 'admin' });
  await walkLogin(site.service.browser(), invitation.url, {
    email: EMAIL,
    until: (next) => next.pathname.startsWith('/console'),
  });
});
after(() => site.close());

test('the menu leads from one account to the other without a login, and a tab of the first changes nothing in the second', async (t) => {
  const first = await site.tab(t, { as: EMAIL });
  first.profile.setDefaultTimeout(15_000);
  await first.open('/shares');
  const page = await first.profile.newPage();
  await page.goto(`${site.origin}/console/`);
  await page.getByRole('button', { name: /pat@example.com/ }).click();
  const accounts = page.getByRole('group', { name: 'Accounts' });
  await accounts.getByRole('button', { name: /other/ }).waitFor();
  await accounts.getByRole('button', { name: /other/ }).click();
  await page.locator('.account:visible', { hasText: 'other' }).waitFor();
  await page.getByRole('link', { name: 'People' }).first().waitFor();

  // The first tab does not know yet, and asks for something.
  await first.go('/sessions');
  const asked = first.page.getByRole('alertdialog', { name: 'This browser changed accounts' });
  await asked.waitFor();
  await first.accessible();
  await asked.getByRole('button', { name: /^Change back to / }).click();
  await asked.waitFor({ state: 'detached' });
  const { name } = await site.service.client.account.show();
  await first.page.locator('.account:visible', { hasText: name }).waitFor();

  // Now the second tab is the one of another account.
  await page.evaluate('dispatchEvent(new Event("doorward-account-changed"))');
  await page.getByRole('alertdialog', { name: 'This browser changed accounts' }).waitFor();
  const status = await page.evaluate(`fetch('/v1/webhooks', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'doorward-account': ${JSON.stringify((await other.account.show()).id)} },
    body: JSON.stringify({ url: 'https://hooks.example.com/' }),
  }).then(({ status }) => status)`);
  assert.equal(status, 403);
  assert.deepEqual((await site.service.client.webhooks.list()).items, []);
  assert.deepEqual((await other.webhooks.list()).items, []);
  first.noTrouble();
});
