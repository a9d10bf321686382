import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { newId } from '../domain/id.ts';
import { randomToken } from '../domain/secret.ts';
import { openLoginRequest, sealLoginRequest, type LoginRequest } from './login-request.ts';
import { createSeal } from './seal.ts';

const seal = createSeal([{ signingKey: 's'.repeat(32), encryptionKey: 'e'.repeat(24) }]);
const request: LoginRequest = {
  shareId: newId('shr'),
  providerName: 'corp',
  returnUrl: 'https://demo.share.example.com/a%2Fb?q=1&r=%20#f',
  bindingHash: randomToken(),
  selectAccount: false,
  addressKey: null,
  expiresAt: 1_800_000_000_123,
};

function opened(returnUrl: string): string | undefined {
  return openLoginRequest(seal, sealLoginRequest(seal, { ...request, returnUrl }))?.returnUrl;
}

test('sealLoginRequest() keeps every field, query string included (3 Return URL)', () => {
  const strength = { acrValues: ['phr', 'urn:x:gold'], maxAgeMs: 60_000 };
  const others: readonly Partial<LoginRequest>[] = [
    { bindingHash: null, selectAccount: true },
    { addressKey: randomToken() },
    { strength },
    { strength: { acrValues: [], maxAgeMs: 0 }, addressKey: randomToken() },
    { strength: { acrValues: ['phr'], maxAgeMs: null } },
  ];
  for (const other of [{}, ...others]) {
    const one = { ...request, ...other };
    assert.deepEqual(openLoginRequest(seal, sealLoginRequest(seal, one)), one);
  }
});

test('sealLoginRequest() cuts a return URL over 1 KB to its path, then to / (3 Attempts)', () => {
  const base = 'https://demo.share.example.com/';
  assert.equal(opened(`${base}path?${'q'.repeat(5000)}`), `${base}path`);
  assert.equal(opened(`${base}${'p'.repeat(5000)}?q`), base);
});

test('openLoginRequest() is null for what was not sealed as a login request, and never throws', () => {
  assert.equal(openLoginRequest(seal, 'x'), null);
  assert.equal(openLoginRequest(seal, seal.seal('session', Buffer.from('x'))), null);
  const whole = seal.open('login-request', sealLoginRequest(seal, request))!;
  assert.equal(openLoginRequest(seal, seal.seal('login-request', whole.subarray(1))), null);
  fc.assert(
    fc.property(fc.nat(whole.length - 1), (at) => {
      assert.equal(openLoginRequest(seal, seal.seal('login-request', whole.subarray(0, at))), null);
    }),
  );
});
