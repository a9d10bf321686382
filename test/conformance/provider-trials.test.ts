// A trial of each type of provider: the whole login there, and what came of it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Browser, walkLogin } from '../support/browser-by-hand.ts';
import { startThreeProviders, type ThreeProviders } from '../support/three-providers.ts';

let three: ThreeProviders;
let origin: string;
let admin: Browser;
before(async () => {
  three = await startThreeProviders({ corp: { require_verified_email: true } });
  origin = `http://127.0.0.1:${three.service.ports.control}`;
  admin = three.service.browser();
  await walkLogin(admin, `${origin}/auth/login?provider=corp`, {
    email: 'admin@acme.test',
    until: ({ pathname }) => pathname.startsWith('/console'),
  });
});
after(() => three.close());

test('a trial goes the whole way at each type of provider, within its rules, and says what came (2.2, 5.1)', async () => {
  const refreshed = {
    oidc: 'sent a refresh token',
    google: 'sent a refresh token',
    github: 'no refresh token',
  };
  for (const { name, type, violations, authorizations } of three.types) {
    const { last } = await walkLogin(admin, `${origin}/auth/trial?provider=${name}`, {
      email: 'ann@example.com',
    });
    assert.equal(last.status, 200, last.body);
    assert.match(last.body, /The login works/);
    assert.match(last.body, /ann@example\.com/);
    assert.ok(last.body.includes(refreshed[type]), `${type}: ${last.body}`);
    assert.deepEqual(violations(), [], type);
    // Whoever tries may choose another account than the one that is logged in there.
    const prompt = authorizations().at(-1)?.get('prompt') ?? '';
    assert.match(prompt, type === 'oidc' ? /login/ : /select_account/, type);
  }
  assert.deepEqual((await three.service.client.sessions.list()).items, []);
  // What came is kept with the provider.
  const { configured } = await three.service.client.providers.list();
  for (const { name } of three.types) {
    const { lastTrial } = configured.find((each) => each.name === name) ?? assert.fail(name);
    assert.deepEqual([lastTrial?.passed, lastTrial?.email], [true, 'ann@example.com'], name);
    assert.equal(lastTrial?.isOutdated, false, name);
    assert.match(lastTrial?.actor ?? '', /^member:mem_/, name);
  }
  const { items } = await three.service.client.auditEvents.list({ kind: ['provider.tried'] });
  assert.deepEqual(
    items.map(({ provider, email, reason }) => [provider, email, reason]),
    three.types.map(({ name }) => [name, 'ann@example.com', null]).toReversed(),
  );
});

test('a trial says of each share what the gate would, also of shares with several providers and rules (2.4)', async () => {
  const email = 'ann@example.com';
  const both = ['corp', 'goog'];
  const shares = {
    'lets-in': [{ oauthProvider: both, oauthEmailAddressPatterns: ['*@example.com'] }, 'allows this address'],
    'no-pattern': [
      { oauthProvider: both, oauthEmailAddressPatterns: ['*@x'] },
      'no: its patterns do not match this address',
    ],
    'by-groups': [{ oauthProvider: both, allowGroups: ['eng'] }, 'depends on more than the address'],
    denies: [{ oauthProvider: both, denyEmails: [email] }, 'no: a rule of it denies this login'],
    elsewhere: [
      {
        oauthProvider: null,
        rules: [{ allow: { providers: ['goog'] } }, { deny: { providers: ['corp'], emails: ['x@*'] } }],
      },
      'no: no rule of it allows this address',
    ],
  } as const;
  for (const [name, [settings]] of Object.entries(shares)) await three.service.share(name, settings);
  const { last } = await walkLogin(admin, `${origin}/auth/trial?provider=corp`, { email });
  assert.equal(last.status, 200, last.body);
  const told = [...last.body.matchAll(/Share ([\w-]+)<\/dt>\s*<dd><bdi>([^<]*)</g)];
  assert.deepEqual(
    Object.fromEntries(told.map(([, name = '', text = '']) => [name, text])),
    Object.fromEntries(Object.entries(shares).map(([name, [, text]]) => [name, text])),
  );
});
