// POST /v1/auth-providers/{provider}/test and `doorward provider test`: a definition is examined as it is
// stored, with the account's own calls, before any share uses it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { providerSettings } from '../../../test/support/providers/log-in-at.ts';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { callDoorward } from '../../../test/support/doorward.ts';
import {
  type OidcProviderStandIn,
  startOidcProvider,
} from '../../../test/support/providers/oidc-provider.ts';
import { Secret } from '../../domain/secret.ts';
import { examineConfigured } from '../../providers/examine-configured.ts';
import { createConfiguredExaminer } from './configured-examination.ts';
import type { ProviderObject } from '../../wire/provider.ts';
import type { ProviderTestObject } from '../../wire/provider-test.ts';

const CLIENT_SECRET = 'a secret that only the provider and we know';
let control: TestControl;
let idp: OidcProviderStandIn;
before(async () => {
  control = await startControl();
  idp = await startOidcProvider({ clients: [] });
});
after(async () => {
  await control[Symbol.asyncDispose]();
  await idp.close();
});

async function define(name: string, config: object = {}): Promise<void> {
  const client = { clientId: `client-${name}`, clientSecret: CLIENT_SECRET };
  const redirectUris = [`${control.settings.endpointUrl.origin}/${name}/auth/callback`];
  idp.addClient({ ...client, redirectUris });
  const scopes = ['openid', 'email'];
  const json = { name, type: 'OIDC', config: { ...client, issuerUrl: idp.issuer, scopes, ...config } };
  const made = await control.call({ path: '/v1/auth-providers', json });
  assert.equal(made.status, 201, JSON.stringify(made.document));
}

async function examine(name: string): Promise<ProviderTestObject> {
  const answer = await control.call({ path: `/v1/auth-providers/${name}/test`, json: {} });
  assert.equal(answer.status, 200, JSON.stringify(answer.document));
  assert.doesNotMatch(JSON.stringify(answer.document), /only the provider/);
  return answer.document as unknown as ProviderTestObject;
}

function stateOf({ checks }: ProviderTestObject, name: string) {
  return checks.find((check) => check.name === name)?.state;
}

test('a definition is examined before any share uses it, and as it is at that moment', async () => {
  await define('examined');
  const found = await examine('examined');
  assert.equal(found.passed, true, JSON.stringify(found.checks));
  assert.equal(found.redirectUrl, 'https://auth.share.example.com/examined/auth/callback');
  assert.equal(found.backchannelLogoutUrl, 'https://auth.share.example.com/examined/backchannel-logout');
  const changed = await control.call({
    method: 'PATCH',
    path: '/v1/auth-providers/examined',
    json: { config: { ...(await shown('examined')), clientSecret: 'another' } },
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.document));
  const later = await examine('examined');
  assert.deepEqual([later.passed, stateOf(later, 'credentials')], [false, 'fail']);
});

test('what a test found is kept for its account, without a secret, and is out of date once the settings change (18.8)', async () => {
  await define('kept');
  assert.equal((await standing('kept')).lastTest, null);
  await examine('kept');
  const passed = (await standing('kept')).lastTest;
  assert.deepEqual([passed?.passed, passed?.isOutdated], [true, false]);
  assert.match(passed?.actor ?? '', /^api-key:key_/);
  const change = { config: { clientSecret: 'another secret that only the provider knows' } };
  await control.call({ method: 'PATCH', path: '/v1/auth-providers/kept', json: change });
  assert.equal((await standing('kept')).lastTest?.isOutdated, true);
  await examine('kept');
  const failed = (await standing('kept')).lastTest;
  assert.deepEqual([failed?.passed, failed?.isOutdated], [false, false]);
  assert.equal(failed?.checks[0]?.name, 'credentials');
  const theirs = await control.call({ path: '/v1/auth-providers', as: control.mallory });
  assert.doesNotMatch(JSON.stringify(theirs.document), /"kept"/);
  const printed = await doorward('provider show kept');
  assert.match(printed.out, /^state {2,}test failed$/m);
  assert.match(printed.out, /^last test {2,}failed \(credentials.*\) 20/m);
  assert.match((await doorward('provider list')).out, /^kept .*test failed/m);
  // Another one of the same name is another.
  await control.call({ method: 'DELETE', path: '/v1/auth-providers/kept' });
  await define('kept');
  assert.deepEqual([(await standing('kept')).lastTest, (await standing('kept')).lastTrial], [null, null]);
});

test('a provider of the configuration is examined too, and the account learns no more than it may know', async () => {
  const calls: string[] = [];
  let examined = 0;
  const configured = providerSettings({
    name: 'office',
    issuer: idp.issuer,
    clientId: 'client-office',
    clientSecret: new Secret(CLIENT_SECRET),
  });
  const { endpointUrl } = control.settings;
  const redirectUris = [`${endpointUrl.origin}/office/auth/callback`];
  idp.addClient({ clientId: 'client-office', clientSecret: CLIENT_SECRET, redirectUris });
  const examineByName = createConfiguredExaminer([configured], (settings) => {
    examined++;
    return examineConfigured(settings, { now: Date.now, endpointUrl });
  });
  await using other = await startControl({
    isConfiguredProvider: (name) => name === 'office',
    examineProvider: (_accountId, name) => examineByName(name),
  });
  const ask = async () => {
    const { status, document } = await other.call({ path: '/v1/auth-providers/office/test', json: {} });
    assert.equal(status, 200, JSON.stringify(document));
    calls.push(JSON.stringify(document));
    return document as unknown as ProviderTestObject;
  };
  const [found, same] = await Promise.all([ask(), ask()]);
  assert.deepEqual(found, same);
  assert.equal(examined, 1, 'who asks while it is examined waits for that examination');
  assert.equal(found.passed, true, JSON.stringify(found.checks));
  assert.deepEqual(
    found.checks.find(({ name }) => name === 'PKCE'),
    { name: 'PKCE', state: 'ok', found: 'S256', next: null },
  );
  assert.equal(found.redirectUrl, redirectUris[0]);
  idp.addClient({ clientId: 'client-office', clientSecret: 'another', redirectUris });
  const later = await ask();
  assert.equal(later.passed, false);
  const credentials = later.checks.find(({ name }) => name === 'credentials');
  assert.equal(credentials?.found, 'failed');
  assert.match(String(credentials?.next), /doorward doctor/);
  // Neither the secret nor the client, nor where the provider is.
  for (const text of calls) assert.doesNotMatch(text, /only the provider|client-office|127\.0\.0\.1/);
});

test('an unknown provider and another account’s are unknown here (THREATS "Tenancy")', async () => {
  await define('alices');
  const answers = await Promise.all([
    control.call({ path: '/v1/auth-providers/alices/test', json: {}, as: control.mallory }),
    control.call({ path: '/v1/auth-providers/nobodys/test', json: {} }),
  ]);
  for (const { status, document } of answers)
    assert.deepEqual([status, document['code']], [404, 'provider_unknown']);
});

test('an issuer at an address that logins may not call is not called here either (DESIGN "Calls out")', async () => {
  const loose = await startControl({ outboundAllow: ['127.0.0.1', '10.0.0.0/8'] });
  try {
    const json = {
      name: 'inner',
      type: 'OIDC',
      config: {
        clientId: 'c',
        clientSecret: CLIENT_SECRET,
        issuerUrl: 'https://10.1.2.3',
        scopes: ['openid', 'email'],
      },
    };
    assert.equal((await loose.call({ path: '/v1/auth-providers', json })).status, 201);
    // The dialler of the logins has the stricter list.
    const { document } = await loose.call({ path: '/v1/auth-providers/inner/test', json: {} });
    const found = document as unknown as ProviderTestObject;
    assert.equal(found.checks.length, 1);
    assert.match(String(found.checks[0]?.found), /: it is not a public address$/);
  } finally {
    await loose[Symbol.asyncDispose]();
  }
});

test('doorward provider test prints a line a check and what to register; exit 1 when logins cannot work (DESIGN 2.4)', async () => {
  await define('shown');
  const good = await doorward('provider test shown');
  assert.equal(good.code, 0, good.err);
  assert.match(good.out, /^ok {4}discovery {2,}\S.* responds$/m);
  assert.match(good.out, /^ok {4}login request {2,}accepted, and the redirect URL is registered$/m);
  assert.match(
    good.out,
    /^warn {2}endpoints {2,}plain http, on this machine\n {6}→ Use this only for tests/m,
  );
  assert.match(good.out, /^ {2}redirect URL +https:\/\/auth\.share\.example\.com\/shown\/auth\/callback$/m);
  assert.match(good.out, /^ {2}back-channel logout +https:\/\/\S+\/shown\/backchannel-logout$/m);
  assert.match(good.err, /^shown: logins can work \(\d+ warnings?, \d+ ok\)\n$/);
  await define('wrong', { clientSecret: 'another' });
  const bad = await doorward('provider test wrong');
  assert.equal(bad.code, 1);
  assert.match(bad.out, /^fail {2}credentials {2,}the provider returns invalid_client for the client id/m);
  assert.match(bad.err, /^wrong: logins cannot work \(1 failed, /);
  const json = await doorward('provider test wrong --json');
  const document = JSON.parse(json.out) as ProviderTestObject;
  assert.deepEqual([json.code, json.err, document.passed], [1, '', false]);
  const unknown = await doorward('provider test nobodys');
  assert.deepEqual([unknown.code, unknown.out], [1, '']);
});

async function shown(name: string): Promise<object> {
  const { document } = await control.call({ path: `/v1/auth-providers/${name}` });
  return document['config'] as object;
}

async function standing(name: string): Promise<ProviderObject> {
  const { document } = await control.call({ path: `/v1/auth-providers/${name}` });
  assert.doesNotMatch(JSON.stringify(document), /only the provider/);
  return document as unknown as ProviderObject;
}

function doorward(words: string) {
  const env = {
    HOME: '/nonexistent',
    DOORWARD_URL: control.url.origin,
    DOORWARD_API_KEY: control.alice.apiKey.reveal(),
  };
  return callDoorward(words.split(' '), { env });
}
