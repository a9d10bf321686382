// Contract 2.1, 2.2 and 8 through the whole service: what each field of the configuration does once it is
// read. That it is required, and what it may hold, is tested in src/config.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { ServiceError } from '../../src/domain/service-error.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { eventually } from '../support/serve-process.ts';
import {
  corpClient,
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '../support/service.ts';
import { loggedIn } from '../support/three-providers.ts';

async function serving(t: TestContext, options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startTestService(options);
  t.after(service.close);
  return service;
}

test('oauth.bind_address: the OAuth frontend listens there (2.1)', async (t) => {
  const service = await serving(t);
  const answer = await fetch(`http://127.0.0.1:${service.ports.oauth}/corp/login`, { redirect: 'manual' });
  assert.equal(answer.status, 302);
  assert.ok(answer.headers.get('location')?.startsWith(service.idp.issuer));
});

test('oauth.endpoint_url: where logins start and where providers send people back to (2.1)', async (t) => {
  const service = await serving(t);
  const share = await service.share('demo');
  const first = await service.browser().open(share.url);
  assert.equal(first.location?.origin, service.endpointUrl);
  await loggedIn(service, share);
  assert.equal(
    service.idp.authorizations.at(-1)?.get('redirect_uri'),
    `${service.endpointUrl}/corp/auth/callback`,
  );
});

test('oauth.cookie_name and oauth.cookie_domain: name and domain of the session cookie (2.1, 2.5)', async (t) => {
  const service = await serving(t, { oauth: { cookie_name: 'my.session', cookie_domain: 'localhost' } });
  const { browser } = await loggedIn(service, await service.share('demo'));
  assert.equal(browser.jar.find('my.session')?.domain, 'localhost');
  assert.equal(browser.jar.find('svc-auth-session'), undefined);
});

test('oauth.intermediate_lifetime: a callback that comes later gives no session (2.1, 3, 8)', async (t) => {
  const service = await serving(t, { oauth: { intermediate_lifetime: '1s' } });
  const share = await service.share('demo');
  const browser = service.browser();
  const { stopped } = await walkLogin(browser, share.url, {
    email: 'ada@example.com',
    until: (next) => next.pathname === '/corp/auth/callback',
  });
  const arrivedAt = Date.now();
  await eventually('the lifetime is over', () => Date.now() > arrivedAt + 1_000);
  assert.ok(stopped);
  const late = await browser.request(stopped, { headers: { accept: 'application/json' } });
  assert.equal(late.status, 400);
  assert.equal((JSON.parse(late.body) as { code: string }).code, 'state_expired');
  assert.equal(browser.jar.find('svc-auth-session'), undefined);
});

for (const [key, other] of [
  ['signing_key', 'another signing key for tests, of 32 or more'],
  ['encryption_key', 'another encryption key of 24 or more'],
] as const) {
  test(`oauth.${key}: sessions made with another one are no sessions (2.1, 2.5)`, async (t) => {
    const service = await serving(t);
    const share = await service.share('demo');
    const { browser } = await loggedIn(service, share);
    const config = JSON.parse(readFileSync(service.configFile, 'utf8')) as { oauth: Record<string, unknown> };
    config.oauth[key] = other;
    writeFileSync(service.configFile, JSON.stringify(config));
    await service.reload();
    assert.equal((await browser.open(share.url)).status, 302);
    await loggedIn(service, share, { browser });
  });
}

for (const [key, least] of [
  ['signing_key', 32],
  ['encryption_key', 24],
] as const) {
  test(`oauth.${key} of ${least} characters serves, of ${least - 1} nothing starts (2.1, 8)`, async (t) => {
    const service = await serving(t, { oauth: { [key]: 'k'.repeat(least) } });
    await loggedIn(service, await service.share('demo'));
    await assert.rejects(startTestService({ oauth: { [key]: 'k'.repeat(least - 1) } }), (error: unknown) => {
      assert.ok(error instanceof ServiceError && error.code === 'config_invalid');
      assert.match(error.message, new RegExp(`oauth\\.${key}: found ${least - 1} characters`));
      return true;
    });
  });
}

test('provider name: part of its addresses, unique (2.2)', async (t) => {
  const service = await serving(t);
  for (const path of ['corp/login', 'corp/logout'])
    assert.equal((await service.browser().open(`${service.endpointUrl}/${path}`)).status, 302);
  for (const path of ['nobody/login', 'nobody/logout', 'nobody/auth/callback', 'Corp/login'])
    assert.equal((await service.browser().open(`${service.endpointUrl}/${path}`)).status, 404, path);
  const { clientId: client_id, clientSecret: client_secret } = corpClient('');
  const twin = { name: 'corp', type: 'github', client_id, client_secret };
  await assert.rejects(startTestService({ providers: () => [twin] }), { code: 'config_invalid' });
});

test('provider client_id and client_secret: the client that logs people in; with wrong ones nobody gets in (2.2)', async (t) => {
  const right = await serving(t);
  await loggedIn(right, await right.share('demo'));
  assert.equal(right.idp.authorizations.at(-1)?.get('client_id'), corpClient('').clientId);
  for (const [corp, status] of [
    [{ client_secret: 'not the secret' }, 502],
    // The provider shows its own page and sends nobody back.
    [{ client_id: 'somebody-else' }, 400],
  ] as const) {
    const service = await serving(t, { corp });
    const browser = service.browser();
    const { last } = await walkLogin(browser, (await service.share('demo')).url, {
      email: 'ada@example.com',
    });
    assert.equal(last.status, status, JSON.stringify(corp));
    assert.equal(browser.jar.find('svc-auth-session'), undefined);
  }
});

test('provider scopes: asked for as they are (2.2)', async (t) => {
  const scopes = ['openid', 'email', 'profile', 'offline_access'];
  const service = await serving(t, { corp: { scopes } });
  await loggedIn(service, await service.share('demo'));
  assert.equal(service.idp.authorizations.at(-1)?.get('scope'), scopes.join(' '));
});

for (const supported of [true, false]) {
  test(`provider supports_pkce ${supported}: PKCE is ${supported ? '' : 'not '}used (2.2)`, async (t) => {
    const service = await serving(t, { corp: { supports_pkce: supported }, idp: { requirePkce: supported } });
    await loggedIn(service, await service.share('demo'));
    const asked = service.idp.authorizations.at(-1);
    assert.equal(asked?.get('code_challenge_method'), supported ? 'S256' : null);
    assert.equal(asked.has('code_challenge'), supported);
  });
}

test('provider issuer: its metadata are read there, and must be its own (2.2)', async (t) => {
  const service = await serving(t);
  await loggedIn(service, await service.share('demo'));
  assert.equal(service.idp.counts.discoveries, 1);
  const wrong = await serving(t, { corp: { issuer: `${service.idp.issuer}/other` } });
  const { last } = await walkLogin(wrong.browser(), (await wrong.share('demo')).url, {
    email: 'ada@example.com',
  });
  assert.ok(last.status === 502 || last.status === 503, String(last.status));
});
