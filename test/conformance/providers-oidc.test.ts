// `oidc` against the certified provider: contract 2.2, 4.1, 4.2 point 1, 5.1, and the rows of DESIGN 3 on
// providers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { Secret } from '../../src/domain/secret.ts';
import { createBrowser } from '../support/browser-by-hand.ts';
import {
  authorizeAt,
  CLIENT,
  logInAt,
  providerOf,
  REDIRECT_URI,
  refreshAt,
} from '../support/providers/log-in-at.ts';
import { startOidcProvider } from '../support/providers/oidc-provider.ts';
import type { OidcProviderOptions } from '../support/providers/oidc-provider.ts';
import { startOpenIdStandIn } from '../support/providers/openid-stand-in.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const EMAIL = 'ann@example.com';

async function start(context: TestContext, options: Partial<OidcProviderOptions> = {}) {
  const standIn = await startOidcProvider({ clients: [CLIENT], requirePkce: true, ...options });
  context.after(() => standIn.close());
  return standIn;
}

test('oidc logs in with PKCE and nonce, and identifies by subject and email (5.1 points 3 to 6)', async (context) => {
  const standIn = await start(context);
  const { identity, tokens } = await logInAt(providerOf({ issuer: standIn.issuer }), EMAIL);
  const who = { provider: 'corp', subject: standIn.account(EMAIL).subject, email: EMAIL };
  const { facts, ...identified } = identity;
  assert.deepEqual(identified, { ...who, emailVerified: true });
  assert.deepEqual([facts?.groups, facts?.claims, facts?.name], [null, {}, null]);
  assert.ok(tokens.refreshToken);
  const asked = standIn.authorizations[0];
  assert.equal(asked?.get('code_challenge_method'), 'S256');
  assert.equal(asked?.get('scope'), 'openid email');
  assert.equal(asked?.get('redirect_uri'), REDIRECT_URI);
  assert.ok(asked?.get('nonce'));
  assert.equal(asked?.get('prompt'), null);
});

test('oidc sends no PKCE when supports_pkce is false (2.2)', async (context) => {
  const standIn = await start(context, { requirePkce: false });
  const provider = providerOf({ issuer: standIn.issuer, supportsPkce: false });
  assert.equal(provider.usesPkce, false);
  await logInAt(provider, EMAIL);
  assert.equal(standIn.authorizations[0]?.get('code_challenge'), null);
});

test('oidc authenticates in the way that the client is registered for, and remembers it', async (context) => {
  const standIn = await startOpenIdStandIn({
    clients: [{ ...CLIENT, authenticatesBy: 'client_secret_post' }],
  });
  context.after(() => standIn.close());
  const provider = providerOf({ issuer: standIn.issuer });
  const { tokens } = await logInAt(provider, EMAIL);
  assert.equal(standIn.counts.tokens, 2, 'Basic was refused, the body was taken');
  assert.ok(await refreshAt(provider, tokens));
  await provider.exchange(await authorizeAt(provider, EMAIL));
  assert.equal(standIn.counts.tokens, 4);
  const wrong = providerOf({ issuer: standIn.issuer, clientSecret: new Secret('wrong') });
  await assert.rejects(logInAt(wrong, EMAIL), { code: 'provider_error' });
});

test('oidc sends prompt as configured, login to select another account, consent for offline_access only when told to (3)', async (context) => {
  const standIn = await start(context, { refreshTokens: 'offline_access' });
  const { issuer } = standIn;
  const asked = async (
    settings: Parameters<typeof providerOf>[0],
    selectAccount: boolean,
    consent: { consentOf?: string } = {},
  ) => {
    const codeVerifier = 'x'.repeat(43);
    const url = await providerOf({ issuer, ...settings }).authorizeUrl({
      redirectUri: REDIRECT_URI,
      state: 's',
      nonce: 'n',
      codeVerifier,
      selectAccount,
      ...consent,
    });
    return url.searchParams.get('prompt');
  };
  const offline = { scopes: ['openid', 'email', 'offline_access'] };
  assert.equal(await asked({}, false), null);
  assert.equal(await asked({}, true), 'login');
  assert.equal(await asked({ prompt: 'select_account' }, false), 'select_account');
  assert.equal(await asked({ prompt: 'none' }, true), 'login');
  assert.equal(await asked({ prompt: '' }, false), null);
  assert.equal(await asked(offline, false), null);
  assert.equal(await asked(offline, true), 'login');
  assert.equal(await asked(offline, false, { consentOf: EMAIL }), 'consent');
  assert.equal(await asked({ ...offline, prompt: 'consent' }, false), 'consent');
  const mayAsk = (settings: Parameters<typeof providerOf>[0]) =>
    providerOf({ issuer, ...settings }).mayAskConsent;
  assert.equal(mayAsk(offline), true);
  assert.equal(mayAsk({}), false);
  assert.equal(mayAsk({ ...offline, prompt: '' }), false);
  assert.equal(mayAsk({ ...offline, prompt: 'login' }), false);
  const { tokens } = await logInAt(providerOf({ issuer, ...offline }), EMAIL, { consentOf: EMAIL });
  assert.ok(tokens.refreshToken);
  assert.equal((await logInAt(providerOf({ issuer }), EMAIL)).tokens.refreshToken, null);
});

test('oidc asks to log in again when another account is wanted, although the browser is logged in there', async (context) => {
  const standIn = await start(context);
  const provider = providerOf({ issuer: standIn.issuer });
  const browser = createBrowser();
  await logInAt(provider, EMAIL, { browser });
  const silent = await provider.exchange(await authorizeAt(provider, 'bob@example.com', { browser }));
  assert.equal((await provider.identify(silent)).email, EMAIL);
  const asked = await provider.exchange(
    await authorizeAt(provider, 'bob@example.com', { browser, selectAccount: true }),
  );
  assert.equal((await provider.identify(asked)).email, 'bob@example.com');
});

test('oidc reads the email from the id token when there is no user info (3, Email)', async (context) => {
  const standIn = await start(context, { withoutUserinfo: true });
  const { identity } = await logInAt(providerOf({ issuer: standIn.issuer }), EMAIL);
  assert.equal(identity.email, EMAIL);
  assert.equal(standIn.counts.userinfos, 0);
});

test('oidc refuses an email that is present and not verified; absent only with require_verified_email (3, Email)', async (context) => {
  const standIn = await start(context);
  const { issuer } = standIn;
  const account = standIn.account(EMAIL);
  for (const said of [false, 'false', 'yes']) {
    account.emailVerified = said;
    await assert.rejects(logInAt(providerOf({ issuer }), EMAIL), { code: 'email_unverified' });
  }
  account.emailVerified = undefined;
  await logInAt(providerOf({ issuer }), EMAIL);
  await assert.rejects(logInAt(providerOf({ issuer, requireVerifiedEmail: true }), EMAIL), {
    code: 'email_unverified',
  });
  account.emailVerified = 'true';
  await logInAt(providerOf({ issuer, requireVerifiedEmail: true }), EMAIL);
});

test('oidc refuses addresses that are none, with CR, LF or NUL, or with two @ (3, Email)', async (context) => {
  const standIn = await start(context);
  const provider = providerOf({ issuer: standIn.issuer });
  const account = standIn.account(EMAIL);
  for (const email of ['', 'nobody', 'a@b@c', 'a@b\r\nx: y', 'a\0@b', 'a b@c', `${'a'.repeat(260)}@b`]) {
    account.email = email;
    await assert.rejects(logInAt(provider, EMAIL), { code: 'email_unusable' }, JSON.stringify(email));
  }
});

test('oidc refreshes, keeping the refresh token that is not replaced, and takes the one that is (3, Check interval)', async (context) => {
  const keeping = await start(context);
  const kept = providerOf({ issuer: keeping.issuer });
  const first = (await logInAt(kept, EMAIL)).tokens;
  const again = await refreshAt(kept, first);
  assert.equal(again?.refreshToken?.reveal(), first.refreshToken?.reveal());
  assert.notEqual(again?.accessToken.reveal(), first.accessToken.reveal());
  assert.equal(again?.subject, first.subject);

  const rotating = await start(context, { rotateRefreshTokens: true });
  const rotated = providerOf({ issuer: rotating.issuer });
  const before = (await logInAt(rotated, EMAIL)).tokens;
  const after = await refreshAt(rotated, before);
  assert.ok(after?.refreshToken);
  assert.notEqual(after.refreshToken.reveal(), before.refreshToken?.reveal());
  assert.equal((await rotated.identify(after)).email, EMAIL);
  assert.equal(await refreshAt(rotated, before), null, 'a token that was rotated away is invalid_grant');
});

test('oidc reads the identity again after a refresh: another email, another subject (3, Check interval)', async (context) => {
  const standIn = await start(context);
  const provider = providerOf({ issuer: standIn.issuer });
  const { tokens } = await logInAt(provider, EMAIL);
  standIn.account(EMAIL).email = 'ann@new.example';
  const fresh = await refreshAt(provider, tokens);
  assert.ok(fresh);
  assert.equal((await provider.identify(fresh)).email, 'ann@new.example');
  standIn.account(EMAIL).subject = 'somebody else';
  const other = await provider.refresh?.(fresh);
  assert.ok(other && 'refused' in other);
  assert.equal(other.refused, 'subject_changed');
  await assert.rejects(provider.identify(fresh), { code: 'subject_changed' });
});

test('oidc tells a refresh token that is no good from a provider that is away (3, Check interval)', async (context) => {
  const standIn = await start(context, { rotateRefreshTokens: true });
  const provider = providerOf({ issuer: standIn.issuer });
  const { tokens } = await logInAt(provider, EMAIL);
  standIn.faults.refresh = 'server_error';
  await assert.rejects(provider.refresh?.(tokens) ?? Promise.resolve(), { code: 'provider_unreachable' });
  standIn.faults.refresh = 'invalid_grant';
  assert.equal(await refreshAt(provider, tokens), null);
  standIn.faults.refresh = 'drop_answer';
  await assert.rejects(provider.refresh?.(tokens) ?? Promise.resolve(), { code: 'provider_unreachable' });
  assert.equal(standIn.counts.refreshes, 1, 'rotated, though the answer never came');
  await standIn.close();
  await assert.rejects(provider.refresh?.(tokens) ?? Promise.resolve(), { code: 'provider_unreachable' });
});

test('oidc revokes refresh and access token at the revocation endpoint, if there is one (4.2 point 1)', async (context) => {
  const standIn = await start(context);
  const provider = providerOf({ issuer: standIn.issuer });
  const { tokens } = await logInAt(provider, EMAIL);
  await provider.revoke?.(tokens, AbortSignal.timeout(PROMPTLY_MS));
  assert.deepEqual(standIn.revoked, [tokens.refreshToken?.reveal(), tokens.accessToken.reveal()]);
  assert.equal(await refreshAt(provider, tokens), null);

  const without = await start(context, { withoutRevocation: true });
  const simple = providerOf({ issuer: without.issuer });
  await simple.revoke?.((await logInAt(simple, EMAIL)).tokens, AbortSignal.timeout(PROMPTLY_MS));
  assert.equal(without.counts.revocations, 0);
});

test('oidc refuses a login that was denied, replayed, or answered to another state or verifier', async (context) => {
  const standIn = await start(context);
  const provider = providerOf({ issuer: standIn.issuer });
  const callback = await authorizeAt(provider, EMAIL);
  const changed = (parameters: Record<string, string>) => {
    const url = new URL(callback.url);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { ...callback, url };
  };
  const denied = new URL(callback.url);
  denied.searchParams.delete('code');
  denied.searchParams.set('error', 'access_denied');
  await assert.rejects(provider.exchange({ ...callback, url: denied }), { code: 'access_denied' });
  denied.searchParams.set('error', 'server_error');
  await assert.rejects(provider.exchange({ ...callback, url: denied }), { code: 'provider_error' });
  await assert.rejects(provider.exchange(changed({ state: 'another' })), { code: 'provider_error' });
  await assert.rejects(provider.exchange(changed({ iss: 'https://evil.example' })), {
    code: 'provider_error',
  });
  await assert.rejects(provider.exchange({ ...callback, codeVerifier: 'y'.repeat(43) }), {
    code: 'provider_error',
  });
  const fresh = await authorizeAt(provider, EMAIL);
  await provider.exchange(fresh);
  await assert.rejects(provider.exchange(fresh), { code: 'provider_error' });
});

test('oidc: a provider that is down at start is tried again when needed, with pauses (5.1; issue: time limits)', async (context) => {
  const probe = await start(context);
  const { issuer, port } = probe;
  await probe.close();
  let now = 1_000_000;
  const provider = providerOf({ issuer }, () => now);
  const login = {
    redirectUri: REDIRECT_URI,
    state: 's',
    nonce: 'n',
    codeVerifier: 'x'.repeat(43),
    selectAccount: false,
  };
  await assert.rejects(provider.authorizeUrl(login), { code: 'provider_unreachable' });
  const back = await start(context, { port });
  await assert.rejects(
    provider.authorizeUrl(login),
    { code: 'provider_unreachable' },
    'not asked within the pause',
  );
  assert.equal(back.counts.discoveries, 0);
  now += 500;
  assert.equal((await logInAt(provider, EMAIL)).identity.email, EMAIL);
  assert.equal(back.counts.discoveries, 1, 'discovered once for all calls of a login');
});
