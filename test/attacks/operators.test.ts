// THREATS "Tenancy": what operators see of all accounts is theirs alone. No role and no credential of an
// account is an operator; an operator is who the configuration names at that moment, by an address that this
// very provider vouches for, and sees nothing that an account holds. On both engines.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { HeldCertificate } from '../../src/domain/client-certificate.ts';
import { newId } from '../../src/domain/id.ts';
import type { Identity } from '../../src/domain/identity.ts';
import { randomToken, Secret, secretHash, shortHash } from '../../src/domain/secret.ts';
import type { Role } from '../../src/domain/role.ts';
import { hashApiKey, newApiKey, parseApiKey } from '../../src/domain/api-key.ts';
import { sealConsoleGrant } from '../../src/login/console-grant.ts';
import type { Store } from '../../src/store/store.ts';
import { createBrowser } from '../support/browser-by-hand.ts';
import { startControlOn, TEST_PROVIDER, type TestAnswer, type TestControl } from '../support/control.ts';
import { onEngines } from '../support/on-engines.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import {
  addThings,
  callOf,
  FIXTURE_SECRET,
  isForOneself,
  isForOperators,
  operations,
  type Things,
} from '../support/operations.ts';

type Headers = Readonly<Record<string, string>>;

onEngines('operators', ({ openStore }) => {
  let control: TestControl<Store>;
  let things: Things;
  /** What the next connection brings. */
  let held: HeldCertificate | null = null;
  before(async () => {
    control = await startControlOn(await openStore(), {
      clientCertificates: 'optional',
      certificate: () => held,
    });
    things = await addThings(control);
    name(OPS);
  });
  after(() => control[Symbol.asyncDispose]());

  test('an operator sees accounts, their limits and gateways, and nothing that an account holds', async () => {
    const { headers, status } = await logIn(OPS);
    assert.equal(status, 303, 'a login, although nothing here is theirs and they are no member');
    const listed = await read('/v1/operator/accounts', headers);
    const items = listed['items'] as readonly { name: string; state: string; limits: readonly Limit[] }[];
    assert.deepEqual(
      items.map(({ name: account, state }) => [account, state]),
      [
        ['alice', 'active'],
        ['mallory', 'active'],
      ],
    );
    const shares = items[0]?.limits.find(({ limit }) => limit === 'shares');
    assert.deepEqual([shares?.used, shares?.allowed], [2, control.settings.limits.shares]);
    const first = await read('/v1/operator/accounts?limit=1', headers);
    const next = await read(`/v1/operator/accounts?limit=1&cursor=${String(first['nextCursor'])}`, headers);
    assert.deepEqual([...names(first), ...names(next)], ['alice', 'mallory']);
    const gateway = { id: newId('gtw'), tunnelUrl: 'https://t.example', workers: 2, version: '1.2.3' };
    await control.store.gateways.beat({ ...gateway, startedAt: Date.now() }, 60_000, HEALTH);
    const byId = await read(`/v1/operator/accounts/${control.alice.id}`, headers);
    const byName = await read('/v1/operator/accounts/alice', headers);
    assert.deepEqual(byId, byName);
    assert.deepEqual(byId['sessions'], { active: 1 });
    const certificates = (byId['limits'] as readonly Limit[]).find(({ limit }) => limit === 'certificates');
    assert.equal(certificates?.used, 1);
    const unknown = await call('/v1/operator/accounts/nobodys', headers);
    assert.deepEqual([unknown.status, unknown.document['code']], [404, 'account_unknown']);
    const health = await read('/v1/operator/health', headers);
    const [running] = health['gateways'] as readonly Readonly<Record<string, unknown>>[];
    assert.deepEqual(
      [running?.['version'], running?.['state'], running?.['workers'], running?.['behindSeconds']],
      ['1.2.3', 'running', { running: 1, configured: 2 }, 0.25],
    );
    const told = JSON.stringify([listed, byId, health]);
    const ofTenants = things.marks.filter((mark) => mark !== control.alice.id);
    for (const mark of [...ofTenants, FIXTURE_SECRET, '@', '127.0.0.1'])
      assert.ok(!told.includes(mark), mark);
  });

  test('an operator who is no member makes no other call, and a member as operator none of another account', async () => {
    const { headers } = await logIn(OPS);
    for (const operation of operations().filter(
      (each) => !isForOneself(each) && each.id !== 'redeemCertificate',
    )) {
      if (operation.id === 'renewCertificate') continue;
      const [named = 'x'] = things.named[operation.parameter ?? ''] ?? [];
      const answer = await control.call({ ...callOf(operation, named), as: null, headers });
      assert.deepEqual([answer.status, answer.document['code']], [403, 'not_allowed'], operation.id);
    }
    const member = await memberLogIn('member', { ...OPS, email: 'both@example.com', subject: 'both' });
    name(OPS, { ...OPS, email: 'both@example.com' });
    assert.equal((await call('/v1/operator/accounts', member)).status, 200);
    assert.equal((await call('/v1/members', member)).status, 403, 'a member is no admin by it');
    name(OPS);
    assert.equal((await call('/v1/operator/accounts', member)).status, 403, 'at the next call');
  });

  test('nothing is changed there: no method but GET, whoever calls', async () => {
    const { headers } = await logIn(OPS);
    for (const { path } of operations().filter(isForOperators))
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const at = path.replace('{account}', 'alice');
        const answer = await control.call({
          method,
          path: at,
          json: { state: 'suspended' },
          as: null,
          headers,
        });
        assert.deepEqual(
          [answer.status, answer.document['code']],
          [405, 'method_not_allowed'],
          `${method} ${at}`,
        );
      }
    assert.equal((await control.store.accounts.find(control.alice.id))?.suspended, false);
  });

  test('no role of an account and no credential is an operator, and nobody of those is told of the page', async (t) => {
    t.after(() => (held = null));
    const keys = await Promise.all(
      [
        { name: 'k-admin', role: 'admin' },
        { name: 'k-member', role: 'member' },
        { name: 'k-auditor', role: 'auditor' },
        { name: 'k-read', role: 'admin', scope: 'read' },
        { name: 'k-tunnel', role: 'admin', scope: 'tunnel' },
      ].map(apiKey),
    );
    for (const key of keys) await refused(key.name, bearer(key.text));
    const { document } = await control.call({
      path: '/v1/tokens',
      json: { name: 'program', shares: ['alices-share'], expiresIn: '90d' },
    });
    await refused('a service token', bearer(String(document['token'])), 401);
    await refused('nobody', {}, 401);
    for (const role of ['admin', 'member', 'auditor'] as const) {
      const person = { ...OPS, email: `${role}@example.com`, subject: role };
      await refused(`a login as ${role}`, await memberLogIn(role, person));
    }
    await refused('a visitor', (await visit({ ...OPS, email: 'visitor@alice.test', subject: 'v' })).headers);
    const typed = await control.call({
      method: 'POST',
      path: '/auth/key',
      as: null,
      json: { apiKey: keys[0]?.text },
      headers: { origin: control.url.origin },
    });
    assert.ok(typed.status < 300, JSON.stringify(typed.document));
    await refused('a key typed into the console', pageOf(cookieOf(typed)));
    for (const role of ['admin', 'member', 'tunnel'] as const) {
      held = await certificateOf(role);
      await refused(`a client certificate with ${role}`, {});
    }
  });

  test('nor is a key of an operator: they call in person alone', async () => {
    const person = { ...OPS, subject: 'keyed' };
    const headers = await memberLogIn('admin', person);
    assert.equal((await call('/v1/operator/accounts', headers)).status, 200);
    const members = await control.call({ path: '/v1/members' });
    const member = (members.document['items'] as readonly { email: string; id: string }[]).find(
      ({ email }) => email === person.email,
    );
    assert.ok(member);
    const text = newApiKey();
    await control.store.apiKeys.create(
      {
        id: newId('key'),
        accountId: control.alice.id,
        name: 'of-an-operator',
        hash: hashApiKey(text),
        createdAt: Date.now(),
        role: 'admin',
        scope: 'full',
        expiresAt: null,
        memberId: member.id as never,
        createdBy: `member:${member.id as never}`,
        login: { provider: person.provider, generation: TEST_PROVIDER.generation, subject: 'keyed' },
      } as never,
      null,
    );
    await refused('their key', bearer(text.reveal()));
  });

  test('the address alone is nothing: not unverified, not of another provider, not of an account’s own', async () => {
    const unverified = { ...OPS, emailVerified: false, subject: 'unverified' };
    assert.equal((await logIn(unverified)).status, 403, 'and gets no session by it');
    await refused('an unverified address', (await visit(unverified)).headers);
    await refused('another address', (await visit({ ...OPS, email: 'xops@example.com' })).headers);
    const { findProvider } = control.settings.console;
    const known = (change: object) => ({
      findProvider: (asked: string) =>
        asked === 'other' || asked === 'test'
          ? { ...TEST_PROVIDER, name: asked, verifiesEmail: true, ...change }
          : findProvider(asked),
    });
    const { headers } = await logIn(OPS);
    const same = async (status: number) =>
      assert.equal((await call('/v1/operator/accounts', headers)).status, status);
    await same(200);
    try {
      Object.assign(control.settings.console, known({}));
      await refused('the address at another provider', (await visit({ ...OPS, provider: 'other' })).headers);
      // An account's definition that took the name of a provider that the configuration gave up.
      Object.assign(control.settings.console, known({ accountId: control.alice.id }));
      const own = await visit(OPS, control.alice.id);
      await refused('the same name, defined by an account', own.headers);
      await same(401);
      Object.assign(control.settings.console, known({ verifiesEmail: false }));
      await same(403);
      Object.assign(control.settings.console, known({ generation: shortHash('another') }));
      await same(401);
    } finally {
      Object.assign(control.settings.console, { findProvider });
    }
    await same(200);
  });

  test('whom the configuration names no more is none at the next call', async () => {
    const { headers } = await logIn(OPS);
    assert.equal((await call('/v1/operator/health', headers)).status, 200);
    assert.deepEqual(await may(headers), ['oneself', 'operator']);
    name();
    await refused('removed', headers);
    name({ ...OPS, provider: 'other' });
    await refused('named at another provider', headers);
    name(OPS);
    assert.equal((await call('/v1/operator/health', headers)).status, 200);
  });

  test('an operator’s browser is not used by other sites, nor by a page of an account', async () => {
    const { headers } = await logIn(OPS);
    for (const from of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])
      for (const path of PATHS) {
        const answer = await call(path, { ...headers, ...from });
        assert.deepEqual([answer.status, answer.document['code']], [403, 'foreign_origin']);
      }
    const other = await call(PATHS[0] ?? '', { ...headers, 'doorward-account': control.alice.id });
    assert.equal(other.document['code'], 'account_changed');
  });

  test('a member of a suspended account is logged out as an operator, too, and comes in as no member', async () => {
    const person = { ...OPS, subject: 'suspended' };
    const headers = await memberLogIn('admin', person, control.mallory.id);
    assert.equal((await call('/v1/operator/health', headers)).status, 200);
    await control.store.accounts.suspend(control.mallory.id, true);
    try {
      assert.equal((await call('/v1/operator/health', headers)).status, 403);
      // So no account keeps an operator out by making them its member.
      const again = await logIn(person);
      assert.equal(again.status, 303);
      assert.equal((await call('/v1/operator/health', again.headers)).status, 200);
    } finally {
      await control.store.accounts.suspend(control.mallory.id, false);
    }
  });

  /** Whom the configuration names now. */
  function name(...operators: readonly Pick<Identity, 'provider' | 'email'>[]): void {
    const named = operators.map(({ provider, email }) => ({ provider, email }));
    Object.assign(control.settings.console, { operators: named });
  }

  async function refused(who: string, headers: Headers, status = 403): Promise<void> {
    for (const path of PATHS) {
      const answer = await call(path, headers);
      assert.equal(answer.status, status, `${who}: ${path} ${JSON.stringify(answer.document)}`);
      if (status === 403) assert.equal(answer.document['code'], 'not_allowed', who);
      assert.doesNotMatch(JSON.stringify(answer.document), /mallory|limits|gateways/);
    }
    if (headers['cookie'] !== undefined) assert.ok(!(await may(headers)).includes('operator'), who);
  }

  async function may(headers: Headers): Promise<readonly string[]> {
    return (await read('/auth/session', headers))['may'] as readonly string[];
  }

  function call(path: string, headers: Headers): Promise<TestAnswer> {
    return control.call({ path, as: null, headers });
  }

  async function read(path: string, headers: Headers): Promise<TestAnswer['document']> {
    const { status, document } = await call(path, headers);
    assert.equal(status, 200, JSON.stringify(document));
    return document;
  }

  function pageOf(cookie: string): Headers {
    return { cookie, origin: control.url.origin, 'content-type': 'application/json' };
  }

  /** By the whole way from the grant on. */
  async function logIn(identity: Identity): Promise<{ readonly status: number; readonly headers: Headers }> {
    const browser = createBrowser();
    await browser.open(`${control.url.origin}/auth/login?provider=test`);
    const grant = sealConsoleGrant(control.settings.console.seal, {
      kind: 'console',
      id: newId('att'),
      identity,
      providerGeneration: TEST_PROVIDER.generation,
      bindingHash: shortHash(browser.jar.find('svc-control-bind')?.value ?? ''),
      invitation: null,
      accountName: null,
      setOutAt: Date.now(),
      expiresAt: Date.now() + 60_000,
    });
    const { status } = await browser.request(`${control.url.origin}/auth/complete?grant=${grant}`);
    return { status, headers: pageOf(browser.jar.header(control.url) ?? '') };
  }

  /** A session of a person who is no member, whatever may be theirs. */
  async function visit(
    { provider, subject, email, emailVerified }: Identity,
    within: typeof control.alice.id | null = null,
  ): Promise<{ readonly headers: Headers }> {
    const token = new Secret(randomToken());
    const { generation } = TEST_PROVIDER;
    await control.store.consoleSessions.beginVisit({
      person: { provider, subject, email, emailVerified: emailVerified === true, generation },
      mayHoldNothing: true,
      vouched: emailVerified === true,
      within,
      hash: secretHash(token),
      createdAt: Date.now(),
      expiresAt: Date.now() + 60_000,
      ip: null,
      replaces: null,
    });
    return { headers: pageOf(`svc-control=${token.reveal()}`) };
  }

  async function memberLogIn(
    role: Role,
    { provider, subject, email }: Identity,
    accountId = control.alice.id,
  ): Promise<Headers> {
    const createdAt = Date.now();
    const member = { id: newId('mem'), accountId, email, role, createdAt } as const;
    const invitation = { id: newId('inv'), hash: randomToken(), createdAt, expiresAt: createdAt + 60_000 };
    await control.store.members.invite({ ...member, by: 'operator' }, invitation);
    const token = new Secret(randomToken());
    const person = { provider, subject, email, generation: TEST_PROVIDER.generation, emailVerified: true };
    const entry = await control.store.consoleSessions.begin({
      person,
      vouched: true,
      within: null,
      accountName: null,
      invitation: invitation.id,
      hash: secretHash(token),
      createdAt,
      ageMs: 0,
      expiresAt: createdAt + 3_600_000,
      ip: null,
      replaces: null,
    });
    assert.equal(entry.kind, 'member');
    return pageOf(`svc-control=${token.reveal()}`);
  }

  async function apiKey(json: { readonly name: string }) {
    const { document } = await control.call({ path: '/v1/api-keys', json });
    const key = parseApiKey(String(document['key']));
    assert.ok(key);
    return { name: json.name, text: key.reveal() };
  }

  async function certificateOf(apiRole: 'admin' | 'member' | 'tunnel'): Promise<HeldCertificate> {
    held = null;
    const json = { name: `robot-${apiRole}`, commonName: 'robot', apiRole };
    const { token } = (await control.call({ path: '/v1/certificate-request-tokens', json })).document;
    const made = await control.call({
      path: '/v1/client-certificates/redeem',
      json: { token, csr: opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr },
      as: null,
    });
    const found = await control.store.certificates.find(control.alice.id, String(made.document['serial']));
    assert.ok(found);
    return { authorityId: found.caId, fingerprint: found.fingerprint };
  }
});

type Limit = { readonly limit: string; readonly used: number | null; readonly allowed: number };

function names(page: TestAnswer['document']): readonly string[] {
  return (page['items'] as readonly { name: string }[]).map(({ name }) => name);
}

function bearer(text: string): Headers {
  return { authorization: `Bearer ${text}` };
}

function cookieOf({ headers }: TestAnswer): string {
  return String(headers.get('set-cookie')).split(';')[0] ?? '';
}

const OPS: Identity = { provider: 'test', subject: 'ops', email: 'ops@example.com', emailVerified: true };
const HEALTH = { workersRunning: 1, feedAgeMs: 250, auditWaiting: 0, certificateEndsAt: null };
const PATHS = operations()
  .filter(isForOperators)
  .map(({ path }) => path.replace('{account}', 'mallory'));
