// Service tokens through the API. That they are an admin's is tested in authorize.test.ts, what the records
// do in the store's suite.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startControl, TEST_PROVIDER, type TestControl } from '../../../test/support/control.ts';
import { hashApiKey, newApiKey, parseApiKey } from '../../domain/api-key.ts';
import { newId } from '../../domain/id.ts';
import { secretHash } from '../../domain/secret.ts';
import { parseServiceToken } from '../../domain/service-token.ts';

describe('service tokens', () => {
  let control: TestControl;
  before(async () => {
    control = await startControl();
    for (const name of ['wiki', 'files'])
      await control.call({ path: '/v1/shares', json: { name, target: 'http://127.0.0.1:3000', open: true } });
  });
  after(() => control[Symbol.asyncDispose]());

  const post = (json: unknown) => control.call({ path: '/v1/tokens', json });
  const good = { name: 'deploy-bot', shares: ['wiki'], expiresIn: '90d' };
  const codeOf = async (over: object) => {
    const { status, document } = await post({ ...good, name: 'other', ...over });
    return `${status} ${String(document['code'])}`;
  };

  test('POST /v1/tokens shows the token once, and keeps its hash alone (DESIGN 2.5)', async () => {
    const wiki = (await control.call({ path: '/v1/shares/wiki' })).document;
    const made = await post({ ...good, shares: ['wiki', 'files', wiki['id']] });
    assert.equal(made.status, 201, JSON.stringify(made.document));
    const { token: text, ...shown } = made.document;
    const token = parseServiceToken(String(text));
    assert.ok(token);
    assert.deepEqual(shown['shares'], ['files', 'wiki']);
    assert.equal(made.headers.get('location'), `/v1/tokens/${String(shown['id'])}`);
    assert.match(String(shown['createdBy']), /^api-key:key_/);
    const lifeMs = Date.parse(String(shown['expiresAt'])) - Date.parse(String(shown['createdAt']));
    assert.equal(lifeMs, 90 * 86_400_000);
    const [kept] = await control.store.serviceTokens.good({ now: Date.now(), after: null, limit: 9 });
    assert.equal(kept?.hash, secretHash(token));
    for (const path of ['/v1/tokens', '/v1/tokens/deploy-bot', `/v1/tokens/${String(shown['id'])}`])
      assert.doesNotMatch(JSON.stringify((await control.call({ path })).document), /dws_[\w-]{7}/);
    assert.deepEqual((await control.call({ path: '/v1/tokens/deploy-bot' })).document, shown);
    assert.equal(shown['start'], String(text).slice(0, 'dws_'.length + 6));
    const events = (await control.call({ path: '/v1/audit-events' })).document;
    assert.doesNotMatch(JSON.stringify(events), /dws_[\w-]{7}/);
    assert.ok(JSON.stringify(events).includes(`"start":"${String(shown['start'])}"`));
    assert.deepEqual((await post(good)).document['code'], 'name_taken');
  });

  test('POST /v1/tokens refuses no share, another account’s share, no end, too late an end and bad names', async () => {
    await control.call({
      path: '/v1/shares',
      json: { name: 'theirs', target: 'http://127.0.0.1:3000', open: true },
      as: control.mallory,
    });
    assert.equal(await codeOf({ shares: [] }), '422 validation_failed');
    assert.equal(await codeOf({ shares: ['wiki', 'theirs'] }), '404 share_unknown');
    assert.equal(await codeOf({ shares: [newId('shr')] }), '404 share_unknown');
    assert.equal(await codeOf({ expiresIn: undefined }), '422 validation_failed');
    assert.equal(await codeOf({ expiresIn: '398d' }), '422 validation_failed');
    assert.equal(await codeOf({ expiresIn: 'never' }), '422 validation_failed');
    for (const name of ['Deploy', 'a_b', '-a', 'a'.repeat(41), '', 'tok_x'])
      assert.equal(await codeOf({ name }), '422 validation_failed', name);
    assert.equal(await codeOf({ expiresIn: '397d' }), '201 undefined');
  });

  test('DELETE /v1/tokens/{serviceToken} deletes by name or id, with If-Match, and writes down who did', async () => {
    const made = await post({ ...good, name: 'short-lived' });
    const path = `/v1/tokens/${String(made.document['id'])}`;
    const etag = made.headers.get('etag') ?? '';
    assert.equal((await control.call({ path })).headers.get('etag'), etag);
    const stale = await control.call({ path, method: 'DELETE', headers: { 'if-match': '"other"' } });
    assert.equal(stale.document['code'], 'precondition_failed');
    const foreign = await control.call({ path, method: 'DELETE', as: control.mallory });
    assert.deepEqual([foreign.status, foreign.document['code']], [404, 'service_token_unknown']);
    const gone = await control.call({ path, method: 'DELETE', headers: { 'if-match': etag } });
    assert.equal(gone.status, 204);
    assert.equal((await control.call({ path })).status, 404);
    const events = (await control.call({ path: '/v1/audit-events' })).document['items'] as {
      kind: string;
      actor: string;
      reason: string;
    }[];
    const about = events.filter(({ reason }) => reason === 'short-lived').map(({ kind }) => kind);
    assert.deepEqual(about.toSorted(), ['service_token.created', 'service_token.deleted']);
    for (const { actor } of events) assert.match(actor, /^api-key:key_/);
  });

  test('a token outlives its shares without naming them, and a share of the same name is another', async () => {
    const share = { name: 'passing', target: 'http://127.0.0.1:3000', open: true };
    await control.call({ path: '/v1/shares', json: share });
    const made = await post({ ...good, name: 'of-passing', shares: ['passing'] });
    assert.deepEqual(made.document['shares'], ['passing']);
    await control.call({ path: '/v1/shares/passing', method: 'DELETE' });
    await control.call({ path: '/v1/shares', json: share });
    const { document } = await control.call({ path: '/v1/tokens/of-passing' });
    assert.deepEqual(document['shares'], []);
  });

  test('POST /v1/tokens makes none that outlives the key of the call', async () => {
    const made = await control.call({
      path: '/v1/api-keys',
      json: { name: 'short', role: 'admin', expiresIn: '1h' },
    });
    const apiKey = parseApiKey(String(made.document['key']));
    assert.ok(apiKey);
    const as = { id: control.alice.id, apiKey };
    const create = (name: string, expiresIn: string) =>
      control.call({ path: '/v1/tokens', json: { ...good, name, expiresIn }, as });
    const longer = await create('longer', '397d');
    assert.deepEqual([longer.status, longer.document['code']], [403, 'not_allowed']);
    const shorter = await create('shorter', '59m');
    assert.equal(shorter.status, 201, JSON.stringify(shorter.document));
  });

  test('POST /v1/tokens keeps whose the key of the call is, and the login that it came from', async () => {
    const apiKey = newApiKey();
    const { name: provider, generation } = TEST_PROVIDER;
    const login = { provider, generation, emailVerified: true };
    await control.store.apiKeys.create(
      {
        id: newId('key'),
        accountId: control.alice.id,
        name: 'laptop',
        hash: hashApiKey(apiKey),
        createdAt: Date.now(),
        role: 'admin',
        scope: 'full',
        expiresAt: Date.now() + 3_600_000,
        memberId: null,
        createdBy: null,
        login,
      },
      null,
    );
    const as = { id: control.alice.id, apiKey };
    const json = { ...good, name: 'of-laptop', expiresIn: '10m' };
    const { status, document } = await control.call({ path: '/v1/tokens', json, as });
    assert.equal(status, 201, JSON.stringify(document));
    assert.deepEqual((await control.store.serviceTokens.find(control.alice.id, 'of-laptop'))?.login, login);
  });
});
