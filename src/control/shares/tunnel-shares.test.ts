// Shares that agents serve, by the API: ephemeral and reserved ones, and what a key for tunnels alone may do.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { parseApiKey } from '../../domain/api-key.ts';
import { startControl, type TestAccount, type TestControl } from '../../../test/support/control.ts';
import { openUnlessProtected } from '../../../test/support/open-unless-protected.ts';

suite('shares that agents serve', () => {
  let control: TestControl;
  let agent: TestAccount;
  before(async () => {
    control = await startControl();
    const json = { name: 'agent', scope: 'tunnel' };
    const { document } = await control.call({ path: '/v1/api-keys', json });
    const apiKey = parseApiKey(String(document['key']));
    assert.ok(apiKey);
    agent = { id: control.alice.id, apiKey };
  });
  after(() => control[Symbol.asyncDispose]());

  const share = (json: object, as = agent) =>
    control.call({ path: '/v1/shares', json: openUnlessProtected(json), as });
  const remove = (name: unknown, as = agent) =>
    control.call({ path: `/v1/shares/${String(name)}`, method: 'DELETE', as });

  test('an ephemeral share gets a name that nobody guesses, and goes with its agent (issue: Kinds of share)', async () => {
    const [first, second] = [await share({ tunnel: 'ephemeral' }), await share({ tunnel: 'ephemeral' })];
    assert.deepEqual(
      [first.status, first.document['target'], first.document['tunnel']],
      [201, null, 'ephemeral'],
    );
    assert.match(String(first.document['name']), /^[a-km-np-z2-9]{12}$/);
    assert.notEqual(first.document['name'], second.document['name']);
    const routed = control.feed.findByHost(String((first.document['hosts'] as string[])[0]));
    assert.equal(routed?.target, null);
    assert.equal((await remove(first.document['name'])).status, 204);
    assert.equal((await remove(first.document['name'])).status, 404);
  });

  test('a reserved share is made once, and answered as it is from then on (issue: Kinds of share)', async () => {
    const made = await share({ name: 'kept', tunnel: 'reserved', oauthProvider: 'test' });
    assert.equal(made.status, 201);
    const again = await share({ name: 'kept', tunnel: 'reserved' });
    assert.deepEqual([again.status, again.document], [200, made.document]);
    const same = await share({ name: 'kept', tunnel: 'reserved', oauthProvider: 'test', allowOrigins: [] });
    assert.deepEqual([same.status, same.document], [200, made.document]);
    const other = await share({ name: 'kept', tunnel: 'reserved', oauthProvider: null });
    assert.deepEqual([other.status, other.document['code']], [409, 'name_taken']);
    const theirs = await share({ name: 'kept', tunnel: 'reserved' }, control.mallory);
    assert.deepEqual([theirs.status, theirs.document['code']], [409, 'name_taken']);
  });

  test('of agents that ask for the same reserved share at once, one makes it and all get it (Kinds of share)', async () => {
    const asked = { name: 'at-once', tunnel: 'reserved', oauthProvider: 'test' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => share(asked)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 200, 201]);
    assert.equal(new Set(answers.map(({ document }) => document['id'])).size, 1);
  });

  test('a key for tunnels alone makes no direct share, deletes no kept one, and reads nothing (issue: Safety)', async () => {
    await share({ name: 'stays', tunnel: 'reserved' });
    const direct = { name: 'direct', target: 'http://127.0.0.1:3000' };
    const refused = [
      await share(direct),
      await remove('stays'),
      ...(await Promise.all(
        ['shares', 'shares/stays', 'sessions', 'audit-events', 'api-keys'].map((path) =>
          control.call({ path: `/v1/${path}`, as: agent }),
        ),
      )),
      await control.call({ path: '/v1/shares/stays', method: 'PATCH', json: { enabled: false }, as: agent }),
    ];
    for (const { status, document } of refused)
      assert.deepEqual([status, document['code']], [403, 'not_allowed']);
    assert.equal((await remove('stays', control.alice)).status, 204);
  });

  test('a share has either a target or a tunnel, and stays what it is (DESIGN 2.5)', async () => {
    const { alice } = control;
    const target = 'http://127.0.0.1:3000';
    for (const json of [
      { name: 'x' },
      { name: 'x', target, tunnel: 'reserved' },
      { tunnel: 'reserved' },
      { target },
    ])
      assert.equal((await share(json, alice)).status, 422, JSON.stringify(json));
    await share({ name: 'agents', tunnel: 'reserved' }, alice);
    const patched = await control.call({ path: '/v1/shares/agents', method: 'PATCH', json: { target } });
    assert.equal(patched.status, 422);
  });

  test('removeAbandoned() deletes ephemeral shares that no agent served for long, and no others (issue: Kinds of share)', async () => {
    const { shares } = control.store;
    const at = Date.now();
    const names: string[] = [];
    for (const json of [
      { tunnel: 'ephemeral' },
      { tunnel: 'ephemeral' },
      { name: 'reserved', tunnel: 'reserved' },
    ])
      names.push(String((await share(json)).document['name']));
    const served = await shares.find(agent.id, names[0] ?? '');
    assert.ok(served);
    await shares.agentSeen(served.id, at + 60_000);
    await shares.removeAbandoned(at + 30_000, at + 30_000);
    const left = await Promise.all(names.map((name) => shares.find(agent.id, name)));
    assert.deepEqual(
      left.map((row) => row !== null),
      [true, false, true],
    );
  });
});
