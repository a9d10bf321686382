// THREATS "Pages", in the console: markup, script addresses, template braces, turned writing and names of
// JavaScript's own in everything that the console shows and somebody else may choose. Nothing of it becomes a
// part of a page, and nothing runs.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import { requestAccess } from '../support/access-requests.ts';
import { createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { startChromium } from '../support/chromium.ts';
import { type ConsoleTab, startConsole, type TestConsole } from '../support/console-browser.ts';
import { walkConsole } from '../support/console-walk.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let site: TestConsole;
let hook: WebhookReceiver;
before(async () => {
  hook = await startWebhookReceiver();
  const options = { tls: true, outboundAllow: ['127.0.0.1', 'localhost'] };
  site = await startConsole(options, startChromium);
  await spread();
});
after(async () => {
  await site.close();
  await hook.close();
});

test('nothing that others chose becomes a part of a page, or runs (THREATS "Pages")', async (t) => {
  const tab = await site.tab(t);
  const shown = new Map<string, string>();
  await walkConsole(tab, async (path) => {
    await assertHarmless(tab, path);
    shown.set(path, await tab.page.locator('body').innerText());
  });
  // The walk came where the probes are.
  for (const path of WHERE_PROBES_ARE)
    assert.ok(shown.get(path)?.includes(MARKUP), `${path} shows what others chose`);
  assert.ok(
    [...shown].some(([path, text]) => DELIVERY.test(path) && text.includes(MARKUP)),
    'a delivery shows what its receiver answered',
  );
  tab.noTrouble();
});

test('what visitors ask for is text while it is watched: paths, queries, methods, addresses (THREATS "Pages")', async (t) => {
  const tab = await site.tab(t);
  await tab.open('/shares/constructor');
  const panel = tab.page.getByRole('region', { name: 'Live requests' });
  await panel.getByRole('status').getByText('Live').waitFor();
  for (const probe of PROBES) await visit('constructor', `${probe}@evil.example`, probe);
  // A browser would not send these as they are; a program does.
  await sendAsIs('constructor', `/${MARKUP}?${MARKUP}`);
  await panel.getByText(MARKUP).first().waitFor();
  await panel
    .getByText(`${PROBES.at(-1)}@evil.example`)
    .first()
    .waitFor();
  await assertHarmless(tab, 'live requests');
  tab.noTrouble();
});

test('rules are text in their editor, as a form and as text (THREATS "Pages")', async (t) => {
  const tab = await site.tab(t);
  await tab.open('/shares/constructor');
  await tab.page.getByRole('button', { name: 'Edit: Who gets in' }).click();
  await tab.page.getByRole('button', { name: 'Edit rule 1' }).click();
  await tab.page.getByRole('textbox', { name: 'Groups', exact: true }).first().waitFor();
  await assertHarmless(tab, 'the editor of rules');
  await tab.page.getByRole('button', { name: 'Edit as text' }).click();
  const text = await tab.page.getByLabel('Rules as text').inputValue();
  assert.ok(text.includes(MARKUP));
  await assertHarmless(tab, 'rules as text');
  tab.noTrouble();
});

test('an address of the console is text, whatever stands in it (THREATS "Pages")', async (t) => {
  const tab = await site.tab(t);
  await tab.open(`/${encodeURIComponent(PROBES.join('/'))}`);
  for (const probe of [...PROBES, ...OWN_NAMES, '../../v1/shares', '%']) {
    const part = encodeURIComponent(probe);
    for (const path of [`/shares/${part}`, `/${part}`, `/audit?email=${part}`, `/shares?q=${part}`]) {
      await tab.go(path);
      await assertHarmless(tab, path);
    }
  }
  await tab.open('/shares/%E0%A4%A');
  await assertHarmless(tab, 'half a letter');
  tab.noTrouble();
});

/** Everything that can be given, through the doors that others have. */
async function spread(): Promise<void> {
  const { client, backend, share } = site.service;
  await share('open', { oauthProvider: null });
  await client.shares.modify('open', {
    description: MARKUP,
    icon: '<b',
    owner: `${MARKUP}@evil.example`,
  });
  // What a receiver answers is shown with each delivery.
  Object.assign(hook, { answer: 500, text: PROBES.join(' ') });
  const patterns = ['*@evil.example', ...PROBES];
  await share('constructor', {
    oauthEmailAddressPatterns: patterns,
    accessRequests: true,
    rules: [
      { allow: { providers: ['corp'], groups: PROBES, tokens: [LONG], claims: { constructor: PROBES } } },
    ],
  });
  await share('null', {
    oauthEmailAddressPatterns: [`${LONG}@evil.example`],
    clientCertificate: { required: true, subject: PROBES[0], unit: PROBES[1] },
  });
  await client.providers.create({
    name: 'undefined',
    type: 'OIDC',
    config: {
      issuerUrl: `https://evil.example/${PROBES[0]}`,
      clientId: PROBES.join(''),
      clientSecret: 'x',
      scopes: ['openid', 'email', ...PROBES],
      emailPatterns: [...PROBES],
      displayName: MARKUP,
    },
  });
  await client.certificates.setPolicy({ organization: PROBES[0], organizationalUnits: PROBES });
  for (const probe of PROBES) {
    await client.members.create({ email: `${probe}@members.example` });
    await client.webhooks.create({ url: hook.url, name: probe });
    await certify(probe);
    await visit('constructor', `${probe}@evil.example`, probe);
    await visit('constructor', `${probe}@elsewhere.example`, probe);
    await ask('constructor', `${probe}@elsewhere.example`, probe);
    await createBrowser({ userAgent: probe, ca: site.service.ca ?? '' }).request(
      `https://open.share.localhost:${site.service.ports.gateway}/${encodeURI(probe)}?${probe}`,
    );
  }
  for (const name of OWN_NAMES) await certify(name);
  await certify(LONG.slice(0, 60));
  assert.ok(backend.seen.length > 0);
}

async function certify(probe: string): Promise<void> {
  const { certificates } = site.service.client;
  const unit = PROBES.includes(probe) ? probe : PROBES[0];
  const input = { commonName: probe, organization: PROBES[0], organizationalUnit: unit };
  const { token } = await certificates.createToken({ name: probe, ...input });
  const { serial } = await certificates.redeem({ token, csr });
  if (probe === PROBES[1]) await certificates.revoke(serial, {});
  await certificates.createToken({ name: `${probe.slice(0, 60)} 2`, ...input });
}

/** The target byte for byte. */
async function sendAsIs(share: string, target: string): Promise<void> {
  const { ports, ca } = site.service;
  const host = `${share}.share.localhost`;
  const socket = connect({ host: '127.0.0.1', port: ports.gateway, servername: host, ca: ca ?? '' });
  socket.end(`GET ${target} HTTP/1.1\r\nHost: ${host}:${ports.gateway}\r\nConnection: close\r\n\r\n`);
  await once(socket.resume(), 'close');
}

/** As who the provider says, whatever that is. */
async function visit(share: string, email: string, probe: string): Promise<void> {
  const account = site.service.idp.account(email);
  account.subject = `${probe}${email}`;
  account.name = probe;
  const browser = createBrowser({ userAgent: probe, ca: site.service.ca ?? '' });
  const { url } = await site.service.client.shares.show(share);
  await walkLogin(browser, `${url}/?${encodeURI(probe)}`, { email });
}

async function ask(share: string, email: string, message: string): Promise<void> {
  const { client, ca } = site.service;
  const { url } = await client.shares.show(share);
  await requestAccess(createBrowser({ ca: ca ?? '' }), url, { email, message });
}

/** No element, no handler, no address of the page is made of a probe, and no script of one ran. */
async function assertHarmless({ page }: ConsoleTab, path: string): Promise<void> {
  assert.deepEqual(await page.evaluate(FOREIGN), [], path);
  assert.equal(await page.evaluate('typeof probeRan'), 'undefined', path);
}

const MARKUP = '<img/src=x/onerror=probeRan=1>';
const WHERE_PROBES_ARE = [
  '/',
  '/apps',
  '/shares',
  '/shares/open',
  '/providers',
  '/sessions',
  '/certificates',
  '/people',
  '/webhooks',
  '/audit',
  '/shares/constructor',
  '/providers/undefined',
];
const DELIVERY = /^\/webhooks\/whk_\w+\/dlv_/;
/** Without spaces, quotes and commas, so that they pass for addresses of email. */
const PROBES: readonly string[] = [
  MARKUP,
  '<svg/onload=probeRan=1>',
  '</title></script><script>probeRan=1</script>',
  'javascript:probeRan=1//',
  '{{7*7}}${7*7}',
];
/** What a table of JavaScript's has before anything is put into it, and what nothing is called. */
const OWN_NAMES = ['__proto__', 'constructor', 'null', 'undefined', 'שלום'];
const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
const LONG = 'long'.repeat(50);
const FOREIGN = `[...document.querySelectorAll('*')].filter((each) =>
  each.matches('img[src=x], main script, main iframe, main object, main base, main meta') ||
  [...each.attributes].some(({ name, value }) => /^on/i.test(name) || (/^(href|src|action|formaction|srcdoc)$/i.test(name) && /^\\s*(javascript|vbscript):/i.test(value))))
  .map((each) => each.outerHTML.slice(0, 300))`;
