// Logins for the control plane at the OAuth frontend: a sealed request in, a sealed grant out, and no session
// of a share.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { codeOf, createLoginRig, header, logIn, type LoginRig } from '../../test/support/login-rig.ts';
import { newId } from '../domain/id.ts';
import { randomToken } from '../domain/secret.ts';
import { openConsoleGrant, sealConsoleGrant, type ConsoleGrant } from './console-grant.ts';
import { openConsoleRequest, sealConsoleRequest, type ConsoleRequest } from './console-target.ts';
import { loginUrl } from './login-url.ts';
import { createSeal } from './seal.ts';

const seal = createSeal([{ signingKey: 's'.repeat(32), encryptionKey: 'e'.repeat(24) }]);
const REQUEST: ConsoleRequest = {
  kind: 'console',
  providerName: 'corp',
  bindingHash: randomToken(),
  invitation: newId('inv'),
  accountName: 'acme',
  selectAccount: false,
  expiresAt: 1_800_000_000_123,
};
const GRANT: ConsoleGrant = {
  kind: 'console',
  id: newId('att'),
  identity: { provider: 'corp', subject: 'ä subject', email: 'ann@example.com', emailVerified: true },
  providerGeneration: randomToken(),
  bindingHash: randomToken(),
  invitation: null,
  accountName: null,
  setOutAt: 1_799_999_999_123,
  expiresAt: 1_800_000_000_123,
};

test('sealConsoleRequest() and sealConsoleGrant() keep every field (DESIGN 3)', () => {
  for (const request of [REQUEST, { ...REQUEST, invitation: null, accountName: null, selectAccount: true }])
    assert.deepEqual(openConsoleRequest(seal, sealConsoleRequest(seal, request)), request);
  const unverified = { ...GRANT, identity: { ...GRANT.identity, emailVerified: false } };
  for (const grant of [GRANT, unverified, { ...GRANT, invitation: newId('inv'), accountName: 'acme' }])
    assert.deepEqual(openConsoleGrant(seal, sealConsoleGrant(seal, grant)), grant);
});

test('openConsoleRequest() and openConsoleGrant() are null for anything else, and never throw', () => {
  const [request, grant] = [sealConsoleRequest(seal, REQUEST), sealConsoleGrant(seal, GRANT)];
  assert.equal(openConsoleGrant(seal, request), null);
  assert.equal(openConsoleRequest(seal, grant), null);
  for (const [kind, sealed, open] of [
    ['console-request', request, openConsoleRequest],
    ['console-grant', grant, openConsoleGrant],
  ] as const) {
    const whole = seal.open(kind, sealed) ?? new Uint8Array(0);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), (at) => {
        assert.equal(open(seal, seal.seal(kind, whole.subarray(0, at))), null);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.equal(open(seal, text), null);
      }),
    );
  }
});

test('a login for the control plane comes back to it with a grant, and makes no session (DESIGN 3)', async () => {
  await using rig = await createLoginRig();
  const { url } = startOf(rig);
  const answer = await logIn(rig.browser(), url, 'ann@example.com');
  const location = new URL(header(answer, 'location') ?? '');
  assert.equal(`${location.origin}${location.pathname}`, 'https://control.example.com/auth/complete');
  const grant = openConsoleGrant(rig.deps.seal, location.searchParams.get('grant') ?? '');
  assert.deepEqual(grant, {
    kind: 'console',
    id: grant?.id,
    identity: {
      provider: 'corp',
      subject: 'subject of ann@example.com',
      email: 'ann@example.com',
      // The provider says nothing of it.
      emailVerified: false,
    },
    providerGeneration: rig.provider('corp').generation,
    bindingHash: REQUEST.bindingHash,
    invitation: REQUEST.invitation,
    accountName: 'acme',
    setOutAt: rig.clock.now,
    expiresAt: rig.clock.now + 60_000,
  });
  assert.equal(header(answer, 'referrer-policy'), 'no-referrer');
  const cookies = answer.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value);
  assert.ok(!cookies.some((cookie) => cookie.startsWith('svc-auth-session')));
  assert.deepEqual(rig.events, []);
});

test('a request for the control plane starts nothing when it is old, or for another provider (DESIGN 2.2)', async () => {
  await using rig = await createLoginRig();
  const late = await rig.browser().get(startOf(rig, { expiresAt: rig.clock.now }).url);
  assert.equal(codeOf(late), 'request_expired');
  const { sealed } = startOf(rig);
  const other = loginUrl(rig.deps.oauth.endpointUrl, 'other', sealed);
  assert.equal(codeOf(await rig.browser().get(other)), 'request_invalid');
});

test('who is refused on the way to the control plane can use another account for it (DESIGN "Refused email")', async () => {
  await using rig = await createLoginRig();
  rig.provider('corp').script.identify = 'email_unverified';
  const browser = rig.browser();
  const accept = { headers: { accept: 'text/html' } };
  const started = await browser.get(startOf(rig).url);
  const authorize = new URL(header(started, 'location') ?? '');
  const back = new URL(authorize.searchParams.get('redirect_uri') ?? '');
  back.searchParams.set('code', 'code-of-ann@example.com');
  back.searchParams.set('state', authorize.searchParams.get('state') ?? '');
  const page = await browser.get(back, accept);
  assert.equal(page.status, 403);
  const again = /href="([^"]*\/corp\/login\?request=[^"]*)"/.exec(String(page.body))?.[1] ?? '';
  const request = openConsoleRequest(rig.deps.seal, new URL(again).searchParams.get('request') ?? '');
  assert.deepEqual(
    [request?.selectAccount, request?.bindingHash, request?.invitation],
    [true, REQUEST.bindingHash, REQUEST.invitation],
  );
  assert.deepEqual(rig.reasons('login.refused'), ['email_unverified']);
});

function startOf(rig: LoginRig, over: Partial<ConsoleRequest> = {}) {
  const expiresAt = rig.clock.now + rig.deps.oauth.intermediateLifetimeMs;
  const sealed = sealConsoleRequest(rig.deps.seal, { ...REQUEST, expiresAt, ...over });
  return { sealed, url: loginUrl(rig.deps.oauth.endpointUrl, 'corp', sealed) };
}
