// Which apps a person is told of: those that the gate would let them into, and nothing that says that others
// are there.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Browser, createBrowser } from '../../../test/support/browser-by-hand.ts';
import { startControl, TEST_PROVIDER, type TestControl } from '../../../test/support/control.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../../../test/support/openssl.ts';
import { newId } from '../../domain/id.ts';
import { shortHash } from '../../domain/secret.ts';
import { sealConsoleGrant } from '../../login/console-grant.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import { addSession, addShare } from '../../store/suite/bench.test-support.ts';
import type { OwnSharePage } from '../../wire/own.ts';

let control: TestControl;
before(async () => {
  control = await startControl();
});
after(() => control[Symbol.asyncDispose]());

test('GET /v1/me/shares: only what lets this person in, with its words and its icon, and nothing unlisted', async () => {
  const first = await appOf({
    name: 'wiki',
    oauthEmailAddressPatterns: ['*@corp.example'],
    description: 'Notes of the Team',
    icon: 'W',
  });
  await appOf({ name: 'payroll', oauthEmailAddressPatterns: ['boss@corp.example'] });
  await appOf({ name: 'hidden', listed: false });
  await appOf({ name: 'paused', enabled: false });
  await appOf({ name: 'elsewhere', oauthProvider: 'other' });
  await appOf({ name: 'internal', rules: [{ deny: { outside: ['10.0.0.0/8'] } }] });
  await appOf({ name: 'byhealth', oauthProvider: null, allowPaths: ['/healthz'], clientCertificate: ANY });
  await appOf({ name: 'engineers', allowGroups: ['eng-*'] });
  // Of an account in which they have nothing to do, whatever it lets in.
  await addShare(control.store, { ...PLAIN, accountId: control.mallory.id, name: 'strangers' });
  const ann = personCalled('ann@corp.example');
  await sessionAt(first, ann);
  const browser = await loggedIn(ann);
  assert.deepEqual(await appsOf(browser), {
    items: [
      {
        share: 'wiki',
        account: 'alice',
        url: 'https://wiki.share.example.com',
        description: 'Notes of the Team',
        icon: 'W',
      },
    ],
    nextCursor: null,
  });
  assert.deepEqual(namesOf(await appsOf(browser, '?q=TEAM')), ['wiki']);
  // No search tells what is not theirs.
  for (const q of ['payroll', 'hidden', '127.0.0.1'])
    assert.deepEqual(await appsOf(browser, `?q=${q}`), { items: [], nextCursor: null });
});

test('GET /v1/me/shares: groups are those of the last login, and a certificate of theirs counts', async () => {
  const door = await appOf({ name: 'front' });
  const ann = personCalled('ann2@corp.example');
  await sessionAt(door, ann, ['eng-web']);
  const browser = await loggedIn(ann);
  assert.deepEqual(namesOf(await appsOf(browser)), ['engineers', 'front', 'wiki']);
  await certificateFor(ann.email);
  assert.deepEqual(namesOf(await appsOf(browser)), ['byhealth', 'engineers', 'front', 'wiki']);
  // Somebody else of the same address is not asked for their groups.
  const other = personCalled('ann2@corp.example');
  await sessionAt(door, other);
  assert.deepEqual(namesOf(await appsOf(await loggedIn(other))), ['byhealth', 'front', 'wiki']);
});

test('GET /v1/me/shares: an account that wrote somebody into a certificate shows them nothing that opens without it (THREATS "Tenancy")', async () => {
  const ann = personCalled('ann6@corp.example');
  await sessionAt(await appOf({ name: 'own-door' }), ann);
  const { id: accountId } = control.mallory;
  await addShare(control.store, {
    ...PLAIN,
    accountId,
    name: 'lure',
    description: 'Your password ends today',
  });
  const badge = { ...PLAIN, accountId, name: 'badge', oauthProvider: null, clientCertificate: ANY };
  const opened = await addShare(control.store, badge);
  await certificateFor(ann.email, control.mallory);
  const names = namesOf(await appsOf(await loggedIn(ann)));
  assert.deepEqual(
    [names.includes('lure'), names.includes('badge'), names.includes('own-door')],
    [false, true, true],
  );
  await sessionAt(opened, ann);
  assert.ok(namesOf(await appsOf(await loggedIn(ann))).includes('lure'), 'they went there by themselves');
});

test('GET /v1/me/shares goes on page by page over all accounts of theirs, and every cursor is judged', async () => {
  const ann = personCalled('ann3@elsewhere.example');
  for (const account of [control.alice, control.mallory])
    for (const name of ['one', 'two', 'three']) {
      const row = { ...PLAIN, accountId: account.id, name: `${name}-${account.id.slice(-4)}` };
      await sessionAt(await addShare(control.store, row), ann);
    }
  const browser = await loggedIn(ann);
  const all = namesOf(await appsOf(browser));
  assert.equal(all.length, new Set(all).size);
  for (const [index, name] of ['one', 'two', 'three'].entries())
    assert.equal(all.filter((each) => each.startsWith(`${name}-`)).length, 2, `${index}`);
  const paged: string[] = [];
  let cursor: string | null = null;
  do {
    const page: OwnSharePage = await appsOf(browser, `?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
    assert.ok(page.items.length <= 2);
    paged.push(...namesOf(page));
    cursor = page.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(paged, all);
  const made = Buffer.from(JSON.stringify(['acc_', null])).toString('base64url');
  for (const wrong of ['x', 'W10', made, `${made}.${made}`]) {
    const { status } = await get(browser, `/v1/me/shares?cursor=${wrong}`);
    assert.equal(status, 422, wrong);
  }
});

test('GET /v1/me/shares: no cursor tells the name of a share that it leaves out, and nobody can make one (THREATS "Tenancy")', async () => {
  const ann = personCalled('ann5@corp.example');
  await sessionAt(await appOf({ name: 'a-door' }), ann);
  for (let number = 10; number < 40; number++)
    await appOf({ name: `a-secret-${number}`, oauthEmailAddressPatterns: ['boss@corp.example'] });
  const browser = await loggedIn(ann);
  for (let cursor: string | null = '', pages = 0; cursor !== null && pages < 50; pages++) {
    const page: OwnSharePage = await appsOf(browser, `?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
    const told = (page.nextCursor ?? '').split('.').map((part) => Buffer.from(part, 'base64url').toString());
    assert.doesNotMatch(`${JSON.stringify(page)} ${told.join(' ')}`, /a-secret|acc_/);
    cursor = page.nextCursor;
  }
});

test('GET /v1/me/shares is nobody’s by a key, and is slowed down (DESIGN "Rate limits")', async () => {
  const { status } = await control.call({ path: '/v1/me/shares' });
  assert.equal(status, 403);
  const ann = personCalled('ann4@corp.example');
  await sessionAt(await appOf({ name: 'quick' }), ann);
  const browser = await loggedIn(ann);
  const statuses = new Set<number>();
  for (let count = 0; count < 400 && !statuses.has(429); count++)
    statuses.add((await get(browser, '/v1/me/shares?limit=1')).status);
  assert.deepEqual(statuses, new Set([200, 429]));
});

const ANY = { subject: null, unit: null };
const PLAIN: Partial<ShareRow> = {
  oauthProvider: 'test',
  oauthEmailAddressPatterns: [],
  clientCertificate: null,
  access: 'all',
  allowPaths: [],
  owner: null,
  description: null,
  icon: null,
  listed: true,
};

function appOf(settings: Partial<ShareRow>): Promise<ShareRow> {
  return addShare(control.store, { ...PLAIN, accountId: control.alice.id, ...settings });
}

type Somebody = { readonly subject: string; readonly email: string };

function personCalled(email: string): Somebody {
  return { subject: newId('att'), email };
}

function sessionAt(share: ShareRow, { subject, email }: Somebody, groups: readonly string[] = []) {
  const { generation } = TEST_PROVIDER;
  const facts = { groups, claims: {}, acr: null, amr: [], authTime: null, name: null };
  const browser = newId('ses');
  const at = Date.now();
  return addSession(control.store, {
    share,
    at,
    subject,
    email,
    provider: 'test',
    generation,
    browser,
    facts,
  });
}

async function loggedIn(person: Somebody): Promise<Browser> {
  const browser = createBrowser();
  await browser.open(`${control.url.origin}/auth/login?provider=test`);
  const grant = sealConsoleGrant(control.settings.console.seal, {
    kind: 'console',
    id: newId('att'),
    identity: { ...person, provider: 'test', emailVerified: true },
    providerGeneration: TEST_PROVIDER.generation,
    bindingHash: shortHash(browser.jar.find('svc-control-bind')?.value ?? ''),
    invitation: null,
    accountName: null,
    setOutAt: Date.now(),
    expiresAt: Date.now() + 60_000,
  });
  const { status, body } = await browser.request(`${control.url.origin}/auth/complete?grant=${grant}`);
  assert.equal(status, 303, body);
  return browser;
}

async function certificateFor(emailAddress: string, as = control.alice): Promise<void> {
  const json = { name: 'laptop', commonName: 'ann', emailAddress };
  const made = await control.call({ path: '/v1/certificate-request-tokens', as, json });
  const csr = opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr;
  const redeemed = await control.call({
    path: '/v1/client-certificates/redeem',
    as: null,
    json: { token: made.document['token'], csr },
  });
  assert.equal(redeemed.status, 201, JSON.stringify(redeemed.document));
}

function get(browser: Browser, path: string) {
  return browser.request(`${control.url.origin}${path}`);
}

async function appsOf(browser: Browser, query = ''): Promise<OwnSharePage> {
  const { status, body } = await get(browser, `/v1/me/shares${query}`);
  assert.equal(status, 200, body);
  return JSON.parse(body) as OwnSharePage;
}

function namesOf({ items }: OwnSharePage): readonly string[] {
  return items.map(({ share }) => share);
}
