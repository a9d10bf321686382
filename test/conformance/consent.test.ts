// Consent to offline access: asked for where a share needs a refresh token that did not come by itself, once,
// and by nothing but that (contract 3, Check interval; OpenID Connect Core section 11). On both engines.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { walkLogin, type Browser } from '../support/browser-by-hand.ts';
import { CLIENT, providerSettings } from '../support/providers/log-in-at.ts';
import { CHECK_INTERVAL_MS, startLoginFrontend, type LoginFrontend } from '../support/login-frontend.ts';
import { onEngines, type OpenStore } from '../support/on-engines.ts';
import { type OpenIdHooks, startOpenIdStandIn } from '../support/providers/openid-stand-in.ts';
import { startOidcProvider } from '../support/providers/oidc-provider.ts';
import { startStrictGoogle } from '../support/providers/strict-google.ts';

const EMAIL = 'ann@example.com';
const OFFLINE = ['openid', 'email', 'offline_access'];
type Settings = Parameters<typeof providerSettings>[0];
type Asks = { readonly authorizations: readonly URLSearchParams[] };

onEngines('consent to offline access', ({ openStore }) => {
  test('a further share of a person asks Google for consent once, later ones and later logins do not (3 Check interval)', async (t) => {
    const { frontend, google } = await startWithGoogle(t, openStore);
    const browser = frontend.browser();
    assert.deepEqual(await promptsOf(frontend, google, browser), [null]);
    assert.deepEqual(await promptsOf(frontend, google, browser), [null, 'consent']);
    const [newest, first] = frontend.sessions(browser);
    frontend.clock.aheadMs = CHECK_INTERVAL_MS;
    const recheck = frontend.newRecheck();
    for (const session of [newest, first]) {
      assert.ok(session);
      const answer = await recheck(session.id);
      assert.equal(answer.kind === 'session' && answer.state?.ended, false);
    }
    assert.equal(google.counts.refreshes, 2, 'both sessions have a refresh token');
    for (let login = 0; login < 3; login++)
      assert.deepEqual(await promptsOf(frontend, google, browser), [null]);
    assert.deepEqual(await promptsOf(frontend, google, browser, { email: 'bob@example.com' }), [null]);
    assert.deepEqual(google.violations, []);
  });

  test('consent is not asked for where no check needs it, nor where the settings name a prompt or none (2.2 prompt)', async (t) => {
    const { frontend, google } = await startWithGoogle(t, openStore);
    await promptsOf(frontend, google, frontend.browser());
    const { sessionLifetimeMs: checkIntervalMs } = frontend.deps.oauth;
    assert.deepEqual(await promptsOf(frontend, google, frontend.browser(), { checkIntervalMs }), [null]);
    for (const [prompt, sent] of [
      ['', null],
      ['select_account', 'select_account'],
    ] as const) {
      frontend.useProviders([providerSettings({ ...GOOGLE, issuer: google.issuer, prompt })]);
      assert.deepEqual(await promptsOf(frontend, google, frontend.browser()), [sent]);
    }
  });

  test('who is not let in is not asked for consent (3)', async (t) => {
    const { frontend, google } = await startWithGoogle(t, openStore);
    await promptsOf(frontend, google, frontend.browser());
    const before = google.authorizations.length;
    const share = await frontend.addShare({ provider: 'corp', patterns: ['*@other.example'] });
    const { last } = await walkLogin(frontend.browser(), frontend.startUrl(share), { email: EMAIL });
    assert.equal(last.status, 403);
    assert.equal(google.authorizations.length - before, 1);
  });

  test('oidc with offline_access asks nobody whose login brings a refresh token, as at Entra, Okta and Dex (3 Check interval)', async (t) => {
    const { frontend, standIn } = await startWithOidc(t, openStore, {});
    const browser = frontend.browser();
    for (let login = 0; login < 3; login++)
      assert.deepEqual(await promptsOf(frontend, standIn, browser), [null]);
  });

  test('oidc that gives none even with consent lets people in, and is not asked again (3 Check interval)', async (t) => {
    const { frontend, standIn } = await startWithOidc(t, openStore, { givesRefreshToken: () => false });
    const browser = frontend.browser();
    assert.deepEqual(await promptsOf(frontend, standIn, browser), [null, 'consent']);
    assert.deepEqual(await promptsOf(frontend, standIn, browser), [null]);
    assert.equal(standIn.revoked.length, 0, 'what the first of both logins brought stays until it expires');
  });

  test('who refuses consent is let in at the next try, without being asked (3)', async (t) => {
    const asked: URLSearchParams[] = [];
    const { frontend, standIn } = await startWithOidc(t, openStore, {
      givesRefreshToken: () => false,
      judgeAuthorization(request) {
        asked.push(request);
        return null;
      },
      authorizationResponse(parameters) {
        if (asked.at(-1)?.get('prompt') !== 'consent') return;
        parameters.delete('code');
        parameters.set('error', 'access_denied');
      },
    });
    const browser = frontend.browser();
    const share = await frontend.addShare({ provider: 'corp' });
    const refused = await walkLogin(browser, frontend.startUrl(share), { email: EMAIL });
    assert.equal(refused.last.status, 403);
    assert.deepEqual(await promptsOf(frontend, standIn, browser), [null]);
  });

  test('the certified provider, which gives offline access with consent alone, is asked for it and gives it (3 Check interval)', async (t) => {
    const frontend = await startLoginFrontend(openStore);
    t.after(() => frontend[Symbol.asyncDispose]());
    const client = { ...CLIENT, redirectUris: [frontend.redirectUri('corp')] };
    const standIn = await startOidcProvider({
      clients: [client],
      requirePkce: true,
      refreshTokens: 'offline_access',
    });
    t.after(standIn.close);
    frontend.useProviders([providerSettings({ issuer: standIn.issuer, scopes: OFFLINE })]);
    const browser = frontend.browser();
    assert.deepEqual(await promptsOf(frontend, standIn, browser), [null, 'consent']);
    const [session] = frontend.sessions(browser);
    assert.ok(session);
    frontend.clock.aheadMs = CHECK_INTERVAL_MS;
    const answer = await frontend.newRecheck()(session.id);
    assert.equal(answer.kind === 'session' && answer.state?.ended, false);
  });
});

/** The prompts of one login at a share of its own, which lets the person in. */
async function promptsOf(
  frontend: LoginFrontend,
  provider: Asks,
  browser: Browser,
  { email = EMAIL, checkIntervalMs }: { readonly email?: string; readonly checkIntervalMs?: number } = {},
) {
  const before = provider.authorizations.length;
  const interval = checkIntervalMs === undefined ? {} : { checkIntervalMs };
  const share = await frontend.addShare({ provider: 'corp', ...interval });
  const { last } = await walkLogin(browser, frontend.startUrl(share), { email });
  assert.equal(last.status, 200, last.body);
  assert.match(last.body, /^arrived at/);
  return provider.authorizations.slice(before).map((request) => request.get('prompt'));
}

async function startWithGoogle(t: TestContext, openStore: OpenStore) {
  const frontend = await startLoginFrontend(openStore);
  t.after(() => frontend[Symbol.asyncDispose]());
  const google = await startStrictGoogle({
    clients: [{ ...CLIENT, redirectUris: [frontend.redirectUri('corp')] }],
  });
  t.after(google.close);
  frontend.useProviders([providerSettings({ ...GOOGLE, issuer: google.issuer })]);
  return { frontend, google };
}

async function startWithOidc(t: TestContext, openStore: OpenStore, hooks: OpenIdHooks) {
  const frontend = await startLoginFrontend(openStore);
  t.after(() => frontend[Symbol.asyncDispose]());
  const client = { ...CLIENT, redirectUris: [frontend.redirectUri('corp')] };
  const standIn = await startOpenIdStandIn({ clients: [client] }, hooks);
  t.after(standIn.close);
  frontend.useProviders([providerSettings({ issuer: standIn.issuer, scopes: OFFLINE })]);
  return { frontend, standIn };
}

const GOOGLE: Settings = { type: 'google', scopes: [] };
