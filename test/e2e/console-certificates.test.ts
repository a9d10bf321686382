// Certificates in the console, from the link that an admin sends to the list that says it is revoked, with
// openssl as second opinion.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { copiedBy } from '../support/chromium.ts';
import { startConsole, type TestConsole } from '../support/console-browser.ts';
import { openssl, OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { verifyClient } from '../support/pki.ts';
import { until } from '../support/until.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole();
});
after(() => site.close());

const DEVICE = '<img src=x onerror=alert(1)>';

test('a link is made, sent and redeemed; its certificate is found, saved and revoked (contract 2.7)', async (t) => {
  const admin = await site.tab(t);
  const { page } = admin;
  await admin.open('/certificates');
  await page.getByText('No certificates yet').waitFor();
  await page.getByRole('link', { name: 'New certificate' }).click();
  await page.getByLabel('Common name').fill('ann');
  await page.getByLabel('Email address').fill('ann@example.com');
  await page.getByLabel('Device or use').fill(DEVICE);
  await page.getByLabel('Certificate valid for').fill('a year');
  await page.getByRole('button', { name: 'Create link' }).click();
  const field = page.getByRole('textbox', { name: 'Certificate valid for' });
  await page.locator('[aria-invalid=true]').waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  await field.fill('90d');
  await page.getByRole('button', { name: 'Create link' }).click();

  await page.getByRole('heading', { name: 'A link for ann' }).waitFor();
  const link = await copiedBy(page.getByRole('button', { name: 'Copy the link' }));
  assert.match(link, new RegExp(`^${site.origin}/redeem#crt_`));
  await page.getByRole('img', { name: 'QR code of the link for ann' }).waitFor();
  const mail = new URL((await page.getByRole('link', { name: 'Write an email' }).getAttribute('href')) ?? '');
  assert.equal(decodeURIComponent(mail.pathname), 'ann@example.com');
  assert.ok(mail.searchParams.get('body')?.includes(`${link}\r\n`));
  await admin.accessible();

  await page.getByRole('link', { name: 'I have sent it' }).click();
  const row = page.getByRole('row', { name: 'ann@example.com' });
  await row.getByText('open', { exact: true }).waitFor();
  const holder = await site.tab(t, { as: null });
  await holder.page.goto(link);
  await holder.page.getByRole('button', { name: 'Get the certificate' }).click();
  await holder.page.getByRole('heading', { name: 'Your certificate is ready' }).waitFor();
  // Whoever waits for it sees it come.
  await row.getByRole('link', { name: 'its certificate' }).click();

  await page.getByRole('heading', { name: 'ann', exact: true }).waitFor();
  await admin.accessible();
  const certificate = new X509Certificate(await saved(page, page.getByRole('button', { name: 'Save' })));
  assert.equal(certificate.subject, 'CN=ann');
  await page.getByText(certificate.fingerprint256).waitFor();
  await page.getByText(certificate.serialNumber).waitFor();
  await page.getByRole('button', { name: 'Revoke' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText('This cannot be undone').waitFor();
  await question.getByLabel('Reason').selectOption({ label: 'the key may be compromised' });
  await question.getByRole('button', { name: 'Revoke it' }).click();
  await page.getByText('revoked', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Certificates' }).first().click();
  await page.getByRole('link', { name: 'Authority' }).click();
  await page.getByText('1 certificate is revoked').waitFor();
  await admin.accessible();
  const ca = (await saved(page, page.getByRole('button', { name: 'Save the certificate' }))).toString();
  const der = await saved(page, page.getByRole('link', { name: 'Save the CRL' }));
  const crl = openssl(['crl', '-inform', 'DER'], der).toString();
  const text = openssl(['crl', '-noout', '-text'], crl).toString();
  assert.match(text, new RegExp(`Serial Number: ${certificate.serialNumber}[^]*Key Compromise`));
  assert.match(verifyClient({ certificate: certificate.toString(), ca, crl }), /certificate revoked/);
  await page.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replace it' }).click();
  await page.getByText('trusted, no longer issues').waitFor();
  admin.noTrouble();
  holder.noTrouble();
});

test('certificates are found by what is in the address, and all of a person are revoked together', async (t) => {
  for (const [commonName, emailAddress, validity] of [
    ['bob’s laptop', 'bob@example.com', '10d'],
    ['bob’s phone', 'bob@example.com', '300d'],
    ['robot', undefined, '5d'],
  ] as const)
    await issue({ commonName, emailAddress, validity });
  const admin = await site.tab(t);
  const { page } = admin;
  const shown = () => page.getByRole('rowheader').getByRole('link').allInnerTexts();
  await admin.open('/certificates?expiring=30d');
  assert.deepEqual((await shown()).toSorted(), ['bob’s laptop', 'robot']);
  await admin.open('/certificates?q=PHONE');
  assert.deepEqual(await shown(), ['bob’s phone']);
  await page.getByLabel('Find certificates').fill('bob@example.com');
  await page.getByRole('button', { name: 'Revoke all of bob@example.com' }).click();
  const question = page.getByRole('alertdialog', { name: 'Revoke all 2 certificates of bob@example.com?' });
  await question.getByRole('button', { name: 'Revoke all' }).click();
  await page.getByText('2 certificates were revoked').waitFor();
  await admin.open('/certificates?state=revoked&q=bob');
  assert.equal((await shown()).length, 2);
  await admin.open('/certificates?q=nobody');
  await page.getByText('No matching certificates').waitFor();
  await admin.accessible();
  admin.noTrouble();
});

test('rules that another admin changed meanwhile are not overwritten; tokens show and keep to them (DESIGN 2.5)', async (t) => {
  const { certificates } = site.service.client;
  const admin = await site.tab(t);
  const { page } = admin;
  await admin.open('/certificates/rules');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Organization').fill('Corp');
  await page.getByLabel('Units').fill('Sales\nOperations');
  await certificates.setPolicy({ maxValidity: '60d' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').getByText('60d').waitFor();
  await admin.accessible();
  assert.equal((await certificates.policy()).organization, null);
  await page.getByRole('button', { name: 'Apply mine on top' }).click();
  await page.getByText('Rules saved').waitFor();
  assert.deepEqual(await certificates.policy(), {
    organization: 'Corp',
    organizationalUnits: ['Sales', 'Operations'],
    commonNamePattern: null,
    maxValidity: '60d',
    renewableFor: null,
    renewalByLogin: false,
  });
  await admin.open('/certificates/tokens/new');
  await page.getByText('the account’s rules allow at most 60d').waitFor();
  await page.getByLabel('Common name').fill('carol');
  await page.getByLabel('Unit').selectOption('Operations');
  await page.getByLabel('Certificate valid for').fill('90d');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('alert').getByText('Correct the marked fields').waitFor();
  await page.locator('.fault').getByText('60d').waitFor();
  await admin.accessible();
  await page.getByLabel('Certificate valid for').fill('30d');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('heading', { name: 'A link for carol' }).waitFor();
  const { items } = await certificates.listTokens({ state: 'open' });
  assert.deepEqual(
    items.map(({ organization, organizationalUnit }) => [organization, organizationalUnit]),
    [['Corp', 'Operations']],
  );
  await page.getByRole('link', { name: 'I have sent it' }).click();
  await page.getByRole('button', { name: 'Actions of carol' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The token was deleted').waitFor();
  assert.deepEqual((await certificates.listTokens({ state: 'open' })).items, []);
  admin.noTrouble();
});

async function issue(input: { commonName: string; emailAddress: string | undefined; validity: string }) {
  const { certificates } = site.service.client;
  const { token } = await certificates.createToken({ name: input.commonName, ...input });
  await certificates.redeem({ token, csr: opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr });
}

test('a list of people becomes links: faults by line first, each made once, what failed again, and a file of them (contract 2.7)', async (t) => {
  const admin = await site.tab(t);
  const { page } = admin;
  await admin.open('/certificates/tokens');
  await page.getByRole('link', { name: 'From a list' }).click();
  const people = page.getByRole('textbox', { name: 'People' });
  await people.fill('ada@list.example,ada,12\nnobody\neve@list.example,eve,500');
  await page.getByText('Line 2: "nobody" is not an email address.').waitFor();
  await page.getByText('Line 3: "500" is not a number of days from 1 to 397.').waitFor();
  await admin.accessible();
  await page.getByRole('button', { name: 'Create links' }).click();
  await page.getByText('Correct the lines that are listed, then try again.').waitFor();
  const listed = async () => {
    const { items } = await site.service.client.certificates.listTokens({ state: 'open', limit: 200 });
    return items.filter(({ emailAddress }) => emailAddress?.endsWith('@list.example'));
  };
  assert.deepEqual(await listed(), [], 'nothing is made while a line is wrong');
  const csv =
    '\ufeffemail;name;days\r\nada@list.example;"ada";12\r\nbob@list.example;=cmd();\r\neve@list.example;;\r\n';
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
  await page.getByLabel('CSV file').setInputFiles(file);
  await page.getByText('3 people.').waitFor();
  // The same file can be chosen again once its lines are corrected.
  const chooser = page.waitForEvent('filechooser');
  await page.getByLabel('CSV file').click();
  await chooser;
  assert.equal(await page.getByLabel('CSV file').inputValue(), '');
  await page.getByLabel('Certificate valid for').fill('30d');
  // The answer for one of them is lost on its way.
  let lost = 0;
  await page.route('**/v1/certificate-request-tokens', async (route) => {
    const isEves = route.request().postData()?.includes('eve@list.example') === true;
    if (!isEves || lost > 0) return route.continue();
    lost++;
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Create 3 links' }).click();
  await page.getByRole('heading', { name: '2 of 3 links' }).waitFor();
  await page.getByRole('row', { name: 'eve@list.example' }).getByText('failed', { exact: true }).waitFor();
  await page.getByRole('status').getByText('Created: 2 links. Failed: 1.').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Retry 1 failed' }).click();
  await page.getByRole('heading', { name: '3 of 3 links' }).waitFor();
  const tokens = await listed();
  assert.deepEqual(
    tokens.map(({ emailAddress, commonName, validity }) => [emailAddress, commonName, validity]).toSorted(),
    [
      ['ada@list.example', 'ada', '12d'],
      ['bob@list.example', '=cmd()', '30d'],
      ['eve@list.example', 'eve@list.example', '30d'],
    ],
  );
  await admin.accessible();
  const link = await copiedBy(page.getByRole('button', { name: 'Copy the link for ada' }));
  assert.match(link, new RegExp(`^${site.origin}/redeem#crt_`));
  const mail = page.getByRole('link', { name: 'Write an email to ada@list.example' });
  assert.ok(decodeURIComponent((await mail.getAttribute('href')) ?? '').includes(link));
  const leaves = () =>
    page.evaluate<boolean>(`dispatchEvent(new Event('beforeunload', { cancelable: true }))`);
  assert.equal(await leaves(), false, 'whoever leaves is asked while links are nowhere else');
  for (const leave of [
    () => page.getByRole('link', { name: 'Request tokens' }).first().click(),
    () => page.evaluate('history.back()'),
  ]) {
    const asked = page.waitForEvent('dialog');
    await leave();
    assert.equal((await asked).message(), LEAVING);
  }
  await until(() => page.evaluate<boolean>(`location.pathname.endsWith('/certificates/tokens/list')`));
  await page.getByRole('heading', { name: '3 of 3 links' }).waitFor();
  const links = (await saved(page, page.getByRole('button', { name: 'Download links' }))).toString();
  await until(leaves);
  assert.equal(links.split('\r\n').length, 5);
  assert.ok(links.includes(`"ada@list.example","ada","${link}"`));
  assert.ok(links.includes(`"bob@list.example","'=cmd()",`), 'a formula is text');
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `at ${width}`);
  }
  // The dialogs are those that were waited for.
  admin.noTrouble(/ERR_FAILED|dialog: Leave this page/);
});

const LEAVING = 'Leave this page? Links that you did not download are lost.';

async function saved(page: Page, button: Locator): Promise<Buffer> {
  const downloading = page.waitForEvent('download');
  await button.click();
  return readFile(await (await downloading).path());
}
