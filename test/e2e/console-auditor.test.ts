// An auditor in the console: every area is there, and nothing that would be refused is offered.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startConsole, type TestConsole } from '../support/console-browser.ts';

const EMAIL = 'audrey@example.com';
let site: TestConsole;

before(async () => {
  site = await startConsole();
});
after(() => site.close());

test('an auditor reads every area of the account, gets no refusal there, and finds nothing to change', async (t) => {
  const { client } = site.service;
  await site.service.share('read', { oauthProvider: null });
  await client.webhooks.create({ url: 'https://hooks.example.com/audit' });
  const auditor = await site.tab(t, { as: EMAIL });
  await client.members.modify(EMAIL, { role: 'auditor' });
  const { page } = auditor;
  page.setDefaultTimeout(20_000);
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`);
  });
  for (const path of AREAS) {
    await auditor.open(path);
    const buttons = await page.locator('main :is(button, a.button)').allInnerTexts();
    assert.deepEqual(
      buttons.filter((text) => CHANGES.test(text.trim())),
      [],
      path,
    );
    assert.equal(await page.locator('main [role=alert]').count(), 0, path);
  }
  assert.deepEqual(refused, []);
  await auditor.open('/people');
  await page.getByRole('row', { name: EMAIL }).getByText('auditor', { exact: true }).waitFor();
  await auditor.accessible();
  auditor.noTrouble();
});

const AREAS = [
  '/',
  '/shares',
  '/shares/read',
  '/sessions',
  '/certificates',
  '/certificates/tokens',
  '/certificates/authority',
  '/certificates/rules',
  '/providers',
  '/people',
  '/people/keys',
  '/webhooks',
  '/audit',
  '/settings',
];
const CHANGES =
  /^(?:New|Invite|Create|Add|Edit|Change|Delete|Remove|Revoke|End|Rotate|Send|Switch|Turn|Enable|Disable|Grant|Dismiss|Test)\b/;
