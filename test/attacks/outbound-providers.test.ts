// THREATS "Outbound", for providers that accounts define: neither the issuer nor anything that its discovery
// names makes the service reach itself, this machine, a private network or a metadata service, in any
// notation, by a redirect, or by a name that means something else later.

import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { SignJWT } from 'jose';
import { createProviderBook, type ProviderBook } from '../../src/control/feed/provider-book.ts';
import type { DefinitionConfig } from '../../src/domain/provider-definition.ts';
import type { DefinitionType } from '../../src/domain/provider-kinds.ts';
import { newId } from '../../src/domain/id.ts';
import { Secret } from '../../src/domain/secret.ts';
import { ServiceError } from '../../src/domain/service-error.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { LISTED, LOOPBACK, METADATA, PRIVATE } from '../support/address-forms.ts';
import { startControl, type TestControl } from '../support/control.ts';
import { startLoopbackServer, sendJson, type LoopbackServer } from '../support/providers/loopback-server.ts';
import { useNameServer } from '../support/resolver.ts';
import { trapServer } from '../support/trap-server.ts';

const ALL = [...LOOPBACK, ...PRIVATE, ...METADATA];
const OWN = [
  { host: '0.0.0.0', port: 8282 },
  { host: '::', port: 443 },
];

/** Each field of a definition that is called. */
const FIELDS = [
  { type: 'OIDC', field: 'issuerUrl' },
  { type: 'GOOGLE', field: 'issuerUrl' },
  { type: 'GITHUB', field: 'baseUrl' },
  { type: 'GITHUB', field: 'apiUrl' },
] as const;

async function statusOf(
  control: TestControl,
  [{ type, field }, address]: readonly [(typeof FIELDS)[number], string],
) {
  const config = {
    clientId: 'c',
    clientSecret: 's',
    ...(type === 'OIDC' ? { scopes: ['openid', 'email'] } : {}),
    ...(type === 'GITHUB' ? { baseUrl: 'https://93.184.216.34', apiUrl: 'https://93.184.216.34/api' } : {}),
    [field]: address,
  };
  const json = { name: `n${Math.random().toString(36).slice(2, 12)}`, type, config };
  return (await control.call({ path: '/v1/auth-providers', json })).status;
}

describe('Outbound: a provider that is defined', () => {
  let strict: TestControl;
  let listed: TestControl;
  before(async () => {
    strict = await startControl({ outboundAllow: [] });
    listed = await startControl({ outboundAllow: LISTED, ownListeners: OWN });
  });
  after(async () => {
    await strict[Symbol.asyncDispose]();
    await listed[Symbol.asyncDispose]();
  });

  test('is at a public address, in whichever field and notation', async () => {
    for (const field of FIELDS) {
      assert.equal(await statusOf(strict, [field, 'https://93.184.216.34']), 201, 'a public one is taken');
      for (const host of ALL)
        for (const address of [`https://${host}`, `http://${host}:8443/x`])
          assert.equal(await statusOf(strict, [field, address]), 422, `${field.field} ${address}`);
    }
  });

  test('is no metadata service and none of our listeners, whatever the operator lists', async () => {
    for (const field of FIELDS) {
      for (const host of METADATA)
        assert.equal(await statusOf(listed, [field, `https://${host}`]), 422, host);
      for (const host of LOOPBACK)
        assert.equal(await statusOf(listed, [field, `https://${host}`]), 422, host);
      for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '[::1]'])
        assert.equal(await statusOf(listed, [field, `http://${host}:8282`]), 422, host);
    }
    assert.equal(await statusOf(listed, [FIELDS[0], 'http://127.0.0.1:3000']), 201, 'what is listed may be');
  });

  test('has an address that nobody reads as another', async () => {
    for (const address of [
      'https://idp.example@127.0.0.1',
      'https://127.0.0.1@93.184.216.34',
      'https://user:pw@93.184.216.34',
      'https://93.184.216.34#@127.0.0.1',
      'https://93.184.216.34?x',
      'https://93.184.216.34\\@127.0.0.1',
      'https:\\\\127.0.0.1',
      'https:127.0.0.1',
      'https:///127.0.0.1',
      '//127.0.0.1',
      'http://93.184.216.34',
      'ftp://93.184.216.34',
      'file:///etc/passwd',
      'javascript:x',
      'https://',
      'https://93.184.216.34:65536',
      'https://93.184.216.34\n.x',
      ' https://93.184.216.34',
      'https://93.184.216.34/a b',
      'https://[fe80::1%25eth0]',
      '',
    ])
      for (const field of FIELDS)
        assert.equal(await statusOf(listed, [field, address]), 422, JSON.stringify(address));
  });

  test('is judged again when it is changed', async () => {
    const config = { clientId: 'c', issuerUrl: 'https://93.184.216.34', scopes: ['openid', 'email'] };
    const json = { name: 'changing', type: 'OIDC', config: { ...config, clientSecret: 's' } };
    assert.equal((await strict.call({ path: '/v1/auth-providers', json })).status, 201);
    for (const host of ['127.0.0.1', '169.254.169.254', '0x7f.1', '[::ffff:a00:1]', 'localhost.']) {
      const changed = { config: { ...config, clientSecret: 's', issuerUrl: `https://${host}` } };
      const path = '/v1/auth-providers/changing';
      assert.equal((await strict.call({ method: 'PATCH', path, json: changed })).status, 422, host);
    }
  });
});

describe('Outbound: a provider that got past that', () => {
  test('is not called, wherever its definition says that it is', async (t) => {
    const trap = await trapServer(t);
    for (const { type, field } of FIELDS)
      for (const host of ALL.filter((each) => URL.canParse(`https://${each}`)))
        for (const scheme of ['http', 'https']) {
          const address = `${scheme}://${host}:${trap.port}`;
          await refuses(define({ type, config: { [field]: address } }), address);
        }
    const own = [{ host: '0.0.0.0', port: trap.port }];
    for (const host of [...LOOPBACK, ...METADATA].filter((each) => URL.canParse(`https://${each}`))) {
      const address = `https://${host}:${trap.port}`;
      const outbound = { outboundAllow: LISTED, ownListeners: own };
      await refuses(define({ type: 'OIDC', config: { issuerUrl: address }, outbound }), address);
    }
    assert.equal(trap.connections(), 0);
  });

  test('leads nowhere by what its discovery names', async (t) => {
    const trap = await trapServer(t);
    const hosts = ALL.filter((each) => URL.canParse(`https://${each}`));
    const site = await discoverySite(t, (issuer, index) =>
      endpointsAt(`http://${hosts[index]}:${trap.port}`, issuer),
    );
    const outbound = { outboundAllow: [`127.0.0.1:${site.port}`], ownListeners: [] };
    for (const [index, host] of hosts.entries()) {
      const issuerUrl = `${site.origin}/${index}`;
      await refuses(define({ type: 'OIDC', config: { issuerUrl }, outbound }), host);
    }
    assert.equal(trap.connections(), 0);
  });

  test('is not followed when it redirects, not at discovery and not at an endpoint', async (t) => {
    const trap = await trapServer(t, '127.0.0.1');
    const elsewhere = `http://127.0.0.1:${trap.port}/`;
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await startLoopbackServer();
      t.after(server.close);
      server.handle((request, response) => {
        const isDiscovery = request.url?.startsWith('/named/.well-known') === true;
        if (isDiscovery) sendJson(response, 200, endpointsAt(server.origin, `${server.origin}/named`));
        else response.writeHead(status, { location: elsewhere }).end();
      });
      // The place that it redirects to could be called: only the redirect forbids it.
      const outbound = { outboundAllow: ['127.0.0.1'], ownListeners: [] };
      for (const issuer of [server.origin, `${server.origin}/named`])
        await refuses(define({ type: 'OIDC', config: { issuerUrl: issuer }, outbound }), issuer);
      const gitHub = { baseUrl: server.origin, apiUrl: server.origin };
      await refuses(define({ type: 'GITHUB', config: gitHub, outbound }), server.origin);
    }
    assert.equal(trap.connections(), 0);
  });

  test('is called at the address that was judged, and judged again each time (rebinding)', async (t) => {
    const site = await discoverySite(t, (issuer) => endpointsAt(issuer, issuer));
    const trap = await trapServer(t, '127.0.0.2', site.port);
    const asked = await useNameServer(t, (_name, count) => [count === 1 ? '127.0.0.1' : '127.0.0.2']);
    const issuerUrl = `http://rebind.attacker.example:${site.port}`;
    const outbound = { outboundAllow: [`127.0.0.1:${site.port}`], ownListeners: [] };
    const provider = define({ type: 'OIDC', config: { issuerUrl }, outbound });
    await provider.authorizeUrl(START);
    assert.deepEqual(
      [site.requests(), asked('rebind.attacker.example')],
      [1, 1],
      'judged and dialled as one',
    );
    await refuses(provider, 'the endpoints, which have the same name');
    assert.ok(asked('rebind.attacker.example') > 1);
    assert.deepEqual([site.requests(), trap.connections()], [1, 0]);
  });

  test('is not called when its name was public once, or when one of its addresses is not', async (t) => {
    const trap = await trapServer(t);
    const sets: Readonly<Record<string, readonly string[]>> = {
      'both.attacker.example': ['93.184.216.34', '127.0.0.1'],
      'six.attacker.example': ['93.184.216.34', '::1'],
      'mapped.attacker.example': ['::ffff:127.0.0.1'],
      'metadata.attacker.example': ['169.254.169.254', '93.184.216.34'],
      'translated.attacker.example': ['64:ff9b::7f00:1'],
      'nobody.attacker.example': ['0.0.0.0'],
      'nothing.attacker.example': [],
    };
    await useNameServer(t, (name, count) => sets[name] ?? [count === 1 ? '93.184.216.34' : '127.0.0.1']);
    await using control = await startControl({ outboundAllow: [] });
    for (const name of Object.keys(sets).filter((each) => each !== 'nothing.attacker.example'))
      assert.equal(await statusOf(control, [FIELDS[0], `https://${name}:${trap.port}`]), 422, name);
    const late = `https://late.attacker.example:${trap.port}`;
    assert.equal(await statusOf(control, [FIELDS[0], late]), 201, 'it was public');
    for (const address of [late, ...Object.keys(sets).map((name) => `https://${name}:${trap.port}`)])
      await refuses(define({ type: 'OIDC', config: { issuerUrl: address } }), address);
    assert.equal(trap.connections(), 0);
  });
});

type Definition = {
  readonly type: DefinitionType;
  readonly config: Partial<DefinitionConfig>;
  readonly outbound?: Parameters<ProviderBook['useConfigured']>[1];
};

/** As the store has it, whoever wrote it there. */
function define({ type, config, outbound }: Definition): Provider {
  const book = createProviderBook(Date.now);
  book.useConfigured(new Map(), outbound ?? { outboundAllow: [], ownListeners: [] });
  const whole: DefinitionConfig = {
    clientId: 'c',
    issuerUrl: null,
    scopes: ['openid', 'email'],
    supportsPkce: true,
    prompt: null,
    requireVerifiedEmail: false,
    baseUrl: type === 'GITHUB' ? (config.apiUrl ?? null) : null,
    apiUrl: type === 'GITHUB' ? (config.baseUrl ?? null) : null,
    emailPatterns: [],
    ...config,
  };
  const definition = { id: newId('prv'), accountId: newId('acc'), name: 'given', type, config: whole };
  const at = { version: 1, createdAt: 0, updatedAt: 0 };
  book.useDefinitions([
    { definition: { ...definition, ...at }, openCredential: () => ({ clientSecret: new Secret('s') }) },
  ]);
  const provider = book.find('given');
  assert.ok(provider);
  return provider;
}

/** Everything that a login, a check, a logout and a provider's own logout would call. */
async function refuses(provider: Provider, what: string): Promise<void> {
  const tokens = {
    accessToken: new Secret('access'),
    refreshToken: new Secret('refresh'),
    idToken: null,
    subject: 'subject',
  };
  const state = START.state;
  const url = new URL(`${START.redirectUri}?code=x&state=${state}`);
  const calls: Record<string, () => Promise<unknown>> = {
    exchange: () => provider.exchange({ ...START, url, codeVerifier: START.codeVerifier }),
    identify: () => provider.identify(tokens),
    refresh: async () => (await provider.refresh?.(tokens)) ?? Promise.reject(new Error('no refresh')),
    revoke: async () =>
      (await provider.revoke?.(tokens, AbortSignal.timeout(20_000))) ?? Promise.reject(new Error('done')),
    logout: async () =>
      (await provider.verifyLogoutToken?.(await LOGOUT_TOKEN)) ?? Promise.reject(new Error('no such')),
  };
  for (const [name, call] of Object.entries(calls)) {
    const error = await call().then(
      () => assert.fail(`${name} ${what}: it was answered`),
      (fault: unknown) => fault,
    );
    if (error instanceof ServiceError) assert.match(error.code, /^provider_/, `${name} ${what}`);
  }
}

/** Metadata for each issuer that is a path of it. */
async function discoverySite(t: TestContext, metadata: (issuer: string, index: number) => object) {
  const server: LoopbackServer = await startLoopbackServer();
  t.after(server.close);
  let requests = 0;
  server.handle((request, response) => {
    requests++;
    const path = request.url?.replace('/.well-known/openid-configuration', '') ?? '';
    sendJson(response, 200, metadata(`http://${request.headers.host}${path}`, Number(path.slice(1))));
  });
  return { port: server.port, origin: server.origin, requests: () => requests };
}

function endpointsAt(origin: string, issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${origin}/auth`,
    token_endpoint: `${origin}/token`,
    userinfo_endpoint: `${origin}/me`,
    revocation_endpoint: `${origin}/revoke`,
    end_session_endpoint: `${origin}/end`,
    jwks_uri: `${origin}/jwks`,
    response_types_supported: ['code'],
  };
}

const START = {
  redirectUri: 'https://login.example/given/auth/callback',
  state: 'a-state-of-some-length',
  nonce: 'a-nonce-of-some-length',
  codeVerifier: 'v'.repeat(43),
  selectAccount: false,
};
const LOGOUT_TOKEN = new SignJWT({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })
  .setProtectedHeader({ alg: 'RS256', kid: 'any', typ: 'logout+jwt' })
  .setIssuedAt()
  .sign(
    (
      await crypto.subtle.generateKey(
        {
          name: 'RSASSA-PKCS1-v1_5',
          modulusLength: 2048,
          publicExponent: new Uint8Array([1, 0, 1]),
          hash: 'SHA-256',
        },
        false,
        ['sign', 'verify'],
      )
    ).privateKey,
  );
