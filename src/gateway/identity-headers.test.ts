import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEmailAddress } from '../domain/email-address.ts';
import { newId } from '../domain/id.ts';
import type { LiveSession } from '../domain/session.ts';
import { appendIdentityHeaders, rfc3339 } from './identity-headers.ts';

const SESSION: LiveSession = {
  id: newId('ses'),
  shareId: newId('shr'),
  providerGeneration: 'g',
  email: 'ada@example.com',
  expiresAt: Date.UTC(2026, 10, 21, 8, 59, 5),
  bindingHash: null,
  subject: 's',
  checkedAt: 0,
  refreshable: true,
  confirmed: true,
  ended: false,
};

test('appendIdentityHeaders() writes provider, email, expires and assertion last (2.6)', () => {
  const headers = ['Accept', '*/*'];
  appendIdentityHeaders(headers, {
    prefix: 'svc-auth-',
    login: { provider: 'corp', session: SESSION },
    certificate: null,
    assertion: 'a.b.c',
  });
  assert.deepEqual(headers, [
    'Accept',
    '*/*',
    'svc-auth-provider',
    'corp',
    'svc-auth-email',
    'ada@example.com',
    'svc-auth-expires',
    '2026-11-21T08:59:05Z',
    'svc-auth-assertion',
    'a.b.c',
  ]);
});

test('appendIdentityHeaders() stops a request rather than write a value that breaks out (THREATS "Header smuggling")', () => {
  for (const email of ['a@b\r\nx: y', 'a@b\0', 'a@b\n', 'a b@c', 'a\u0308@b', 'Ä@b', 'ä@ö', '“@b', '']) {
    const login = { provider: 'corp', session: { ...SESSION, email } };
    const facts = { prefix: 'svc-auth-', login, certificate: null, assertion: 'a' };
    assert.throws(() => appendIdentityHeaders([], facts), { code: 'internal' }, JSON.stringify(email));
  }
});

test('appendIdentityHeaders() writes an address beyond ASCII as UTF-8, its domain as ASCII (2.6; RFC 6531)', () => {
  const email = parseEmailAddress('Jörg@bücher.example') ?? '';
  const headers: string[] = [];
  const login = { provider: 'corp', session: { ...SESSION, email } };
  appendIdentityHeaders(headers, { prefix: 'svc-auth-', login, certificate: null, assertion: 'a' });
  const value = headers[headers.indexOf('svc-auth-email') + 1] ?? '';
  assert.match(value, /^[!-~\x80-\xff]+$/);
  assert.equal(Buffer.from(value, 'latin1').toString(), 'jörg@xn--bcher-kva.example');
});

test('rfc3339() is in UTC with whole seconds (2.6)', () => {
  assert.equal(rfc3339(0), '1970-01-01T00:00:00Z');
});
