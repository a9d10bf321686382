// GET /v1/settings, answered from a real store, on both engines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControlOn, type TestAccount, type TestControl } from '../../../test/support/control.ts';
import { onEngines } from '../../../test/support/on-engines.ts';
import { addThings } from '../../../test/support/operations.ts';
import { DEFAULT_LIMITS } from '../../domain/account-limits.ts';
import { Secret } from '../../domain/secret.ts';
import type { Store } from '../../store/store.ts';
import type { SettingOrigin, SettingsObject } from '../../wire/settings.ts';
import type { ReadConfiguration } from '../control-deps.ts';

type Control = TestControl<Store & AsyncDisposable>;

onEngines('the settings', (engine) => {
  test('GET /v1/settings tells what holds for the account, and how much of its limits it uses', async () => {
    await using control = await startControlOn(await engine.openStore());
    const { limits, origins: _origins, ...others } = await settingsOf(control);
    assert.deepEqual(others, {
      addresses: {
        shares: 'https://*.share.example.com',
        login: 'https://auth.share.example.com',
        console: control.url.origin,
        customHostsWithin: null,
        automaticCertificates: false,
      },
      lifetimes: { sessions: '6h', consoleSessions: '12h' },
      retention: { auditEvents: '90d', endedSessions: '7d', webhookDeliveries: '7d' },
      brand: { name: 'Test', logo: null, contact: null },
      providers: [{ name: 'test', displayName: 'test', icon: null, type: 'OIDC' }],
      configuration: { file: 'doorward.yaml', chosenBy: 'option', readAt: '2030-01-31T00:00:00.000Z' },
    });
    assert.deepEqual(
      limits.map(({ limit, allowed }) => [limit, allowed]),
      Object.entries(DEFAULT_LIMITS),
    );
    assert.deepEqual(usedOf(limits), {
      shares: 0,
      hosts: 0,
      providers: 0,
      members: 1,
      apiKeys: 1,
      serviceTokens: 0,
    });
  });

  test('GET /v1/settings tells where each value was read, and its line to admins alone', async () => {
    await using control = await startControlOn(await engine.openStore(), { configuration: CONFIGURATION });
    const settings = await settingsOf(control);
    const origins = new Map(settings.origins.map(({ setting, ...origin }) => [setting, origin]));
    assert.deepEqual([...origins.keys()].toSorted(), valuesOf(settings).toSorted(), 'of every value, once');
    assert.deepEqual(Object.fromEntries(ASKED.map((setting) => [setting, origins.get(setting)])), {
      'addresses.shares': said('gateway.public_url', { from: 'start', line: 3 }),
      'addresses.automaticCertificates': said('acme', { from: 'start' }),
      'lifetimes.sessions': said('oauth.session_lifetime', { from: 'file', line: 12 }),
      'lifetimes.consoleSessions': said(null, { from: 'program' }),
      'retention.auditEvents': said('store.audit_retention', { from: 'default', isDefault: true }),
      'retention.webhookDeliveries': said(null, { from: 'program' }),
      'limits.apiKeys': said('limits.api_keys', { from: 'file', isDefault: true, line: 30 }),
      'limits.shares': said('limits.shares', { from: 'file', isDefault: false, line: 29 }),
      'brand.logo': said('brand.logo_file', { from: 'default', isDefault: true }),
      'providers.test': said('oauth.providers[0]', { from: 'file', line: 20 }),
    });
    const auditor = await auditorOf(control);
    const { document } = await control.call({ path: '/v1/settings', as: auditor });
    const seen = document as unknown as SettingsObject;
    assert.equal(seen.configuration, null);
    assert.deepEqual(withoutLines(seen.origins), withoutLines(settings.origins));
    assert.deepEqual([...new Set(seen.origins.map(({ line }) => line))], [null]);
  });

  test('GET /v1/settings names the key that custom hosts and deliveries depend on', async () => {
    await using control = await startControlOn(await engine.openStore(), {
      shareBase: { scheme: 'http', domain: 'share.localhost', port: 8080 },
      kept: { endedRetentionMs: 86_400_000, auditRetentionMs: 3 * 86_400_000 },
    });
    const { origins } = await settingsOf(control);
    const keyOf = (asked: string) => origins.find(({ setting }) => setting === asked)?.key;
    assert.equal(keyOf('addresses.customHostsWithin'), 'oauth.cookie_domain');
    assert.equal(keyOf('retention.webhookDeliveries'), 'store.audit_retention');
  });

  test('GET /v1/settings counts and names nothing of another account (THREATS "Tenancy")', async () => {
    await using control = await startControlOn(await engine.openStore());
    const before = await settingsOf(control, control.mallory);
    await addThings(control);
    const own = await settingsOf(control);
    assert.ok((usedOf(own.limits)['shares'] ?? 0) > 0);
    // Nor what the account defined itself: that has pages of its own.
    assert.ok((usedOf(own.limits)['providers'] ?? 0) > 0);
    assert.deepEqual(own.providers, before.providers);
    assert.deepEqual(await settingsOf(control, control.mallory), before);
  });
});

const CONFIGURATION: ReadConfiguration = {
  file: 'doorward.yaml',
  chosenBy: 'environment',
  readAt: Date.UTC(2030, 0, 31),
  written: new Map([
    ['gateway.public_url', { line: 3, isDefault: null }],
    ['oauth.session_lifetime', { line: 12, isDefault: null }],
    ['oauth.providers[0]', { line: 20, isDefault: null }],
    ['limits.shares', { line: 29, isDefault: false }],
    ['limits.api_keys', { line: 30, isDefault: true }],
  ]),
  awaitsRestart: ['acme', 'gateway.public_url'],
};
const ASKED = [
  'addresses.shares',
  'addresses.automaticCertificates',
  'lifetimes.sessions',
  'lifetimes.consoleSessions',
  'retention.auditEvents',
  'retention.webhookDeliveries',
  'limits.apiKeys',
  'limits.shares',
  'brand.logo',
  'providers.test',
];

function said(
  key: string | null,
  origin: Partial<SettingOrigin> & Pick<SettingOrigin, 'from'>,
): Omit<SettingOrigin, 'setting'> {
  return { key, isDefault: null, line: null, ...origin };
}

/** The places of all values that the operator, or the program, decides. */
function valuesOf(settings: SettingsObject): readonly string[] {
  const { addresses, lifetimes, retention, brand, limits, providers } = settings;
  return [
    ...Object.entries({ addresses, lifetimes, retention, brand }).flatMap(([part, values]) =>
      Object.keys(values).map((value) => `${part}.${value}`),
    ),
    ...limits.map(({ limit }) => `limits.${limit}`),
    ...providers.map(({ name }) => `providers.${name}`),
  ];
}

function withoutLines(origins: SettingsObject['origins']) {
  return origins.map(({ line: _line, ...rest }) => rest);
}

async function auditorOf(control: Control): Promise<TestAccount> {
  const { status, document } = await control.call({
    path: '/v1/api-keys',
    json: { name: 'of-an-auditor', scope: 'read', role: 'auditor' },
  });
  assert.equal(status, 201, JSON.stringify(document));
  return { id: control.alice.id, apiKey: new Secret(String(document['key'])) };
}

async function settingsOf(control: Control, as: TestAccount = control.alice): Promise<SettingsObject> {
  const { status, document } = await control.call({ path: '/v1/settings', as });
  assert.equal(status, 200, JSON.stringify(document));
  return document as unknown as SettingsObject;
}

function usedOf(limits: SettingsObject['limits']): Readonly<Record<string, number>> {
  return Object.fromEntries(limits.flatMap(({ limit, used }) => (used === null ? [] : [[limit, used]])));
}
