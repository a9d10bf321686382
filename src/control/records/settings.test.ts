// GET /v1/settings, answered from a real store, on both engines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControlOn, type TestAccount, type TestControl } from '../../../test/support/control.ts';
import { onEngines } from '../../../test/support/on-engines.ts';
import { addThings } from '../../../test/support/operations.ts';
import { DEFAULT_LIMITS } from '../../domain/account-limits.ts';
import type { Store } from '../../store/store.ts';
import type { SettingsObject } from '../../wire/settings.ts';

type Control = TestControl<Store & AsyncDisposable>;

onEngines('the settings', (engine) => {
  test('GET /v1/settings tells what holds for the account, and how much of its limits it uses', async () => {
    await using control = await startControlOn(await engine.openStore());
    const { limits, ...others } = await settingsOf(control);
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
      providers: [{ name: 'test', displayName: 'test', type: 'OIDC' }],
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

async function settingsOf(control: Control, as: TestAccount = control.alice): Promise<SettingsObject> {
  const { status, document } = await control.call({ path: '/v1/settings', as });
  assert.equal(status, 200, JSON.stringify(document));
  return document as unknown as SettingsObject;
}

function usedOf(limits: SettingsObject['limits']): Readonly<Record<string, number>> {
  return Object.fromEntries(limits.flatMap(({ limit, used }) => (used === null ? [] : [[limit, used]])));
}
