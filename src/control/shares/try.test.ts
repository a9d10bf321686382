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
    reason: 'pattern_matches',
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
    "the share's pattern ann@* matches, and the pattern *@partner.com of partner matches",
  );
  const refused = await ask('shared', 'ann@a.com');
  assert.equal(refused['detail'], 'none of the patterns of partner matches: *@partner.com');
});

test('share test refuses what is no question', async () => {
  for (const json of [
    {},
    { email: '' },
    { email: 7 },
    { email: 'a'.repeat(301) },
    { email: 'a@b.c', more: 1 },
  ])
    assert.equal((await control.call({ path: '/v1/shares/team/test', json })).status, 422);
});

async function tell(name: string, settings: object, email = 'ann@b.com') {
  await make(name, settings);
  const { allowed, reason, certificate, detail } = await ask(name, email);
  return [allowed, reason, certificate, detail];
}

test('share test tells what a certificate does (DESIGN "Mutual TLS")', async () => {
  const rule = { required: true, subject: 'build-*', unit: 'CI' };
  const which = 'a client certificate of the account named build-* of unit CI';
  const login = { oauthProvider: 'test', oauthEmailAddressPatterns: ['*@b.com'] };
  assert.deepEqual(await tell('by-certificate', { clientCertificate: rule }), [
    true,
    'certificate_alone',
    'needed',
    `the share has no login: anyone with ${which} gets in`,
  ]);
  assert.deepEqual(await tell('by-both', { ...login, clientCertificate: rule }), [
    true,
    'pattern_matches',
    'needed',
    `the share's pattern *@b.com matches; ${which} is also required`,
  ]);
  const either = { ...login, clientCertificate: { required: true }, access: 'either' };
  assert.deepEqual(await tell('by-either', either, 'ann@evil.org'), [
    false,
    'pattern_needed',
    'enough',
    "none of the share's patterns matches: *@b.com; a client certificate of the account is sufficient without a login",
  ]);
});
