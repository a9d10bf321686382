// What the console says is so: notes know what a provider's definition asks, the provider that is used most
// is chosen first, numbers lead to what they count, and an error is told once, in words of the browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startConsole, type TestConsole } from '../support/console-browser.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole();
  const { service } = site;
  const credential = { clientId: 'c', clientSecret: 'a secret of a client' };
  const config = { ...credential, emailPatterns: ['*@partner.test'] };
  await service.client.providers.create({ name: 'a-first', type: 'GOOGLE', config: credential });
  await service.client.providers.create({ name: 'partners', type: 'GOOGLE', config });
  for (const name of ['one', 'two']) await service.share(name, { oauthProvider: 'partners' });
  await service.share('three');
});
after(() => site.close());

test('a new share begins with the provider that most shares use, and the note knows what that asks', async (t) => {
  const tab = await site.tab(t, { viewport: { width: 320, height: 800 }, colorScheme: 'dark' });
  const { page } = tab;
  await tab.open('/shares/+new');
  assert.ok(await page.getByRole('checkbox', { name: 'partners' }).isChecked());
  assert.ok(!(await page.getByRole('checkbox', { name: 'a-first' }).isChecked()));
  await page
    .getByText('Everyone at partners whose address matches *@partner.test gets in. To restrict')
    .waitFor();
  await page.getByRole('checkbox', { name: 'corp' }).focus();
  await page.keyboard.press('Space');
  await page
    .getByText('Everyone who has an account at corp, and everyone at partners whose address matches')
    .waitFor();
  await tab.accessible();
  tab.noTrouble();
});

test('what is wrong with a field is said beside it, and not once more below', async (t) => {
  const tab = await site.tab(t);
  const { page } = tab;
  await tab.open('/shares/+new');
  await page.getByLabel('Name', { exact: true }).fill('Not a name');
  await page.getByLabel('Target', { exact: true }).fill('http://127.0.0.1:3000');
  await page.getByRole('button', { name: 'Create share' }).click();
  await page.getByRole('alert').getByText('Not saved. Correct the marked fields.').waitFor();
  const marks = await page.locator('.fault').allInnerTexts();
  assert.equal(marks.length, 1);
  const whole = await page.locator('main').innerText();
  assert.equal(whole.split(marks[0]!).length - 1, 1);
  await tab.accessible();
});

test('no page of something that is gone tells a command of the terminal', async (t) => {
  const tab = await site.tab(t);
  for (const path of ['/shares/gone', '/providers/gone', '/certificates/crt_gone', '/webhooks/whk_gone']) {
    await tab.open(path);
    assert.doesNotMatch(await tab.page.locator('main').innerText(), /doorward [a-z]|--[a-z]/, path);
  }
});
