// One person in several accounts: what the change from one to another takes, and what never goes along. The
// whole way in a browser is walked in test/e2e/console-accounts.test.ts.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import {
  startControl,
  TEST_PROVIDER,
  type TestAccount,
  type TestControl,
} from '../../../test/support/control.ts';
import { type AccountId, newId } from '../../domain/id.ts';
import { randomToken, Secret, secretHash } from '../../domain/secret.ts';
import type { Role } from '../../domain/role.ts';

let control: TestControl;
beforeEach(async () => {
  control = await startControl();
});
afterEach(() => control[Symbol.asyncDispose]());

test('POST /auth/account goes on in an account where the person is bound to the same login, with the rights of there', async () => {
  await join(control.mallory, { role: 'admin' });
  const { headers, token } = await join(control.alice);
  assert.deepEqual(
    (await accounts(headers)).map(({ name, role, isCurrent, needsLogin }) => [
      name,
      role,
      isCurrent,
      needsLogin,
    ]),
    [
      ['alice', 'member', true, false],
      ['mallory', 'admin', false, false],
    ],
  );
  const changed = await change(headers, control.mallory.id);
  assert.equal(changed.status, 204);
  const next = { ...headers, cookie: String(changed.headers.get('set-cookie')).split(';')[0] ?? '' };
  assert.notEqual(next.cookie, headers.cookie);
  assert.match(String(changed.headers.get('set-cookie')), /HttpOnly/);
  const caller = (await control.call({ path: '/v1/caller', as: null, headers: next })).document;
  assert.equal((caller['account'] as { id: string }).id, control.mallory.id);
  assert.equal(caller['role'], 'admin');
  assert.equal(
    (await control.call({ path: '/v1/caller', as: null, headers })).document['code'],
    'login_required',
  );
  assert.equal(await control.store.consoleSessions.find(secretHash(token)), null);
  for (const [as, kind] of [
    [control.alice, 'console.logout'],
    [control.mallory, 'console.login'],
  ] as const) {
    const { document } = await control.call({ path: `/v1/audit-events?kind=${kind}`, as });
    const [event] = document['items'] as readonly { readonly reason: string; readonly email: string }[];
    assert.deepEqual([event?.reason, event?.email], ['account_change', EMAIL]);
  }
});

test('POST /auth/account makes no login longer than it was', async () => {
  await join(control.mallory);
  const { headers, expiresAt } = await join(control.alice);
  const changed = await change(headers, control.mallory.id);
  const cookie = String(changed.headers.get('set-cookie')).split(';')[0] ?? '';
  const session = (await control.call({ path: '/auth/session', as: null, headers: { ...headers, cookie } }))
    .document;
  assert.equal(session['expiresAt'], new Date(expiresAt).toISOString());
});

test('POST /auth/account leads into no account of somebody else: not a member, another login, an open invitation, a suspended one', async () => {
  const { headers } = await join(control.alice);
  const refused = async (account: string) => {
    const { status, document } = await change(headers, account);
    assert.deepEqual([status, document['code']], [404, 'account_unknown']);
    assert.equal(
      (await control.call({ path: '/v1/caller', as: null, headers })).status,
      200,
      'still logged in',
    );
  };
  await refused(control.mallory.id);
  await refused(newId('acc'));
  // The same address, and another person at that provider.
  await join(control.mallory, { subject: 'another' });
  await refused(control.mallory.id);
  assert.deepEqual(
    (await accounts(headers)).map(({ name }) => name),
    ['alice'],
  );
  const third = await addAccount('third');
  await control.store.members.invite(memberOf(third), invitationOf());
  const listed = await accounts(headers);
  assert.deepEqual(
    listed.map(({ name, needsLogin, login }) => [name, needsLogin, login]),
    [
      ['alice', false, '/auth/login?provider=test&account=alice'],
      ['third', true, '/auth/login?provider=test&account=third'],
    ],
  );
  await refused(third);
  const fourth = await addAccount('fourth');
  await join({ id: fourth });
  await control.store.accounts.suspend(fourth, true);
  await refused(fourth);
});

test('POST /auth/account: whose access was ended in the other account since the login needs another login there', async () => {
  await join(control.mallory);
  const { headers } = await join(control.alice);
  const ended = await control.call({
    path: '/v1/people/end-access',
    json: { email: EMAIL },
    as: control.mallory,
  });
  assert.equal(ended.status, 200);
  // What cannot be entered so is not offered so.
  assert.deepEqual(
    (await accounts(headers)).map(({ name, needsLogin }) => [name, needsLogin]),
    [
      ['alice', false],
      ['mallory', true],
    ],
  );
  assert.deepEqual((await change(headers, control.mallory.id)).document['code'], 'access_ended');
  assert.equal(
    (await control.call({ path: '/v1/caller', as: null, headers })).status,
    200,
    'alice ended nothing',
  );
});

test('GET /auth/accounts: what an account’s own provider says shows and opens no other account (DESIGN 3)', async () => {
  await join(control.mallory);
  const { headers } = await join(control.alice);
  assert.equal((await accounts(headers)).length, 2);
  const { findProvider } = control.settings.console;
  Object.assign(control.settings.console, {
    findProvider: (name: string) => {
      const found = findProvider(name);
      return found && { ...found, accountId: control.alice.id };
    },
  });
  assert.deepEqual(
    (await accounts(headers)).map(({ name }) => name),
    ['alice'],
  );
  assert.equal((await change(headers, control.mallory.id)).document['code'], 'account_unknown');
});

test('POST /auth/account is taken from the console’s own pages alone, and from no key (login CSRF)', async () => {
  await join(control.mallory);
  const { headers } = await join(control.alice);
  const { origin: _origin, ...bare } = headers;
  for (const from of [
    bare,
    { ...headers, origin: 'https://evil.example' },
    { ...headers, 'sec-fetch-site': 'cross-site' },
    { ...headers, 'sec-fetch-site': 'same-site' },
  ])
    assert.deepEqual([(await change(from, control.mallory.id)).document['code']], ['foreign_origin']);
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  assert.equal((await change(form, control.mallory.id)).document['code'], 'unsupported_media_type');
  const { apiKey } = control.alice;
  const key = {
    authorization: `Bearer ${apiKey.reveal()}`,
    'content-type': 'application/json',
    origin: control.url.origin,
  };
  assert.equal((await change(key, control.mallory.id)).document['code'], 'login_required');
  assert.equal((await control.call({ path: '/v1/caller', as: null, headers })).status, 200);
});

test('of a change and a logout at once, no session is left', async () => {
  await join(control.mallory);
  for (let round = 0; round < 5; round++) {
    const { headers } = await join(control.alice);
    const [changed] = await Promise.all([
      change(headers, control.mallory.id),
      control.call({ method: 'POST', path: '/auth/logout', json: {}, as: null, headers }),
    ]);
    const cookie = changed.headers.get('set-cookie')?.split(';')[0];
    if (changed.status !== 204) assert.equal(changed.document['code'], 'login_required');
    else
      // The logout came later, and found its session ended.
      assert.equal(
        (await control.call({ path: '/v1/caller', as: null, headers: { ...headers, cookie: cookie ?? '' } }))
          .status,
        200,
      );
    assert.equal((await control.call({ path: '/v1/caller', as: null, headers })).status, 401);
  }
});

test('a call of a page of one account is refused once the browser is of another, and changes nothing there', async () => {
  await join(control.mallory, { role: 'admin' });
  const { headers } = await join(control.alice, { role: 'admin' });
  const changed = await change(headers, control.mallory.id);
  const cookie = String(changed.headers.get('set-cookie')).split(';')[0] ?? '';
  const ofAlice = { ...headers, cookie, 'doorward-account': control.alice.id };
  const json = { name: 'mine', target: 'http://127.0.0.1:3000', open: true };
  for (const path of ['/v1/shares', '/v1/members'])
    for (const call of [
      { path },
      { path, json: path === '/v1/shares' ? json : { email: 'eve@example.com' } },
    ]) {
      const { status, document } = await control.call({ ...call, as: null, headers: ofAlice });
      assert.deepEqual([status, document['code']], [403, 'account_changed']);
    }
  const trial = `/auth/trial?provider=test&account=${control.alice.id}`;
  assert.equal(
    (await control.call({ path: trial, as: null, headers: ofAlice })).document['code'],
    'account_changed',
  );
  const { document } = await control.call({ path: '/v1/shares', as: control.mallory });
  assert.deepEqual(document['items'], []);
  const ofMallory = { ...ofAlice, 'doorward-account': control.mallory.id };
  assert.equal((await control.call({ path: '/v1/shares', json, as: null, headers: ofMallory })).status, 201);
  // Nor does a key act for a page of another account.
  const withKey = await control.call({
    path: '/v1/shares',
    as: control.alice,
    headers: { 'doorward-account': control.mallory.id },
  });
  assert.equal(withKey.document['code'], 'account_changed');
});

type Listed = {
  readonly name: string;
  readonly role: string;
  readonly isCurrent: boolean;
  readonly needsLogin: boolean;
  readonly login: string;
};

async function accounts(headers: Readonly<Record<string, string>>): Promise<readonly Listed[]> {
  const { status, document } = await control.call({ path: '/auth/accounts', as: null, headers });
  assert.equal(status, 200, JSON.stringify(document));
  return document['accounts'] as readonly Listed[];
}

function change(headers: Readonly<Record<string, string>>, account: string) {
  return control.call({ method: 'POST', path: '/auth/account', json: { account }, as: null, headers });
}

type Joining = { readonly role?: Role; readonly subject?: string };

/** The person becomes a member, once, and logs in in a new browser. */
async function join({ id }: Pick<TestAccount, 'id'>, { role = 'member', subject = 'pat' }: Joining = {}) {
  const { store, url } = control;
  const invitation = invitationOf();
  const isNew = (await store.members.find(id, EMAIL)) === null;
  if (isNew) await store.members.invite({ ...memberOf(id), role }, invitation);
  const token = new Secret(randomToken());
  const createdAt = Date.now();
  const expiresAt = createdAt + 12 * 3_600_000;
  const entry = await store.consoleSessions.begin({
    person: {
      provider: 'test',
      generation: TEST_PROVIDER.generation,
      subject,
      email: EMAIL,
      emailVerified: true,
    },
    vouched: true,
    within: id,
    accountName: null,
    invitation: isNew ? invitation.id : null,
    hash: secretHash(token),
    createdAt,
    expiresAt,
    ageMs: 0,
    ip: null,
    replaces: null,
  });
  assert.equal(entry.kind, 'member');
  const cookie = `svc-control=${token.reveal()}`;
  return { token, expiresAt, headers: { cookie, origin: url.origin, 'content-type': 'application/json' } };
}

function memberOf(accountId: AccountId) {
  return {
    id: newId('mem'),
    accountId,
    email: EMAIL,
    role: 'member',
    createdAt: Date.now(),
    by: 'operator',
  } as const;
}

function invitationOf() {
  const createdAt = Date.now();
  return { id: newId('inv'), hash: randomToken(), createdAt, expiresAt: createdAt + 60_000 };
}

async function addAccount(name: string): Promise<AccountId> {
  const id = newId('acc');
  const createdAt = Date.now();
  await control.store.accounts.create({
    account: { id, name, createdAt, suspended: false },
    adminEmail: `admin@${name}.test`,
    apiKey: { id: newId('key'), accountId: id, name: 'first', hash: randomToken(), createdAt },
  });
  return id;
}

const EMAIL = 'pat@example.com';
