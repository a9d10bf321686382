// The account, its members and its API keys through the API. That they are an admin's is tested in
// authorize.test.ts, what the records do in the store's suite.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  startControl,
  type TestAccount,
  type TestAnswer,
  type TestCall,
  type TestControl,
} from '../../../test/support/control.ts';
import { parseApiKey } from '../../domain/api-key.ts';
import { newId } from '../../domain/id.ts';
import { secretHash } from '../../domain/secret.ts';
import { parseInvitationToken } from '../../domain/invitation-token.ts';
import { hashApiKey } from '../../domain/api-key.ts';
import { loginOf } from '../../store/suite/people.test-support.ts';

describe('members and API keys', () => {
  let control: TestControl;
  before(async () => {
    control = await startControl();
  });
  after(() => control[Symbol.asyncDispose]());

  const call = (wanted: TestCall): Promise<TestAnswer> => control.call(wanted);
  const post = (path: string, json: unknown, as: TestAccount = control.alice) => call({ path, json, as });

  test('GET /v1/account is the caller’s own (DESIGN 2.5)', async () => {
    const { document } = await call({ path: '/v1/account', as: control.mallory });
    assert.deepEqual([document['id'], document['name']], [control.mallory.id, 'mallory']);
  });

  test('POST /v1/members shows the invitation once, and keeps its hash alone', async () => {
    const made = await post('/v1/members', { email: 'Ann@Example.com', role: 'admin', expiresIn: '1h' });
    assert.equal(made.status, 201);
    const { member, invitation } = made.document as {
      member: Record<string, unknown>;
      invitation: Record<string, string>;
    };
    assert.deepEqual(
      [member['email'], member['role'], member['state'], member['provider'], member['lastLoginAt']],
      ['Ann@Example.com', 'admin', 'invited', null, null],
    );
    assert.equal(invitation['expiresAt'], member['invitedUntil']);
    assert.equal(made.headers.get('location'), `/v1/members/${String(member['id'])}`);
    const token = parseInvitationToken(String(invitation['token']));
    assert.ok(token);
    assert.equal((await control.store.members.findInvitation(secretHash(token)))?.memberId, member['id']);
    const list = await call({ path: '/v1/members' });
    assert.deepEqual((list.document['items'] as unknown[])[1], member);
    const twice = await post('/v1/members', { email: 'ann@example.COM' });
    assert.deepEqual([twice.status, twice.document['code']], [409, 'member_exists']);
  });

  test('POST /v1/members refuses what is no address, no role, no time or too long a time', async () => {
    for (const json of [
      { email: 'nobody' },
      { email: 'a@b.c', role: 'owner' },
      { email: 'a@b.c', expiresIn: 'soon' },
      { email: 'a@b.c', expiresIn: '31d' },
      { email: 'a@b.c', more: 1 },
      {},
    ]) {
      const { status, document } = await post('/v1/members', json);
      assert.deepEqual([status, document['code']], [422, 'validation_failed'], JSON.stringify(json));
    }
  });

  test('GET /v1/members pages by address, whatever is in it (DESIGN 2.5)', async () => {
    await using other = await startControl();
    const emails = ["o'brien@example.com", 'a+b@example.com', 'b@example.com', 'c@example.com'];
    for (const email of emails) await other.call({ path: '/v1/members', json: { email } });
    const seen: string[] = [];
    let cursor = '';
    do {
      const { document } = await other.call({ path: `/v1/members?limit=2${cursor}` });
      seen.push(...(document['items'] as { email: string }[]).map(({ email }) => email));
      cursor = document['nextCursor'] === null ? '' : `&cursor=${String(document['nextCursor'])}`;
    } while (cursor !== '');
    assert.deepEqual(seen.toSorted(), [...emails, 'alice@example.com'].toSorted());
  });

  test('the last admin stays: 409 for deleting and for demoting', async () => {
    const path = '/v1/members/mallory@example.com';
    const as = control.mallory;
    for (const answer of [
      await call({ path, method: 'DELETE', as }),
      await call({ path, method: 'PATCH', json: { role: 'member' }, as }),
    ])
      assert.deepEqual([answer.status, answer.document['code']], [409, 'last_admin']);
    const same = await call({ path, method: 'PATCH', json: { role: 'admin' }, as });
    assert.equal(same.status, 200);
  });

  test('a key is no more than its member by now, and goes with the member', async () => {
    await post('/v1/members', { email: 'carl@example.com', role: 'admin' });
    await control.store.consoleSessions.begin(
      loginOf('carl@example.com', { expiresAt: Date.now() + 60_000 }),
    );
    const carl = await control.store.members.find(control.alice.id, 'carl@example.com');
    assert.ok(carl);
    const key = await keyOf({ name: 'carls', role: 'admin' });
    await control.store.apiKeys.remove(control.alice.id, 'carls');
    await control.store.apiKeys.create(
      {
        id: newId('key'),
        accountId: control.alice.id,
        name: 'carls',
        hash: hashApiKey(key.apiKey),
        createdAt: Date.now(),
        role: 'admin',
        scope: 'full',
        expiresAt: null,
        memberId: carl.id,
        createdBy: null,
      },
      null,
    );
    const path = '/v1/members/carl@example.com';
    assert.equal((await call({ path: '/v1/members', as: key })).status, 200);
    // What a member's key makes is that member's.
    const made = await post('/v1/api-keys', { name: 'carls-second' }, key);
    assert.equal(made.document['member'], carl.id);
    await call({ path, method: 'PATCH', json: { role: 'member' } });
    assert.equal((await call({ path: '/v1/members', as: key })).document['code'], 'not_allowed');
    assert.equal((await call({ path: '/v1/shares', as: key })).status, 200);
    assert.equal((await call({ path, method: 'DELETE' })).status, 204);
    assert.equal((await call({ path: '/v1/shares', as: key })).document['code'], 'api_key_invalid');
    const second = parseApiKey(String(made.document['key']));
    assert.ok(second);
    const gone = await call({ path: '/v1/shares', as: { id: control.alice.id, apiKey: second } });
    assert.equal(gone.status, 401);
  });

  test('POST /v1/api-keys shows the key once, then its first characters alone; a deleted one is refused', async () => {
    const made = await post('/v1/api-keys', { name: 'ci', scope: 'read' });
    assert.equal(made.status, 201);
    const { key, ...shown } = made.document;
    const apiKey = parseApiKey(String(key));
    assert.ok(apiKey);
    assert.deepEqual([shown['role'], shown['scope'], shown['expiresAt']], ['member', 'read', null]);
    assert.match(String(shown['createdBy']), /^api-key:key_/);
    const as = { id: control.alice.id, apiKey };
    assert.equal((await call({ path: '/v1/shares', as })).status, 200);
    const list = JSON.stringify((await call({ path: '/v1/api-keys' })).document);
    assert.ok(list.includes('"name":"ci"') && !list.includes(String(key)));
    assert.match(list, /"name":"ci"[^}]*"lastUsedAt":"20/);
    const start = String(key).slice(0, 'dw_'.length + 6);
    assert.equal(shown['start'], start);
    assert.ok(list.includes(`"name":"ci","start":"${start}"`));
    const events = JSON.stringify((await call({ path: '/v1/audit-events?kind=api_key.created' })).document);
    assert.ok(events.includes(`"name":"ci","start":"${start}"`));
    assert.ok(!events.includes(start + String(key).charAt(start.length)));
    const taken = await post('/v1/api-keys', { name: 'ci' });
    assert.deepEqual([taken.status, taken.document['code']], [409, 'name_taken']);
    assert.equal((await call({ path: '/v1/api-keys/ci', method: 'DELETE' })).status, 204);
    assert.equal((await call({ path: '/v1/shares', as })).document['code'], 'api_key_invalid');
    for (const name of ['CI', 'key_1', '-a', '', 'a b'])
      assert.equal((await post('/v1/api-keys', { name })).status, 422, name);
  });

  test('a key that expired is refused, and none that it made outlives it', async () => {
    const short = await keyOf({ name: 'short', role: 'admin', expiresIn: '1h' });
    const child = await post('/v1/api-keys', { name: 'child' }, short);
    const parent = (await call({ path: '/v1/api-keys', as: short })).document['items'] as {
      name: string;
      expiresAt: string;
    }[];
    assert.equal(child.document['expiresAt'], parent.find(({ name }) => name === 'short')?.expiresAt);
    const longer = await post('/v1/api-keys', { name: 'longer', expiresIn: '2h' }, short);
    assert.deepEqual([longer.status, longer.document['code']], [403, 'not_allowed']);
    assert.equal((await post('/v1/api-keys', { name: 'shorter', expiresIn: '1m' }, short)).status, 201);
    await control.store.apiKeys.remove(control.alice.id, 'short');
    await control.store.apiKeys.create(
      {
        id: newId('key'),
        accountId: control.alice.id,
        name: 'short',
        hash: hashApiKey(short.apiKey),
        createdAt: Date.now(),
        role: 'admin',
        scope: 'full',
        expiresAt: Date.now(),
        memberId: null,
        createdBy: null,
      },
      null,
    );
    const expired = await call({ path: '/v1/shares', as: short });
    assert.deepEqual([expired.status, expired.document['code']], [401, 'api_key_invalid']);
  });

  test('each change is written down, by whom and from where (issue "Audit")', async () => {
    await using other = await startControl();
    await other.call({ path: '/v1/members', json: { email: 'ann@example.com' } });
    const path = '/v1/members/ann@example.com';
    await other.call({ path, method: 'PATCH', json: { role: 'admin' } });
    await other.call({ path: `${path}/invitation`, json: {} });
    await other.call({ path, method: 'DELETE' });
    await other.call({ path: '/v1/api-keys', json: { name: 'ci' } });
    await other.call({ path: '/v1/api-keys/ci', method: 'DELETE' });
    const { document } = await other.call({ path: '/v1/audit-events?order=oldest' });
    const events = document['items'] as Record<string, string>[];
    assert.deepEqual(
      events.map(({ kind, email, reason }) => [kind, email, kind === 'member.deleted' ? '' : reason]),
      [
        ['member.invited', 'ann@example.com', 'member'],
        ['member.modified', 'ann@example.com', 'admin'],
        ['member.invited', 'ann@example.com', 'admin'],
        ['member.deleted', 'ann@example.com', ''],
        ['api_key.created', null, 'ci'],
        ['api_key.deleted', null, 'ci'],
      ],
    );
    for (const { actor, ip, requestId } of events) {
      assert.match(String(actor), /^api-key:key_/);
      assert.equal(ip, '127.0.0.1');
      assert.match(String(requestId), /^req_/);
    }
  });

  async function keyOf(json: object): Promise<TestAccount> {
    const { document } = await post('/v1/api-keys', json);
    const apiKey = parseApiKey(String(document['key']));
    assert.ok(apiKey, JSON.stringify(document));
    return { id: control.alice.id, apiKey };
  }
});
