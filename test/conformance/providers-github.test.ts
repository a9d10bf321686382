// `github` against a strict stand-in, and its happy path against `emulate`: contract 2.2 `<hosted_b>`, 4.2
// point 1.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { createEmulator } from 'emulate';
import { Secret } from '../../src/domain/secret.ts';
import type { ServiceError } from '../../src/domain/service-error.ts';
import { NO_FACTS } from '../../src/domain/session-facts.ts';
import {
  authorizeAt,
  CLIENT,
  logInAt,
  providerOf,
  REDIRECT_URI,
  refreshAt,
} from '../support/providers/log-in-at.ts';
import { startStrictGitHub } from '../support/providers/strict-github.ts';
import { freePort } from '../support/free-port.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const EMAIL = 'ann@example.com';
const gone = Promise.resolve(null);

async function start(context: TestContext, options: { readonly expiringTokens?: boolean } = {}) {
  const github = await startStrictGitHub({ clients: [CLIENT], ...options });
  context.after(() => github.close());
  const { baseUrl, apiUrl } = github;
  const settings = { type: 'github', baseUrl, apiUrl, scopes: [], supportsPkce: false } as const;
  return { github, settings, provider: providerOf(settings) };
}

test('github always uses PKCE, and identifies by the numeric id and the primary address (3, PKCE; Email)', async (context) => {
  const { github, provider } = await start(context);
  assert.equal(provider.usesPkce, true);
  const user = github.user(EMAIL);
  user.emails = [
    { email: 'other@example.com', primary: false, verified: true },
    { email: 'primary@example.com', primary: true, verified: true },
  ];
  const { identity, tokens } = await logInAt(provider, EMAIL);
  const who = { provider: 'corp', subject: String(user.id), email: 'primary@example.com' };
  assert.deepEqual(identity, { ...who, emailVerified: true, facts: { ...NO_FACTS, name: user.login } });
  assert.equal(tokens.refreshToken, null);
  assert.equal(github.authorizations[0]?.get('scope'), 'read:user user:email');
  assert.equal(github.authorizations[0]?.get('prompt'), null);
  assert.deepEqual(github.violations, []);
});

test('github asks which account when another is wanted, or the settings say so (3, Refused email)', async (context) => {
  const { github, provider, settings } = await start(context);
  await authorizeAt(provider, EMAIL, { selectAccount: true });
  assert.equal(github.authorizations[0]?.get('prompt'), 'select_account');
  await authorizeAt(providerOf({ ...settings, prompt: 'select_account' }), EMAIL);
  assert.equal(github.authorizations[1]?.get('prompt'), 'select_account');
});

test('github takes the primary address only when it is verified (3, Email)', async (context) => {
  const { github, provider } = await start(context);
  const user = github.user(EMAIL);
  user.emails = [
    { email: EMAIL, primary: true, verified: false },
    { email: 'b@example.com', primary: false, verified: true },
  ];
  await assert.rejects(logInAt(provider, EMAIL), { code: 'email_unverified' });
  user.emails = [{ email: EMAIL, primary: false, verified: true }];
  await assert.rejects(logInAt(provider, EMAIL), { code: 'email_unusable' });
  user.emails = [{ email: 'a@b\r\nx: y', primary: true, verified: true }];
  await assert.rejects(logInAt(provider, EMAIL), { code: 'email_unusable' });
});

test('github refuses a user without a numeric id', async (context) => {
  const { github, provider } = await start(context);
  for (const id of [undefined, null, '1', 1.5, -1, 2 ** 53, 'a\r\nb']) {
    github.user(EMAIL).id = id;
    await assert.rejects(logInAt(provider, EMAIL), { code: 'provider_error' }, String(id));
  }
});

test('github deletes the token through the API, and is content when it is gone already (4.2 points 1 and 6)', async (context) => {
  const { github, provider, settings } = await start(context);
  const { tokens } = await logInAt(provider, EMAIL);
  await provider.revoke?.(tokens, AbortSignal.timeout(PROMPTLY_MS));
  assert.deepEqual(github.deleted, [tokens.accessToken.reveal()]);
  await assert.rejects(provider.identify(tokens), { code: 'provider_error' });
  await provider.revoke?.(tokens, AbortSignal.timeout(PROMPTLY_MS));
  const wrong = providerOf({ ...settings, clientSecret: new Secret('wrong') });
  await assert.rejects(wrong.revoke?.(tokens, AbortSignal.timeout(PROMPTLY_MS)) ?? gone, {
    code: 'provider_error',
  });
});

test('github refreshes expiring tokens, which rotate; a spent one is no good any more (3, Check interval)', async (context) => {
  const { github, provider } = await start(context, { expiringTokens: true });
  const { tokens } = await logInAt(provider, EMAIL);
  assert.ok(tokens.refreshToken);
  const fresh = await refreshAt(provider, tokens);
  assert.ok(fresh?.refreshToken);
  assert.notEqual(fresh.refreshToken.reveal(), tokens.refreshToken.reveal());
  assert.equal((await provider.identify(fresh)).email, EMAIL);
  assert.equal(await refreshAt(provider, tokens), null);
  assert.equal(github.counts.refreshes, 1);
  assert.equal(await provider.refresh?.({ ...tokens, refreshToken: null }), null);
});

test('github refuses errors that come with status 200: wrong secret, verifier, redirect URI, a code used twice', async (context) => {
  const { github, provider, settings } = await start(context);
  const error = { code: 'provider_error' };
  const callback = () => authorizeAt(provider, EMAIL);
  await assert.rejects(provider.exchange({ ...(await callback()), codeVerifier: 'x'.repeat(43) }), error);
  await assert.rejects(provider.exchange({ ...(await callback()), redirectUri: `${REDIRECT_URI}/` }), error);
  const wrong = providerOf({ ...settings, clientSecret: new Secret('wrong') });
  await assert.rejects(wrong.exchange(await callback()), error);
  const good = await callback();
  await provider.exchange(good);
  await assert.rejects(provider.exchange(good), error);
  assert.equal(github.violations.length, 4);
});

test('github refuses a response that was denied, is another state, of another issuer, or has a parameter twice', async (context) => {
  const { provider } = await start(context);
  const callback = await authorizeAt(provider, EMAIL);
  const withQuery = (change: (query: URLSearchParams) => void) => {
    const url = new URL(callback.url);
    change(url.searchParams);
    return provider.exchange({ ...callback, url });
  };
  const error = { code: 'provider_error' };
  await assert.rejects(
    withQuery((query) => query.set('error', 'access_denied')),
    { code: 'access_denied' },
  );
  await assert.rejects(
    withQuery((query) => query.set('error', 'application_suspended')),
    error,
  );
  await assert.rejects(
    withQuery((query) => query.set('state', 'another')),
    error,
  );
  await assert.rejects(
    withQuery((query) => query.delete('state')),
    error,
  );
  await assert.rejects(
    withQuery((query) => query.set('iss', 'https://evil.example')),
    error,
  );
  await assert.rejects(
    withQuery((query) => query.append('code', 'another')),
    error,
  );
  await assert.rejects(
    withQuery((query) => query.delete('code')),
    error,
  );
  await provider.exchange(callback);
});

test('github tells an API that is away from one that refuses', async (context) => {
  const { github, provider } = await start(context, { expiringTokens: true });
  const { tokens } = await logInAt(provider, EMAIL);
  github.faults.api = 'server_error';
  await assert.rejects(provider.identify(tokens), { code: 'provider_unreachable' });
  github.faults.api = 'forbidden';
  await assert.rejects(provider.identify(tokens), { code: 'provider_permission_missing' });
  await github.close();
  await assert.rejects(provider.identify(tokens), { code: 'provider_unreachable' });
  await assert.rejects(provider.refresh?.(tokens) ?? gone, { code: 'provider_unreachable' });
});

test('github finds the primary address on page 2 (3, Email)', async (context) => {
  const { github, provider } = await start(context);
  const more = Array.from({ length: 100 }, (_, index) => ({
    email: `alias-${index}@example.com`,
    primary: false,
    verified: true,
  }));
  const user = github.user(EMAIL);
  user.emails = [...more, ...user.emails];
  assert.equal((await logInAt(provider, EMAIL)).identity.email, EMAIL);
});

test('github tells a rate limit with its end, a missing permission, and an unverified person (3)', async (context) => {
  const { github, provider } = await start(context);
  const callback = await authorizeAt(provider, EMAIL);
  const url = new URL(callback.url);
  url.searchParams.delete('code');
  url.searchParams.set('error', 'unverified_user_email');
  await assert.rejects(provider.exchange({ ...callback, url }), { code: 'account_unverified' });
  const tokens = await provider.exchange(callback);
  github.faults.api = 'rate_limited';
  await assert.rejects(provider.identify(tokens), (error: ServiceError) => {
    const seconds = Number(error.extra['retryAfterSeconds']);
    assert.deepEqual([error.code, seconds > 590 && seconds <= 600], ['provider_rate_limited', true]);
    assert.match(error.message, /rate limit/);
    return true;
  });
  github.faults.api = 'forbidden';
  await assert.rejects(provider.identify(tokens), {
    code: 'provider_permission_missing',
    message: /a permission is missing/,
    hint: /Email addresses: read-only/,
  });
});

test('github: the happy path against emulate', async (context) => {
  const github = await createEmulator({
    service: 'github',
    port: await freePort(),
    seed: {
      github: {
        users: [{ login: 'ann', name: 'Ann', email: EMAIL }],
        oauth_apps: [
          {
            client_id: CLIENT.clientId,
            client_secret: CLIENT.clientSecret,
            name: 'Doorward',
            redirect_uris: CLIENT.redirectUris,
          },
        ],
      },
    },
  });
  context.after(() => github.close());
  const provider = providerOf({ type: 'github', baseUrl: github.url, apiUrl: github.url });
  const { identity } = await logInAt(provider, 'ann');
  assert.equal(identity.email, EMAIL);
  assert.match(identity.subject, /^\d+$/);
});
