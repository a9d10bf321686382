// The share operations through real HTTP against a real store.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ShareId } from '../../domain/id.ts';
import type { ListedShare } from '../../wire/share.ts';
import type { Store } from '../../store/store.ts';
import { startControl, type TestControl, TEST_PROVIDER } from '../../../test/support/control.ts';
import { addShare } from '../../../test/support/store.ts';
import { openUnlessProtected } from '../../../test/support/open-unless-protected.ts';

const TARGET = 'http://127.0.0.1:3000';

describe('shares', () => {
  let control: TestControl;
  before(async () => {
    control = await startControl();
  });
  after(() => control[Symbol.asyncDispose]());

  const create = (json: object) =>
    control.call({ path: '/v1/shares', json: openUnlessProtected({ target: TARGET, ...json }) });
  const modify = (name: string, json: object, headers: Record<string, string> = {}) =>
    control.call({ path: `/v1/shares/${name}`, method: 'PATCH', json, headers });

  test('createShare() answers the share, its ETag and its address, and it is live (DESIGN 2.5)', async () => {
    const answer = await create({ name: 'first' });
    assert.equal(answer.status, 201);
    const { id, createdAt, updatedAt, ...rest } = answer.document;
    assert.match(String(id), /^shr_[0-9a-z]{26}$/);
    assert.equal(new Date(String(createdAt)).toISOString(), updatedAt);
    assert.deepEqual(rest, {
      name: 'first',
      url: 'https://first.share.example.com',
      target: TARGET,
      tunnel: null,
      hosts: ['first.share.example.com'],
      oauthProvider: null,
      oauthEmailAddressPatterns: [],
      oauthCheckInterval: null,
      clientCertificate: null,
      open: true,
      access: 'all',
      allowOrigins: [],
      allowGroups: [],
      allowPaths: [],
      allowAddresses: [],
      accessRequests: false,
      behind: false,
      denyEmails: [],
      rules: [],
      identity: [],
      hostHeader: null,
      owner: 'alice@example.com',
      description: null,
      icon: null,
      listed: true,
      enabled: true,
      agentSeenAt: null,
    });
    assert.equal(answer.headers.get('location'), '/v1/shares/first');
    assert.equal(answer.headers.get('etag'), `"${String(id)}.1"`);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.match(answer.headers.get('x-request-id') ?? '', /^req_/);
    assert.equal(control.feed.findByHost('first.share.example.com')?.id, id);
  });

  test('a share behind its own proxy has no target, and none without one (DESIGN "Forward-auth")', async () => {
    const bare = (json: object) => control.call({ path: '/v1/shares', json: { open: true, ...json } });
    const patch = (json: object) => control.call({ path: '/v1/shares/behind', method: 'PATCH', json });
    const made = await bare({ name: 'behind', behind: true });
    assert.deepEqual(
      [made.status, made.document['target'], made.document['tunnel'], made.document['behind']],
      [201, null, null, true],
    );
    const routed = control.feed.findByHost('behind.share.example.com');
    assert.deepEqual([routed?.target, routed?.behind], [null, true]);
    for (const json of [
      { name: 'x', behind: true, target: TARGET },
      { name: 'x', behind: true, tunnel: 'reserved' },
      { name: 'x', behind: false },
    ])
      assert.equal((await bare(json)).status, 422, JSON.stringify(json));
    for (const json of [{ target: TARGET }, { behind: true, target: TARGET }, { behind: false }])
      assert.equal((await patch(json)).status, 422, JSON.stringify(json));
    const direct = await patch({ behind: false, target: TARGET });
    assert.deepEqual([direct.document['target'], direct.document['behind']], [TARGET, false]);
    const back = await patch({ behind: true });
    assert.deepEqual([back.document['target'], back.document['behind']], [null, true]);
    await bare({ name: 'agents-behind', tunnel: 'reserved' });
    const agents = await control.call({
      path: '/v1/shares/agents-behind',
      method: 'PATCH',
      json: { behind: true },
    });
    assert.equal(agents.status, 422);
  });

  test('--oauth-provider enables the login with that provider; the default is none (contract 2.3)', async () => {
    const answer = await create({ name: 'with-login', oauthProvider: 'test' });
    assert.equal(answer.document['oauthProvider'], 'test');
    assert.deepEqual(control.feed.find(answer.document['id'] as ShareId)?.login, {
      providers: [{ name: 'test', provider: TEST_PROVIDER }],
      named: ['test'],
      emailPatterns: [],
      checkIntervalMs: 3 * 3_600_000,
    });
  });

  test('--oauth-provider must be configured: 422 names those that are (contract 2.3)', async () => {
    const answer = await create({ name: 'unknown-provider', oauthProvider: 'nobody' });
    assert.equal(answer.status, 422);
    assert.equal(answer.document['code'], 'validation_failed');
    assert.deepEqual(answer.document['faults'], [
      { path: 'oauthProvider', message: 'there is no provider "nobody"; available: test' },
    ]);
  });

  test('--oauth-email-address-pattern repeats, and each must be a glob (contract 2.3)', async () => {
    const patterns = ['*@example.com', 'bob@*'];
    const answer = await create({
      name: 'patterns',
      oauthProvider: 'test',
      oauthEmailAddressPatterns: patterns,
    });
    assert.deepEqual(answer.document['oauthEmailAddressPatterns'], patterns);
    const refused = await modify('patterns', { oauthEmailAddressPatterns: ['*@a.com', '[', '{'] });
    assert.equal(refused.status, 422);
    assert.deepEqual(
      (refused.document['faults'] as { path: string }[]).map((fault) => fault.path),
      ['oauthEmailAddressPatterns.1', 'oauthEmailAddressPatterns.2'],
    );
  });

  test('--oauth-check-interval is a duration, 3h by default (contract 2.3, 8)', async () => {
    const byDefault = await create({ name: 'interval', oauthProvider: 'test' });
    assert.equal(byDefault.document['oauthCheckInterval'], '3h');
    const set = await modify('interval', { oauthCheckInterval: '90m' });
    assert.equal(set.document['oauthCheckInterval'], '1h30m');
    const reset = await modify('interval', { oauthCheckInterval: null });
    assert.equal(reset.document['oauthCheckInterval'], '3h');
    for (const oauthCheckInterval of ['6h foo', '', '0s', '3', '1.5h', '-1h'])
      assert.equal((await modify('interval', { oauthCheckInterval })).status, 422, oauthCheckInterval);
  });

  test('patterns or an interval without a provider are refused (DESIGN 2.4)', async () => {
    for (const [settings, message] of [
      [{ oauthEmailAddressPatterns: ['*@a.com'] }, 'it needs an oauthProvider'],
      [{ oauthCheckInterval: '3h' }, 'it needs an oauthProvider, or a rule with providers'],
    ] as const) {
      const answer = await create({ name: 'no-provider', ...settings });
      assert.equal(answer.status, 422);
      assert.deepEqual(answer.document['faults'], [{ path: Object.keys(settings)[0], message }]);
    }
  });

  test('modifyShare() leaves what is not given, and is live when it answers (DESIGN 2.5)', async () => {
    const made = await create({ name: 'change', oauthProvider: 'test', allowOrigins: ['https://a.example'] });
    const id = made.document['id'] as ShareId;
    const answer = await modify('change', { enabled: false });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('etag'), `"${id}.2"`);
    assert.equal(answer.document['oauthProvider'], 'test');
    assert.deepEqual(answer.document['allowOrigins'], ['https://a.example']);
    assert.equal(control.feed.find(id)?.enabled, false);
  });

  test('createShare() makes no share that is open to everyone without the word (2.3)', async () => {
    const bare = (json: object) => control.call({ path: '/v1/shares', json: { target: TARGET, ...json } });
    for (const [index, settings] of [
      {},
      { open: false },
      { oauthProvider: null },
      { clientCertificate: null },
      { clientCertificate: { required: false } },
      { allowOrigins: ['https://a.example'], enabled: false },
    ].entries()) {
      const refused = await bare({ name: `bare-${index}`, ...settings });
      assert.deepEqual([refused.status, refused.document['code']], [422, 'share_unprotected']);
      assert.match(String(refused.document['hint']), /--oauth-provider NAME.*--open/);
      assert.equal((await control.call({ path: `/v1/shares/bare-${index}` })).status, 404);
    }
    const tunnel = await control.call({ path: '/v1/shares', json: { tunnel: 'ephemeral' } });
    assert.equal(tunnel.document['code'], 'share_unprotected');
    const meant = await bare({ name: 'meant', open: true });
    assert.deepEqual([meant.status, meant.document['open']], [201, true]);
    const guarded = await bare({ name: 'guarded', oauthProvider: 'test' });
    assert.deepEqual([guarded.status, guarded.document['open']], [201, false]);
    for (const protection of [{ oauthProvider: 'test' }, { clientCertificate: { required: true } }]) {
      const both = await bare({ name: 'both', open: true, ...protection });
      assert.deepEqual([both.status, both.document['code']], [422, 'validation_failed']);
      assert.deepEqual(
        (both.document['faults'] as { path: string }[]).map(({ path }) => path),
        ['open'],
      );
    }
  });

  test('modifyShare() takes the last protection away with the word alone; an open share stays as it is (2.3)', async () => {
    await create({ name: 'last', oauthProvider: 'test', clientCertificate: { required: true } });
    assert.equal((await modify('last', { clientCertificate: null })).status, 200);
    for (const change of [
      { oauthProvider: null },
      { oauthProvider: null, open: false },
      { oauthProvider: null, clientCertificate: { required: false } },
    ]) {
      const refused = await modify('last', change);
      assert.deepEqual([refused.status, refused.document['code']], [422, 'share_unprotected']);
    }
    const id = (await control.call({ path: '/v1/shares/last' })).document['id'] as ShareId;
    assert.equal(control.feed.find(id)?.login?.providers[0]?.name, 'test');
    assert.equal(
      (await modify('last', { oauthProvider: null, clientCertificate: { required: true } })).status,
      200,
    );
    assert.equal((await modify('last', { clientCertificate: null })).document['code'], 'share_unprotected');
    assert.equal((await modify('last', { open: true })).document['code'], 'validation_failed');
    const opened = await modify('last', { clientCertificate: null, open: true });
    assert.deepEqual([opened.status, opened.document['open']], [200, true]);
    // As are those that were made before anybody had to say so.
    for (const change of [{ enabled: false }, { oauthProvider: null }, { target: TARGET }, { open: true }])
      assert.equal((await modify('last', change)).status, 200);
    assert.equal((await modify('last', { oauthProvider: 'test' })).document['open'], false);
  });

  test('modifyShare() removes the login with its patterns and its interval (DESIGN 2.5)', async () => {
    await create({ name: 'unlogin', oauthProvider: 'test', oauthEmailAddressPatterns: ['*@a.com'] });
    const answer = await modify('unlogin', { oauthProvider: null, open: true });
    assert.equal(answer.document['oauthProvider'], null);
    assert.deepEqual(answer.document['oauthEmailAddressPatterns'], []);
    assert.equal(answer.document['oauthCheckInterval'], null);
  });

  test('If-Match writes onto the version it names and no other (DESIGN 2.5)', async () => {
    const made = await create({ name: 'matched' });
    const etag = made.headers.get('etag') ?? '';
    for (const tag of ['"other"', `W/${etag}`, etag.replaceAll('"', ''), '"a", "b"']) {
      const refused = await modify('matched', { enabled: false }, { 'if-match': tag });
      assert.equal(refused.status, 412, tag);
      assert.equal(refused.document['code'], 'precondition_failed');
    }
    const changed = await modify('matched', { enabled: false }, { 'if-match': `"other", ${etag}` });
    assert.equal(changed.status, 200);
    const stale = { path: '/v1/shares/matched', method: 'DELETE', headers: { 'if-match': etag } };
    assert.equal((await control.call(stale)).status, 412);
    assert.equal((await control.call({ ...stale, headers: { 'if-match': '*' } })).status, 204);
    // Made again under its old name it is another share, though the version is 1 again.
    await create({ name: 'matched' });
    assert.equal((await control.call(stale)).status, 412);
  });

  test('If-Match lets one of many writers at once through (DESIGN 2.5)', async () => {
    const etag = (await create({ name: 'race' })).headers.get('etag') ?? '';
    using _all = readTogether(control.store, 8);
    const writes = Array.from({ length: 8 }, (_, index) =>
      modify('race', { target: `http://127.0.0.1:${4000 + index}` }, { 'if-match': etag }),
    );
    const statuses = (await Promise.all(writes)).map((answer) => answer.status).toSorted();
    assert.deepEqual(statuses, [200, 412, 412, 412, 412, 412, 412, 412]);
  });

  test('modifyShare() without If-Match loses no change of writers at once (DESIGN 2.5)', async () => {
    await create({ name: 'crowd' });
    const changes = [
      { enabled: false },
      { oauthProvider: 'test' },
      { target: 'http://127.0.0.1:4000' },
      { allowOrigins: ['https://b.example'] },
    ];
    using _all = readTogether(control.store, changes.length);
    const answers = await Promise.all(changes.map((change) => modify('crowd', change)));
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 200, 200, 200],
    );
    const { document } = await control.call({ path: '/v1/shares/crowd' });
    for (const change of changes)
      for (const [name, value] of Object.entries(change)) assert.deepEqual(document[name], value);
  });

  test('showShare() finds by name and by id (DESIGN 2.5)', async () => {
    const made = await create({ name: 'shown' });
    for (const named of ['shown', String(made.document['id'])]) {
      const answer = await control.call({ path: `/v1/shares/${named}` });
      assert.deepEqual(answer.document, { ...made.document, ownerIsMember: true });
      assert.equal(answer.headers.get('etag'), made.headers.get('etag'));
    }
    for (const named of ['nothing', 'shr_00000000000000000000000000', 'a%2Fb', '%00', 'É'])
      assert.equal((await control.call({ path: `/v1/shares/${named}` })).document['code'], 'share_unknown');
  });

  test('deleteShare() takes the share from the data plane before it answers (DESIGN 2.5)', async () => {
    const made = await create({ name: 'leaving' });
    const gone = await control.call({ path: '/v1/shares/leaving', method: 'DELETE' });
    assert.equal(gone.status, 204);
    assert.equal(control.feed.find(made.document['id'] as ShareId), null);
    assert.equal(control.feed.findByHost('leaving.share.example.com'), null);
    const again = await control.call({ path: '/v1/shares/leaving', method: 'DELETE' });
    assert.equal(again.document['code'], 'share_unknown');
  });

  test('createShare() refuses names that are taken, reserved or no names (DESIGN 2.3)', async () => {
    await create({ name: 'taken' });
    const taken = await create({ name: 'taken' });
    assert.deepEqual([taken.status, taken.document['code']], [409, 'name_taken']);
    const reserved = await create({ name: 'auth' });
    assert.deepEqual([reserved.status, reserved.document['code']], [422, 'name_reserved']);
    for (const name of ['', '-a', 'a-', 'A', 'a.b', 'a_b', 'xn--a', 'a'.repeat(41), 'é'])
      assert.equal((await create({ name })).document['code'], 'validation_failed', name);
  });

  test('allowOrigins takes origins alone (DESIGN 3)', async () => {
    const answer = await create({
      name: 'origins',
      allowOrigins: ['https://App.example.com', 'http://a.b:81'],
      allowGroups: [],
      allowPaths: [],
      allowAddresses: [],
      accessRequests: false,
      behind: false,
      denyEmails: [],
      rules: [],
    });
    assert.deepEqual(answer.document['allowOrigins'], ['https://app.example.com', 'http://a.b:81']);
    for (const origin of ['*', 'null', 'https://a.example/', 'https://u@a.example', 'ftp://a.example'])
      assert.equal((await modify('origins', { allowOrigins: [origin] })).status, 422, origin);
  });

  test('a share whose provider left the configuration can still be disabled, and not set to it (DESIGN 3)', async () => {
    await using small = await startControl({ providersOf: () => [] });
    const row = { name: 'orphan', target: TARGET, oauthProvider: 'test' };
    const refused = await small.call({ path: '/v1/shares', json: row });
    assert.match(String(refused.document['detail']), /none is configured/);
    await small.store.shares.create({
      ...row,
      id: 'shr_00000000000000000000000001',
      accountId: small.alice.id,
      tunnel: null,
      enabled: true,
      oauthEmailAddressPatterns: [],
      oauthCheckIntervalMs: 1000,
      clientCertificate: null,
      access: 'all',
      allowOrigins: [],
      allowGroups: [],
      allowPaths: [],
      allowAddresses: [],
      accessRequests: false,
      behind: false,
      denyEmails: [],
      rules: [],
      identity: [],
      hostHeader: null,
      owner: null,
      description: null,
      icon: null,
      listed: true,
      hosts: [],
      agentSeenAt: null,
      version: 1,
      createdAt: 0,
      updatedAt: 0,
    });
    const disabled = await small.call({
      path: '/v1/shares/orphan',
      method: 'PATCH',
      json: { enabled: false },
    });
    assert.equal(disabled.status, 200);
    assert.equal(small.feed.find('shr_00000000000000000000000001')?.login?.providers[0]?.provider, null);
  });

  test('every change is written down with who made it (issue: audit)', async () => {
    await create({ name: 'noted' });
    await modify('noted', { enabled: false });
    await control.call({ path: '/v1/shares/noted', method: 'DELETE' });
    const { document } = await control.call({ path: '/v1/audit-events?limit=3' });
    const items = document['items'] as Readonly<Record<string, unknown>>[];
    assert.deepEqual(
      items.map((event) => event['kind']),
      ['share.deleted', 'share.modified', 'share.created'],
    );
    for (const event of items) assert.match(String(event['actor']), /^api-key:key_/);
  });
});

test('listShares() pages by name, and a cursor is none of the callers’ making (DESIGN 2.5)', async () => {
  await using control = await startControl();
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names.toReversed())
    await control.call({ path: '/v1/shares', json: { name, target: TARGET, open: true } });
  const seen: string[] = [];
  let cursor: unknown = null;
  do {
    const query = cursor === null ? '' : `&cursor=${String(cursor)}`;
    const { document } = await control.call({ path: `/v1/shares?limit=2${query}` });
    const items = document['items'] as { name: string }[];
    assert.ok(items.length <= 2);
    seen.push(...items.map((share) => share.name));
    cursor = document['nextCursor'];
  } while (cursor !== null);
  assert.deepEqual(seen, names);
  for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=%00', 'cursor=!', 'order=name']) {
    const answer = await control.call({ path: `/v1/shares?${query}` });
    assert.equal(answer.document['code'], 'validation_failed', query);
  }
});

test('listShares() sorts as it is asked, with the version and, where asked, the figures of each', async () => {
  await using control = await startControl();
  for (const name of ['b', 'a', 'c'])
    await control.call({ path: '/v1/shares', json: { name, target: TARGET, open: true } });
  await control.call({ method: 'PATCH', path: '/v1/shares/b', json: { enabled: false } });
  const list = async (query: string) => (await control.call({ path: `/v1/shares?${query}` })).document;
  const named = async (query: string) =>
    ((await list(query))['items'] as ListedShare[]).map(({ name }) => name);
  assert.deepEqual(await named('sort=-name'), ['c', 'b', 'a']);
  assert.equal((await named('sort=-changed'))[0], 'b');
  assert.equal((await named('sort=created')).length, 3);
  for (let n = 0; n < 51; n++) await addShare(control.store, { accountId: control.alice.id, name: `z${n}` });
  assert.equal(((await list('limit=200'))['items'] as ListedShare[]).length, 54);
  const page = await list('include=figures&limit=200');
  assert.equal((page['items'] as ListedShare[]).length, 50);
  assert.notEqual(page['nextCursor'], null);
  const document = await list('include=figures&limit=1');
  assert.equal(document['total'], 54);
  const [a] = document['items'] as [ListedShare];
  assert.deepEqual(a.figures, { requests: 0, sessions: 0, lastRequestAt: null });
  const plain = await list('state=off');
  assert.equal(plain['total'], 1);
  const [b] = plain['items'] as [ListedShare];
  assert.equal(b.figures, undefined);
  const change = (etag: string) =>
    control.call({
      method: 'PATCH',
      path: '/v1/shares/b',
      headers: { 'if-match': etag },
      json: { enabled: true },
    });
  assert.equal((await change(a.etag)).document['code'], 'precondition_failed');
  assert.equal((await change(b.etag)).status, 200);
  assert.equal((await change(b.etag)).document['code'], 'precondition_failed');
});

/**
 * Holds reads of a share back until `count` of them have been made, so that what follows is at once indeed.
 */
function readTogether(store: Store, count: number): Disposable {
  const { find } = store.shares;
  const together = Promise.withResolvers<void>();
  let waiting = 0;
  const held: Store['shares']['find'] = async (accountId, name) => {
    const row = await find(accountId, name);
    waiting += 1;
    if (waiting === count) together.resolve();
    await together.promise;
    return row;
  };
  Object.assign(store.shares, { find: held });
  return { [Symbol.dispose]: () => void Object.assign(store.shares, { find }) };
}
