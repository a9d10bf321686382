// Providers in the console: the guided form against a real provider, its test, a real login in a new tab, who
// uses it, and two administrators at once.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { PRESET_IDS, presetOf } from '../../src/domain/provider-presets.ts';
import type { NewProvider } from '../../src/wire/provider.ts';
import { logIn } from '../support/chromium.ts';
import { type ConsoleTab, startConsole, type TestConsole } from '../support/console-browser.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole({ outboundAllow: ['127.0.0.1', 'localhost'] });
});
after(() => site.close());

const SECRET = 'the secret of the staff client';

test('a guided form defines a provider and tests it; a real login in a new tab tells whom shares let in', async (t) => {
  const { client, idp } = site.service;
  const tab = await site.tab(t);
  const { page } = tab;
  await tab.open('/providers');
  await page.getByRole('link', { name: 'New provider' }).click();
  await page.getByRole('radio', { name: /^OpenID Connect/ }).check();
  await page.waitForURL(({ searchParams }) => searchParams.get('kind') === 'oidc');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('staff');
  const redirectUrl = `${site.service.endpointUrl}/staff/auth/callback`;
  await page.getByText(redirectUrl, { exact: true }).waitFor();
  idp.addClient({ clientId: 'staff-client', clientSecret: SECRET, redirectUris: [redirectUrl] });
  await tab.accessible();
  await page.getByLabel('Issuer').fill(idp.issuer);
  await page.getByLabel('Client ID').fill('staff-client');
  await page.getByLabel('Client secret').fill(SECRET);
  await page.getByLabel('Allowed addresses').fill('*@[staff');
  await page.getByRole('button', { name: 'Create and test' }).click();
  await page.getByText('Line 1: Cannot parse email pattern').waitFor();
  await page.getByLabel('Allowed addresses').fill('*@staff.example');
  await page.getByRole('button', { name: 'Create and test' }).click();
  await page.getByText('Logins can work.').waitFor();
  assert.deepEqual((await client.providers.show('staff')).config.emailPatterns, ['*@staff.example']);
  await tab.accessible();
  await client.providers.modify('staff', { config: { displayName: 'Staff login' } });
  await client.shares.create({ name: 'lounge', target: site.service.backend.url, oauthProvider: 'staff' });

  const opened = tab.profile.waitForEvent('page');
  await page.getByRole('link', { name: /^Try a real login/ }).click();
  const other = await opened;
  await logIn(other, 'ann@staff.example');
  await other.getByRole('heading', { name: 'The login works' }).waitFor();
  await other.getByText(/^Staff login confirmed your identity\./).waitFor();
  for (const shown of ['ann@staff.example', 'yes, the provider says so', 'allows this address'])
    await other.getByText(shown, { exact: true }).waitFor();
  await page.getByText('ann@staff.example').waitFor();
  const cookies = (await tab.profile.cookies()).map(({ name }) => name);
  assert.ok(!cookies.some((name) => name.startsWith('svc-auth-session')), cookies.join());
  assert.deepEqual((await client.sessions.list()).items, []);
  assert.ok(!(await page.content()).includes(SECRET));
  tab.noTrouble();
});

test('a private key in place of the secret: the form takes it with its id, keeps it unless it is replaced, and never shows it (2.4)', async (t) => {
  const { client, idp, endpointUrl } = site.service;
  const [first, second] = [newKey('first'), newKey('second')];
  const redirectUris = [`${endpointUrl}/keyed/auth/callback`];
  idp.addClient({ clientId: 'keyed-client', keys: [first.jwk], redirectUris });
  const tab = await site.tab(t);
  const { page } = tab;
  await tab.open('/providers/+new?kind=oidc');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('keyed');
  await page.getByLabel('Issuer').fill(idp.issuer);
  await page.getByLabel('Client ID').fill('keyed-client');
  await page.getByRole('radio', { name: /^Private key/ }).check();
  assert.equal(await page.getByLabel('Client secret', { exact: true }).count(), 0);
  await tab.accessible();
  await page.getByLabel('Private key', { exact: true }).fill('no PEM');
  await page.getByRole('button', { name: 'Create and test' }).click();
  await page
    .locator('.field')
    .getByText(/use a private key as PEM/)
    .waitFor();
  await page.getByLabel('Private key', { exact: true }).fill(first.pem);
  await page.getByLabel('Key ID').fill('first');
  await page.getByRole('button', { name: 'Create and test' }).click();
  await page.getByText('Logins can work.').waitFor();
  await page.getByText('Client secret or private key').waitFor();

  // Anything else is changed without the key, which then still counts.
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('radio', { name: /^Private key/ }).check();
  const field = page.getByLabel('New private key');
  assert.deepEqual([await field.inputValue(), await page.getByLabel('Key ID').inputValue()], ['', '']);
  await tab.accessible();
  await page.getByLabel('Allowed addresses').fill('*@keyed.example');
  await save(tab);
  assert.equal((await client.providers.test('keyed')).passed, true);

  // Another client needs its own: the form says so at the key, and sends nothing else.
  idp.addClient({ clientId: 'keyed-too', keys: [second.jwk], redirectUris });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Client ID').fill('keyed-too');
  await page.getByRole('radio', { name: /^Private key/ }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .locator('.field')
    .getByText(/another issuer, address, client or set of CA certificates needs its own/)
    .waitFor();
  await field.fill(second.pem);
  await page.getByLabel('Key ID').fill('second');
  await save(tab);
  assert.equal((await client.providers.test('keyed')).passed, true);
  const { config } = await client.providers.show('keyed');
  assert.deepEqual([config.clientId, config.emailPatterns], ['keyed-too', ['*@keyed.example']]);
  const shown = `${await page.content()}${JSON.stringify(config)}`;
  assert.ok(![first, second].some(({ pem }) => shown.includes(pem.slice(30, 60))));
  tab.noTrouble();
});

test('a preset fills in the settings of a product and says what to register there; its issuer is to be filled in', async (t) => {
  const { client, idp, endpointUrl } = site.service;
  const tab = await site.tab(t);
  const { page } = tab;
  await tab.open('/providers/+new?kind=oidc');
  const product = page.getByLabel('Product');
  for (const id of PRESET_IDS) {
    const { title, issuer, register, settings } = presetOf(id);
    await product.selectOption({ label: title });
    await page.getByRole('heading', { name: `2. Register Doorward at ${title}` }).waitFor();
    assert.equal(await page.getByLabel('Issuer').inputValue(), issuer);
    assert.equal(await page.locator('.guide > li').count(), register.length);
    const verified = page.getByRole('switch', { name: 'Verified addresses only' });
    assert.equal(await verified.getAttribute('aria-checked'), String(settings.requireVerifiedEmail));
  }
  await product.selectOption('keycloak');
  assert.equal(new URL(page.url()).searchParams.get('preset'), 'keycloak');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('realm');
  const redirectUrl = `${endpointUrl}/realm/auth/callback`;
  await page.getByText(redirectUrl, { exact: true }).waitFor();
  idp.addClient({ clientId: 'realm-client', clientSecret: SECRET, redirectUris: [redirectUrl] });
  await tab.accessible();
  await page.getByLabel('Client ID').fill('realm-client');
  await page.getByLabel('Client secret').fill(SECRET);
  await page.getByRole('button', { name: 'Create and test' }).click();
  // What is in braces was not replaced, and nothing was sent.
  assert.equal(await page.getByLabel('Issuer').evaluate((input) => input.matches(':invalid')), true);
  await page.getByLabel('Issuer').fill(idp.issuer);
  await page.getByRole('button', { name: 'Create and test' }).click();
  await page.getByText('Logins can work.').waitFor();
  const { config } = await client.providers.show('realm');
  const { issuerUrl, clientId, emailPatterns, ...settings } = config;
  assert.deepEqual([issuerUrl, clientId, emailPatterns], [idp.issuer, 'realm-client', []]);
  assert.deepEqual(settings, presetOf('keycloak').settings);
  tab.noTrouble();
});

test('a provider that does not work says what to do, by its test and by a real login', async (t) => {
  const { client, idp, endpointUrl } = site.service;
  const redirectUris = [`${endpointUrl}/broken/auth/callback`];
  idp.addClient({ clientId: 'broken-client', clientSecret: 'right', redirectUris });
  await client.providers.create(definition('broken', 'broken-client', 'wrong'));
  const tab = await site.tab(t);
  const { page } = tab;
  await tab.open('/providers/broken');
  await page.getByRole('button', { name: 'Run the test' }).click();
  await page.getByText('Logins cannot work yet: 1 thing to fix.').waitFor();
  const [worst] = await page.locator('.checks > li').all();
  assert.match((await worst?.innerText()) ?? '', /failed\s+credentials .*\n+.*secret/);
  const opened = tab.profile.waitForEvent('page');
  await page.getByRole('link', { name: /^Try a real login/ }).click();
  const other = await opened;
  await logIn(other, 'bob@staff.example');
  await other.getByRole('heading', { name: 'The login failed' }).waitFor();
  await other.getByText(/invalid_client.*Check client_id and client_secret/).waitFor();
  await page.getByText('The login did not work').waitFor();
  await tab.accessible();

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('New client secret').fill('right');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  // What is saved is tested at once.
  await page.getByText('Logins can work.').waitFor();
  tab.noTrouble();
});

test('a provider in use is not deleted: the console says by which shares, and leads there', async (t) => {
  const { client, backend } = site.service;
  await client.providers.create(definition('used'));
  for (const name of ['atrium', 'balcony'])
    await client.shares.create({ name, target: backend.url, oauthProvider: 'used' });
  const tab = await site.tab(t);
  const { page } = tab;
  await tab.open('/providers');
  const row = page.getByRole('row', { name: /^used / });
  assert.equal(
    await row.getByRole('link', { name: '2 shares' }).getAttribute('href'),
    '/console/shares?provider=used',
  );
  await row.getByRole('link', { name: 'used' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'used is in use' });
  await dialog.getByRole('link', { name: 'balcony' }).waitFor();
  await tab.accessible();
  await dialog.getByRole('link', { name: 'atrium' }).click();
  await page.getByRole('heading', { level: 1, name: 'atrium' }).waitFor();
  for (const name of ['atrium', 'balcony']) await client.shares.remove(name);
  await tab.open('/providers/used');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { level: 1, name: 'Providers' }).waitFor();
  await page.getByRole('row', { name: /^used / }).waitFor({ state: 'detached' });
  tab.noTrouble();
});

test('two administrators who change a provider at once: the second sees the conflict, and nothing is lost', async (t) => {
  const { client } = site.service;
  await client.providers.create(definition('shared'));
  const tab = await site.tab(t);
  const { page } = tab;
  await tab.open('/providers/shared');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Client ID').waitFor();
  await change('shared', { emailPatterns: ['*@theirs.example'] });
  await page.getByRole('switch', { name: 'Verified addresses only' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Someone else changed this while you edited it.').waitFor();
  await tab.accessible();
  assert.equal((await client.providers.show('shared')).config.requireVerifiedEmail, true);
  await page.getByRole('button', { name: 'Apply mine on top' }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  const { config } = await client.providers.show('shared');
  assert.deepEqual([config.emailPatterns, config.requireVerifiedEmail], [['*@theirs.example'], false]);
  tab.noTrouble();
});

test('one of the configuration can be tested and tried, and shows nothing of the operator’s', async (t) => {
  const tab: ConsoleTab = await site.tab(t);
  await tab.open('/providers/corp?test=1');
  await tab.page.getByText('The operator of this service configured it').waitFor();
  await tab.page.getByText('Logins can work.').waitFor();
  assert.ok(!(await tab.page.locator('main').innerText()).includes(site.service.idp.issuer));
  assert.equal(await tab.page.getByRole('button', { name: 'Delete' }).count(), 0);
  // What was found is kept, with who tested and when, and the list says it in a word.
  await tab.open('/providers/corp');
  await tab.page.getByText(/The test passed, .* by admin@acme\.test/).waitFor();
  await tab.accessible();
  await tab.open('/providers');
  await tab.page.getByRole('row', { name: /corp/ }).getByText('test passed').waitFor();
  await tab.accessible();
  await tab.open('/providers/nobody');
  await tab.page.getByText(/this account defines no provider with that name/).waitFor();
  tab.noTrouble();
});

function definition(name: string, clientId = 'any', clientSecret = 'any'): NewProvider {
  return {
    name,
    type: 'OIDC',
    config: {
      clientId,
      clientSecret,
      issuerUrl: site.service.idp.issuer,
      scopes: ['openid', 'email'],
      requireVerifiedEmail: true,
    },
  };
}

/** A key pair of a client: what the service gets, and what the provider knows it by. */
function newKey(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' },
  };
}

async function save({ page }: ConsoleTab): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
}

/** As another administrator would, elsewhere. */
async function change(name: string, part: object): Promise<void> {
  const { config } = await site.service.client.providers.show(name);
  await site.service.client.providers.modify(name, { config: { ...config, ...part } });
}
