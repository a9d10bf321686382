import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../domain/id.ts';
import { shortHash } from '../domain/secret.ts';
import type { Session } from '../domain/session.ts';
import {
  hostSessionCookie,
  keepsOwnCookie,
  openHostSession,
  spentHostSessionCookie,
} from './host-session-cookie.ts';
import { createSeal } from './seal.ts';
import { openSessions, sealSessions } from './session-cookie.ts';

const SEAL = createSeal([{ signingKey: 's'.repeat(32), encryptionKey: 'e'.repeat(32) }]);
const HOST = 'app.customer.com';
const SESSION: Session = {
  id: newId('ses'),
  shareId: newId('shr'),
  providerGeneration: shortHash('g'),
  email: 'ada@example.com',
  expiresAt: 2_000_000,
  bindingHash: shortHash('here'),
};

test('hostSessionCookie() is host-only and Secure, for as long as the session lasts (contract 2.5)', () => {
  const cookie = hostSessionCookie(
    { seal: SEAL, cookieName: 'svc-auth-session', now: 1_000_500 },
    { host: HOST, session: SESSION },
  );
  const [pair = '', ...attributes] = cookie.split('; ');
  assert.deepEqual(attributes, ['Path=/', 'Max-Age=1000', 'HttpOnly', 'SameSite=Lax', 'Secure']);
  const value = pair.replace(/^__Host-svc-auth-session=/, '');
  assert.deepEqual(openHostSession(SEAL, value), { host: HOST, session: SESSION });
  assert.equal(openSessions(SEAL, value), null, 'no cookie of cookie_domain');
  assert.equal(openHostSession(SEAL, sealSessions(SEAL, [SESSION])), null);
  assert.equal(openHostSession(SEAL, value.slice(0, -1)), null);
  assert.match(spentHostSessionCookie('svc-auth-session'), /^__Host-svc-auth-session=; Path=\/; Max-Age=0;/);
});

test('keepsOwnCookie() goes by labels, as a cookie’s Domain does (RFC 6265 section 5.1.3)', () => {
  for (const [host, expected] of [
    ['share.example.com', false],
    ['demo.share.example.com', false],
    ['example.com', true],
    ['evilshare.example.com', true],
    ['share.example.com.evil.org', true],
    [HOST, true],
  ] as const)
    assert.equal(keepsOwnCookie(host, 'share.example.com'), expected, host);
});
