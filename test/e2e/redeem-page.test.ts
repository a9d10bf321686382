// The page where a request token is redeemed, in Chromium, with a wire in between that keeps all that the
// browser sends.

import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { Download, Page } from 'playwright-core';
import { secretHash } from '../../src/domain/secret.ts';
import { newCertificateRequestToken } from '../../src/domain/certificate-request-token.ts';
import { newId } from '../../src/domain/id.ts';
import { parseCsr } from '../../src/x509/csr.ts';
import { OID } from '../../src/x509/oid.ts';
import { startShell, type TestChromium, until, type Visitor } from '../support/chromium.ts';
import { startControl, type TestControl } from '../support/control.ts';
import { openssl, OPENSSL_ALGORITHMS, opensslCsr, withFiles } from '../support/openssl.ts';
import { startWiretap, type Wiretap } from '../support/wiretap.ts';

let control: TestControl;
let wire: Wiretap;
let chromium: TestChromium;
before(async () => {
  control = await startControl();
  wire = await startWiretap(Number(control.url.port));
  control.settings.console.publicUrl.port = String(wire.port);
  chromium = await startShell({ ca: null, folder: '' });
});
after(async () => {
  await chromium.close();
  await wire.close();
  await control[Symbol.asyncDispose]();
});

const NAME = 'Žofie’s laptop';

test('the browser makes key and request; key and passphrase never leave it (contract 1.7)', async (t) => {
  const from = wire.sent().length;
  const { page, profile, faults } = await visit(t, await makeLink());
  assert.equal(await page.getByLabel('For which device?').inputValue(), 'linux');
  await redeem(page);
  const passphrase = await page.getByLabel('Passphrase').innerText();
  assert.match(passphrase, /^[a-z2-9]{4}(?:-[a-z2-9]{4}){4}$/);
  const file = await saved(page, 'Save Zofie-s-laptop.p12');
  const { key, certificate, count } = opened(file, passphrase);
  assert.equal(certificate.subject, `CN=${NAME}`);
  assert.deepEqual([key.asymmetricKeyDetails?.namedCurve, count], ['prime256v1', 2]);
  keepsToItself(wire.sent().slice(from), { key, passphrase, file });
  const kept = await page.evaluate('[localStorage.length, sessionStorage.length, location.href]');
  assert.deepEqual(kept, [0, 0, `${control.settings.console.publicUrl.origin}/redeem`]);
  assert.deepEqual(await profile.cookies(), []);
  assert.deepEqual(faults, []);
});

test('an RSA key for another device: its steps, its form of the file, and the other form', async (t) => {
  const from = wire.sent().length;
  const { page, faults } = await visit(t, await makeLink());
  await page.getByText('Kind of key').first().click();
  await page.getByLabel('Kind of key').selectOption('rsa');
  await page.getByLabel('For which device?').selectOption('ios');
  await redeem(page);
  assert.match(await page.locator('#install-for').innerText(), /iPhone/);
  assert.match(await page.locator('#install-steps').innerText(), /Zofie-s-laptop\.p12[^]*Profile Downloaded/);
  const passphrase = await page.getByLabel('Passphrase').innerText();
  const file = await saved(page, 'Save Zofie-s-laptop.p12');
  await page.getByText('It says that the passphrase is wrong').click();
  const other = await saved(page, 'Save it in the other form');
  // What Apple's devices take, and what they do not, under the same passphrase.
  assert.deepEqual(
    [file, other].map((store) => store.includes(OID.sha1TripleDes)),
    [true, false],
  );
  for (const store of [file, other]) {
    const { key, count } = opened(store, passphrase);
    assert.deepEqual([key.asymmetricKeyDetails?.modulusLength, count], [3072, 2]);
    keepsToItself(wire.sent().slice(from), { key, passphrase, file: store });
  }
  assert.deepEqual(faults, []);
});

describe('a request of one’s own', () => {
  const { csr, key } = opensslCsr(OPENSSL_ALGORITHMS['P-384']);
  const der = openssl(['req', '-outform', 'DER'], csr);
  const ways: Readonly<Record<string, (page: Page) => Promise<void>>> = {
    'as a file in PEM or DER': async (page) => {
      await choose(page, der);
      assert.equal(await page.getByLabel('or its text').inputValue(), csr);
      await page.getByLabel('or its text').fill('');
      await choose(page, Buffer.from(csr));
    },
    'as pasted text': (page) => page.getByLabel('or its text').fill(csr),
  };

  for (const [way, give] of Object.entries(ways))
    test(`${way}: the certificate is saved as PEM (contract 2.7)`, async (t) => {
      const { page, faults } = await visit(t, await makeLink());
      await page.getByLabel('Use a request of my own').check();
      await give(page);
      await redeem(page);
      const certificate = (await saved(page, 'Save the certificate')).toString();
      const chain = (await saved(page, 'Save its authority')).toString();
      assert.ok(new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)));
      const strict = ['verify', '-x509_strict', '-purpose', 'sslclient'];
      withFiles({ 'ca.pem': chain, 'leaf.pem': certificate }, (path) =>
        openssl([...strict, '-CAfile', path('ca.pem'), path('leaf.pem')]),
      );
      assert.equal(await page.getByLabel('Passphrase').isVisible(), false);
      assert.deepEqual(faults, []);
    });

  test('a private key is neither sent nor left on the page', async (t) => {
    const from = wire.sent().length;
    const { page } = await visit(t, await makeLink());
    await page.getByLabel('Use a request of my own').check();
    await page.getByLabel('or its text').fill(key + csr);
    await refused(page, 'This is a private key');
    assert.equal(await page.getByLabel('or its text').inputValue(), '');
    const sent = Buffer.concat(wire.sent().slice(from)).toString('latin1');
    assert.doesNotMatch(sent, /POST/);
  });
});

test('each refusal says why and what to do; what is still good stays good (DESIGN 2.6, 3)', async (t) => {
  const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  const redeemElsewhere = (token: string) =>
    control.call({ path: '/v1/client-certificates/redeem', json: { token, csr }, as: null });
  const used = await makeLink();
  await redeemElsewhere(tokenOf(used));
  const { page } = await visit(t, used);
  assert.match(await refused(page, 'This link was used'), /tell the person who sent it at once/);
  // Links are pasted from here on, whole ones and others.
  const paste = async (text: string): Promise<void> => {
    await page.getByLabel('Your link or code').fill(text);
    await page.keyboard.press('Enter');
  };
  await paste((await makeLink()).slice(0, -1));
  await page.getByRole('alert').filter({ hasText: 'The link is not complete' }).waitFor();
  await paste(`crt_${'x'.repeat(43)}`);
  await refused(page, 'This link is not valid here');
  await paste(await expiredLink());
  await refused(page, 'This link has expired');
  await paste(`  ${await makeLink()} `);
  await page.getByLabel('Use a request of my own').check();
  await refused(page, 'There is no request yet');
  await page.getByLabel('or its text').fill('-----BEGIN CERTIFICATE-----');
  await refused(page, 'This is not a request');
  const weak = opensslCsr(['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024']).csr;
  await page.getByLabel('or its text').fill(weak);
  assert.match(
    await refused(page, 'The request cannot be signed'),
    /an RSA key of 1024 bits[^.]*\. Your link is still valid[^]*Request id req_/,
  );
  await page.getByLabel('Make it in this browser').check();
  await page.route('**/v1/**', (route) => route.fulfill({ status: 503, json: { code: 'draining' } }), {
    times: 1,
  });
  await refused(page, 'Something went wrong at the service');
  const { publicUrl } = control.settings.console;
  Object.assign(control.settings.console, { publicUrl: new URL('http://control.example.com') });
  await refused(page, 'This connection is not encrypted');
  Object.assign(control.settings.console, { publicUrl });
  const setOrganization = (organization: string | null) =>
    control.call({ method: 'PATCH', path: '/v1/certificate-policy', json: { organization } });
  await setOrganization('Elsewhere');
  await refused(page, 'The rules changed');
  await setOrganization(null);
  // Another link, in the address of the page that is open.
  await page.goto(await makeLink());
  await redeem(page);
});

test('too many tries: how long to wait (DESIGN "Rate limits")', async (t) => {
  await using limited = await startControl();
  const json = { token: 'crt_', csr: 'none' };
  for (let round = 0; round < 20; round++)
    await limited.call({ path: '/v1/client-certificates/redeem', json, as: null });
  const { page } = await visit(t, `${limited.url.origin}/redeem#crt_${'x'.repeat(43)}`);
  assert.match(await refused(page, 'Too many tries'), /still valid\. Wait \d+ seconds/);
});

test('an answer that is lost is asked for again with the same key: one certificate (DESIGN "Issuing")', async (t) => {
  const { page } = await visit(t, await makeLink('lost'));
  await page.route(
    '**/v1/client-certificates/redeem',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await refused(page, 'There was no answer');
  // Another kind of key would be another key.
  assert.equal(await page.locator('#key-kind').isDisabled(), true);
  await redeem(page);
  const passphrase = await page.getByLabel('Passphrase').innerText();
  const file = await saved(page, 'Save lost.p12');
  const made = opened(file, passphrase);
  const { items } = (await control.call({ path: '/v1/client-certificates?limit=100' })).document as {
    items: { commonName: string; certificate: string }[];
  };
  const issued = items
    .filter(({ commonName }) => commonName === 'lost')
    .map(({ certificate }) => certificate);
  assert.deepEqual(issued, [made.certificate.toString()]);
});

test('the button pressed many times sends one request: retries burn nothing', async (t) => {
  const from = wire.sent().length;
  const { page } = await visit(t, await makeLink());
  await page.evaluate(
    "for (let round = 0; round < 10; round++) document.querySelector('#way-step').requestSubmit()",
  );
  await page.getByRole('heading', { name: 'Your certificate is ready' }).waitFor();
  assert.equal(
    wire
      .sent()
      .slice(from)
      .flatMap(requestsIn)
      .filter(({ method }) => method === 'POST').length,
    1,
  );
});

test('the page is used by keyboard alone, and says what it has to who cannot see it', async (t) => {
  const { page } = await visit(t, await makeLink());
  assert.deepEqual(await page.evaluate(NAMELESS), []);
  assert.equal(await page.locator('h1').count(), 1);
  assert.equal(await page.locator('html').getAttribute('lang'), 'en');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.getByLabel('Use a request of my own').isChecked(), true);
  await page.getByRole('button', { name: 'Get the certificate' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'There is no request yet' }).waitFor();
  assert.equal(await focused(page), 'problem');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowUp');
  await page.getByRole('button', { name: 'Get the certificate' }).press('Enter');
  await page.getByRole('heading', { name: 'Your certificate is ready' }).waitFor();
  assert.equal(await focused(page), 'title');
});

/**
 * Opens the link, which is gone from the address then. What goes wrong in the browser itself is in `faults`.
 */
async function visit(
  t: TestContext,
  link: string,
): Promise<Visitor & { readonly faults: readonly string[] }> {
  const visitor = await chromium.visitor(t, { locale: 'en-GB' });
  const faults: string[] = [];
  visitor.page.on('pageerror', (error) => faults.push(error.message));
  visitor.page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await visitor.page.goto(link);
  await visitor.page.getByRole('button', { name: 'Get the certificate' }).waitFor();
  await visitor.page.waitForURL(({ href }) => !href.includes('#'));
  return { ...visitor, faults };
}

async function redeem(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Get the certificate' }).click();
  await page.getByRole('heading', { name: 'Your certificate is ready' }).waitFor();
}

/** The text of the refusal that comes. */
async function refused(page: Page, title: string): Promise<string> {
  await page.getByRole('button', { name: 'Get the certificate' }).click();
  const alert = page.getByRole('alert').filter({ hasText: title });
  await alert.waitFor();
  return alert.innerText();
}

async function choose(page: Page, buffer: Buffer): Promise<void> {
  await page
    .getByLabel('The request’s file')
    .setInputFiles({ name: 'my.csr', mimeType: 'application/octet-stream', buffer });
  // Playwright's own wait would evaluate text in the page, which the page's policy forbids.
  const text = page.locator('textarea');
  await until('the file is read', async () => (await text.inputValue()).includes('END CERT'));
}

async function saved(page: Page, name: string): Promise<Buffer> {
  const downloading: Promise<Download> = page.waitForEvent('download');
  await page.getByRole('link', { name }).click();
  return readFile(await (await downloading).path());
}

function focused(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement.id');
}

async function makeLink(commonName = NAME): Promise<string> {
  const json = { name: 'a token', commonName };
  const { document } = await control.call({ path: '/v1/certificate-request-tokens', json });
  return String(document['redeemUrl']);
}

async function expiredLink(): Promise<string> {
  const secret = newCertificateRequestToken();
  await control.store.certificateRequestTokens.create(
    {
      id: newId('crq'),
      accountId: control.alice.id,
      name: 'late',
      subject: { commonName: 'late', organization: null, organizationalUnit: null, emailAddress: null },
      validityMs: 86_400_000,
      apiRole: null,
      createdAt: Date.now() - 7_200_000,
      createdBy: 'test',
      expiresAt: Date.now() - 3_600_000,
      renewableMs: null,
    },
    secretHash(secret),
  );
  return `${control.settings.console.publicUrl.origin}/redeem#${secret.reveal()}`;
}

function tokenOf(link: string): string {
  return link.slice(link.indexOf('#') + 1);
}

/** What `openssl` finds in a key store: the key, its certificate, and how many certificates there are. */
function opened(
  store: Buffer,
  passphrase: string,
): { key: KeyObject; certificate: X509Certificate; count: number | undefined } {
  const text = openssl(['pkcs12', '-nodes', '-passin', `pass:${passphrase}`], store).toString();
  const key = createPrivateKey(blockOf(text, 'PRIVATE KEY'));
  const certificate = new X509Certificate(blockOf(text, 'CERTIFICATE'));
  assert.ok(certificate.checkPrivateKey(key));
  return { key, certificate, count: text.match(/BEGIN CERTIFICATE/g)?.length };
}

function blockOf(text: string, label: string): string {
  return new RegExp(`-----BEGIN ${label}-----[^]*?-----END ${label}-----\n`).exec(text)?.[0] ?? '';
}

type WireRequest = { readonly method: string; readonly path: string; readonly body: string };

/** HTTP/1.1 as browsers write it: each request with its head, and a body of the length that it says. */
function requestsIn(bytes: Buffer): readonly WireRequest[] {
  const requests: WireRequest[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n\r\n', at);
    const head = bytes.subarray(at, end).toString('latin1');
    const [method = '', path = ''] = head.split(' ');
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    requests.push({ method, path, body: bytes.subarray(end + 4, end + 4 + length).toString() });
    at = end + 4 + length;
  }
  return requests;
}

/**
 * The browser asked for the page and its files, and sent token and request, and nothing that holds more than
 * the public key.
 */
function keepsToItself(
  connections: readonly Buffer[],
  own: { readonly key: KeyObject; readonly passphrase: string; readonly file: Buffer },
): void {
  const sent = Buffer.concat(connections);
  const requests = connections.flatMap(requestsIn);
  const [post, ...others] = requests.filter(({ method }) => method === 'POST');
  assert.deepEqual([post?.path, others.length], ['/v1/client-certificates/redeem', 0]);
  const { token, csr, ...rest } = JSON.parse(post?.body ?? '') as { token: string; csr: string };
  assert.deepEqual(rest, {});
  assert.match(token, /^crt_[\w-]{43}$/);
  const publicKey = createPublicKey(own.key).export({ format: 'der', type: 'spki' });
  assert.deepEqual(Buffer.from(parseCsr(csr).spki), publicKey);
  // Version, no name, the key, no attributes: the request has room for nothing else.
  assert.ok(
    openssl(['req', '-outform', 'DER'], csr).length < publicKey.length + (publicKey.length > 200 ? 420 : 110),
  );
  for (const { method, path, body } of requests.filter((each) => each !== post)) {
    assert.deepEqual([method, body], ['GET', '']);
    assert.match(path, /^\/redeem(?:\/files\/[\w/.-]+\.(?:js|css))?$/);
  }
  const { d = '' } = own.key.export({ format: 'jwk' });
  const secret = Buffer.from(d, 'base64url').subarray(0, 30);
  const text = sent.toString('latin1');
  assert.ok(secret.length === 30 && !sent.includes(secret) && !text.includes(own.passphrase));
  for (const part of [secret, own.file.subarray(100, 130)])
    for (const encoding of ['base64', 'base64url', 'hex'] as const)
      assert.ok(!text.includes(part.toString(encoding)), encoding);
  assert.equal(text.split(token).length, 2);
}

/** What a screen reader would have no name for. */
const NAMELESS = `[...document.querySelectorAll('input,select,textarea,button,a,output')]
  .filter((each) => ![each.ariaLabel ?? '', each.textContent, ...[...(each.labels ?? [])].map((label) => label.textContent)]
    .some((name) => name.trim() !== ''))
  .map((each) => each.outerHTML)`;
