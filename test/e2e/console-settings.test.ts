// The page "Settings" in a browser: what the operator configured, by keyboard, on a small screen and in the
// dark; for admins and auditors, and for no other member.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PAGE_STYLE } from '../../src/http/page-style.ts';
import { startConsole, type TestConsole } from '../support/console-browser.ts';
import { until } from '../support/until.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole({
    corp: { display_name: 'Company login <b>', icon: 'building' },
    sections: { brand: { name: 'Acme & access', contact: 'help@acme.test' }, limits: { shares: 321 } },
  });
});
after(() => site.close());

test('an admin reads what is configured, and tests a provider of the operator', async (t) => {
  await site.service.share('wiki');
  const { page, open, settled, accessible, noTrouble } = await site.tab(t);
  await open();
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await settled();
  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  await panel('Addresses').getByText(`http://*.share.localhost:${site.service.ports.gateway}`).waitFor();
  await panel('Lifetimes and retention').getByText('Expire after 6h').waitFor();
  await panel('Limits').getByText('1 of 321').waitFor();
  await panel('Limits').getByText('limits.shares, line').waitFor();
  await panel('Limits').getByText('limits.hosts, default').waitFor();
  await panel('Lifetimes and retention').getByText('built in').first().waitFor();
  await panel('Configuration').getByText('doorward.yaml', { exact: true }).waitFor();
  const preview = panel('Brand')
    .getByRole('figure', { name: /^Preview/ })
    .getByRole('img');
  // Not sound, it would have no size; it is the page's own text, and nothing in it is loaded.
  await until(() =>
    preview.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0),
  );
  const drawing = decodeURIComponent((await preview.getAttribute('src')) ?? '');
  for (const part of ['<span>Acme &amp; access</span>', '<bdi>Company login &lt;b&gt;</bdi>', PAGE_STYLE])
    assert.ok(drawing.includes(part), part);
  assert.doesNotMatch(drawing, /<svg (?!xmlns=)/, 'a drawing that an image would leave out');
  await panel('Brand').getByText('help@acme.test').waitFor();
  await accessible();
  const providers = panel('Providers');
  await providers.getByRole('button', { name: 'Test Company login <b>' }).click();
  await providers.getByText('Logins can work.').waitFor();
  await accessible();
  await providers.getByRole('link', { name: 'Company login <b>' }).click();
  await page.getByRole('heading', { name: 'corp', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Name of a page, an action or a thing' });
  for (const text of ['company log', 'corp']) {
    await field.fill(text);
    await page.getByRole('option', { name: 'Company login <b> (corp) Provider' }).waitFor();
  }
  noTrouble();
});

test('the settings fit a small screen, in the dark', async (t) => {
  const { page, open, accessible, noTrouble } = await site.tab(t, {
    viewport: { width: 320, height: 640 },
    colorScheme: 'dark',
  });
  await open('/settings');
  await page.getByRole('region', { name: 'Limits' }).waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  await accessible();
  noTrouble();
});

test('a member who is no admin has no settings page', async (t) => {
  const { page, open } = await site.tab(t, { as: 'member' });
  await open();
  await page.getByRole('link', { name: 'Audit' }).first().waitFor();
  assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0);
  await open('/settings');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
});
