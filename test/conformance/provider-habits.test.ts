// Providers as they are, each habit by a stand-in of it: what people, programs and the operator get (contract
// 2.2, 3, 5.5).

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { SessionId } from '../../src/domain/id.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { ServiceError } from '../../src/domain/service-error.ts';
import { DOWN_MS } from '../../src/providers/provider-health.ts';
import { examineConfigured } from '../../src/providers/examine-configured.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { CLIENT, logInAt, providerOf, providerSettings, refreshAt } from '../support/providers/log-in-at.ts';
import { startParticularProvider } from '../support/providers/particular-provider.ts';
import { signIdToken, startOpenIdStandIn } from '../support/providers/openid-stand-in.ts';
import { startStrictGitHub } from '../support/providers/strict-github.ts';
import { CHECK_INTERVAL_MS, startLoginFrontend } from '../support/login-frontend.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService } from '../support/service.ts';

const EMAIL = 'ann@example.com';

test('a refresh token that a later login made worthless is a login, not an outage: 401 with login_url, and the session ends (3 Check interval)', async (t) => {
  const { service, acme, share } = await startAcme(t);
  acme.habits.oneRefreshTokenAPerson = true;
  const [first, second] = [service.browser(), service.browser()];
  await walkLogin(first, share.url, { email: EMAIL });
  await walkLogin(second, share.url, { email: EMAIL });
  const refused = await eventually('the first session ended', async () => {
    const answer = await first.open(share.url, { headers: { accept: 'application/json' } });
    return answer.status !== 200 && answer;
  });
  assert.equal(refused.status, 401, refused.body);
  assert.match((JSON.parse(refused.body) as { login_url: string }).login_url, /\/acme\/login\?/);
  const navigation = await first.open(share.url);
  assert.equal(navigation.status, 302);
  assert.equal(navigation.location?.pathname, '/acme/login');
  const ended = await service.client.sessions.list({ share: 'acme-app', state: 'ended' });
  assert.equal(ended.items.length, 1, 'it is not listed as active');
});

test('a refresh refused with any OAuth error of a 4xx means a login; invalid_client, 429 and 5xx an outage (3 Check interval)', async (t) => {
  const acme = await startParticularProvider([CLIENT]);
  t.after(acme.close);
  const provider = providerOf({ issuer: acme.issuer });
  const { tokens } = await logInAt(provider, EMAIL);
  const dead: readonly (readonly [number, string])[] = [
    [400, 'invalid_grant'],
    [400, 'invalid_request'],
    [400, 'unauthorized_client'],
    [400, 'invalid_scope'],
    [400, 'interaction_required'],
    [400, 'a_word_of_its_own'],
    [403, 'access_denied'],
    [401, 'invalid_token'],
  ];
  for (const [status, error] of dead) {
    acme.habits.refusesRefresh = { status, error };
    assert.equal(await refreshAt(provider, tokens), null, `${status} ${error}`);
  }
  const away: readonly (readonly [number, string, string])[] = [
    [401, 'invalid_client', 'provider_error'],
    [400, 'temporarily_unavailable', 'provider_error'],
    [429, 'invalid_request', 'provider_rate_limited'],
    [503, 'invalid_grant', 'provider_unreachable'],
  ];
  for (const [status, error, code] of away) {
    acme.habits.refusesRefresh = { status, error };
    await assert.rejects(refreshAt(provider, tokens), { code }, `${status} ${error}`);
  }
});

test('a client secret of -._~ works where Basic credentials are not decoded, and one that must be encoded by the body (2.2)', async (t) => {
  for (const [clientSecret, tokenRequests] of [
    ['Ab-1._~cd', 1],
    ['secret of /+:%', 2],
  ] as const) {
    const client = { ...CLIENT, clientId: 'client-1.of_mine', clientSecret, takesBasicUndecoded: true };
    const standIn = await startOpenIdStandIn({ clients: [client] });
    t.after(standIn.close);
    const settings = {
      issuer: standIn.issuer,
      clientId: client.clientId,
      clientSecret: new Secret(clientSecret),
    };
    await logInAt(providerOf(settings), EMAIL);
    assert.equal(standIn.counts.tokens, tokenRequests);
    assert.equal((await credentialsCheck(settings)).state, 'ok');
  }
});

test('refused Basic credentials go into the body next, whatever the refusal, and whatever the metadata say (2.2)', async (t) => {
  const refusals: readonly (readonly [number, object | null, Record<string, string>])[] = [
    [401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic realm="x"' }],
    [401, { message: 'Unauthorized' }, {}],
    [403, null, {}],
    [400, { error: 'unauthorized_client' }, {}],
  ];
  for (const [status, body, headers] of refusals) {
    const standIn = await startOpenIdStandIn(
      { clients: [CLIENT] },
      {
        metadata: (document) => ({ ...document, token_endpoint_auth_methods_supported: undefined }),
        intercept(request, response, path) {
          if (path !== '/token' || request.headers.authorization === undefined) return false;
          response.writeHead(status, { 'content-type': 'application/json', ...headers });
          response.end(body === null ? '' : JSON.stringify(body));
          return true;
        },
      },
    );
    t.after(standIn.close);
    const { tokens } = await logInAt(providerOf({ issuer: standIn.issuer }), EMAIL);
    assert.ok(tokens.refreshToken, `${status} ${JSON.stringify(body)}`);
    assert.equal((await credentialsCheck({ issuer: standIn.issuer })).state, 'ok');
  }
});

test('provider test and doctor send the token endpoint what a login sends it, but the code (5.5)', async (t) => {
  const sent: string[] = [];
  const standIn = await startOpenIdStandIn(
    { clients: [CLIENT] },
    {
      intercept(request, _response, path) {
        const { host: _host, connection: _connection, ...headers } = request.headers;
        if (path === '/token') sent.push(JSON.stringify({ ...headers, 'content-length': null }));
        return false;
      },
    },
  );
  t.after(standIn.close);
  await logInAt(providerOf({ issuer: standIn.issuer }), EMAIL);
  await credentialsCheck({ issuer: standIn.issuer });
  assert.equal(sent.length, 2);
  assert.equal(sent[1], sent[0]);
});

test('a rate limit is honoured: one refresh for all sessions until Retry-After is over, then none is logged out (3 Check interval)', async (t) => {
  await using frontend = await startLoginFrontend();
  const acme = await startParticularProvider([{ ...CLIENT, redirectUris: [frontend.redirectUri('corp')] }]);
  t.after(acme.close);
  frontend.useProviders([providerSettings({ issuer: acme.issuer })]);
  const share = await frontend.addShare({ provider: 'corp' });
  const ids: SessionId[] = [];
  for (let person = 0; person < 5; person++) {
    const browser = frontend.browser();
    await walkLogin(browser, frontend.startUrl(share), { email: `person-${person}@example.com` });
    ids.push(...frontend.sessions(browser).map(({ id }) => id));
  }
  assert.equal(ids.length, 5);
  frontend.clock.aheadMs = CHECK_INTERVAL_MS;
  acme.habits.busyFor = '120';
  const recheck = frontend.newRecheck();
  for (let second = 0; second < 60; second++) {
    for (const id of ids) assert.deepEqual(await recheck(id), { kind: 'unavailable' });
    frontend.clock.aheadMs += 1000;
  }
  assert.equal(acme.refusedWhileBusy.count, 1);
  acme.habits.busyFor = null;
  frontend.clock.aheadMs += 120_000;
  for (const id of ids) {
    const answer = await recheck(id);
    assert.equal(answer.kind === 'session' && answer.state?.ended, false);
  }
  assert.equal(acme.counts.refreshes, ids.length);
});

test('a login that meets a rate limit says so, with the provider’s Retry-After (3)', async (t) => {
  await using frontend = await startLoginFrontend();
  const acme = await startParticularProvider([{ ...CLIENT, redirectUris: [frontend.redirectUri('corp')] }]);
  t.after(acme.close);
  frontend.useProviders([providerSettings({ issuer: acme.issuer })]);
  const share = await frontend.addShare({ provider: 'corp' });
  acme.habits.busyFor = '77';
  const { last } = await walkLogin(frontend.browser(), frontend.startUrl(share), { email: EMAIL });
  assert.equal(last.status, 503);
  assert.equal(last.headers['retry-after'], '77');
});

test('keys that change from one moment to the next cost nobody a login, and known ones are not fetched again (5.1 point 6)', async (t) => {
  const acme = await startParticularProvider([CLIENT]);
  t.after(acme.close);
  const provider = providerOf({ issuer: acme.issuer });
  await logInAt(provider, EMAIL);
  const { tokens } = await logInAt(provider, EMAIL);
  assert.ok(await refreshAt(provider, tokens));
  assert.equal(acme.counts.jwks, 1);
  await acme.changeKey();
  await logInAt(provider, EMAIL);
  assert.ok(await refreshAt(provider, tokens));
  assert.equal(acme.counts.jwks, 2);
});

test('id tokens that name 500 groups log in and refresh (5.1 point 6)', async (t) => {
  const groups = Array.from({ length: 500 }, (_, index) => `${'g'.repeat(100)}-${index}`);
  const standIn = await startOpenIdStandIn(
    { clients: [CLIENT] },
    { claims: (claims) => ({ ...claims, groups }) },
  );
  t.after(standIn.close);
  const provider = providerOf({ issuer: standIn.issuer });
  const { tokens, identity } = await logInAt(provider, EMAIL);
  assert.equal(identity.email, EMAIL);
  assert.ok((tokens.idToken?.reveal().length ?? 0) > 64 * 1024);
  assert.ok(await refreshAt(provider, tokens));
});

test('Google’s id tokens may name the issuer without https://, at a login, at a refresh and in turns (2.2 issuer)', async (t) => {
  const google = await startParticularProvider([CLIENT]);
  t.after(google.close);
  const settings = { type: 'google', issuer: google.issuer, scopes: [] } as const;
  const provider = providerOf(settings);
  google.habits.shortIssuer = true;
  const { tokens, identity } = await logInAt(provider, EMAIL);
  assert.equal(identity.email, EMAIL);
  assert.equal(google.counts.tokens, 1, 'the code is exchanged once');
  google.habits.shortIssuer = false;
  const fresh = await refreshAt(provider, tokens);
  assert.ok(fresh);
  google.habits.shortIssuer = true;
  assert.ok(await refreshAt(provider, fresh));
  await assert.rejects(logInAt(providerOf({ issuer: google.issuer }), EMAIL), { code: 'provider_error' });
});

test('an id token with the short issuer is judged as any other: audience, nonce and signature count (5.1 point 6)', async (t) => {
  for (const wrong of [
    { aud: 'another-client' },
    { nonce: 'another-nonce' },
    { exp: 1 },
    { iss: '127.0.0.1' },
  ]) {
    const google = await startOpenIdStandIn(
      { clients: [CLIENT] },
      { claims: ({ iss, ...claims }) => ({ ...claims, iss: String(iss).replace('http://', ''), ...wrong }) },
    );
    t.after(google.close);
    const provider = providerOf({ type: 'google', issuer: google.issuer, scopes: [] });
    await assert.rejects(logInAt(provider, EMAIL), { code: 'provider_error' }, JSON.stringify(wrong));
  }
  const foreign = await startOpenIdStandIn({ clients: [CLIENT] });
  t.after(foreign.close);
  const google = await startOpenIdStandIn(
    { clients: [CLIENT] },
    {
      idToken: ({ iss, ...claims }, { kid }) =>
        signIdToken({ ...claims, iss: String(iss).replace('http://', '') }, { ...foreign.keys, kid }),
    },
  );
  t.after(google.close);
  const provider = providerOf({ type: 'google', issuer: google.issuer, scopes: [] });
  await assert.rejects(logInAt(provider, EMAIL), { code: 'provider_error' });
});

test('a provider that sends no Date logs in and refreshes, its Retry-After counts, and nobody calls its clock right (5.5)', async (t) => {
  const acme = await startParticularProvider([CLIENT]);
  t.after(acme.close);
  acme.habits.noDate = true;
  const provider = providerOf({ issuer: acme.issuer });
  const { tokens } = await logInAt(provider, EMAIL);
  assert.ok(await refreshAt(provider, tokens));
  acme.habits.busyFor = new Date(Date.now() + 90_000).toUTCString();
  await assert.rejects(refreshAt(provider, tokens), ({ code, extra }: ServiceError) => {
    const seconds = Number(extra['retryAfterSeconds']);
    assert.equal(code, 'provider_rate_limited');
    assert.ok(seconds > 60 && seconds <= 90, String(seconds));
    return true;
  });
  acme.habits.busyFor = null;
  const { checks } = await examineConfigured(providerSettings({ issuer: acme.issuer }), {
    now: Date.now,
    endpointUrl: new URL(new URL(CLIENT.redirectUris[0]).origin),
  });
  assert.equal(checks.find(({ name }) => name === 'clock')?.state, 'warn', JSON.stringify(checks));
});

test('nobody is sent to a provider that is known to be down, but who wants to; it is found again by itself (3)', async (t) => {
  await using frontend = await startLoginFrontend();
  const acme = await startParticularProvider([{ ...CLIENT, redirectUris: [frontend.redirectUri('corp')] }]);
  t.after(acme.close);
  frontend.useProviders([providerSettings({ issuer: acme.issuer })]);
  const share = await frontend.addShare({ provider: 'corp' });
  const statusOf = async () =>
    (await walkLogin(frontend.browser(), frontend.startUrl(share), { email: EMAIL })).last.status;
  assert.equal(await statusOf(), 200);
  acme.habits.down = true;
  assert.deepEqual([await statusOf(), await statusOf()], [503, 503]);
  const sent = acme.authorizations.length;
  const browser = frontend.browser();
  const page = await browser.open(frontend.startUrl(share));
  assert.equal(page.status, 503);
  assert.match(page.body, /The provider cannot be reached/);
  assert.equal(acme.authorizations.length, sent);
  const anyway = /href="([^"]+)">Log in anyway</.exec(page.body)?.[1]?.replaceAll('&amp;', '&') ?? '';
  assert.match(page.body, />Try again</);
  const redirect = await browser.open(new URL(anyway, page.url));
  assert.equal(redirect.status, 302);
  assert.equal(redirect.location?.origin, acme.issuer);
  acme.habits.down = false;
  assert.equal((await browser.open(frontend.startUrl(share))).status, 503);
  const back = await walkLogin(browser, new URL(anyway, page.url), { email: EMAIL });
  assert.equal(back.last.status, 200);
  assert.equal(await statusOf(), 200, 'one login that works is enough');
  acme.habits.down = true;
  assert.deepEqual([await statusOf(), await statusOf(), await statusOf()], [503, 503, 503]);
  acme.habits.down = false;
  frontend.clock.aheadMs = DOWN_MS;
  assert.equal(await statusOf(), 200, 'and so is time');
});

test('what a provider does to a login has a page and a line in the log of its own (3)', async (t) => {
  await using frontend = await startLoginFrontend();
  const clients = [{ ...CLIENT, redirectUris: [frontend.redirectUri('corp')] }];
  const github = await startStrictGitHub({ clients });
  t.after(github.close);
  let padding = '';
  const big = await startOpenIdStandIn(
    { clients },
    { tokenAnswer: (body) => ({ ...body, access_token: `${String(body['access_token'])}${padding}` }) },
  );
  t.after(big.close);
  const { baseUrl, apiUrl } = github;
  const atGitHub = providerSettings({ type: 'github', baseUrl, apiUrl, scopes: [] });
  const login = async () => {
    const share = await frontend.addShare({ provider: 'corp' });
    return (await walkLogin(frontend.browser(), frontend.startUrl(share), { email: EMAIL })).last;
  };
  const rows: readonly (readonly [string, number, RegExp, () => void])[] = [
    ['provider_rate_limited', 503, /limits requests/, () => (github.faults.api = 'rate_limited')],
    [
      'provider_permission_missing',
      502,
      /Email addresses: read-only/,
      () => (github.faults.api = 'forbidden'),
    ],
    ['account_unverified', 403, /Verify your address/, () => (github.faults.login = 'unverified_user_email')],
    [
      'provider_token_too_large',
      502,
      /more than 128 KiB[^]*the access token, with 130 KiB/,
      () => {
        padding = 'x'.repeat(130 * 1024 - 40);
        frontend.useProviders([providerSettings({ issuer: big.issuer })]);
      },
    ],
  ];
  frontend.useProviders([atGitHub]);
  assert.equal((await login()).status, 200);
  for (const [code, status, text, happens] of rows) {
    happens();
    const page = await login();
    assert.equal(page.status, status, `${code}: ${page.body}`);
    assert.match(page.body, text, code);
    assert.equal(frontend.logged.at(-1)?.['code'], code);
    assert.equal(frontend.events.at(-1)?.reason, code);
  }
});

test('metadata that lie elsewhere are found, and believed only when they are for the issuer (2.2 discovery_url)', async (t) => {
  let issuerSaid = '';
  const standIn = await startOpenIdStandIn(
    { clients: [CLIENT] },
    {
      metadata: (document) => ({ ...document, issuer: issuerSaid }),
      claims: (claims) => ({ ...claims, iss: issuerSaid }),
    },
  );
  t.after(standIn.close);
  issuerSaid = `${standIn.issuer}/tenant`;
  const discoveryUrl = `${standIn.issuer}/.well-known/openid-configuration?appid=1`;
  const settings = { issuer: issuerSaid, discoveryUrl };
  const { identity } = await logInAt(providerOf(settings), EMAIL);
  assert.equal(identity.email, EMAIL);
  const { checks } = await examineConfigured(providerSettings(settings), {
    now: Date.now,
    endpointUrl: new URL(new URL(CLIENT.redirectUris[0]).origin),
  });
  assert.deepEqual(
    checks.filter(({ name }) => name === 'discovery' || name === 'issuer').map(({ state }) => state),
    ['ok', 'ok'],
  );
  const { generation } = providerOf(settings);
  assert.notEqual(generation, providerOf({ issuer: issuerSaid }).generation, 'another source of people');
  assert.notEqual(generation, providerOf({ ...settings, emailClaim: 'upn' }).generation);
  issuerSaid = `${standIn.issuer}/other`;
  await assert.rejects(logInAt(providerOf(settings), EMAIL), { code: 'provider_error' });
});

test('another claim names people, as Entra’s upn does, and verified is only what the provider says of it (2.2 email_claim)', async (t) => {
  const standIn = await startOpenIdStandIn(
    { clients: [CLIENT] },
    { claims: (claims) => ({ ...claims, upn: 'ann@corp.example' }) },
  );
  t.after(standIn.close);
  const settings = { issuer: standIn.issuer, emailClaim: 'upn' };
  const { identity } = await logInAt(providerOf(settings), EMAIL);
  assert.deepEqual([identity.email, identity.emailVerified], ['ann@corp.example', false]);
  const strict = providerOf({ ...settings, requireVerifiedEmail: true });
  await assert.rejects(logInAt(strict, EMAIL), { code: 'email_unverified' });
  assert.equal((await logInAt(strict, 'ann@corp.example')).identity.emailVerified, true);
});

test('login parameters go with every login request, at every type, and never in place of the service’s own (2.2 login_parameters)', async (t) => {
  const standIn = await startOpenIdStandIn({ clients: [CLIENT] });
  t.after(standIn.close);
  const github = await startStrictGitHub({ clients: [CLIENT] });
  t.after(github.close);
  const { baseUrl, apiUrl } = github;
  const own = { state: 'x', client_id: 'x', redirect_uri: 'x', scope: 'x' };
  const loginParameters = {
    domain_hint: 'corp.example',
    acr_values: 'urn:x y',
    access_type: 'online',
    ...own,
  };
  for (const [settings, asked] of [
    [{ issuer: standIn.issuer }, standIn],
    [{ type: 'google', issuer: standIn.issuer, scopes: [] }, standIn],
    [{ type: 'github', baseUrl, apiUrl, scopes: [] }, github],
  ] as const) {
    const { identity } = await logInAt(providerOf({ ...settings, loginParameters }), EMAIL);
    assert.equal(identity.email, EMAIL);
    const sent = asked.authorizations.at(-1);
    assert.equal(sent?.get('domain_hint'), 'corp.example');
    assert.equal(sent?.get('acr_values'), 'urn:x y');
    for (const [name] of Object.entries(own)) assert.equal(sent?.getAll(name).includes('x'), false, name);
  }
  assert.equal(standIn.authorizations.at(-1)?.get('access_type'), 'offline');
});

async function credentialsCheck(settings: Parameters<typeof providerSettings>[0]) {
  const endpointUrl = new URL(new URL(CLIENT.redirectUris[0]).origin);
  const { checks } = await examineConfigured(providerSettings(settings), { now: Date.now, endpointUrl });
  const check = checks.find(({ name }) => name === 'credentials');
  assert.ok(check, JSON.stringify(checks));
  return check;
}

/** A service whose provider `acme` has habits, and a share that checks each second. */
async function startAcme(t: TestContext) {
  const client = { ...CLIENT, redirectUris: [] as string[] };
  const acme = await startParticularProvider([client]);
  t.after(acme.close);
  const service = await startTestService({
    providers: (endpointUrl) => {
      client.redirectUris.push(`${endpointUrl}/acme/auth/callback`);
      return [
        {
          name: 'acme',
          type: 'oidc',
          client_id: client.clientId,
          client_secret: client.clientSecret,
          issuer: acme.issuer,
          scopes: ['openid', 'email'],
          supports_pkce: true,
        },
      ];
    },
  });
  t.after(service.close);
  const share = await service.share('acme-app', { oauthProvider: 'acme', oauthCheckInterval: '1s' });
  return { service, acme, share };
}
