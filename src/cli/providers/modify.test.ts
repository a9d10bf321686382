// `doorward provider modify`, against a control API with a real store: each field by its option, a secret
// from its file, and nothing else changed.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createClientKey } from '../../../test/support/client-keys.ts';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { callDoorward, runDoorward } from '../../../test/support/doorward.ts';
import type { ProviderConfigObject, ProviderObject } from '../../wire/provider.ts';

let control: TestControl;
let folder: string;
before(async () => {
  control = await startControl();
  folder = await mkdtemp(join(tmpdir(), 'doorward-provider-'));
});
after(async () => {
  await control[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test('provider modify rotates a tenant’s secret in one line, and leaves all else as it is (2.4)', async () => {
  const defined = await define('tenant', OIDC);
  const file = await fileOf('secret.txt', 'the next secret\n');
  const { code, out, err } = await doorward('provider', 'modify', 'tenant', '--client-secret-file', file);
  assert.equal(code, 0, err);
  assert.ok(!(out + err).includes('next secret'));
  assert.match(err, /doorward provider test tenant/);
  assert.equal(await secretOf('tenant'), 'the next secret');
  assert.deepEqual((await shown('tenant')).config, defined.config);
  const events = await control.call({ path: '/v1/audit-events?kind=provider.modified' });
  const [event] = events.document['items'] as { provider: string; reason: string }[];
  assert.deepEqual([event?.provider, event?.reason], ['tenant', 'clientSecret']);
  const words = ['provider', 'modify', 'tenant', '--client-secret-file', '-'];
  const piped = await runDoorward(words, { env: envOf(), input: 'a piped one\n' });
  assert.equal(piped.code, 0, piped.err);
  assert.equal(await secretOf('tenant'), 'a piped one');
});

test('provider modify puts a private key of a file in the place of the secret, with its id (RFC 7523)', async () => {
  await define('keyed', OIDC);
  const { pem } = createClientKey('P-256');
  const file = await fileOf('key.pem', pem);
  const words = ['--client-private-key-file', file, '--client-key-id', 'key-1'];
  const { code, out, err } = await doorward('provider', 'modify', 'keyed', ...words);
  assert.equal(code, 0, err);
  assert.doesNotMatch(out + err, /PRIVATE KEY-/);
  const { clientSecret, clientKey } = (await credentialOf('keyed')) ?? assert.fail();
  assert.deepEqual([clientSecret, clientKey?.pem.reveal(), clientKey?.keyId], [null, pem, 'key-1']);
  const alone = await doorward('provider', 'modify', 'keyed', '--client-key-id', 'key-2');
  assert.deepEqual([alone.code, /with its clientPrivateKey/.test(alone.err)], [2, true]);
});

test('provider modify has an option for each field, and removes what --unset names (2.4)', async () => {
  await define('every', OIDC);
  await define('hub', { clientId: 'x' }, 'GITHUB');
  const secret = await fileOf('secret2.txt', 's');
  const changed: [readonly string[], Partial<ProviderConfigObject>][] = [
    [['--client-id', 'other', '--client-secret-file', secret], { clientId: 'other' }],
    [
      ['--issuer-url', 'https://127.0.0.1/b', '--client-secret-file', secret],
      { issuerUrl: 'https://127.0.0.1/b' },
    ],
    [['--scope', 'openid', '--scope', 'email'], { scopes: ['openid', 'email'] }],
    [['--no-supports-pkce'], { supportsPkce: false }],
    [['--prompt', 'login'], { prompt: 'login' }],
    [['--require-verified-email'], { requireVerifiedEmail: true }],
    [['--rp-initiated-logout'], { rpInitiatedLogout: true }],
    [
      ['--discovery-url', 'https://127.0.0.1/meta', '--client-secret-file', secret],
      { discoveryUrl: 'https://127.0.0.1/meta' },
    ],
    [['--email-claim', 'upn'], { emailClaim: 'upn' }],
    [
      ['--login-parameter', 'domain_hint=a.test', '--login-parameter', 'acr_values=a=b'],
      { loginParameters: { domain_hint: 'a.test', acr_values: 'a=b' } },
    ],
    [
      ['--email-pattern', '*@a.test', '--email-pattern', '*@b.test'],
      { emailPatterns: ['*@a.test', '*@b.test'] },
    ],
  ];
  const { config } = await shown('every');
  for (const [words, change] of changed) {
    const { code, out, err } = await doorward('provider', 'modify', 'every', ...words, '--json');
    assert.equal(code, 0, err);
    Object.assign(config, change);
    assert.deepEqual((JSON.parse(out) as ProviderObject).config, config, words.join(' '));
  }
  const unset = ['prompt', 'emailPatterns', 'supportsPkce'].flatMap((field) => ['--unset', field]);
  const { out } = await doorward('provider', 'modify', 'every', ...unset, '--json');
  const { prompt: _prompt, ...rest } = config;
  assert.deepEqual((JSON.parse(out) as ProviderObject).config, {
    ...rest,
    emailPatterns: [],
    supportsPkce: true,
  });
  const server = ['--base-url', 'https://127.0.0.1', '--api-url', 'https://127.0.0.1/api'];
  await doorward('provider', 'modify', 'hub', ...server, '--client-secret-file', secret);
  const { baseUrl, apiUrl } = (await shown('hub')).config;
  assert.deepEqual([baseUrl, apiUrl], ['https://127.0.0.1', 'https://127.0.0.1/api']);
});

test('provider modify takes a file of changes, options above it, and another type with all that it needs', async () => {
  await define('filed', OIDC);
  const file = await fileOf(
    'changes.json',
    '{ "config": { "prompt": "login", "scopes": ["openid", "email"] } }',
  );
  await doorward('provider', 'modify', 'filed', '--file', file, '--prompt', 'consent');
  const { prompt, scopes, clientId } = (await shown('filed')).config;
  assert.deepEqual([prompt, scopes, clientId], ['consent', ['openid', 'email'], 'x']);
  const secret = await fileOf('secret3.txt', 's');
  const typed = ['--type', 'GITHUB', '--client-id', 'hub', '--client-secret-file', secret];
  assert.equal((await doorward('provider', 'modify', 'filed', ...typed)).code, 0);
  assert.equal((await shown('filed')).type, 'GITHUB');
});

test('provider modify refuses what means nothing, and says why', async () => {
  await define('stays', OIDC);
  const empty = await fileOf('empty.txt', '\n');
  const cases: [readonly string[], RegExp][] = [
    [[], /no change is given/],
    [['--prompt', 'login', '--unset', 'prompt'], /set by the same command/],
    [['--unset', 'clientId'], /Allowed choices/],
    [['--unset', 'clientSecret'], /Allowed choices/],
    [['--client-secret-file', empty], /it is empty/],
    [['--client-secret-file', '/nonexistent'], /ENOENT/],
    [['--type', 'SAML'], /Allowed choices/],
    [['--login-parameter', 'hint'], /write name=value/],
    [['--trusted-authorities-file', empty], /trustedAuthorities/],
    [['--base-url', 'https://127.0.0.1'], /has no such field/],
    [['--unset', 'issuerUrl'], /needs one/],
    [['--client-id', 'another'], /needs its own/],
  ];
  for (const [words, why] of cases) {
    const { code, err } = await doorward('provider', 'modify', 'stays', ...words);
    assert.equal(code, 2, err);
    assert.match(err, why);
  }
});

const OIDC = {
  clientId: 'x',
  issuerUrl: 'https://127.0.0.1/a',
  scopes: ['openid', 'email', 'profile'],
  emailPatterns: ['*@one.test'],
};

async function define(name: string, config: object, type = 'OIDC'): Promise<ProviderObject> {
  const json = { name, type, config: { ...config, clientSecret: 'the first secret' } };
  const made = await control.call({ path: '/v1/auth-providers', json });
  assert.equal(made.status, 201, JSON.stringify(made.document));
  return made.document as unknown as ProviderObject;
}

async function shown(name: string): Promise<ProviderObject> {
  const { document } = await control.call({ path: `/v1/auth-providers/${name}` });
  return document as unknown as ProviderObject;
}

async function secretOf(name: string): Promise<string | undefined> {
  return (await credentialOf(name))?.clientSecret?.reveal();
}

async function credentialOf(name: string) {
  const all = await control.store.providerDefinitions.all();
  return all.find(({ definition }) => definition.name === name)?.openCredential();
}

async function fileOf(name: string, content: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

function doorward(...words: readonly string[]) {
  return callDoorward(words, { env: envOf() });
}

function envOf() {
  return {
    HOME: '/nonexistent',
    DOORWARD_URL: control.url.origin,
    DOORWARD_API_KEY: control.alice.apiKey.reveal(),
  };
}
