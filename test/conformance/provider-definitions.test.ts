// Providers that accounts define (contract 2.4, 1 point 6): made by the API, used at once, changed while they
// run.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { main } from '../../src/cli/main.ts';
import type { NewProvider, ProviderConfigChanges } from '../../src/wire/provider.ts';
import { parseProviderConfig } from '../../src/control/providers/input.ts';
import { newProviderSchema } from '../../src/control/providers/schema.ts';
import { newId } from '../../src/domain/id.ts';
import { Secret } from '../../src/domain/secret.ts';
import { type Browser, walkLogin } from '../support/browser-by-hand.ts';
import { createClientKey, type TestClientKey } from '../support/client-keys.ts';
import { createTestAuthority } from '../support/certificates.ts';
import type { Echo } from '../support/echo-backend.ts';
import { CLIENT } from '../support/providers/log-in-at.ts';
import { startOpenIdStandIn } from '../support/providers/openid-stand-in.ts';
import { startOidcProvider, type OidcProviderStandIn } from '../support/providers/oidc-provider.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const SECRET = 'a secret that only the provider and we know';
let service: TestService;
let partner: OidcProviderStandIn;

before(async () => {
  service = await startTestService({
    outboundAllow: ['127.0.0.1'],
    sections: { gateway: { direct_targets: ['127.0.0.1', '10.0.0.0/8'] } },
  });
  partner = await startOidcProvider({ clients: [] });
});
after(async () => {
  await service.close();
  await partner.close();
});

function create(provider: object) {
  return service.client.providers.create(provider as NewProvider);
}

/** A definition of the stand-in, registered there. */
function definition(name: string, config: Partial<NewProvider['config']> = {}): NewProvider {
  const clientId = config.clientId ?? `client-${name}`;
  partner.addClient({
    clientId,
    clientSecret: SECRET,
    redirectUris: [`${service.endpointUrl}/${name}/auth/callback`],
  });
  const scopes = ['openid', 'email'];
  return {
    name,
    type: 'OIDC',
    config: { clientId, clientSecret: SECRET, issuerUrl: partner.issuer, scopes, ...config },
  };
}

test('a definition is used by the next login, and names itself to the backend (2.4, 2.6)', async () => {
  const made = await service.client.providers.create(definition('partner'));
  assert.equal(made.redirectUrl, `${service.endpointUrl}/partner/auth/callback`);
  const share = await service.share('for-partner', { oauthProvider: 'partner' });
  const { last } = await walkLogin(service.browser(), share.url, { email: 'pat@partner.test' });
  assert.equal(last.status, 200, last.body);
  const echo = JSON.parse(last.body) as Echo;
  assert.equal(echo.headers['svc-auth-provider'], 'partner');
  assert.equal(echo.headers['svc-auth-email'], 'pat@partner.test');
});

test('what a definition says further is kept, shown, checked and used: claim, metadata, parameters, prompt, authorities (2.4)', async () => {
  const authority = createTestAuthority();
  const further = {
    discoveryUrl: `${partner.issuer}/.well-known/openid-configuration?x=1`,
    emailClaim: 'email',
    loginParameters: { domain_hint: 'partner.test' },
    trustedAuthorities: authority.ca,
    prompt: '',
  };
  authority.dispose();
  const made = await create(definition('further', further));
  const { discoveryUrl, emailClaim, loginParameters, trustedAuthorities, prompt } = made.config;
  assert.deepEqual({ discoveryUrl, emailClaim, loginParameters, trustedAuthorities, prompt }, further);
  const share = await service.share('for-further', { oauthProvider: 'further' });
  const { last } = await walkLogin(service.browser(), share.url, { email: 'pat@partner.test' });
  assert.equal(last.status, 200, last.body);
  assert.equal(partner.authorizations.at(-1)?.get('domain_hint'), 'partner.test');
  for (const [field, value] of [
    ['loginParameters', { state: 'x' }],
    ['loginParameters', { redirect_uri: 'https://evil.example' }],
    ['trustedAuthorities', 'no certificate'],
    ['emailClaim', 'two words'],
    ['discoveryUrl', 'https://169.254.169.254/x'],
    ['discoveryUrl', 'http://id.example.com/x'],
  ] as const)
    await assert.rejects(
      create(definition('refused', { [field]: value })),
      { code: 'validation_failed' },
      `${field} ${JSON.stringify(value)}`,
    );
  const elsewhere = `${partner.issuer}/.well-known/openid-configuration?x=2`;
  for (const other of [null, elsewhere])
    await assert.rejects(
      service.client.providers.modify('further', { config: { discoveryUrl: other } }),
      { code: 'validation_failed' },
      'the secret goes nowhere else without being given again',
    );
});

test('a person whose address is beyond ASCII logs in, and is found in every spelling of it (2.3, 2.6; RFC 6531)', async () => {
  await service.client.providers.create(definition('beyond', { emailPatterns: ['*@bücher.example'] }));
  const share = await service.share('for-beyond', {
    oauthProvider: 'beyond',
    oauthEmailAddressPatterns: ['j?rg@*', 'käthe@*'],
  });
  const email = 'J\u00d6RG@B\u00fccher.example';
  const { last } = await walkLogin(service.browser(), share.url, { email });
  assert.equal(last.status, 200, last.body);
  const { headers } = JSON.parse(last.body) as Echo;
  const value = String(headers['svc-auth-email']);
  assert.equal(Buffer.from(value, 'latin1').toString(), 'jörg@xn--bcher-kva.example');
  const refused = await walkLogin(service.browser(), share.url, { email: 'jürgen@bücher.example' });
  assert.equal(refused.last.status, 403);
  assert.match(refused.last.body, /jürgen@xn--bcher-kva\.example/);
  for (const spelling of ['jörg@bücher.example', 'jo\u0308rg@xn--bcher-kva.example']) {
    const { items } = await service.client.sessions.list({ share: 'for-beyond', email: spelling });
    assert.deepEqual(
      items.map((each) => each.email),
      ['jörg@xn--bcher-kva.example'],
      spelling,
    );
    const { items: events } = await service.client.auditEvents.list({
      email: spelling,
      kind: ['login.succeeded'],
    });
    assert.equal(events.length, 1, spelling);
  }
});

test('patterns of a definition hold at every share that uses it, beside the share’s own (2.4)', async () => {
  await service.client.providers.create(
    definition('patterned', { emailPatterns: ['*@one.test', '*@two.test'] }),
  );
  const share = await service.share('by-pattern', {
    oauthProvider: 'patterned',
    oauthEmailAddressPatterns: ['ada@*'],
  });
  const statusOf = async (email: string) =>
    (await walkLogin(service.browser(), share.url, { email })).last.status;
  assert.equal(await statusOf('ada@two.test'), 200);
  assert.equal(await statusOf('bob@two.test'), 403);
  assert.equal(await statusOf('ada@three.test'), 403);
});

test('a change is live without a restart, and another client ends the sessions of the former (2.4, DESIGN 3)', async () => {
  await service.client.providers.create(definition('changing'));
  const share = await service.share('changes', { oauthProvider: 'changing' });
  const browser = service.browser();
  assert.equal((await walkLogin(browser, share.url, { email: 'ada@one.test' })).last.status, 200);
  const { config } = definition('changing', { clientId: 'another-client' });
  await service.client.providers.modify('changing', { config: { ...config, emailPatterns: ['*@one.test'] } });
  const next = await browser.open(share.url);
  assert.equal(next.status, 302);
  assert.equal(next.location?.pathname, '/changing/login');
  const again = await walkLogin(browser, share.url, { email: 'ada@one.test' });
  assert.equal(again.last.status, 200);
  assert.equal(partner.authorizations.at(-1)?.get('client_id'), 'another-client');
});

test('a secret is rotated alone: the next login uses it, and sessions of before go on (2.4)', async () => {
  const { config } = definition('rotated');
  await create({ name: 'rotated', type: 'OIDC', config: { ...config, clientSecret: 'the former secret' } });
  const { config: made } = await service.client.providers.show('rotated');
  const share = await service.share('by-rotated', { oauthProvider: 'rotated' });
  const login = async () => {
    const browser = service.browser();
    return { browser, last: (await walkLogin(browser, share.url, { email: 'ada@one.test' })).last };
  };
  assert.notEqual((await login()).last.status, 200, 'the provider takes another secret');
  await service.client.providers.modify('rotated', { config: { clientSecret: SECRET } });
  const { browser, last } = await login();
  assert.equal(last.status, 200, last.body);
  assert.deepEqual((await service.client.providers.show('rotated')).config, made);
  await service.client.providers.modify('rotated', { config: { clientSecret: 'one more' } });
  assert.equal((await browser.open(share.url)).status, 200);
  await service.client.providers.modify('rotated', { config: { clientSecret: SECRET } });
});

test('a change leaves the fields that it does not name, null removes, and another type starts again (2.4)', async () => {
  const { client } = service;
  const { config } = definition('merged', { prompt: 'login', emailPatterns: ['*@one.test'] });
  await create({ name: 'merged', type: 'OIDC', config });
  const { config: made } = await client.providers.show('merged');
  const changed = async (changes: object) =>
    (await client.providers.modify('merged', { config: changes })).config;
  assert.deepEqual(await changed({ supportsPkce: false }), { ...made, supportsPkce: false });
  assert.deepEqual(await changed({ emailPatterns: null, supportsPkce: null }), {
    ...made,
    emailPatterns: [],
    supportsPkce: true,
  });
  const { prompt: _prompt, ...plain } = made;
  assert.deepEqual(await changed({ prompt: null }), { ...plain, emailPatterns: [] });
  for (const [field, value] of [
    ['issuerUrl', null],
    ['scopes', null],
    ['clientId', null],
    ['clientSecret', null],
    ['clientSecret', ''],
    ['baseUrl', 'https://git.example'],
    ['clientId', 'another'],
    ['issuerUrl', 'https://127.0.0.1/'],
  ] as const)
    await assert.rejects(changed({ [field]: value }), { code: 'validation_failed' }, field);
  for (const other of [undefined, {}, { clientId: 'x' }, { clientSecret: 'x' }])
    await assert.rejects(client.providers.modify('merged', { type: 'GITHUB', config: other }), {
      code: 'validation_failed',
    });
  const github = { clientId: 'x', clientSecret: 'x' };
  const hub = await client.providers.modify('merged', { type: 'GITHUB', config: github });
  assert.deepEqual([hub.config.apiUrl, hub.config.issuerUrl], ['https://api.github.com', undefined]);
});

test('the API of a GitHub server follows the server, unless it was said where it is (2.4)', async () => {
  const { client } = service;
  const clientSecret = 'x';
  await create({ name: 'hub', type: 'GITHUB', config: { clientId: 'x', clientSecret } });
  const led = async (config: object) => (await client.providers.modify('hub', { config })).config.apiUrl;
  assert.equal(await led({ baseUrl: 'https://127.0.0.1', clientSecret }), 'https://127.0.0.1/api/v3');
  assert.equal(await led({ apiUrl: 'https://127.0.0.1/api', clientSecret }), 'https://127.0.0.1/api');
  assert.equal(
    await led({ baseUrl: 'https://127.0.0.1:8443', clientSecret }),
    'https://127.0.0.1/api',
    'what was said stays',
  );
  assert.equal(await led({ apiUrl: null, baseUrl: null, clientSecret }), 'https://api.github.com');
});

test('a private key in place of a secret logs in, is merged, audited, and never shown (2.4; RFC 7523)', async () => {
  const { client } = service;
  const [first, second] = [createClientKey('P-256', 'key-1'), createClientKey('Ed25519', 'key-2')];
  const clientId = 'client-keyed';
  const redirectUris = [`${service.endpointUrl}/keyed/auth/callback`];
  const register = ({ jwk }: TestClientKey) => partner.addClient({ clientId, redirectUris, keys: [jwk] });
  const plain = { clientId, issuerUrl: partner.issuer, scopes: ['openid', 'email'] };
  register(first);
  const { config: made } = await create({
    name: 'keyed',
    type: 'OIDC',
    config: { ...plain, ...keyOf(first, 'key-1') },
  });
  const share = await service.share('by-keyed', { oauthProvider: 'keyed' });
  const status = async (browser = service.browser()) =>
    (await walkLogin(browser, share.url, { email: 'ada@one.test' })).last.status;
  const browser = service.browser();
  assert.equal(await status(browser), 200);
  const changed = (config: ProviderConfigChanges) => client.providers.modify('keyed', { config });
  await changed({ prompt: 'login' });
  assert.equal(await status(), 200, 'the key stays');
  await changed({ prompt: null, ...keyOf(second, 'key-2') });
  assert.notEqual(await status(), 200, 'the provider knows another key');
  register(second);
  assert.equal(await status(), 200);
  assert.equal((await browser.open(share.url)).status, 200, 'sessions of before go on');
  assert.deepEqual((await client.providers.show('keyed')).config, made);
  for (const config of [
    { clientId: 'another' },
    { issuerUrl: 'https://127.0.0.1/' },
    { clientKeyId: 'key-3' },
    { clientSecret: SECRET, clientPrivateKey: first.pem },
    { clientSecret: SECRET, clientKeyId: 'key-3' },
    { clientPrivateKey: `${first.pem}${second.pem}` },
    { clientPrivateKey: 'x'.repeat(8 * 1024 + 1) },
    { clientPrivateKey: first.pem, clientKeyId: 'two words' },
  ])
    await assert.rejects(changed(config), (error: Error) => {
      assert.equal((error as Error & { code?: unknown }).code, 'validation_failed', JSON.stringify(config));
      assert.doesNotMatch(JSON.stringify(error) + error.message, /PRIVATE KEY-/);
      return true;
    });
  const stale = { ifMatch: '"0"' };
  await assert.rejects(client.providers.modify('keyed', { config: keyOf(first, 'x') }, stale), {
    code: 'precondition_failed',
  });
  const noCredential = { name: 'keyless', type: 'OIDC', config: plain };
  await assert.rejects(create(noCredential), { code: 'validation_failed', message: /clientSecret/ });
  const onGitHub = { clientId: 'x', clientPrivateKey: first.pem };
  await assert.rejects(create({ name: 'hub-key', type: 'GITHUB', config: onGitHub }), {
    code: 'validation_failed',
  });
  const events = await client.auditEvents.list({ kind: ['provider.modified'] });
  assert.ok(events.items.some(({ reason }) => reason === 'prompt, clientPrivateKey, clientKeyId'));
  await changed({ clientSecret: SECRET });
  partner.addClient({ clientId, clientSecret: SECRET, redirectUris });
  assert.equal(await status(), 200, 'a secret takes its place');
  const texts = [
    JSON.stringify([events, await client.providers.show('keyed'), await client.providers.list()]),
    readFileSync(service.logFile, 'utf8'),
    ...filesOf(join(service.folder, 'data')),
  ];
  for (const { pem } of [first, second])
    for (const text of texts) assert.ok(!text.includes(pem.split('\n')[1] ?? pem));
});

test('another issuer or client needs its own secret: the former is sent nowhere else', async () => {
  await service.client.providers.create(definition('careful'));
  const { clientSecret: _, ...config } = definition('careful', { clientId: 'taken-over' }).config;
  await assert.rejects(service.client.providers.modify('careful', { config }), { code: 'validation_failed' });
});

test('other CA certificates need the secret again, when they come, change and go: whoever they certify gets it', async () => {
  const { providers } = service.client;
  const [first, second] = [createTestAuthority(), createTestAuthority()];
  try {
    await providers.create(definition('pinned'));
    const told = async (trustedAuthorities: string | null, clientSecret?: string) =>
      providers.modify('pinned', { config: { trustedAuthorities, clientSecret } });
    let now: string | null = null;
    for (const next of [first.ca, second.ca, null]) {
      await assert.rejects(told(next), { code: 'validation_failed' });
      assert.equal((await providers.show('pinned')).config.trustedAuthorities ?? null, now);
      await told(next, SECRET);
      await told(next);
      now = next;
    }
  } finally {
    first.dispose();
    second.dispose();
  }
});

test('a definition in use is not deleted, and names the shares; a freed name stays its account’s (2.4)', async () => {
  await service.client.providers.create(definition('used'));
  await service.share('user-of-it', { oauthProvider: 'used' });
  await assert.rejects(service.client.providers.remove('used'), {
    code: 'provider_in_use',
    message: /user-of-it/,
  });
  await service.client.shares.remove('user-of-it');
  await service.client.providers.remove('used');
  await assert.rejects(service.client.providers.show('used'), { code: 'provider_unknown' });
  await service.client.providers.create(definition('used'));
});

test('a secret is never read back, and lies encrypted in the store (2.4)', async () => {
  await service.client.providers.create(definition('secretive'));
  const shown = JSON.stringify([
    await service.client.providers.show('secretive'),
    await service.client.providers.list(),
  ]);
  assert.ok(!shown.includes(SECRET));
  const data = join(service.folder, 'data');
  for (const file of readdirSync(data)) assert.ok(!readFileSync(join(data, file)).includes(SECRET), file);
  assert.ok(!readFileSync(service.logFile, 'utf8').includes(SECRET));
});

test('names of the configuration win, names and fields are judged, unknown fields refused (2.4)', async () => {
  const sound = definition('sound');
  const { configured, items } = await service.client.providers.list();
  const untried = { lastLoginAt: null, lastTest: null, lastTrial: null };
  const shown = { displayName: 'corp', icon: null, shares: 0 };
  assert.deepEqual(configured, [{ name: 'corp', type: 'OIDC', ...shown, ...untried }]);
  assert.ok(!items.some(({ name }) => name === 'corp'));
  await assert.rejects(create({ ...sound, name: 'corp' }), { code: 'name_taken' });
  await assert.rejects(create({ ...sound, name: 'v1' }), { code: 'name_reserved' });
  const refused: readonly object[] = [
    { ...sound, name: 'Upper' },
    { ...sound, type: 'oidc' },
    { ...sound, surplus: 1 },
    { ...sound, config: { ...sound.config, surplus: 1 } },
    { ...sound, config: { ...sound.config, scopes: ['openid'] } },
    { ...sound, config: { ...sound.config, scopes: undefined } },
    { ...sound, config: { ...sound.config, issuerUrl: undefined } },
    { ...sound, config: { ...sound.config, baseUrl: 'https://git.example' } },
    { ...sound, config: { ...sound.config, emailPatterns: ['[a'] } },
    { ...sound, type: 'GITHUB' },
  ];
  for (const provider of refused)
    await assert.rejects(create(provider), { code: 'validation_failed' }, JSON.stringify(provider));
});

test('issuers may not be at private addresses, metadata services or our own listeners (DESIGN "Calls out")', async () => {
  const own = `http://127.0.0.1:${service.ports.control}`;
  for (const issuerUrl of [
    'https://10.0.0.1',
    'https://169.254.169.254',
    'https://[::ffff:10.0.0.1]',
    'https://0x7f.2',
    own,
  ])
    await assert.rejects(
      service.client.providers.create(definition('inward', { issuerUrl })),
      { code: 'validation_failed', message: /is not allowed/ },
      issuerUrl,
    );
});

test('examples/providers are sound definitions (2.4: enterprise, partner, developer, customer, tenant)', async () => {
  const folder = join(import.meta.dirname, '../../examples/providers');
  for (const file of readdirSync(folder)) {
    const { type, config } = newProviderSchema.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    assert.ok(
      await parseProviderConfig(type, config, {
        outboundAllow: [],
        ownListeners: [],
        accountId: newId('acc'),
      }),
      file,
    );
  }
});

/** By share: who the guide says gets in, and who does not. */
const GUIDE: Readonly<Record<string, { readonly in: readonly string[]; readonly out: readonly string[] }>> = {
  intranet: { in: ['ada@acme.example'], out: ['ada@acme.example.evil.example', 'pat@first-partner.example'] },
  payroll: { in: ['ann-hr@acme.example'], out: ['ada@acme.example', 'ann-hr@elsewhere.example'] },
  orders: { in: ['pat@first-partner.example', 'sam@second-partner.example'], out: ['ada@acme.example'] },
  'first-partner': { in: ['pat@first-partner.example'], out: ['sam@second-partner.example'] },
  preview: { in: ['ada@hopper.example', 'bob@acme.example'], out: ['eve@hopper.example'] },
  portal: { in: ['anybody@anywhere.example'], out: ['no address'] },
  blue: { in: ['bo@blue.example'], out: ['gil@green.example'] },
  green: { in: ['gil@green.example'], out: ['bo@blue.example'] },
  support: { in: ['bo@blue.example', 'gil@green.example'], out: ['ada@acme.example'] },
};

test('the guide to definitions works line by line: enterprise, partner, developer, customer, tenants (2.4)', async () => {
  const root = join(import.meta.dirname, '../..');
  const guide = readFileSync(join(root, 'docs/how-to/define-providers.md'), 'utf8');
  for (const words of commandsOf(guide)) {
    // Nothing listens at the providers of the examples.
    if (words[1] === 'test') continue;
    const rooted = words.map((word) => (word.startsWith('examples/') ? join(root, word) : word));
    const { code, err } = await doorward(rooted);
    assert.equal(code, 0, `${words.join(' ')}: ${err}`);
  }
  const files = readdirSync(join(root, 'examples/providers'));
  for (const file of files) assert.ok(guide.includes(`--file examples/providers/${file}`), file);
  const { items } = await service.client.shares.list();
  for (const [name, { in: lets, out }] of Object.entries(GUIDE)) {
    assert.ok(items.some((share) => share.name === name));
    for (const email of lets)
      assert.equal((await service.client.shares.test(name, { email })).allowed, true, email);
    for (const email of out)
      assert.equal((await service.client.shares.test(name, { email })).allowed, false, email);
  }
});

function keyOf({ pem }: TestClientKey, clientKeyId: string) {
  return { clientPrivateKey: pem, clientKeyId };
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'));
}

/** The words of each command in a guide's blocks of shell. */
function commandsOf(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/```sh\n([^]*?)```/g)]
    .flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line.startsWith('doorward '))
    .map((line) =>
      [...line.matchAll(/'([^']*)'|(\S+)/g)].slice(1).map(([, quoted, bare]) => quoted ?? bare ?? ''),
    );
}

test('a verified address, required from now on, is asked of sessions that did not show one, open streams too (2.4, 5.5)', async (t) => {
  const name = 'unverified';
  const redirectUris = [`${service.endpointUrl}/${name}/auth/callback`];
  const standIn = await startOpenIdStandIn(
    { clients: [{ ...CLIENT, redirectUris }] },
    { claims: saysNothing, userInfo: saysNothing },
  );
  t.after(() => standIn.close());
  const { clientId, clientSecret } = CLIENT;
  const config = { clientId, clientSecret, issuerUrl: standIn.issuer, scopes: ['openid', 'email'] };
  await create({ name, type: 'OIDC', config });
  const share = await service.share('by-unverified', { oauthProvider: name });
  const browser = service.browser();
  const { last } = await walkLogin(browser, share.url, { email: 'ann@example.com' });
  assert.equal(last.status, 200, last.body);
  const stream = await openStream(share.url, browser);
  await service.client.providers.modify(name, { config: { ...config, requireVerifiedEmail: true } });
  const changedAt = performance.now();
  const answer = await browser.open(share.url, { headers: { accept: 'text/html' } });
  assert.equal(answer.status, 302, 'it must log in again');
  await stream.closed;
  assert.ok(performance.now() - changedAt < PROMPTLY_MS, 'the open stream ended with it');
});

/** Of the address, whether it is verified. */
function saysNothing(claims: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => name !== 'email_verified'));
}

/** A WebSocket of that browser's session. */
async function openStream(url: string, browser: Browser): Promise<{ readonly closed: Promise<unknown> }> {
  const { host, origin, port } = new URL(url);
  const cookie = browser.jar.header(new URL(url)) ?? '';
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host, origin, cookie } });
  await once(socket, 'open');
  return { closed: once(socket, 'close') };
}

async function doorward(words: readonly string[]) {
  let err = '';
  const url = `http://127.0.0.1:${service.ports.control}`;
  const code = await main([...words, '--url', url], {
    out: () => undefined,
    err: (text) => void (err += text),
    env: { DOORWARD_API_KEY: service.apiKey },
    readSecret: async () => new Secret(''),
  });
  return { code, err };
}
