// From the link to the open share: what the page saves is installed in Chromium, which then shows it at the
// gateway.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test, type TestContext } from 'node:test';
import { startChromium, type TestChromium } from '../support/chromium.ts';
import type { Echo } from '../support/echo-backend.ts';
import { installKeyStore, openBrowserAt } from '../support/installed-certificate.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let chromium: TestChromium;
before(async () => {
  service = await startTestService({ tls: true });
  chromium = await startChromium(service);
});
after(async () => {
  await chromium.close();
  await service.close();
});

test('what the page saves is imported into Chromium’s store, in both forms, and opens a share until it is revoked (contract 1.7, 1.8)', async (t) => {
  const { file, other, passphrase } = await redeemOnPage(t);
  const home = installKeyStore(t, { file, passphrase });
  if (home === null) return t.skip('Python with NSS’s libraries is not on this machine');
  assert.notEqual(installKeyStore(t, { file: other, passphrase }), null);
  assert.throws(() => installKeyStore(t, { file, passphrase: 'another' }), /Cannot import/);
  const { url } = await service.share('strict', {
    oauthProvider: null,
    clientCertificate: { required: true, subject: 'Žofie' },
  });
  const page = await (await openBrowserAt(t, home, new URL(url).origin)).newPage();
  assert.equal((await page.goto(url))?.status(), 200);
  const { headers } = JSON.parse(await page.innerText('body')) as Echo;
  assert.equal(headers['svc-auth-cert-subject'], 'CN=\\c5\\bdofie');
  await service.client.certificates.revoke(String(headers['svc-auth-cert-serial']), {});
  await eventually('it opens nothing more', async () => {
    // Its connection ends, which may be in the middle of the next request.
    const answer = await page.goto(url).catch(() => null);
    return answer?.status() === 403;
  });
  assert.match(await page.innerText('main'), /revoked/);
  return undefined;
});

async function redeemOnPage(t: TestContext): Promise<{ file: Buffer; other: Buffer; passphrase: string }> {
  const input = { name: 'a token', commonName: 'Žofie' };
  const { redeemUrl } = await service.client.certificates.createToken(input);
  const { page } = await chromium.visitor(t);
  await page.goto(redeemUrl);
  await page.getByRole('button', { name: 'Get the certificate' }).click();
  await page.getByRole('heading', { name: 'Your certificate is ready' }).waitFor();
  const saved = async (name: string): Promise<Buffer> => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name }).click();
    return readFile(await (await downloading).path());
  };
  const file = await saved('Save Zofie.p12');
  await page.getByText('It says that the passphrase is wrong').click();
  const other = await saved('Save it in the other form');
  return { file, other, passphrase: await page.getByLabel('Passphrase').innerText() };
}
