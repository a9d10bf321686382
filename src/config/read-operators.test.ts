import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, faultsOf, SOUND, soundOf, type Value } from '../../test/support/sound-config.ts';

const VERIFIED = changed(SOUND, 'oauth.providers[0].require_verified_email', true);

function named(of: Value, ...operators: readonly Value[]): Value {
  return changed(of, 'control.operators', operators);
}

test('control.operators names nobody unless said, and whoever is said by provider and address', () => {
  assert.deepEqual(soundOf(SOUND).control.operators, []);
  const one = { provider: 'corp', email: 'Ops@example.com' };
  assert.deepEqual(soundOf(named(VERIFIED, one)).control.operators, [one]);
});

for (const [what, value, path] of [
  [
    'a provider that is not there',
    named(VERIFIED, { provider: 'korp', email: 'ops@example.com' }),
    'provider',
  ],
  ['one that verifies nothing', named(SOUND, { provider: 'corp', email: 'ops@example.com' }), 'provider'],
  ['no address', named(VERIFIED, { provider: 'corp', email: 'ops' }), 'email'],
  ['no provider', named(VERIFIED, { email: 'ops@example.com' }), 'provider'],
  ['an address alone', named(VERIFIED, 'ops@example.com'), ''],
] as const)
  test(`control.operators with ${what} is refused, with its place`, () => {
    const dot = path === '' ? '' : `.${path}`;
    assert.deepEqual(
      faultsOf(value).map((fault) => fault.path),
      [`control.operators[0]${dot}`],
    );
  });
