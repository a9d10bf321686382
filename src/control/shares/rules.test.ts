import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';

const TARGET = 'http://127.0.0.1:3000';

describe('rules of a share, by the API (DESIGN "Rules")', () => {
  let control: TestControl;
  before(async () => {
    control = await startControl();
  });
  after(() => control[Symbol.asyncDispose]());
  const create = (json: object) => control.call({ path: '/v1/shares', json: { target: TARGET, ...json } });
  const modify = (name: string, json: object) =>
    control.call({ method: 'PATCH', path: `/v1/shares/${name}`, json });

  test('a share is made with rules, shows them, and is live with the providers that they name', async () => {
    const rules = [
      { allow: { providers: ['test'], groups: ['eng-*'], until: '2040-01-31' } },
      { allow: { everyone: true, paths: ['/healthz'] } },
    ];
    const made = await create({ name: 'ruled', rules });
    assert.deepEqual([made.status, made.document['rules'], made.document['open']], [201, rules, false]);
    const share = control.feed.findByHost('ruled.share.example.com');
    assert.deepEqual(
      share?.login?.providers.map(({ name }) => name),
      ['test'],
    );
    assert.deepEqual([share.login.named, share.rules], [[], rules]);
    const kept = await modify('ruled', { enabled: false });
    assert.deepEqual(kept.document['rules'], rules);
    const removed = await modify('ruled', { rules: [] });
    assert.deepEqual([removed.status, removed.document['code']], [422, 'share_unprotected']);
    const replaced = await modify('ruled', { rules: [], oauthProvider: 'test' });
    assert.deepEqual([replaced.status, replaced.document['rules']], [200, []]);
  });

  test('what is wrong with a rule is told with its place, and nothing is made', async () => {
    const rows: readonly (readonly [rules: unknown, found: RegExp])[] = [
      [[{ allow: { everyone: true } }, { allow: { paths: ['/x'] } }], /rule 2: it lets in whoever comes/],
      [[{ allow: { everyone: true, paths: ['/a/../b'] } }], /rule 1, `paths`: path/],
      [[{ deny: { everyone: true } }], /no rule allows anybody/],
      [[{ allow: { providers: ['nobody'] } }], /there is no provider .*nobody/],
    ];
    for (const [rules, found] of rows) {
      const refused = await create({ name: 'wrong', rules });
      assert.equal(refused.status, 422, JSON.stringify(rules));
      assert.match(JSON.stringify(refused.document), found);
    }
    assert.equal((await control.call({ path: '/v1/shares/wrong' })).status, 404);
  });

  test('the short forms are settings of their own, and go with what they need', async () => {
    const short = {
      allowGroups: ['eng-*'],
      allowPaths: ['/healthz', '/hooks/*'],
      allowAddresses: ['10.0.0.0/8'],
      denyEmails: ['mallory@example.com'],
    };
    const made = await create({ name: 'short', oauthProvider: 'test', ...short });
    assert.equal(made.status, 201);
    for (const [name, value] of Object.entries(short)) assert.deepEqual(made.document[name], value, name);
    const bare = await modify('short', { oauthProvider: null, open: true });
    assert.deepEqual([bare.status, bare.document['allowGroups']], [200, []]);
    for (const wrong of [{ allowPaths: ['x'] }, { allowAddresses: ['localhost'] }, { denyEmails: ['['] }])
      assert.equal((await modify('short', wrong)).status, 422, JSON.stringify(wrong));
  });

  test('a share that names a provider in a rule is found by it', async () => {
    assert.equal((await create({ name: 'found', rules: [{ allow: { providers: ['test'] } }] })).status, 201);
    const found = await control.call({ path: '/v1/shares?provider=test' });
    const shares = found.document['items'] ?? found.document['shares'];
    assert.match(JSON.stringify(shares), /"found"/);
  });
});
