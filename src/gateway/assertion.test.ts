import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { newId } from '../domain/id.ts';
import type { LiveSession } from '../domain/session.ts';
import { assertionKey } from '../login/assertion-key.ts';
import { type AssertionFacts, createAssertions } from './assertion.ts';

const KEY = assertionKey('a signing key for tests that is long enough');
const NOW = Date.UTC(2030, 0, 1);
const SESSION: LiveSession = {
  id: newId('ses'),
  shareId: newId('shr'),
  providerGeneration: 'g',
  email: 'ada@example.com',
  expiresAt: NOW + 3_600_000,
  bindingHash: null,
  subject: 'ada',
  checkedAt: NOW,
  refreshable: true,
  confirmed: true,
  ended: false,
};

function factsOf(more: Partial<LiveSession> = {}, rest: Partial<AssertionFacts> = {}): AssertionFacts {
  const login = { session: { ...SESSION, ...more }, provider: 'corp', told: { groups: ['a'] } };
  return { login, certificate: null, audience: 'https://demo.example.com', ...rest };
}

/** The claims of one that verifies. */
function claimsOf(token: string): Record<string, unknown> {
  const [header, payload, signature] = token.split('.');
  const key = createPublicKey({ key: KEY as never, format: 'jwk' });
  const signed = Buffer.from(signature ?? '', 'base64url');
  const isGood = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key, dsaEncoding: 'ieee-p1363' },
    signed,
  );
  assert.ok(isGood, token);
  return JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as Record<string, unknown>;
}

test('createAssertions() signs once for three minutes what stays as it is (DESIGN "Signed identity")', () => {
  const assertions = createAssertions({ jwk: KEY, issuer: 'https://login.example.com' });
  const first = assertions(factsOf(), NOW);
  for (const later of [1, 60_000, 179_999]) assert.equal(assertions(factsOf(), NOW + later), first);
  const next = assertions(factsOf(), NOW + 180_000);
  assert.notEqual(next, first);
  assert.equal(claimsOf(next)['iat'], NOW / 1000 + 180);
  assert.equal(claimsOf(next)['exp'], NOW / 1000 + 480);
  // A clock that was set back finds nothing that was signed ahead of it.
  assert.equal(claimsOf(assertions(factsOf(), NOW - 1_000))['iat'], NOW / 1000 - 1);
});

test('createAssertions() signs anew whatever changed about the visitor, and every one verifies', () => {
  const assertions = createAssertions({ jwk: KEY, issuer: 'https://login.example.com' });
  assertions(factsOf(), NOW);
  const changed: readonly [AssertionFacts, string, unknown][] = [
    [factsOf({ email: 'eve@example.com' }), 'email', 'eve@example.com'],
    [factsOf({ subject: 'eve' }), 'sub', 'eve'],
    [factsOf({ expiresAt: NOW + 100_000 }), 'exp', NOW / 1000 + 100],
    [factsOf({}, { audience: 'https://other.example.com' }), 'aud', 'https://other.example.com'],
    [factsOf({ id: newId('ses') }), 'email', 'ada@example.com'],
    [factsOf(), 'email', 'ada@example.com'],
  ];
  for (const [facts, claim, wanted] of changed) {
    const claims = claimsOf(assertions(facts, NOW + 1_000));
    assert.equal(claims[claim], wanted);
    assert.equal(claims['sid'], facts.login?.session.id);
    assert.deepEqual(claimsOf(assertions(facts, NOW + 2_000)), claims);
  }
  const login = { session: SESSION, provider: 'corp', told: { groups: ['a', 'b'] } };
  assert.deepEqual(claimsOf(assertions(factsOf({}, { login }), NOW + 3_000))['groups'], ['a', 'b']);
});
