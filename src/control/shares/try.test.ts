// "Would this address get in, and why" by the API.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { openUnlessProtected } from '../../../test/support/open-unless-protected.ts';

let control: TestControl;
before(async () => {
  control = await startControl();
});
after(() => control[Symbol.asyncDispose]());

async function make(name: string, settings: object): Promise<void> {
  const json = openUnlessProtected({ name, target: 'http://127.0.0.1:3000', ...settings });
  const { status, document } = await control.call({ path: '/v1/shares', json });
  assert.equal(status, 201, JSON.stringify(document));
}

async function ask(share: string, email: string): Promise<Readonly<Record<string, unknown>>> {
  const { status, document } = await control.call({ path: `/v1/shares/${share}/test`, json: { email } });
  assert.equal(status, 200, JSON.stringify(document));
  return document;
}

test('share test tells the pattern that matches, or that none does, and what must be verified', async () => {
  await make('team', { oauthProvider: 'test', oauthEmailAddressPatterns: ['*@a.com', '*@b.com'] });
  assert.deepEqual(await ask('team', 'ann@b.com'), {
    share: 'team',
    email: 'ann@b.com',
    allowed: true,
    outcome: 'allowed',
    reason: 'pattern_matches',
    rule: 'login',
    rules: [
      {
        rule: 'login',
        effect: 'allow',
        held: 'held',
        conditions: [
          { name: 'providers', text: 'providers test', held: 'held' },
          { name: 'emails', text: 'emails *@a.com, *@b.com', held: 'held' },
        ],
      },
    ],
    detail: "the share's pattern *@b.com matches",
    provider: 'test',
    pattern: '*@b.com',
    providerPattern: null,
    certificate: 'none',
    needsVerifiedEmail: true,
  });
  const refused = await ask('team', 'ann@b.com.evil.org');
  assert.deepEqual([refused['allowed'], refused['reason']], [false, 'pattern_needed']);
  assert.equal(refused['detail'], "none of the share's patterns matches: *@a.com, *@b.com");
  assert.equal((await ask('team', 'ann@evil.org@b.com'))['reason'], 'email_unusable');
});

test('share test follows the share: open, disabled, and with a definition’s own patterns', async () => {
  await make('open', {});
  assert.deepEqual(
    [(await ask('open', 'x'))['reason'], (await ask('open', 'x'))['provider']],
    ['no_login', null],
  );
  await control.call({ method: 'PATCH', path: '/v1/shares/open', json: { enabled: false } });
  assert.equal((await ask('open', 'ann@a.com'))['reason'], 'share_disabled');
  const config = {
    clientId: 'c',
    clientSecret: 's',
    issuerUrl: 'https://127.0.0.1/',
    scopes: ['openid', 'email'],
    emailPatterns: ['*@partner.com'],
    displayName: 'Partner Login',
  };
  const made = await control.call({
    path: '/v1/auth-providers',
    json: { name: 'partner', type: 'OIDC', config },
  });
  assert.equal(made.status, 201);
  await make('shared', { oauthProvider: 'partner', oauthEmailAddressPatterns: ['ann@*'] });
  const allowed = await ask('shared', 'ann@partner.com');
  assert.deepEqual([allowed['pattern'], allowed['providerPattern']], ['ann@*', '*@partner.com']);
  assert.equal(
    allowed['detail'],
    "the share's pattern ann@* matches, and the pattern *@partner.com of Partner Login matches",
  );
  const refused = await ask('shared', 'ann@a.com');
  assert.equal(refused['detail'], 'none of the patterns of Partner Login matches: *@partner.com');
  // Sentences are for people, all else for programs.
  assert.deepEqual(
    [refused['provider'], JSON.stringify(refused['rules']).includes('providers partner')],
    ['partner', true],
  );
  const unsaid = await control.call({ path: '/v1/shares/shared/test', json: { provider: 'partner' } });
  assert.match(String(unsaid.document['detail']), /^it depends on providers Partner Login and /);
  await make('anybody', { oauthProvider: 'test' });
  assert.equal((await ask('anybody', 'ann@a.com'))['detail'], 'anyone who logs in with Test Login gets in');
});

test('share test refuses what is no question', async () => {
  for (const json of [
    { address: 'here' },
    { path: 'no-slash' },
    { path: '/a?b' },
    { at: 'soon' },
    { certificate: { serial: '1' } },
    { email: '' },
    { email: 7 },
    { email: 'a'.repeat(301) },
    { email: 'a@b.c', more: 1 },
  ])
    assert.equal((await control.call({ path: '/v1/shares/team/test', json })).status, 422);
});

async function tell(name: string, facts: object) {
  const { status, document } = await control.call({ path: `/v1/shares/${name}/test`, json: facts });
  assert.equal(status, 200, JSON.stringify(document));
  const { outcome, reason, certificate, detail } = document;
  return [outcome, reason, certificate, detail];
}

async function askVerified(name: string, json: object) {
  const { document } = await control.call({ path: `/v1/shares/${name}/test`, json });
  return [document['outcome'], document['needsVerifiedEmail']];
}

test('share test expects no verified address of a token, nor of a certificate alone', async () => {
  const login = { oauthProvider: 'test', oauthEmailAddressPatterns: ['*@b.com'] };
  const rules = [{ allow: { tokens: ['deploy-*'] } }];
  await make('by-token', { ...login, rules });
  await make('or-certificate', { ...login, clientCertificate: { required: true }, access: 'either' });
  assert.deepEqual(await askVerified('by-token', { token: 'deploy-bot' }), ['allowed', false]);
  assert.deepEqual(await askVerified('by-token', { email: 'ann@b.com' }), ['allowed', true]);
  assert.deepEqual(await askVerified('or-certificate', { certificate: { subject: 'build-1' } }), [
    'allowed',
    false,
  ]);
});

test('share test asks for the certificate that the question leaves out (DESIGN "Mutual TLS")', async () => {
  const rule = { required: true, subject: 'build-*', unit: 'CI' };
  const login = { oauthProvider: 'test', oauthEmailAddressPatterns: ['*@b.com'] };
  const text = 'certificate subject build-* and unit CI';
  await make('by-certificate', { clientCertificate: rule });
  await make('by-both', { ...login, clientCertificate: rule });
  await make('by-either', { ...login, clientCertificate: { required: true }, access: 'either' });
  const email = 'ann@b.com';
  const depends = ['depends', 'more_needed'];
  assert.deepEqual(await tell('by-certificate', { email }), [
    ...depends,
    'needed',
    `it depends on ${text} (certificate, allow)`,
  ]);
  assert.deepEqual(await tell('by-certificate', { certificate: { subject: 'build-1', unit: 'CI' } }), [
    'allowed',
    'certificate_alone',
    'needed',
    'the certificate is sufficient',
  ]);
  assert.deepEqual(await tell('by-both', { email }), [
    ...depends,
    'needed',
    `it depends on ${text} (login, allow)`,
  ]);
  const eve = { email: 'ann@evil.org' };
  assert.deepEqual(await tell('by-either', eve), [
    ...depends,
    'enough',
    'it depends on certificate any (certificate, allow)',
  ]);
  assert.deepEqual(await tell('by-either', { ...eve, certificate: null }), [
    'refused',
    'pattern_needed',
    'enough',
    "none of the share's patterns matches: *@b.com",
  ]);
});

test('share test takes the address and groups that a share asks for', async () => {
  await make('inside', { oauthProvider: 'test', allowAddresses: ['10.0.0.0/8'], allowGroups: ['eng-*'] });
  const email = 'ann@b.com';
  const of = async (facts: object) => (await tell('inside', { email, ...facts })).slice(0, 2);
  assert.deepEqual(await of({}), ['depends', 'more_needed']);
  assert.deepEqual(await of({ address: '10.1.2.3', groups: ['eng-web'] }), ['allowed', 'any_address']);
  assert.deepEqual(await of({ address: '192.0.2.1' }), ['refused', 'rule_denies']);
  assert.deepEqual(await of({ groups: ['sales'] }), ['refused', 'rule_needed']);
});

test('share test judges settings that are not saved, as a change would, and stores nothing', async () => {
  await make('typed', { oauthProvider: 'test', oauthEmailAddressPatterns: ['*@b.com'] });
  const kept = await control.call({ path: '/v1/shares/typed' });
  const email = 'eve@c.com';
  const of = async (settings?: object) => (await tell('typed', { email, settings })).slice(0, 2);
  assert.deepEqual(await of(), ['refused', 'pattern_needed']);
  assert.deepEqual(await of({}), ['refused', 'pattern_needed']);
  const rules = [{ allow: { providers: ['test'], emails: ['eve@*'] } }];
  assert.deepEqual(await of({ rules }), ['allowed', 'rule_allows']);
  const denied = [...rules, { deny: { emails: ['eve@c.com'] } }];
  assert.deepEqual(await of({ rules: denied }), ['refused', 'rule_denies']);
  assert.deepEqual(await of({ oauthProvider: null, rules: [] }), ['allowed', 'no_login']);
  assert.deepEqual(await of({ enabled: false }), ['refused', 'share_disabled']);
  const now = await control.call({ path: '/v1/shares/typed' });
  assert.deepEqual([now.document, now.headers.get('etag')], [kept.document, kept.headers.get('etag')]);
  assert.deepEqual(await of(), ['refused', 'pattern_needed']);
});

test('share test says what is wrong with settings that are not saved, with the place, below settings', async () => {
  const allow = { everyone: true, paths: ['/a/../b'] };
  const [place] = await unsavedFaults({ rules: [{ allow: { everyone: true } }, { allow }] });
  assert.equal(place?.path, 'settings.rules');
  assert.match(place.message, /^Cannot use rules: rule 2, `paths`: /);
  const [shape] = await unsavedFaults({ rules: [{ allow: { emails: 'x' } }] });
  assert.equal(shape?.path, 'settings.rules.0.allow.emails');
  const [unknown] = await unsavedFaults({ rules: [{ allow: { providers: ['nobody'] } }] });
  assert.match(unknown?.message ?? '', /^rule 1, `providers`: there is no provider "nobody"/);
  const [target] = await unsavedFaults({ target: 'http://127.0.0.1:1' });
  assert.equal(target?.path, 'settings.target');
});

test('settings that are not saved are for whoever may read the share, and of no other account', async () => {
  const json = { email: 'a@b.com', settings: { oauthEmailAddressPatterns: ['*'] } };
  const path = '/v1/shares/typed/test';
  assert.equal((await control.call({ path, json, as: null })).status, 401);
  assert.equal((await control.call({ path, json, as: control.mallory })).status, 404);
  // A provider of another account is none to this one.
  const settings = { oauthProvider: 'of-alice' };
  const config = {
    clientId: 'c',
    clientSecret: 's',
    issuerUrl: 'https://127.0.0.1/',
    scopes: ['openid', 'email'],
  };
  const made = await control.call({
    path: '/v1/auth-providers',
    json: { name: 'of-alice', type: 'OIDC', config },
  });
  assert.equal(made.status, 201, JSON.stringify(made.document));
  await control.call({
    path: '/v1/shares',
    json: { name: 'theirs', target: 'http://127.0.0.1:3000', oauthProvider: 'test' },
    as: control.mallory,
  });
  const call = { path: '/v1/shares/theirs/test', json: { settings }, as: control.mallory };
  assert.equal((await control.call(call)).status, 422);
  assert.equal((await control.call({ path, json: { settings } })).status, 200);
});

async function unsavedFaults(settings: object) {
  const json = { email: 'a@b.com', settings };
  const { status, document } = await control.call({ path: '/v1/shares/typed/test', json });
  assert.deepEqual([status, document['code']], [422, 'validation_failed'], JSON.stringify(document));
  return document['faults'] as readonly { path: string; message: string }[];
}
