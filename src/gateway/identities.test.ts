import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../domain/id.ts';
import type { LiveSession } from '../domain/session.ts';
import type { Share } from '../domain/share.ts';
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
  ended: false,
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

test('createIdentities() signs a session once a minute (DESIGN 3, Signed identity)', () => {
  const { signed, identities } = rig();
  for (const after of [0, 1, 59_999])
    assert.equal(identities(SHARE, { ...SESSION }, SIGNED_AT + after).text, text(SESSION.email, 'token-1'));
  assert.equal(identities(SHARE, SESSION, SIGNED_AT + 60_000).text, text(SESSION.email, 'token-2'));
  // A clock that was set back must not make an assertion live for longer.
  assert.equal(identities(SHARE, SESSION, SIGNED_AT).text, text(SESSION.email, 'token-3'));
  assert.deepEqual(
    signed.map(({ provider, audience }) => [provider, audience]),
    Array.from({ length: 3 }, () => [PROVIDER, `https://${SHARE.hosts[0]}`]),
  );
});

test('createIdentities() writes anew what changed: share, email, subject, expiry, session (2.6)', () => {
  const { signed, identities } = rig();
  const changed: readonly (readonly [Share, LiveSession])[] = [
    [SHARE, SESSION],
    [{ ...SHARE }, SESSION],
    [SHARE, { ...SESSION, email: 'grace@example.com' }],
    [SHARE, { ...SESSION, subject: 't' }],
    [SHARE, { ...SESSION, expiresAt: SESSION.expiresAt + 1 }],
    [SHARE, { ...SESSION, id: newId('ses') }],
  ];
  for (const [index, [share, session]] of changed.entries())
    assert.equal(identities(share, session, SIGNED_AT).text, text(session.email, `token-${index + 1}`));
  assert.equal(signed.length, changed.length);
});

test('createIdentities() writes nothing unclean, and nothing without a provider (ATTACKS, Header smuggling)', () => {
  const { identities } = rig();
  const unclean = { ...SESSION, email: 'a@b\r\nsvc-auth-email: c@d' };
  const nobody = { ...SHARE, login: { ...LOGIN, provider: null } };
  for (let turn = 0; turn < 2; turn++) {
    assert.throws(() => identities(SHARE, unclean, SIGNED_AT), { code: 'internal' });
    assert.throws(() => identities(nobody, SESSION, SIGNED_AT), { code: 'internal' });
  }
});
