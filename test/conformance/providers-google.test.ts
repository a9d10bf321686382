// `google` against a strict stand-in, and its happy path against `emulate`: contract 2.2 `<hosted_a>`, 4.2
// point 1.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { createEmulator } from 'emulate';
import {
  authorizeAt,
  CLIENT,
  logInAt,
  providerOf,
  REDIRECT_URI,
  refreshAt,
} from '../support/providers/log-in-at.ts';
import { startStrictGoogle } from '../support/providers/strict-google.ts';
import { freePort } from '../support/free-port.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const EMAIL = 'ann@example.com';

async function start(context: TestContext) {
  const google = await startStrictGoogle({ clients: [CLIENT] });
  context.after(() => google.close());
  return {
    google,
    provider: providerOf({ type: 'google', issuer: google.issuer, scopes: [], supportsPkce: false }),
  };
}

test('google always uses PKCE, asks for offline access, and for consent only when told to (3, PKCE; Check interval)', async (context) => {
  const { google, provider } = await start(context);
  assert.equal(provider.usesPkce, true);
  assert.equal(provider.mayAskConsent, true);
  const first = await logInAt(provider, EMAIL);
  assert.ok(first.tokens.refreshToken);
  assert.equal(first.identity.email, EMAIL);
  assert.equal((await logInAt(provider, EMAIL)).tokens.refreshToken, null);
  assert.ok((await logInAt(provider, EMAIL, { consentOf: EMAIL })).tokens.refreshToken);
  const [asked, , consenting] = google.authorizations;
  assert.equal(asked?.get('access_type'), 'offline');
  assert.equal(asked?.get('prompt'), null);
  assert.equal(asked?.get('code_challenge_method'), 'S256');
  assert.equal(consenting?.get('prompt'), 'consent');
  assert.equal(consenting?.get('login_hint'), EMAIL);
  assert.deepEqual(google.violations, []);
});

test('google asks which account when another is wanted (3, Logout)', async (context) => {
  const { google, provider } = await start(context);
  await authorizeAt(provider, EMAIL, { selectAccount: true });
  assert.equal(google.authorizations[0]?.get('prompt'), 'select_account');
});

test('google sends prompt as configured, and nothing but the choice of an account when it is empty (2.2)', async (context) => {
  const { google } = await start(context);
  for (const [prompt, selectAccount, sent] of [
    ['consent', false, 'consent'],
    ['consent', true, 'select_account consent'],
    ['', false, null],
    ['', true, 'select_account'],
  ] as const) {
    const provider = providerOf({ type: 'google', issuer: google.issuer, scopes: [], prompt });
    assert.equal(provider.mayAskConsent, false);
    await authorizeAt(provider, EMAIL, { selectAccount });
    assert.equal(google.authorizations.at(-1)?.get('prompt'), sent);
  }
});

test('google never asks for the scope offline_access, which Google refuses', async (context) => {
  const { google } = await start(context);
  const scopes = ['openid', 'email', 'offline_access'];
  await logInAt(providerOf({ type: 'google', issuer: google.issuer, scopes }), EMAIL);
  assert.equal(google.authorizations[0]?.get('scope'), 'openid email');
});

test('google must say that the email is verified (3, Email)', async (context) => {
  const { google, provider } = await start(context);
  for (const said of [false, undefined]) {
    google.emailVerified = said;
    await assert.rejects(logInAt(provider, EMAIL), { code: 'email_unverified' });
  }
});

test('google refreshes, and revokes the grant at the revocation endpoint with one call (4.2 point 1)', async (context) => {
  const { google, provider } = await start(context);
  const { tokens } = await logInAt(provider, EMAIL);
  const fresh = await refreshAt(provider, tokens);
  assert.equal(fresh?.refreshToken?.reveal(), tokens.refreshToken?.reveal());
  await provider.revoke?.(tokens, AbortSignal.timeout(PROMPTLY_MS));
  assert.deepEqual(google.revoked, [tokens.refreshToken?.reveal()]);
  assert.equal(await refreshAt(provider, tokens), null);
});

test('google refuses a code without its verifier, at another redirect URI, or twice', async (context) => {
  const { google, provider } = await start(context);
  const error = { code: 'provider_error' };
  const callback = () => authorizeAt(provider, EMAIL);
  await assert.rejects(provider.exchange({ ...(await callback()), codeVerifier: 'x'.repeat(43) }), error);
  await assert.rejects(provider.exchange({ ...(await callback()), redirectUri: `${REDIRECT_URI}/` }), error);
  const good = await callback();
  await provider.exchange(good);
  await assert.rejects(provider.exchange(good), error);
  assert.equal(google.violations.length, 3);
});

test('google: the happy path against emulate', async (context) => {
  const google = await createEmulator({
    service: 'google',
    port: await freePort(),
    seed: {
      google: {
        users: [{ email: EMAIL, name: 'Ann' }],
        oauth_clients: [
          {
            client_id: CLIENT.clientId,
            client_secret: CLIENT.clientSecret,
            redirect_uris: CLIENT.redirectUris,
          },
        ],
      },
    },
  });
  context.after(() => google.close());
  const provider = providerOf({ type: 'google', issuer: google.url, scopes: [] });
  const { identity, tokens } = await logInAt(provider, EMAIL);
  assert.equal(identity.email, EMAIL);
  await provider.revoke?.(tokens, AbortSignal.timeout(PROMPTLY_MS));
});
