// Shares in the console: found, made, changed where they are shown, and never overwritten unseen.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startConsole, type TestConsole } from '../support/console-browser.ts';

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
  await note.getByText('Somebody else changed this').waitFor();
  await ben.accessible();
  assert.deepEqual(
    await note
      .getByRole('row', { name: /Allowed addresses/ })
      .getByRole('cell')
      .allInnerTexts(),
    ['*@example.com', '*@ada.example', '*@ben.example'],
  );
  assert.deepEqual(
    await note
      .getByRole('row', { name: /Checked again/ })
      .getByRole('cell')
      .allInnerTexts(),
    ['3h', '1h', 'not changed'],
  );
  assert.deepEqual((await client.shares.show(id)).oauthEmailAddressPatterns, ['*@ada.example']);

  await note.getByRole('button', { name: 'Apply mine on top' }).click();
  await ben.page.getByRole('button', { name: 'Edit: Who gets in' }).waitFor();
  const now = await client.shares.show(id);
  assert.deepEqual([now.oauthEmailAddressPatterns, now.oauthCheckInterval], [['*@ben.example'], '1h']);
  ada.noTrouble();
  ben.noTrouble();
});
