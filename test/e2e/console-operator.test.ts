// The operator's pages in a browser: all accounts in figures, one of them, how the gateway does; for whom the
// configuration names, member or not, until it names them no more. Nobody else is told of the page.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { walkLogin } from '../support/browser-by-hand.ts';
import { startConsole, type TestConsole } from '../support/console-browser.ts';
import { addAccount } from '../support/service.ts';
import { until } from '../support/until.ts';

const OPS = 'ops@example.com';
let site: TestConsole;
before(async () => {
  site = await startConsole({
    sections: {
      control: { operators: [{ provider: 'corp', email: OPS }] },
      limits: { shares: 321, api_keys: 1 },
    },
  });
  await addAccount(site.service.config, 'other', 'boss@other.test');
  await site.service.share('wiki');
});
after(() => site.close());

/** A browser of somebody who is a member of no account. */
async function operatorsTab(t: Parameters<TestConsole['tab']>[0], email = OPS) {
  const browser = site.service.browser();
  await walkLogin(browser, `${site.origin}/auth/login?provider=corp`, { email });
  const value = browser.jar.find('svc-control')?.value;
  assert.ok(value, 'logged in');
  const tab = await site.tab(t, { as: null });
  await tab.profile.addCookies([{ name: 'svc-control', value, url: site.origin }]);
  return tab;
}

test('an operator who is no member sees all accounts, one of them, and the gateway', async (t) => {
  const { page, open, accessible, noTrouble } = await operatorsTab(t);
  await open();
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
  const row = page.getByRole('row', { name: 'acme' });
  await row.getByText('1 of 321').waitFor();
  await row.getByText('active').waitFor();
  await row.getByText('near the limit').waitFor();
  await page.getByRole('row', { name: 'other' }).getByText('0 of 321').waitFor();
  assert.equal(await page.getByText('wiki').count(), 0);
  await accessible();
  await page.getByRole('link', { name: 'acme' }).click();
  await page.getByRole('heading', { name: 'acme', level: 1 }).waitFor();
  await page.getByRole('region', { name: 'Limits' }).getByText('1 of 321').waitFor();
  await page.getByText('doorward account suspend acme').waitFor();
  await accessible();
  await open('/operator/gateways');
  const gateway = page.getByRole('table', { name: 'Gateways' }).getByRole('row').nth(1);
  await gateway.getByText('running').waitFor();
  await gateway.getByText('1 of 1').waitFor();
  await gateway.getByText('less than 1 s').waitFor();
  await page.getByRole('region', { name: 'Webhook deliveries' }).getByText('Waiting').waitFor();
  await accessible();
  await page.setViewportSize({ width: 320, height: 640 });
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  await open('/operator/accounts/nobodys');
  await page
    .getByRole('alert')
    .getByText(/no account has that name/)
    .waitFor();
  await open('/members');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  noTrouble();
});

test('an admin who is not named has no such page, and the API refuses what it would ask', async (t) => {
  const { page, open } = await site.tab(t);
  await open();
  await page.getByRole('link', { name: 'Settings' }).first().waitFor();
  assert.equal(await page.getByRole('link', { name: 'Operator' }).count(), 0);
  for (const path of ['/operator', '/operator/gateways', '/operator/accounts/other']) {
    await open(path);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  }
  const status = await page.evaluate(`fetch('/v1/operator/accounts').then(({ status }) => status)`);
  assert.equal(status, 403);
});

test('a member who is named has the page beside their account’s, until a reload names them no more', async (t) => {
  const { page, open } = await site.tab(t, { as: OPS });
  await open();
  await page.getByRole('link', { name: 'Operator' }).first().click();
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Gateways' }).click();
  const gateways = page.getByRole('table', { name: 'Gateways' });
  await gateways.getByText('running', { exact: true }).waitFor();
  const { file } = site.service.config;
  const text = await readFile(file, 'utf8');
  const changed = text.replace(OPS, 'nobody@example.com');
  assert.notEqual(changed, text);
  await writeFile(file, changed);
  await site.service.reload();
  const status = () => page.evaluate<number>(`fetch('/v1/operator/accounts').then(({ status }) => status)`);
  await until(async () => (await status()) === 403);
  // The page that is open reads again by itself, and does not go on calling a gateway running.
  await page.getByRole('alert').getByText('you are not an operator of this service').waitFor();
  assert.equal(await gateways.count(), 0);
  await open('/operator');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
});
