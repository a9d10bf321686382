// Who may do what, walked over every operation of the OpenAPI document: an operation that names no
// permission, or that the tables do not know, fails here.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  startControl,
  TEST_PROVIDER,
  type TestAccount,
  type TestAnswer,
  type TestCall,
  type TestControl,
} from '../../test/support/control.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../../test/support/openssl.ts';
import {
  addThings,
  callOf,
  isForOneself,
  isForOperators,
  nobodys,
  operations,
  type Things,
} from '../../test/support/operations.ts';
import { hashApiKey, newApiKey, parseApiKey } from '../domain/api-key.ts';
import { randomToken, Secret, secretHash } from '../domain/secret.ts';
import type { HeldCertificate } from '../domain/client-certificate.ts';
import { newId } from '../domain/id.ts';
import type { LimitedApiKey } from '../store/people/people.ts';
import type { ShareRow } from '../store/shares/share.ts';
import { addSession, addShare } from '../store/suite/bench.test-support.ts';
import { isPermission } from './authorize.ts';

/** What a member may do who is no admin. Everything else is an admin's. */
const MEMBER_MAY: ReadonlySet<string> = new Set([
  'showCaller',
  'showStatus',
  'showOverview',
  'listGateways',
  'createShare',
  'listShares',
  'showShare',
  'showShareActivity',
  'modifyShare',
  'deleteShare',
  'testShare',
  'listAuthProviderNames',
  'watchShareRequests',
  'createHost',
  'listHosts',
  'showHost',
  'verifyHost',
  'deleteHost',
  'listSessions',
  'listKnownPeople',
  'listPersonShares',
  'listAuditEvents',
  'listAccessRequests',
  'grantAccessRequest',
  'dismissAccessRequest',
  'showState',
]);

/**
 * What an admin's key of scope `read` may do, and an auditor by whatever credential. Everything else takes
 * `full`.
 */
const READ_MAY: ReadonlySet<string> = new Set([
  'showCaller',
  'showStatus',
  'showOverview',
  'listGateways',
  'showAccount',
  'showSettings',
  'listMembers',
  'showMember',
  'showApiKey',
  'listApiKeys',
  'showServiceToken',
  'listServiceTokens',
  'listShares',
  'showShare',
  'showShareActivity',
  'testShare',
  'watchShareRequests',
  'listHosts',
  'showHost',
  'listAuthProviders',
  'listAuthProviderNames',
  'showAuthProvider',
  'listSessions',
  'listKnownPeople',
  'listPersonShares',
  'showPerson',
  'listAuditEvents',
  'listAccessRequests',
  'listWebhooks',
  'showWebhook',
  'listWebhookDeliveries',
  'showWebhookDelivery',
  'showAccountCa',
  'showCertificatePolicy',
  'listCertificateRequestTokens',
  'showCertificateRequestToken',
  'listClientCertificates',
  'showClientCertificate',
  'showState',
]);

/**
 * What an admin's key of scope `tunnel` may ask for. Making a share is refused all the same, when it is a
 * direct one, and so is deleting one that is kept: `shares/tunnel-shares.test.ts`.
 */
const TUNNEL_MAY: ReadonlySet<string> = new Set(['showCaller', 'listGateways', 'deleteShare']);

/**
 * What an admin's client certificate may not do: whoever it let in, or told of events, would stay when it is
 * revoked.
 */
const NOT_BY_CERTIFICATE: ReadonlySet<string> = new Set([
  'createMember',
  'inviteMember',
  'modifyMember',
  'deleteMember',
  'endPersonAccess',
  'createApiKey',
  'deleteApiKey',
  'createAuthProvider',
  'modifyAuthProvider',
  'deleteAuthProvider',
  'createWebhook',
  'modifyWebhook',
  'deleteWebhook',
  'rotateWebhookSecret',
  'testWebhook',
  'redeliverWebhookDelivery',
  'createServiceToken',
  'deleteServiceToken',
]);

/**
 * What needs no caller: a request token (contract 2.7), or the client certificate of the connection, is the
 * credential.
 */
const ANYONE_MAY: ReadonlySet<string> = new Set(['redeemCertificate', 'renewCertificate']);

describe('every operation', () => {
  let control: TestControl;
  let things: Things;
  let mallorys: ShareRow;
  let callers: Readonly<Record<'admin' | 'member' | 'read' | 'tunnel' | 'auditor', TestAccount>>;
  let auditor: Auditor;
  /** An admin's, and what the next connection brings. */
  let certificate: HeldCertificate;
  let tunnelCertificate: HeldCertificate;
  let held: HeldCertificate | null = null;
  before(async () => {
    control = await startControl({ clientCertificates: 'optional', certificate: () => held });
    things = await addThings(control);
    mallorys = await addShare(control.store, { accountId: control.mallory.id });
    callers = {
      admin: control.alice,
      member: await keyOf(control, { name: 'as-member', role: 'member' }),
      read: await keyOf(control, { name: 'as-reader', role: 'admin', scope: 'read' }),
      tunnel: await keyOf(control, { name: 'as-agent', role: 'admin', scope: 'tunnel' }),
      auditor: await keyOf(control, { name: 'as-auditor', role: 'auditor' }),
    };
    auditor = await auditorOf(control);
    certificate = await certificateOf(control);
    tunnelCertificate = await certificateOf(control, 'tunnel');
  });
  after(() => control[Symbol.asyncDispose]());

  test('is described, and names a permission (default deny)', () => {
    const { api } = control;
    const served = api.openAPIRegistry.definitions.flatMap((definition) =>
      definition.type === 'route'
        ? [`${definition.route.method.toUpperCase()} ${definition.route.path}`]
        : [],
    );
    const described = operations().map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(described.toSorted(), served.toSorted());
    for (const operation of operations())
      assert.ok(
        isPermission(operation.permission) || isForOneself(operation) || ANYONE_MAY.has(operation.id),
        operation.id,
      );
    const own = operations().filter(isForOneself);
    assert.deepEqual(
      own.map((each) => each.path.startsWith(isForOperators(each) ? '/v1/operator/' : '/v1/me')),
      own.map(() => true),
    );
    // Whatever answers below /v1 is one of them.
    const routes = api.routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/v1'));
    const paths = new Set(routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/, '{$1}')}`));
    assert.deepEqual([...paths].toSorted(), served.toSorted());
  });

  for (const operation of operations().filter((each) => !isForOneself(each)))
    test(`${operation.id}: the things of another account read as unknown (THREATS "Tenancy")`, async () => {
      const { mallory } = control;
      const untouched = await look(control);
      const { parameter } = operation;
      const names = parameter === null ? [''] : (things.named[parameter] ?? []);
      assert.ok(names.length > 0, `test/support/operations.ts has nothing that {${parameter}} names`);
      for (const name of names) {
        const theirs = await control.call({ ...callOf(operation, name), as: mallory });
        assert.ok(theirs.status < 500);
        if (parameter !== null) {
          const unknown = nobodys(name);
          const nobody = await control.call({ ...callOf(operation, unknown), as: mallory });
          assert.equal(theirs.status, 404);
          assert.deepEqual(
            [nobody.status, nobody.document['code'], nobody.document['hint']],
            [404, theirs.document['code'], theirs.document['hint']],
          );
          assert.equal(detailBut(nobody, unknown), detailBut(theirs, name));
        }
        const text = JSON.stringify({ ...theirs.document, detail: '' });
        for (const mark of things.marks) assert.ok(!text.includes(mark), `${mark} in ${text}`);
      }
      assert.deepEqual(await look(control), untouched);
    });

  for (const operation of operations().filter((each) => !ANYONE_MAY.has(each.id) && !isForOneself(each))) {
    const unknown = nobodys(operation.parameter === 'session' ? 'ses_' : 'x');
    test(`${operation.id}: role and scope are held against the table`, async () => {
      const refused = async (as: TestAccount) => {
        const answer = await control.call({ ...callOf(operation, unknown), as });
        assert.ok(answer.status < 500, JSON.stringify(answer.document));
        assert.equal(answer.status === 403, answer.document['code'] === 'not_allowed');
        return answer.status === 403;
      };
      assert.equal(await refused(callers.member), !MEMBER_MAY.has(operation.id), 'a member');
      assert.equal(await refused(callers.read), !READ_MAY.has(operation.id), 'an admin’s reading key');
      assert.equal(await refused(callers.tunnel), !TUNNEL_MAY.has(operation.id), 'an agent’s key');
      assert.equal(await refused(callers.admin), false, 'an admin');
    });

    test(`${operation.id}: an auditor reads what an admin reads and changes nothing, with a key, by a login, and with what was theirs as an admin`, async () => {
      const may = READ_MAY.has(operation.id);
      const known = callOf(operation, unknown);
      // What is there already is no change.
      const call = operation.id === 'applyState' ? { ...known, json: ANOTHER_STATE } : known;
      const refused = async (each: Partial<TestCall>) => {
        const answer = await control.call({ ...call, ...each });
        assert.ok(answer.status < 500 && answer.status !== 401, JSON.stringify(answer.document));
        return answer.document['code'] === 'not_allowed';
      };
      assert.equal(await refused({ as: callers.auditor }), !may, 'a key with the role');
      assert.equal(await refused({ as: null, headers: auditor.headers }), !may, 'a login');
      assert.equal(await refused({ as: auditor.adminKey }), !may, 'a key from when they were an admin');
      const asMember = may && MEMBER_MAY.has(operation.id);
      assert.equal(await refused({ as: auditor.memberKey }), !asMember, 'their key with the role member');
      const ofAnyScope = operation.id === 'showCaller' || operation.id === 'listGateways';
      assert.equal(await refused({ as: auditor.tunnelKey }), !ofAnyScope, 'their key that served tunnels');
    });

    test(`${operation.id}: an admin’s client certificate makes nobody that can call or is told of events (DESIGN "Mutual TLS")`, async (t) => {
      t.after(() => (held = null));
      held = certificate;
      const { status, document } = await control.call({ ...callOf(operation, unknown), as: null });
      assert.ok(status < 500 && status !== 401, JSON.stringify(document));
      assert.equal(document['code'] === 'not_allowed', NOT_BY_CERTIFICATE.has(operation.id));
    });

    test(`${operation.id}: a certificate of the role tunnel may what an agent’s key may, and no more (DESIGN "Mutual TLS")`, async (t) => {
      t.after(() => (held = null));
      held = tunnelCertificate;
      const { status, document } = await control.call({ ...callOf(operation, unknown), as: null });
      assert.ok(status < 500 && status !== 401, JSON.stringify(document));
      assert.equal(document['code'] === 'not_allowed', !TUNNEL_MAY.has(operation.id));
    });

    test(`${operation.id}: nobody without a key gets in (DESIGN 2.5)`, async () => {
      const { status, document } = await control.call({ ...callOf(operation, unknown), as: null });
      assert.deepEqual([status, document['code']], [401, 'api_key_missing']);
    });
  }

  for (const operation of operations().filter((each) => !ANYONE_MAY.has(each.id))) {
    const own = operation.permission === 'oneself';
    test(`${operation.id}: a person who is no member ${own ? 'may' : 'may not'}, whatever is theirs`, async () => {
      const names = operation.parameter === null ? [''] : (things.named[operation.parameter] ?? []);
      for (const name of [...names, nobodys(operation.parameter === 'session' ? 'ses_' : 'x')]) {
        const call = callOf(operation, name);
        const answer = await control.call({ ...call, as: null, headers: await visitor() });
        assert.ok(answer.status < 500, JSON.stringify(answer.document));
        if (!own) assert.deepEqual([answer.status, answer.document['code']], [403, 'not_allowed']);
        // Alice's things are none of theirs.
        else if (operation.parameter !== null) assert.equal(answer.status, 404);
        else assert.equal(answer.status, 200);
      }
    });
  }

  for (const operation of operations().filter(isForOneself))
    test(`${operation.id}: no key and no client certificate is anybody's login`, async (t) => {
      t.after(() => (held = null));
      const call = callOf(operation, nobodys('ses_'));
      for (const as of Object.values(callers)) {
        const { status, document } = await control.call({ ...call, as });
        assert.deepEqual([status, document['code']], [403, 'not_allowed']);
      }
      assert.equal((await control.call({ ...call, as: null })).document['code'], 'api_key_missing');
      held = certificate;
      assert.equal((await control.call({ ...call, as: null })).document['code'], 'not_allowed');
    });

  /**
   * The headers of somebody's browser who has a session at one of mallory's shares. Each time a login of its
   * own.
   */
  async function visitor(): Promise<Readonly<Record<string, string>>> {
    const token = new Secret(randomToken());
    const person = { provider: 'test', generation: TEST_PROVIDER.generation, subject: 'eve' };
    // Without anything of theirs they would get no session.
    await addSession(control.store, { ...person, share: mallorys, at: Date.now(), browser: newId('ses') });
    await control.store.consoleSessions.beginVisit({
      person: { ...person, email: 'eve@example.com', emailVerified: true },
      vouched: true,
      within: null,
      hash: secretHash(token),
      createdAt: Date.now(),
      expiresAt: Date.now() + 60_000,
      ip: null,
      replaces: null,
    });
    const cookie = `svc-control=${token.reveal()}`;
    return { cookie, origin: control.url.origin, 'content-type': 'application/json' };
  }
});

/** Another account's things cannot be used either, by whatever name. */
test('a share cannot use the provider of another account (DESIGN "Who may use which provider")', async () => {
  await using control = await startControl();
  await addThings(control);
  const answers = await Promise.all(
    ['alices-provider', 'nobodys'].map((oauthProvider) =>
      control.call({
        path: '/v1/shares',
        json: { name: 'mine', target: 'http://127.0.0.1:3000', oauthProvider },
        as: control.mallory,
      }),
    ),
  );
  const [theirs, nobodysOwn] = answers.map(({ document }) => JSON.stringify(document['faults']));
  assert.match(String(theirs), /there is no provider/);
  assert.equal(theirs?.replace('alices-provider', 'nobodys'), nobodysOwn);
});

function detailBut({ document }: TestAnswer, name: string): string {
  return String(document['detail']).replaceAll(name, '…');
}

async function keyOf(control: TestControl, json: object): Promise<TestAccount> {
  const { document } = await control.call({ path: '/v1/api-keys', json });
  const apiKey = parseApiKey(String(document['key']));
  assert.ok(apiKey);
  return { id: control.alice.id, apiKey };
}

const ANOTHER_STATE = { state: { webhooks: [{ name: 'audited', url: 'https://127.0.0.1/audited' }] } };

type Auditor = {
  /** Of a browser in which they are logged in. */
  readonly headers: Readonly<Record<string, string>>;
  readonly adminKey: TestAccount;
  readonly memberKey: TestAccount;
  readonly tunnelKey: TestAccount;
};

/** A member who was an admin, and made keys then. */
async function auditorOf({ store, alice, url, call }: TestControl): Promise<Auditor> {
  const person = { provider: 'test', generation: TEST_PROVIDER.generation, subject: 'audrey' };
  const email = 'audrey@example.com';
  const createdAt = Date.now();
  const member = { id: newId('mem'), accountId: alice.id, email, role: 'admin', createdAt } as const;
  const invitation = { id: newId('inv'), hash: 'h'.repeat(64), createdAt, expiresAt: createdAt + 60_000 };
  await store.members.invite({ ...member, by: 'operator' }, invitation);
  const token = new Secret(randomToken());
  await store.consoleSessions.begin({
    person: { ...person, email, emailVerified: true },
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
  const made = async (key: Pick<LimitedApiKey, 'name' | 'role' | 'scope'>): Promise<TestAccount> => {
    const apiKey = newApiKey();
    const row = { ...key, id: newId('key'), accountId: alice.id, hash: hashApiKey(apiKey), createdAt };
    await store.apiKeys.create(
      { ...row, expiresAt: null, memberId: member.id, createdBy: `member:${member.id}`, login: null },
      null,
    );
    return { id: alice.id, apiKey };
  };
  const keys = {
    adminKey: await made({ name: 'audreys-admin', role: 'admin', scope: 'full' }),
    memberKey: await made({ name: 'audreys-member', role: 'member', scope: 'full' }),
    tunnelKey: await made({ name: 'audreys-tunnel', role: 'member', scope: 'tunnel' }),
  };
  const changed = await call({ method: 'PATCH', path: `/v1/members/${email}`, json: { role: 'auditor' } });
  assert.equal(changed.document['role'], 'auditor');
  const cookie = `svc-control=${token.reveal()}`;
  return { ...keys, headers: { cookie, origin: url.origin, 'content-type': 'application/json' } };
}

async function certificateOf(
  control: TestControl,
  apiRole: 'tunnel' | 'admin' = 'admin',
): Promise<HeldCertificate> {
  const input = { name: 'as-robot', commonName: 'robot', apiRole };
  const { token } = (await control.call({ path: '/v1/certificate-request-tokens', json: input })).document;
  const json = { token, csr: opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr };
  const made = await control.call({ path: '/v1/client-certificates/redeem', json, as: null });
  const found = await control.store.certificates.find(control.alice.id, String(made.document['serial']));
  assert.ok(found);
  return { authorityId: found.caId, fingerprint: found.fingerprint };
}

/**
 * Everything of alice's that can be listed, but for what merely happened, and what is worked out of the rest.
 */
async function look(control: TestControl): Promise<readonly unknown[]> {
  const lists = operations().filter(
    (each) =>
      each.method === 'GET' &&
      each.parameter === null &&
      each.id !== 'listAuditEvents' &&
      // Of shares and logins; and only so often a minute.
      each.id !== 'listPersonShares' &&
      each.id !== 'showPerson' &&
      !isForOneself(each),
  );
  const calls: readonly TestCall[] = lists.map((operation) => callOf(operation, ''));
  const found = await Promise.all(calls.map(async (call) => (await control.call(call)).document));
  // Of a key that calls, and of the steps of a graph, it is another after a minute.
  const times = new Set(['lastUsedAt', 'at']);
  return JSON.parse(JSON.stringify(found, (name, value) => (times.has(name) ? null : value)));
}
