// People in the console: visitors who are in, members who may come in, and keys for programs.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createNodeClient } from '../../src/client/node-client.ts';
import { Secret } from '../../src/domain/secret.ts';
import { copiedBy, logIn, openLoggedIn } from '../support/chromium.ts';
import { startConsole, type TestConsole } from '../support/console-browser.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole();
});
after(() => site.close());

test('a visitor who logs in is listed as it happens, and out when an admin says so (issue "Sessions")', async (t) => {
  await site.service.share('wiki');
  await site.service.share('notes');
  const admin = await site.tab(t);
  const { page } = admin;
  await admin.open('/sessions');
  await page.getByRole('heading', { name: 'No active sessions' }).waitFor();
  await admin.accessible();
  const visitor = await site.tab(t, { as: null });
  const [wiki, notes] = [urlOf('wiki'), urlOf('notes')];
  await openLoggedIn(visitor.page, wiki, 'ann@example.com');
  const row = page.getByRole('row', { name: 'ann@example.com' });
  await row.getByText('Chrome on Linux').waitFor();
  await row.getByText('127.0.0.1').waitFor();
  await page.getByText('1 session', { exact: true }).waitFor();
  // The provider knows them by now.
  await visitor.page.goto(notes);
  await visitor.page.waitForURL(notes);
  await page.getByText('2 sessions, all by corp').waitFor();
  await admin.accessible();

  await page.getByRole('button', { name: 'Actions of ann@example.com at wiki' }).click();
  await page.getByRole('menuitem', { name: 'End the session' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End them' }).click();
  await page.getByText('1 session', { exact: true }).waitFor();
  await visitor.profile.clearCookies({ name: AT_PROVIDER });
  await visitor.page.goto(wiki);
  await visitor.page.locator('button#login').waitFor();
  await visitor.page.goto(notes);
  await visitor.page.waitForURL(notes);

  await page.getByRole('rowheader').getByRole('link', { name: 'ann@example.com', exact: true }).click();
  await page.getByRole('button', { name: 'End the one session' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End them' }).click();
  await page.getByText('No matching sessions').waitFor();
  await visitor.page.goto(notes);
  await visitor.page.locator('button#login').waitFor();
  await admin.open('/sessions?state=ended&share=wiki');
  await page.getByText('ended by an admin').waitFor();
  await admin.accessible();
  admin.noTrouble();
});

test('a member is invited, made an admin and removed; the last admin stays (DESIGN 2.5)', async (t) => {
  const { members } = site.service.client;
  const admin = await site.tab(t);
  const { page } = admin;
  await admin.open('/people');
  await page.getByText('the only active admin').waitFor();
  await admin.accessible();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByLabel('Email address').fill('bob@example.com');
  await page.getByRole('button', { name: 'Create link' }).click();
  const shown = page.getByRole('dialog', { name: 'Invitation for bob@example.com' });
  await shown.waitFor();
  await admin.accessible();
  const link = await copiedBy(shown.getByRole('button', { name: 'Copy the invitation' }));
  await shown.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('row', { name: 'bob@example.com' }).getByText('invited').waitFor();

  const bob = await site.tab(t, { as: null });
  await bob.page.goto(link);
  await bob.page.getByRole('button', { name: /^Log in with / }).click();
  await logIn(bob.page, 'bob@example.com');
  await bob.page.waitForURL(/\/console|\/auth\/complete/);

  await admin.open('/people');
  const row = page.getByRole('row', { name: 'bob@example.com' });
  await row.getByText('active', { exact: true }).waitFor();
  const form = page.getByRole('dialog', { name: 'Change the role of bob@example.com' });
  // Somebody else was quicker, and did it: nothing is done unseen.
  await members.modify('bob@example.com', { role: 'admin' });
  await fromMenu(page, 'bob@example.com', 'Change role');
  await form.getByRole('radio', { name: 'What an auditor may' }).check();
  await form.getByRole('button', { name: 'Change role' }).click();
  await form.getByText('was changed meanwhile').waitFor();
  await admin.accessible();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await admin.open('/people');
  await fromMenu(page, 'bob@example.com', 'Change role');
  await form.getByRole('radio', { name: 'What an auditor may' }).check();
  await form.getByRole('button', { name: 'Change role' }).click();
  await page.getByText('bob@example.com is an auditor now').waitFor();
  assert.equal((await members.show('bob@example.com')).role, 'auditor');

  const question = page.getByRole('alertdialog');
  await fromMenu(page, 'bob@example.com', 'Remove');
  await question.getByRole('button', { name: 'Remove' }).click();
  // Behind an open question no row is found by its role.
  await page.getByText('The member was removed').waitFor();
  await row.waitFor({ state: 'detached' });
  assert.deepEqual(
    (await members.list()).items.filter(({ email }) => email === 'bob@example.com'),
    [],
  );
  admin.noTrouble();
});

test('a key is made, shown once, works, and is refused once it is deleted (DESIGN 2.5)', async (t) => {
  const admin = await site.tab(t);
  const { page } = admin;
  await admin.open('/people/keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('CI server');
  await page.getByRole('radio', { name: /^Read\b(?! and)/ }).check();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.locator('[aria-invalid=true]').waitFor();
  await admin.accessible();
  await page.getByLabel('Name').fill('ci');
  await page.getByLabel('Valid for').fill('5d');
  await page.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: 'The key ci' });
  await shown.getByText(`doorward login --url ${site.origin}`).waitFor();
  await admin.accessible();
  const key = await copiedBy(shown.getByRole('button', { name: 'Copy the key' }));
  await shown.getByRole('button', { name: 'I have copied it' }).click();
  const row = page.getByRole('row', { name: 'ci', exact: false }).filter({ hasText: 'read what' });
  await row.getByText('soon', { exact: true }).waitFor();
  await row.getByText('admin@acme.test').waitFor();
  await row.getByText(`${key.slice(0, 'dw_'.length + 6)}…`, { exact: true }).waitFor();
  const program = createNodeClient({ url: new URL(site.origin), apiKey: new Secret(key) });
  await program.shares.list();
  await assert.rejects(program.sessions.endAll({ email: 'ann@example.com' }), { code: 'not_allowed' });
  await fromMenu(page, 'ci', 'Delete');
  await page.getByRole('alertdialog').getByText('stops working with the next call').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The key was deleted').waitFor();
  await row.waitFor({ state: 'detached' });
  await assert.rejects(program.shares.list(), { code: 'api_key_invalid' });
  admin.noTrouble();
});

test('whoever logs in with a key that may only read is offered nothing that changes something', async (t) => {
  const { key } = await site.service.client.apiKeys.create({ name: 'eyes', role: 'admin', scope: 'read' });
  const reader = await site.tab(t, { as: null });
  const { page } = reader;
  await reader.open('/people');
  await page.getByText('Log in with an API key').click();
  await page.getByLabel('API key').fill(key);
  await page.getByLabel('API key').press('Enter');
  await page.getByRole('row', { name: 'admin@acme.test' }).waitFor();
  for (const [path, offered] of [
    ['/people', 'Invite'],
    ['/people/keys', 'New key'],
    ['/certificates', 'New certificate'],
    ['/certificates/tokens', 'New token'],
    ['/certificates/tokens/new', 'Create link'],
    ['/certificates/authority', 'Replace'],
    ['/certificates/rules', 'Edit'],
    ['/sessions', 'End'],
  ] as const) {
    await reader.go(path);
    for (const role of ['button', 'link'] as const)
      assert.equal(await page.locator('#page').getByRole(role, { name: offered }).count(), 0, path);
  }
  reader.noTrouble();
});

test('a member sees who is in, and is offered nothing that only admins may', async (t) => {
  await site.service.share('seen');
  const visitor = await site.tab(t, { as: null });
  await openLoggedIn(visitor.page, urlOf('seen'), 'carol@example.com');
  const member = await site.tab(t, { as: 'member' });
  await member.open('/sessions');
  await member.page.getByRole('row', { name: 'carol@example.com' }).waitFor();
  assert.equal(await member.page.getByRole('button', { name: /^End/ }).count(), 0);
  member.noTrouble();
});

async function fromMenu(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions of ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** What the provider knows them by; the gateway's own stay. */
const AT_PROVIDER = /^_(?:session|interaction)/;

function urlOf(share: string): string {
  return `http://${share}.share.localhost:${site.service.ports.gateway}/`;
}
