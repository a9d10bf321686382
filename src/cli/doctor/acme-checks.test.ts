import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, SOUND, soundOf } from '../../../test/support/sound-config.ts';
import { acmeChecks } from './acme-checks.ts';
import { tlsChecks } from './tls-checks.ts';

const NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const config = soundOf(changed(SOUND, 'acme', { email: 'ops@example.com', agree_to_terms: true }));
const GOOD = { failures: 0, retryAt: null, lastFailure: null };
const BAD = { failures: 2, retryAt: NOW + 60_000, lastFailure: 'Cannot prove it by http-01: 404' };
const NAMES = [
  { name: 'auth.share.example.com', notAfter: NOW + 60 * DAY_MS, ...GOOD },
  { name: 'control.example.com', notAfter: NOW + 9 * DAY_MS, ...BAD },
  { name: 'app.customer.com', notAfter: null, ...BAD },
];

test('acmeChecks() tells of each name whose last try failed: a warning while it is valid (2.4)', () => {
  const checks = acmeChecks(config, { names: NAMES, servers: [] }, NOW);
  assert.deepEqual(
    checks.map(({ state, found }) => `${state} ${found}`),
    [
      'ok 1 of 3 are valid',
      'warn control.example.com is valid until 2026-01-10: Cannot prove it by http-01: 404; next try 2026-01-01 00:01',
      'fail app.customer.com has none: Cannot prove it by http-01: 404; next try 2026-01-01 00:01',
    ],
  );
  const over = acmeChecks(config, { names: NAMES, servers: [] }, NOW + 10 * DAY_MS);
  assert.deepEqual(
    over.map(({ state }) => state),
    ['ok', 'fail', 'fail'],
  );
});

test('acmeChecks() tells of an ACME server that is away, and of no other one', () => {
  const servers = [
    { directory: config.acme!.directory, ...BAD },
    { directory: 'https://former.example/', ...BAD },
  ];
  const checks = acmeChecks(config, { names: [], servers }, NOW);
  assert.deepEqual(
    checks.map(({ name, state }) => `${name}: ${state}`),
    ['ACME server: fail', 'public certificates: ok'],
  );
  assert.deepEqual(acmeChecks(soundOf(SOUND), { names: NAMES, servers }, NOW), []);
});

test('tlsChecks() misses no certificate that comes by itself', async () => {
  const checks = await tlsChecks(config, NOW, ['app.customer.com'], { names: NAMES, servers: [] });
  assert.deepEqual(
    checks.map(({ name, state }) => `${name}: ${state}`),
    ['shares: ok', 'tunnels: ok', 'OAuth frontend: ok', 'control API: ok', 'custom hosts: ok'],
  );
  const named = Object.fromEntries(checks.map(({ name, found }) => [name, found]));
  assert.match(named['OAuth frontend'] ?? '', /came by itself/);
  assert.match(named['shares'] ?? '', /each share gets a certificate of its own/);
});
