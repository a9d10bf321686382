// Groups and claims from the real thing: the certified OpenID provider, and strict stand-ins for what others
// do in their own way: GitHub’s organizations and teams, Google’s hosted domain, Entra’s overage.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { JWTPayload } from 'jose';
import { NO_FACTS } from '../../src/domain/session-facts.ts';
import type { ProviderSettings } from '../../src/domain/provider-settings.ts';
import { CLIENT, logInAt, providerOf, refreshAt } from '../support/providers/log-in-at.ts';
import { startOidcProvider } from '../support/providers/oidc-provider.ts';
import { startOpenIdStandIn } from '../support/providers/openid-stand-in.ts';
import { startStrictEntra } from '../support/providers/strict-entra.ts';
import { startStrictGitHub } from '../support/providers/strict-github.ts';
import { startStrictGoogle } from '../support/providers/strict-google.ts';

const EMAIL = 'ann@example.com';
const SCOPES = ['openid', 'email', 'profile'];

async function startOidc(context: TestContext, settings: Partial<ProviderSettings>) {
  const standIn = await startOidcProvider({ clients: [CLIENT] });
  context.after(() => standIn.close());
  const provider = providerOf({ issuer: standIn.issuer, scopes: SCOPES, ...settings });
  return { standIn, provider, account: standIn.account(EMAIL) };
}

test('oidc reads groups by the claim’s name and by a path, claims that are listed, and the display name (Groups and claims)', async (context) => {
  const { standIn, provider, account } = await startOidc(context, {
    groupsClaim: 'groups',
    claims: ['department', 'https://corp.example/roles'],
  });
  account.name = 'Ann Example';
  account.claims = {
    groups: ['eng', 'a,b'],
    realm_access: { roles: ['admin'] },
    department: 'R&D',
    'https://corp.example/roles': ['one'],
  };
  const { identity } = await logInAt(provider, EMAIL);
  assert.deepEqual(identity.facts?.groups, ['eng', 'a,b']);
  assert.deepEqual(identity.facts?.claims, { department: ['R&D'], 'https://corp.example/roles': ['one'] });
  assert.equal(identity.facts?.name, 'Ann Example');
  const byPath = providerOf({ issuer: standIn.issuer, scopes: SCOPES, groupsClaim: 'realm_access.roles' });
  assert.deepEqual((await logInAt(byPath, EMAIL)).identity.facts?.groups, ['admin']);
  const without = providerOf({ issuer: standIn.issuer, scopes: SCOPES });
  assert.equal((await logInAt(without, EMAIL)).identity.facts?.groups, null);
});

test('oidc says anew after each refresh what groups a person is in; what is said no more, is unknown (Groups and claims)', async (context) => {
  const { provider, account } = await startOidc(context, { groupsClaim: 'groups', claims: ['department'] });
  account.claims = { groups: ['eng', 'ops'], department: 'R&D' };
  const { tokens } = await logInAt(provider, EMAIL);
  account.claims = { groups: ['ops'] };
  const fresh = await refreshAt(provider, tokens);
  assert.ok(fresh);
  const { facts } = await provider.identify(fresh);
  assert.deepEqual([facts?.groups, facts?.claims], [['ops'], {}]);
  account.claims = {};
  assert.equal((await provider.identify(fresh)).facts?.groups, null);
});

test('oidc takes groups that are not texts for not told, whichever way (claims of the wrong type)', async (context) => {
  const { provider, account } = await startOidc(context, { groupsClaim: 'groups' });
  for (const groups of [
    { eng: true },
    ['eng', 7],
    [['eng']],
    [{ name: 'eng' }],
    [''],
    { length: 1, 0: 'eng' },
  ]) {
    account.claims = { groups };
    const { identity } = await logInAt(provider, EMAIL);
    assert.equal(identity.facts?.groups, null, JSON.stringify(groups));
    assert.equal(identity.groupsFault, undefined);
  }
});

test('oidc tells of a person with 10,000 groups that these are too many, and what to do (10,000 groups)', async (context) => {
  const { provider, account } = await startOidc(context, { groupsClaim: 'groups' });
  account.claims = { groups: Array.from({ length: 10_000 }, (_, index) => `g${index}`) };
  const { identity } = await logInAt(provider, EMAIL);
  assert.equal(identity.facts?.groups, null);
  assert.equal(identity.groupsFault?.code, 'too_many_groups');
  assert.match(identity.groupsFault.hint ?? '', /Have the provider send only the groups/);
});

test('oidc does not take groups from the id token of the login once a refresh brought none (Groups and claims)', async (context) => {
  const said = { groups: ['eng'] as readonly string[], idTokens: true };
  const standIn = await startOpenIdStandIn(
    { clients: [CLIENT] },
    {
      claims: (claims) => ({ ...claims, groups: said.groups, acr: 'gold', amr: ['otp'], auth_time: 1_000 }),
      tokenAnswer: ({ id_token: idToken, ...body }) =>
        said.idTokens ? { ...body, id_token: idToken } : body,
    },
  );
  context.after(() => standIn.close());
  const provider = providerOf({ issuer: standIn.issuer, groupsClaim: 'groups' });
  const { tokens, identity } = await logInAt(provider, EMAIL);
  assert.deepEqual(identity.facts?.groups, ['eng']);
  const anew = await refreshAt(provider, tokens);
  assert.deepEqual(anew && (await provider.identify(anew)).facts?.groups, ['eng']);
  said.idTokens = false;
  const fresh = await refreshAt(provider, tokens);
  assert.ok(fresh);
  const { facts } = await provider.identify(fresh);
  assert.equal(facts?.groups, null);
  // How they logged in does not change with what they may do now.
  assert.deepEqual([facts?.acr, facts?.amr, facts?.authTime], ['gold', ['otp'], 1_000_000]);
});

test('google names the hosted domain as a group; other accounts are in none (Groups and claims)', async (context) => {
  const google = await startStrictGoogle({ clients: [CLIENT] });
  context.after(() => google.close());
  const provider = providerOf({ type: 'google', issuer: google.issuer, scopes: [] });
  const groups = async (hostedDomain: unknown) => {
    google.hostedDomain = hostedDomain;
    return (await logInAt(provider, EMAIL)).identity.facts?.groups;
  };
  assert.deepEqual(await groups('Example.com'), ['hd:example.com']);
  assert.deepEqual(await groups(undefined), []);
  for (const odd of [['example.com'], 7, '', 'a,b', 'example.com\r\nx: y', { a: 1 }])
    assert.equal(await groups(odd), null, JSON.stringify(odd));
  assert.deepEqual(google.violations, []);
});

async function startGitHub(context: TestContext, options: { readonly expiringTokens?: boolean } = {}) {
  const github = await startStrictGitHub({ clients: [CLIENT], ...options });
  context.after(() => github.close());
  const { baseUrl, apiUrl } = github;
  const settings = { type: 'github', baseUrl, apiUrl, scopes: [], groups: true } as const;
  return { github, settings, provider: providerOf(settings), user: github.user(EMAIL) };
}

test('github asks for read:org only where groups are wanted, and names organizations and teams (Groups and claims)', async (context) => {
  const { github, settings, provider, user } = await startGitHub(context);
  user.organizations = [
    { login: 'Acme', state: 'active' },
    { login: 'hopper', state: 'active' },
  ];
  user.teams = [
    { organization: 'Acme', slug: 'platform' },
    { organization: 'acme', slug: 'on-call' },
  ];
  const { identity } = await logInAt(provider, EMAIL);
  assert.deepEqual(identity.facts?.groups, ['acme', 'hopper', 'acme/platform', 'acme/on-call']);
  assert.equal(identity.facts?.name, user.login);
  assert.equal(github.authorizations.at(-1)?.get('scope'), 'read:user user:email read:org');
  const without = await logInAt(providerOf({ ...settings, groups: false }), EMAIL);
  assert.equal(without.identity.facts?.groups, null);
  assert.equal(github.authorizations.at(-1)?.get('scope'), 'read:user user:email');
  const wider = providerOf({ ...settings, scopes: ['user:email', 'admin:org'] });
  await wider.authorizeUrl({
    redirectUri: 'http://x/',
    state: '',
    nonce: '',
    codeVerifier: 'v',
    selectAccount: false,
  });
  assert.deepEqual(github.violations, []);
});

test('github: a membership that is pending is no group, nor is a team of that organization (suspended membership)', async (context) => {
  const { provider, user } = await startGitHub(context);
  user.organizations = [
    { login: 'acme', state: 'pending' },
    { login: 'closed', state: 'suspended' },
    { login: 'hopper', state: 'active' },
  ];
  user.teams = ['acme', 'closed', 'hopper', 'elsewhere'].map((organization) => ({
    organization,
    slug: 'all',
  }));
  assert.deepEqual((await logInAt(provider, EMAIL)).identity.facts?.groups, ['hopper', 'hopper/all']);
});

test('github reads all pages of memberships and teams, and says when these are too many (Groups and claims)', async (context) => {
  const { provider, user } = await startGitHub(context);
  user.organizations = organizations(250);
  user.teams = teams(750);
  const { identity, tokens } = await logInAt(provider, EMAIL);
  assert.equal(identity.facts?.groups?.length, 1_000);
  assert.ok(identity.facts?.groups?.includes('org-249') && identity.facts.groups.includes('org-0/team-749'));
  for (const [some, more] of [
    [250, 751],
    [1_001, 0],
    [1, 5_000],
  ] as const) {
    user.organizations = organizations(some);
    user.teams = teams(more);
    const { facts, groupsFault } = await provider.identify(tokens);
    assert.deepEqual([facts?.groups, groupsFault?.code], [null, 'too_many_groups']);
  }
});

test('github: without the scope nobody’s groups are known, and the login says why; names that are none are refused', async (context) => {
  const { settings, provider, user } = await startGitHub(context);
  user.organizations = [{ login: 'acme', state: 'active' }];
  const { tokens } = await logInAt(providerOf({ ...settings, groups: false }), EMAIL);
  const { facts, groupsFault } = await provider.identify(tokens);
  assert.deepEqual([facts?.groups, groupsFault?.code], [null, 'groups_unreadable']);
  assert.match(groupsFault?.hint ?? '', /read:org/);
  for (const login of ['a,b', 'a/b', 'a\r\nb', '', 7, null]) {
    user.organizations = [{ login, state: 'active' }];
    await assert.rejects(logInAt(provider, EMAIL), { code: 'provider_error' });
  }
});

test('github: a rate limit or an outage while groups are read is one of the whole login (Groups and claims)', async (context) => {
  const { github, provider, user } = await startGitHub(context, { expiringTokens: true });
  user.organizations = [{ login: 'acme', state: 'active' }];
  const { tokens, identity } = await logInAt(provider, EMAIL);
  assert.deepEqual(identity.facts?.groups, ['acme']);
  github.faults.api = 'server_error';
  await assert.rejects(provider.identify(tokens), { code: 'provider_unreachable' });
  github.faults.api = 'rate_limited';
  await assert.rejects(provider.identify(tokens), { code: 'provider_rate_limited' });
});

const organizations = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ login: `org-${index}`, state: 'active' }));
const teams = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ organization: 'org-0', slug: `team-${index}` }));

async function startEntra(context: TestContext, settings: Partial<ProviderSettings> = {}) {
  const entra = await startStrictEntra([CLIENT]);
  context.after(() => entra.close());
  const provider = providerOf({ issuer: entra.issuer, groupsClaim: 'groups', ...settings });
  return { entra, provider, person: entra.person(EMAIL) };
}

const objectIds = (count: number) =>
  Array.from({ length: count }, (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`);

test('entra: groups come from the token, or from Graph where they are too many for it, in pages (overage)', async (context) => {
  const { entra, provider, person } = await startEntra(context);
  person.groups = objectIds(200);
  assert.deepEqual((await logInAt(provider, EMAIL)).identity.facts?.groups, person.groups);
  assert.equal(entra.graph.requests, 0);
  person.groups = objectIds(950);
  entra.graph.pageSize = 400;
  for (const hasGroups of [false, true]) {
    person.hasGroups = hasGroups;
    assert.deepEqual((await logInAt(provider, EMAIL)).identity.facts?.groups, person.groups);
  }
  assert.equal(entra.graph.requests, 6);
  assert.deepEqual(entra.violations, []);
});

test('entra: app roles are groups where they are named so, and Graph is not asked (Groups and claims)', async (context) => {
  const { entra, provider, person } = await startEntra(context, { groupsClaim: 'roles' });
  person.groups = objectIds(300);
  person.roles = ['Editor', 'Admin'];
  assert.deepEqual((await logInAt(provider, EMAIL)).identity.facts?.groups, ['Editor', 'Admin']);
  person.roles = [];
  assert.equal((await logInAt(provider, EMAIL)).identity.facts?.groups, null);
  assert.equal(entra.graph.requests, 0);
});

test('entra: what Graph refuses, or nobody knows where to ask, leaves the groups unknown, and says why (overage)', async (context) => {
  const { entra, provider, person } = await startEntra(context);
  person.groups = objectIds(300);
  for (const status of [401, 403, 404]) {
    entra.graph.status = status;
    const { identity } = await logInAt(provider, EMAIL);
    assert.deepEqual([identity.facts?.groups, identity.groupsFault?.code], [null, 'groups_unreadable']);
    assert.match(identity.groupsFault?.hint ?? '', /User\.Read/);
  }
  entra.graph.status = 200;
  person.groups = objectIds(1_001);
  const { identity } = await logInAt(provider, EMAIL);
  assert.deepEqual([identity.facts?.groups, identity.groupsFault?.code], [null, 'too_many_groups']);
  entra.graph.named = false;
  const blind = providerOf({ issuer: entra.issuer, groupsClaim: 'groups' });
  assert.equal((await logInAt(blind, EMAIL)).identity.groupsFault?.code, 'groups_unreadable');
});

test('entra: an outage of Graph is one of the whole login; a next page at another place is not asked for (overage)', async (context) => {
  const { entra, provider, person } = await startEntra(context);
  person.groups = objectIds(300);
  entra.graph.status = 503;
  await assert.rejects(logInAt(provider, EMAIL), {
    code: 'provider_unreachable',
    extra: { retryAfterSeconds: 17 },
  });
  entra.graph.status = 429;
  await assert.rejects(logInAt(provider, EMAIL), { code: 'provider_rate_limited' });
  entra.graph.status = 200;
  entra.graph.pageSize = 100;
  for (const elsewhere of ['http://169.254.169.254/', `${entra.issuer}/userinfo`, 'nowhere']) {
    entra.graph.nextLink = elsewhere;
    const { userInfos } = entra.counts;
    await assert.rejects(logInAt(provider, EMAIL), { code: 'provider_error' }, elsewhere);
    assert.equal(entra.counts.userInfos, userInfos + 1, 'that of the login');
  }
  // The same page for ever.
  entra.graph.nextLink = `${entra.issuer}/v1.0/me/transitiveMemberOf?$select=id`;
  assert.equal((await logInAt(provider, EMAIL)).identity.groupsFault?.code, 'too_many_groups');
});

test('oidc sends acr_values and max_age, and reads what the provider says to it (5.5)', async (context) => {
  const { standIn, provider, account } = await startOidc(context, {
    acrValues: ['gold', 'silver'],
    maxAge: '1h',
  });
  account.acr = 'gold';
  const { identity } = await logInAt(provider, EMAIL);
  const asked = standIn.authorizations.at(-1);
  assert.deepEqual([asked?.get('acr_values'), asked?.get('max_age')], ['gold silver', '3600']);
  const { acr, authTime } = identity.facts ?? NO_FACTS;
  assert.equal(acr, 'gold');
  assert.ok(authTime !== null && Math.abs(Date.now() - authTime) < 60_000);
  const plain = providerOf({ issuer: standIn.issuer, scopes: SCOPES });
  await logInAt(plain, EMAIL);
  assert.deepEqual([...(standIn.authorizations.at(-1)?.keys() ?? [])].includes('acr_values'), false);
});

test('oidc takes a login that is yet to come, or no time at all, for none (5.5)', async (context) => {
  const said: { authTime: unknown } = { authTime: null };
  const standIn = await startOpenIdStandIn(
    { clients: [CLIENT] },
    {
      claims: (claims) => ({ ...claims, auth_time: said.authTime, acr: ['gold'], amr: 'otp' }) as JWTPayload,
    },
  );
  context.after(() => standIn.close());
  const provider = providerOf({ issuer: standIn.issuer });
  const seconds = Math.floor(Date.now() / 1000);
  for (const odd of [seconds + 60, -1, 1.5, Number.MAX_VALUE, true, [1]]) {
    said.authTime = odd;
    // Some of these the library refuses as a whole.
    const login = await logInAt(provider, EMAIL).catch(() => null);
    assert.equal(login?.identity.facts?.authTime ?? null, null, String(odd));
  }
  said.authTime = seconds;
  const { facts } = (await logInAt(provider, EMAIL)).identity;
  assert.deepEqual([facts?.authTime, facts?.acr, facts?.amr], [seconds * 1000, null, []]);
});
