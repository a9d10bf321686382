// The login with each provider type as it really speaks: contract 4.1, 4.2 and 5.1 from the browser's side.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '../../src/domain/secret.ts';
import type { ProviderSettings } from '../../src/domain/provider-settings.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { startLoginFrontend, type LoginFrontend } from '../support/login-frontend.ts';
import { providerSettings } from '../support/providers/log-in-at.ts';
import { startOidcProvider } from '../support/providers/oidc-provider.ts';
import { startStrictGitHub } from '../support/providers/strict-github.ts';
import { startStrictGoogle } from '../support/providers/strict-google.ts';

type StandIn = {
  readonly settings: ProviderSettings;
  readonly authorizations: readonly URLSearchParams[];
  /** Tokens revoked or deleted. */
  readonly revoked: readonly string[];
  readonly close: () => Promise<void>;
};

const CLIENT = { clientId: 'client-1', clientSecret: 'the secret of client 1' };
const common = { clientId: CLIENT.clientId, clientSecret: new Secret(CLIENT.clientSecret) };

const TYPES: Readonly<Record<string, (frontend: LoginFrontend) => Promise<StandIn>>> = {
  async oidc(frontend) {
    const redirectUris = [frontend.redirectUri('oidc-one')];
    const standIn = await startOidcProvider({ clients: [{ ...CLIENT, redirectUris }], requirePkce: true });
    const settings = providerSettings({ ...common, name: 'oidc-one', type: 'oidc', issuer: standIn.issuer });
    return { ...standIn, settings };
  },
  async google(frontend) {
    const redirectUris = [frontend.redirectUri('google-one')];
    const standIn = await startStrictGoogle({ clients: [{ ...CLIENT, redirectUris }] });
    const settings = providerSettings({
      ...common,
      name: 'google-one',
      type: 'google',
      issuer: standIn.issuer,
    });
    return { ...standIn, settings };
  },
  async github(frontend) {
    const redirectUris = [frontend.redirectUri('github-one')];
    const standIn = await startStrictGitHub({ clients: [{ ...CLIENT, redirectUris }] });
    const { baseUrl, apiUrl } = standIn;
    const settings = providerSettings({
      ...common,
      name: 'github-one',
      type: 'github',
      scopes: [],
      baseUrl,
      apiUrl,
    });
    return { ...standIn, revoked: standIn.deleted, settings };
  },
};

for (const [type, startStandIn] of Object.entries(TYPES)) {
  describe(`login with ${type}`, () => {
    test(`${type}: login, callback, session, return to the whole address (4.1, 5.1 points 3 to 8)`, async () => {
      await using at = await frontendWith(startStandIn);
      const share = await at.frontend.addShare({ provider: at.name, patterns: ['*@example.com'] });
      const browser = at.frontend.browser();
      const walk = await walkLogin(browser, at.frontend.startUrl(share), { email: 'ada@example.com' });
      assert.equal(walk.last.url.href, at.frontend.shareUrl(share));
      assert.match(walk.last.body, /^arrived at/);
      const [session] = at.frontend.sessions(browser);
      assert.equal(session?.email, 'ada@example.com');
      assert.equal(session.shareId, share.id);
      assert.equal(at.standIn.authorizations[0]?.get('code_challenge_method'), 'S256');
      assert.equal(at.standIn.revoked.length, 0);
    });

    test(`${type}: an email that matches no pattern gets a page and no session (3, 7)`, async () => {
      await using at = await frontendWith(startStandIn);
      const share = await at.frontend.addShare({ provider: at.name, patterns: ['*@corp.test'] });
      const browser = at.frontend.browser();
      const walk = await walkLogin(browser, at.frontend.startUrl(share), { email: 'ada@example.com' });
      assert.equal(walk.last.status, 403);
      assert.match(walk.last.body, /ada@example\.com/);
      assert.deepEqual(at.frontend.sessions(browser), []);
      assert.ok(at.standIn.revoked.length > 0);
    });

    test(`${type}: logout revokes at the provider, clears the cookie, redirects; again it changes nothing (4.2)`, async () => {
      await using at = await frontendWith(startStandIn);
      const share = await at.frontend.addShare({ provider: at.name });
      const browser = at.frontend.browser();
      await walkLogin(browser, at.frontend.startUrl(share), { email: 'ada@example.com' });
      const [session] = at.frontend.sessions(browser);
      assert.ok(session);
      const logout = `${at.frontend.origin}/${at.name}/logout?redirect_url=http://bye.example/x`;
      const answer = await browser.open(logout);
      assert.equal(answer.location?.href, 'http://bye.example/x');
      assert.equal(browser.jar.find('svc-auth-session'), undefined);
      assert.equal((await at.frontend.store.sessions.state(session.id))?.ended, true);
      const revoked = at.standIn.revoked.length;
      assert.ok(revoked > 0);
      const again = await browser.open(logout);
      assert.equal(again.location?.href, 'http://bye.example/x');
      assert.equal(at.standIn.revoked.length, revoked);
    });

    test(`${type}: logout without redirect_url ends on a login page that asks for an account (4.2 point 3)`, async () => {
      await using at = await frontendWith(startStandIn);
      const share = await at.frontend.addShare({ provider: at.name });
      const browser = at.frontend.browser();
      await walkLogin(browser, at.frontend.startUrl(share), { email: 'ada@example.com' });
      const out = await browser.open(`${at.frontend.origin}/${at.name}/logout`);
      assert.equal(out.location?.pathname, `/${at.name}/login`);
      assert.ok(out.location);
      const walk = await walkLogin(browser, out.location, { email: 'grace@example.com' });
      assert.match(walk.last.body, /^arrived at/);
      assert.equal(at.frontend.sessions(browser)[0]?.email, 'grace@example.com');
      assert.match(at.standIn.authorizations.at(-1)?.get('prompt') ?? '', /login|select_account/);
    });

    test(`${type}: a provider that goes away during the login answers 503, and no session begins (2.2)`, async () => {
      await using at = await frontendWith(startStandIn);
      const share = await at.frontend.addShare({ provider: at.name });
      const browser = at.frontend.browser();
      const callback = await walkLogin(browser, at.frontend.startUrl(share), {
        email: 'ada@example.com',
        until: (next) => next.pathname.endsWith('/auth/callback'),
      });
      await at.standIn.close();
      assert.ok(callback.stopped);
      const answer = await browser.open(callback.stopped);
      assert.equal(answer.status, 503);
      assert.deepEqual(at.frontend.sessions(browser), []);
    });
  });
}

async function frontendWith(startStandIn: (frontend: LoginFrontend) => Promise<StandIn>) {
  const frontend = await startLoginFrontend();
  const standIn = await startStandIn(frontend);
  frontend.useProviders([standIn.settings]);
  return {
    frontend,
    standIn,
    name: standIn.settings.name,
    async [Symbol.asyncDispose]() {
      await standIn.close();
      await frontend[Symbol.asyncDispose]();
    },
  };
}
