import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CertificateFacts } from '../domain/client-certificate.ts';
import { newId } from '../domain/id.ts';
import type { LiveSession } from '../domain/session.ts';
import { LOGIN, SHARE } from '../../test/support/decision-rows.ts';
import type { AssertionFacts } from './assertion.ts';
import { createIdentities } from './identities.ts';

const SESSION: LiveSession = {
  id: newId('ses'),
  shareId: SHARE.id,
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
const FACTS = { share: SHARE, host: 'demo.share.example.com', session: SESSION, certificate: null };
const CERTIFICATE: CertificateFacts = {
  accountId: SHARE.accountId,
  commonName: 'ann',
  organizationalUnit: null,
  subject: 'CN=ann,O=Corp',
  serial: '0A',
  fingerprint: 'ff',
  notBefore: 0,
  notAfter: 2_000_000,
  goodUntil: 2_000_000,
  clientAuth: true,
  tunnelOnly: false,
  revoked: false,
};
const PROVIDER = LOGIN.provider?.name ?? '';
const SIGNED_AT = 1_000_000;

/** Counts what was signed. */
function rig() {
  const signed: AssertionFacts[] = [];
  const identities = createIdentities({
    prefix: 'svc-auth-',
    assertions: (facts) => `token-${signed.push(facts)}`,
    originOf: (host) => `https://${host}`,
  });
  return { signed, identities };
}

function text(email: string, token: string): string {
  return (
    `svc-auth-provider: ${PROVIDER}\r\nsvc-auth-email: ${email}\r\n` +
    `svc-auth-expires: 2026-11-21T08:59:05Z\r\nsvc-auth-assertion: ${token}\r\n`
  );
}

function own(token: string): string {
  return (
    'svc-auth-cert-subject: CN=ann,O=Corp\r\nsvc-auth-cert-serial: 0A\r\n' +
    `svc-auth-cert-fingerprint: ff\r\nsvc-auth-assertion: ${token}\r\n`
  );
}

test('createIdentities() signs a session once a minute (DESIGN "Signed identity")', () => {
  const { signed, identities } = rig();
  for (const after of [0, 1, 59_999])
    assert.equal(
      identities({ ...FACTS, session: { ...SESSION } }, SIGNED_AT + after).text,
      text(SESSION.email, 'token-1'),
    );
  assert.equal(identities(FACTS, SIGNED_AT + 60_000).text, text(SESSION.email, 'token-2'));
  // A clock that was set back must not make an assertion live for longer.
  assert.equal(identities(FACTS, SIGNED_AT).text, text(SESSION.email, 'token-3'));
  assert.deepEqual(
    signed.map(({ login, audience }) => [login?.provider, audience]),
    Array.from({ length: 3 }, () => [PROVIDER, `https://${FACTS.host}`]),
  );
});

test('createIdentities() writes again what changed: share, host, email, subject, expiry, session (2.6)', () => {
  const { signed, identities } = rig();
  const changed: readonly (typeof FACTS)[] = [
    FACTS,
    { ...FACTS, share: { ...SHARE } },
    { ...FACTS, host: 'own.example' },
    { ...FACTS, session: { ...SESSION, email: 'grace@example.com' } },
    { ...FACTS, session: { ...SESSION, subject: 't' } },
    { ...FACTS, session: { ...SESSION, expiresAt: SESSION.expiresAt + 1 } },
    { ...FACTS, session: { ...SESSION, id: newId('ses') } },
  ];
  for (const [index, facts] of changed.entries())
    assert.equal(identities(facts, SIGNED_AT).text, text(facts.session.email, `token-${index + 1}`));
  assert.equal(signed.length, changed.length);
});

test('createIdentities() tells of a certificate alone, and of both, each for its share (DESIGN "Mutual TLS")', () => {
  const { signed, identities } = rig();
  const alone = { ...FACTS, session: null, certificate: CERTIFICATE };
  for (const at of [SIGNED_AT, SIGNED_AT + 1]) assert.equal(identities(alone, at).text, own('token-1'));
  const other = { ...alone, share: { ...SHARE, id: newId('shr') } };
  assert.equal(identities(other, SIGNED_AT).text, own('token-2'));
  assert.equal(identities(alone, SIGNED_AT).text, own('token-1'));
  const both = identities({ ...FACTS, certificate: CERTIFICATE }, SIGNED_AT).text;
  assert.equal(both, text(SESSION.email, '').replace('svc-auth-assertion: \r\n', '') + own('token-3'));
  assert.deepEqual(
    signed.map(({ login, certificate }) => [login?.session.id, certificate?.serial]),
    [
      [undefined, '0A'],
      [undefined, '0A'],
      [SESSION.id, '0A'],
    ],
  );
});

test('createIdentities() writes nothing unclean, and nothing without a provider (THREATS "Header smuggling")', () => {
  const { identities } = rig();
  const unclean = { ...SESSION, email: 'a@b\r\nsvc-auth-email: c@d' };
  const nobody = { ...SHARE, login: { ...LOGIN, provider: null } };
  for (let turn = 0; turn < 2; turn++) {
    assert.throws(() => identities({ ...FACTS, session: unclean }, SIGNED_AT), { code: 'internal' });
    assert.throws(() => identities({ ...FACTS, share: nobody }, SIGNED_AT), { code: 'internal' });
    for (const subject of ['', ' CN=ann', 'CN=ann\r\nsvc-auth-email: c@d', 'CN=\u00e4'])
      assert.throws(() => identities({ ...FACTS, certificate: { ...CERTIFICATE, subject } }, SIGNED_AT), {
        code: 'internal',
      });
  }
});
