// Contract 2.4 through the whole service: a definition of each type in its JSON form logs people in and out
// like a provider of the configuration, and each tenant has its own definition with its own patterns.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { NewProvider } from '../../src/wire/provider.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { startStrictGitHub, type StrictGitHub } from '../support/providers/strict-github.ts';
import { startStrictGoogle, type StrictGoogle } from '../support/providers/strict-google.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { loggedIn } from '../support/three-providers.ts';

const CLIENT = { clientId: 'the-client', clientSecret: 'the secret of the client' };
const redirectUris: string[] = [];

let service: TestService;
let google: StrictGoogle;
let github: StrictGitHub;
before(async () => {
  google = await startStrictGoogle({ clients: [{ ...CLIENT, redirectUris }] });
  github = await startStrictGitHub({ clients: [{ ...CLIENT, redirectUris }] });
  service = await startTestService({ outboundAllow: ['127.0.0.1'] });
});
after(async () => {
  await service?.close();
  await Promise.all([google?.close(), github?.close()]);
});

type Kind = {
  readonly type: NewProvider['type'];
  readonly config: () => Omit<NewProvider['config'], 'clientId' | 'clientSecret'>;
  readonly asked: () => URLSearchParams | undefined;
  readonly revoked: () => readonly string[];
};

const KINDS: readonly Kind[] = [
  {
    type: 'OIDC',
    config: () => ({ issuerUrl: service.idp.issuer, scopes: ['openid', 'email', 'profile'] }),
    asked: () => service.idp.authorizations.at(-1),
    revoked: () => service.idp.revoked,
  },
  {
    type: 'GOOGLE',
    config: () => ({ issuerUrl: google.issuer }),
    asked: () => google.authorizations.at(-1),
    revoked: () => google.revoked,
  },
  {
    type: 'GITHUB',
    config: () => ({ baseUrl: github.baseUrl, apiUrl: github.apiUrl }),
    asked: () => github.authorizations.at(-1),
    revoked: () => github.deleted,
  },
];

for (const { type, config, asked, revoked } of KINDS) {
  test(`a definition of type ${type}: its name, client and settings make a login and a logout (2.4)`, async () => {
    const name = `defined-${type.toLowerCase()}`;
    await define(name, type, config());
    const share = await service.share(`${name}-share`, { oauthProvider: name });
    const { browser, echo } = await loggedIn(service, share);
    assert.equal(echo.headers['svc-auth-provider'], name);
    assert.equal(asked()?.get('client_id'), CLIENT.clientId);
    assert.equal(asked()?.get('redirect_uri'), `${service.endpointUrl}/${name}/auth/callback`);
    const already = revoked().length;
    await browser.open(`${service.endpointUrl}/${name}/logout`);
    assert.ok(revoked().length > already);
    assert.equal((await browser.open(share.url)).status, 302);
  });
}

test('config.scopes of a definition are asked for as they are (2.4)', async () => {
  const scopes = ['openid', 'email', 'offline_access'];
  await define('scoped', 'OIDC', { issuerUrl: service.idp.issuer, scopes });
  await loggedIn(service, await service.share('scoped-share', { oauthProvider: 'scoped' }));
  assert.equal(service.idp.authorizations.at(-1)?.get('scope'), scopes.join(' '));
});

test('each tenant has its own definition and patterns; a share gets the one that fits (2.4)', async () => {
  const config = { issuerUrl: service.idp.issuer, scopes: ['openid', 'email'] };
  await define('tenant-a', 'OIDC', { ...config, emailPatterns: ['*@a.example'] });
  await define('tenant-b', 'OIDC', { ...config, emailPatterns: ['*@b.example', '*@b2.example'] });
  const [a, b] = [
    await service.share('for-a', { oauthProvider: 'tenant-a' }),
    await service.share('for-b', { oauthProvider: 'tenant-b' }),
  ];
  for (const [share, email, status] of [
    [a, 'x@a.example', 200],
    [a, 'x@b.example', 403],
    [b, 'x@b.example', 200],
    [b, 'x@b2.example', 200],
    [b, 'x@a.example', 403],
  ] as const)
    assert.equal(
      (await walkLogin(service.browser(), share.url, { email })).last.status,
      status,
      `${share.name} ${email}`,
    );
});

/** Makes the definition, and registers it at the stand-ins. */
async function define(
  name: string,
  type: NewProvider['type'],
  config: ReturnType<Kind['config']>,
): Promise<void> {
  redirectUris.push(`${service.endpointUrl}/${name}/auth/callback`);
  service.idp.addClient({ ...CLIENT, redirectUris });
  await service.client.providers.create({ name, type, config: { ...CLIENT, ...config } });
}
