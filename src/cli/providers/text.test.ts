import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderObject } from '../../wire/provider.ts';
import { providerText } from './text.ts';

test('providerText() tells what the last test and trial found, with times to the minute', () => {
  const at = '2030-01-31T09:05:59.123Z';
  const finding = { at, actor: 'member:mem_1', passed: true, email: null, reason: null, checks: [] };
  const check = { name: 'credentials', state: 'fail', found: 'invalid_client', next: null } as const;
  const provider: ProviderObject = {
    id: 'prv_1',
    name: 'corp',
    type: 'OIDC',
    config: { clientId: 'c' },
    redirectUrl: 'https://auth.example.com/corp/auth/callback',
    shares: 0,
    createdAt: at,
    updatedAt: at,
    lastLoginAt: at,
    lastTest: { ...finding, passed: false, checks: [check], isOutdated: true },
    lastTrial: { ...finding, email: 'ann@example.com', isOutdated: false },
  };
  const text = providerText(provider);
  assert.match(text, /^state +login works$/m);
  assert.match(text, /^last login +2030-01-31 09:05Z$/m);
  assert.match(text, /^last test +failed \(credentials\) 2030-01-31 09:05Z, before the settings changed$/m);
  assert.match(text, /^last trial +passed \(ann@example\.com\) 2030-01-31 09:05Z$/m);
  assert.doesNotMatch(
    providerText({ ...provider, lastLoginAt: null, lastTest: null, lastTrial: null }),
    /^last/m,
  );
});
