// Examinations against real stand-ins: the certified provider, strict ones, and ones that are wrong in one
// way at a time.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createAddressList } from '../domain/address-list.ts';
import type { Check, CheckState } from '../domain/check.ts';
import { Secret } from '../domain/secret.ts';
import { CLIENT, providerSettings, REDIRECT_URI } from '../../test/support/providers/log-in-at.ts';
import { startOidcProvider } from '../../test/support/providers/oidc-provider.ts';
import { type OpenIdHooks, startOpenIdStandIn } from '../../test/support/providers/openid-stand-in.ts';
import { sendJson } from '../../test/support/providers/loopback-server.ts';
import { startStrictGitHub } from '../../test/support/providers/strict-github.ts';
import { startStrictGoogle } from '../../test/support/providers/strict-google.ts';
import { createDialler } from './dialler.ts';
import { type Examination, examineProvider } from './examine.ts';
import type { ProviderSettings } from '../domain/provider-settings.ts';

const ENDPOINT_URL = new URL('http://auth.share.localhost:9');

function examine(settings: Partial<ProviderSettings>, now = Date.now): Promise<Examination> {
  const { fetch } = createDialler({
    allow: 'operator',
    ownListeners: [],
    refused: 'provider_error',
    unreachable: 'provider_unreachable',
  });
  return examineProvider(providerSettings(settings), { fetch, now, endpointUrl: ENDPOINT_URL });
}

function stateOf({ checks }: Examination, name: string): CheckState {
  return find(checks, name).state;
}

function find(checks: readonly Check[], name: string): Check {
  const check = checks.find((each) => each.name === name);
  assert.ok(check, `no check ${name} among ${checks.map((each) => each.name).join(', ')}`);
  return check;
}

function failed({ checks }: Examination): readonly string[] {
  return checks.filter(({ state }) => state === 'fail').map(({ name }) => name);
}

async function certified(context: TestContext, client = {}) {
  const idp = await startOidcProvider({ clients: [{ ...CLIENT, ...client }] });
  context.after(() => idp.close());
  return idp;
}

test('examineProvider() finds nothing wrong with the certified provider, and changes nothing there', async (context) => {
  const idp = await certified(context);
  const found = await examine({
    issuer: idp.issuer,
    scopes: ['openid', 'email', 'offline_access'],
    requireVerifiedEmail: true,
    rpInitiatedLogout: true,
  });
  assert.deepEqual(failed(found), [], JSON.stringify(found.checks, null, 1));
  assert.equal(found.passed, true);
  // Plain http is all there is to warn of.
  const warned = found.checks.filter(({ state }) => state === 'warn').map(({ name }) => name);
  assert.deepEqual(warned, ['endpoints']);
  assert.match(find(found.checks, 'login request').found, /the redirect URL is registered/);
  assert.match(find(found.checks, 'credentials').found, /are right/);
  assert.match(find(found.checks, 'keys').found, /^1 usable \(RS256\)$/);
  assert.equal(found.redirectUrl, REDIRECT_URI);
  assert.equal(found.backchannelLogoutUrl, 'http://auth.share.localhost:9/corp/backchannel-logout');
  assert.equal(found.postLogoutRedirectUrl, 'http://auth.share.localhost:9/corp/logged-out');
  assert.deepEqual([idp.counts.refreshes, idp.counts.revocations], [0, 0]);
  for (const secret of [CLIENT.clientSecret, encodeURIComponent(CLIENT.clientSecret)])
    assert.ok(!JSON.stringify(found).includes(secret));
});

test('examineProvider() tells a wrong secret, a wrong client and a redirect URL that nobody registered', async (context) => {
  const idp = await certified(context);
  const wrongSecret = await examine({ issuer: idp.issuer, clientSecret: new Secret('another') });
  assert.deepEqual(failed(wrongSecret), ['credentials']);
  assert.match(find(wrongSecret.checks, 'credentials').found, /invalid_client/);
  const wrongClient = await examine({ issuer: idp.issuer, clientId: 'nobody' });
  assert.deepEqual(failed(wrongClient), ['login request', 'credentials']);
  const unregistered = await examine({ issuer: idp.issuer, name: 'other' });
  assert.deepEqual(failed(unregistered), ['login request']);
  assert.match(
    String(find(unregistered.checks, 'login request').next),
    /Register http:\/\/auth\.share\.localhost:9\/other\/auth\/callback/,
  );
});

test('examineProvider() authenticates the client in the way that the provider takes', async (context) => {
  const idp = await certified(context, { tokenEndpointAuthMethod: 'client_secret_post' });
  assert.equal(stateOf(await examine({ issuer: idp.issuer }), 'credentials'), 'ok');
});

test('examineProvider() tells who is not there, and who is no provider', async (context) => {
  const port = await portOf(
    createServer((socket) => void socket.end()),
    context,
  );
  const noProvider = await examine({ issuer: `http://127.0.0.1:${port}` });
  assert.deepEqual(failed(noProvider), ['discovery']);
  assert.equal(noProvider.checks.length, 1);
  // A port that nobody is given by chance.
  const away = await examine({ issuer: 'http://127.0.0.1:1' });
  assert.match(find(away.checks, 'discovery').found, /nothing listens there/);
  // Even then it says what to register.
  assert.equal(away.redirectUrl, REDIRECT_URI);
});

type Row = {
  readonly about: string;
  readonly settings?: Partial<ProviderSettings>;
  readonly metadata?: (document: Record<string, unknown>) => Record<string, unknown>;
  readonly expected: readonly [name: string, state: CheckState, found: RegExp];
};

const ROWS: readonly Row[] = [
  {
    about: 'another issuer',
    metadata: (document) => ({ ...document, issuer: 'https://other.example.com' }),
    expected: ['issuer', 'fail', /are for https:\/\/other\.example\.com$/],
  },
  {
    about: 'no issuer',
    metadata: (document) => without(document, 'issuer'),
    expected: ['issuer', 'fail', /no issuer/],
  },
  {
    about: 'no token endpoint',
    metadata: (document) => without(document, 'token_endpoint'),
    expected: ['endpoints', 'fail', /lack token_endpoint$/],
  },
  {
    about: 'an endpoint in the open',
    metadata: (document) => ({ ...document, userinfo_endpoint: 'http://192.0.2.1/userinfo' }),
    expected: ['endpoints', 'fail', /not https: userinfo_endpoint$/],
  },
  {
    about: 'signatures with a shared secret only',
    metadata: (document) => ({ ...document, id_token_signing_alg_values_supported: ['HS256', 'none'] }),
    expected: ['signatures', 'fail', /HS256, none/],
  },
  {
    about: 'no code flow',
    metadata: (document) => ({ ...document, response_types_supported: ['id_token'] }),
    expected: ['flow', 'fail', /does not offer/],
  },
  {
    about: 'PKCE without S256',
    metadata: (document) => ({ ...document, code_challenge_methods_supported: ['plain'] }),
    expected: ['PKCE', 'fail', /does not support S256/],
  },
  {
    about: 'no word on PKCE',
    metadata: (document) => without(document, 'code_challenge_methods_supported'),
    expected: ['PKCE', 'warn', /does not say/],
  },
  { about: 'PKCE', expected: ['PKCE', 'ok', /^S256$/] },
  {
    about: 'PKCE left unused',
    settings: { supportsPkce: false },
    expected: ['PKCE', 'warn', /not used, although/],
  },
  {
    about: 'a scope that is not listed',
    settings: { scopes: ['openid', 'email', 'groups'] },
    metadata: (document) => ({ ...document, scopes_supported: ['openid', 'email'] }),
    expected: ['scopes', 'warn', /does not list groups$/],
  },
  {
    about: 'offline_access that is not asked for',
    metadata: (document) => ({ ...document, scopes_supported: ['openid', 'email', 'offline_access'] }),
    expected: ['refresh', 'ok', /offline_access is supported/],
  },
  {
    about: 'no refresh tokens',
    metadata: (document) => ({ ...document, grant_types_supported: ['authorization_code'] }),
    expected: ['refresh', 'warn', /does not issue refresh tokens/],
  },
  {
    about: 'addresses that need not be verified (5.5)',
    expected: ['verified email', 'warn', /not required/],
  },
  {
    about: 'a required claim that is not listed (5.5)',
    settings: { requireVerifiedEmail: true },
    metadata: (document) => ({ ...document, claims_supported: ['sub', 'email'] }),
    expected: ['verified email', 'warn', /does not list the claim/],
  },
  {
    about: 'no revocation',
    metadata: (document) => without(document, 'revocation_endpoint'),
    expected: ['revocation', 'warn', /no revocation endpoint/],
  },
  {
    about: 'a logout that cannot go on',
    settings: { rpInitiatedLogout: true },
    expected: ['provider logout', 'fail', /no end_session_endpoint/],
  },
  {
    about: 'back-channel logout',
    metadata: (document) => ({ ...document, backchannel_logout_supported: true }),
    expected: ['back-channel logout', 'ok', /register the URL/],
  },
  {
    about: 'no user info',
    metadata: (document) => without(document, 'userinfo_endpoint'),
    expected: ['userinfo', 'warn', /from the ID token/],
  },
  {
    about: 'no client secret',
    metadata: (document) => ({ ...document, token_endpoint_auth_methods_supported: ['private_key_jwt'] }),
    expected: ['credentials', 'fail', /does not accept a client secret/],
  },
  {
    about: 'control characters in what it says',
    metadata: (document) => ({ ...document, issuer: 'https://a.example.com\u001b[2J' }),
    expected: ['issuer', 'fail', /^[\x20-\x7e]+$/],
  },
];

for (const { about, settings = {}, metadata, expected } of ROWS)
  test(`examineProvider() of a provider with ${about}`, async (context) => {
    const [name, state, text] = expected;
    const { found } = await examineStandIn(context, metadata === undefined ? {} : { metadata }, settings);
    const check = find(found.checks, name);
    assert.deepEqual([check.state, check.next === null], [state, state === 'ok'], check.found);
    assert.match(check.found, text);
    assert.equal(
      found.passed,
      found.checks.every((each) => each.state !== 'fail'),
    );
  });

test('examineProvider() calls a provider good only if its keys can be fetched and used, and are public', async (context) => {
  const sets: readonly (readonly [keys: unknown, state: CheckState])[] = [
    [[rsa({})], 'ok'],
    [[rsa({ use: 'enc' })], 'fail'],
    [[rsa({ alg: 'HS256' })], 'fail'],
    [[rsa({ n: 'w'.repeat(171) })], 'fail'],
    [[{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }], 'fail'],
    [[rsa({ d: 'x' })], 'fail'],
    [[rsa({}), { kty: 'oct', k: 'x' }], 'fail'],
    [[], 'fail'],
    ['keys', 'fail'],
  ];
  for (const [keys, state] of sets) {
    const { found } = await examineStandIn(context, {
      intercept(_request, response, path) {
        if (path === '/jwks') sendJson(response, 200, { keys });
        return path === '/jwks';
      },
    });
    assert.equal(stateOf(found, 'keys'), state, JSON.stringify(keys));
  }
});

test('examineProvider() shows no word of an answer that is not OAuth’s', async (context) => {
  const { found } = await examineStandIn(context, {
    intercept(_request, response, path) {
      if (path === '/token') sendJson(response, 400, { error: 'root:x:0:0', password: 'hunter2' });
      return path === '/token';
    },
  });
  assert.equal(stateOf(found, 'credentials'), 'warn');
  assert.doesNotMatch(JSON.stringify(found), /root|hunter2/);
});

test('examineProvider() tells a clock that is off by more than id tokens bear (DESIGN 2.4)', async (context) => {
  const idp = await certified(context);
  const at = async (shiftMs: number) =>
    find((await examine({ issuer: idp.issuer }, () => Date.now() + shiftMs)).checks, 'clock');
  assert.equal((await at(0)).state, 'ok');
  const ahead = await at(3_600_000);
  assert.deepEqual([ahead.state, /ahead of/.test(ahead.found)], ['fail', true]);
  const behind = await at(-3_600_000);
  assert.deepEqual([behind.state, /behind/.test(behind.found)], ['fail', true]);
});

test('examineProvider() of Google and GitHub makes the checks that fit them (2.2)', async (context) => {
  const google = await startStrictGoogle({ clients: [CLIENT] });
  const github = await startStrictGitHub({ clients: [CLIENT] });
  context.after(() => Promise.all([google.close(), github.close()]));
  const ofGoogle = { type: 'google', issuer: google.issuer, scopes: ['openid', 'email'] } as const;
  const { baseUrl, apiUrl } = github;
  const ofGitHub = { type: 'github', baseUrl, apiUrl, scopes: ['user:email'] } as const;
  for (const settings of [ofGoogle, ofGitHub]) {
    assert.deepEqual(failed(await examine(settings)), [], settings.type);
    const wrong = await examine({ ...settings, clientSecret: new Secret('another') });
    assert.deepEqual(failed(wrong), ['credentials'], settings.type);
    assert.deepEqual(failed(await examine({ ...settings, name: 'other' })), ['login request'], settings.type);
  }
  assert.equal((await examine(ofGitHub)).backchannelLogoutUrl, null);
  github.faults.api = 'server_error';
  assert.deepEqual(failed(await examine(ofGitHub)), ['API']);
});

test('an account’s provider cannot be used to reach what the account may not call (DESIGN "Calls out")', async (context) => {
  let reached = 0;
  const inner = createServer((socket) => {
    reached++;
    socket.destroy();
  });
  const innerPort = await portOf(inner, context);
  const inside = `http://127.0.0.1:${innerPort}`;
  const standIn = await startOpenIdStandIn(
    { clients: [CLIENT] },
    {
      metadata: (document) => ({
        ...document,
        authorization_endpoint: `${inside}/authorize`,
        token_endpoint: `${inside}/token`,
        userinfo_endpoint: `${inside}/userinfo`,
        jwks_uri: `${inside}/jwks`,
      }),
    },
  );
  context.after(() => standIn.close());
  const { fetch } = createDialler({
    allow: createAddressList([new URL(standIn.issuer).host]),
    ownListeners: [],
    refused: 'provider_error',
    unreachable: 'provider_unreachable',
  });
  const found = await examineProvider(providerSettings({ issuer: standIn.issuer }), {
    fetch,
    now: Date.now,
    endpointUrl: ENDPOINT_URL,
  });
  assert.deepEqual(failed(found), ['keys', 'login request', 'credentials', 'userinfo']);
  for (const { found: text } of found.checks.filter(({ state }) => state === 'fail'))
    assert.match(text, /: it is not a public address$/);
  assert.equal(reached, 0);
  const direct = await examineProvider(providerSettings({ issuer: inside }), {
    fetch,
    now: Date.now,
    endpointUrl: ENDPOINT_URL,
  });
  assert.match(find(direct.checks, 'discovery').found, /: it is not a public address$/);
  assert.equal(reached, 0);
});

async function examineStandIn(
  context: TestContext,
  hooks: OpenIdHooks,
  settings: Partial<ProviderSettings> = {},
) {
  const standIn = await startOpenIdStandIn({ clients: [CLIENT] }, hooks);
  context.after(() => standIn.close());
  return { standIn, found: await examine({ issuer: standIn.issuer, ...settings }) };
}

function without(document: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).filter(([each]) => each !== name));
}

/** A key of 2048 bits, but for what is said. */
function rsa(members: object): object {
  return { kty: 'RSA', n: 'w'.repeat(342), e: 'AQAB', ...members };
}

async function portOf(server: Server, context: TestContext): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => void server.close());
  return (server.address() as AddressInfo).port;
}
