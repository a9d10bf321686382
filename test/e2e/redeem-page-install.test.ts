// From the link to the certificate in use: what the page gives is installed in Chromium, which then proves who it is with it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { createTestAuthority } from '../support/certificates.ts';
import { startChromium, type TestChromium } from '../support/chromium.ts';
import { startControl, type TestControl } from '../support/control.ts';
import { installKeyStore, openBrowserAt } from '../support/installed-certificate.ts';

let control: TestControl;
let chromium: TestChromium;
before(async () => {
  control = await startControl();
  chromium = await startChromium({ ca: null, folder: '' });
});
after(async () => {
  await chromium.close();
  await control[Symbol.asyncDispose]();
});

test('what the page saves is imported into Chromium’s store, in both forms, and opens a service (contract 1.8, 5.3)', async (t) => {
  const { file, other, passphrase } = await redeemOnPage(t);
  const home = installKeyStore(t, { file, passphrase });
  if (home === null) return t.skip('Python with NSS’s libraries is not on this machine');
  assert.notEqual(installKeyStore(t, { file: other, passphrase }), null);
  assert.throws(() => installKeyStore(t, { file, passphrase: 'another' }), /Cannot import/);
  const origin = await startService(t);
  const page = await (await openBrowserAt(t, home, origin)).newPage();
  await page.goto(origin);
  assert.equal(await page.innerText('body'), 'You are Žofie.');
  return undefined;
});

async function redeemOnPage(t: TestContext): Promise<{ file: Buffer; other: Buffer; passphrase: string }> {
  const json = { name: 'a token', commonName: 'Žofie' };
  const { document } = await control.call({ path: '/v1/certificate-request-tokens', json });
  const { page } = await chromium.visitor(t);
  await page.goto(String(document['redeemUrl']));
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

/** A service of somebody’s own that trusts the account’s bundle, and answers whom it sees. */
async function startService(t: TestContext): Promise<string> {
  const authority = createTestAuthority();
  const { certificate, key } = authority.issue(['localhost']);
  authority.dispose();
  const ca = await (await fetch(`${control.url.origin}/pki/${control.alice.id}/ca.pem`)).text();
  const server = createServer(
    { cert: certificate, key, ca, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const socket = request.socket as TLSSocket;
      const name = socket.authorized ? socket.getPeerCertificate().subject.CN : 'nobody';
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      response.end(`You are ${String(name)}.`);
    },
  );
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}
