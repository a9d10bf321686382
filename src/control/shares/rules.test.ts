import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import { definitionsNamed } from './settings.ts';
import { MAX_ACCOUNT_RULES_CHARACTERS } from '../../domain/access-rule.ts';
import { shareOf } from '../../store/suite/bench.test-support.ts';
import type { AccountId, ShareId } from '../../domain/id.ts';

const TARGET = 'http://127.0.0.1:3000';

const checkedEach = (feed: TestControl['feed']) =>
  feed.findByHost('by-rules.share.example.com')?.login?.checkIntervalMs;

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
      [[{ allow: { providers: ['nobody'] } }], /rule 1, `providers`: there is no provider .*nobody/],
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

  test('a login at several providers is a list, at one a name, told before and after (2.3, DESIGN "Rules")', async () => {
    const config = { clientId: 'client', clientSecret: 'secret' };
    const google = { name: 'google', type: 'GOOGLE', config };
    assert.equal((await control.call({ path: '/v1/auth-providers', json: google })).status, 201);
    const several = { oauthProvider: ['google', 'test'], allowGroups: ['eng-*'] };
    const made = await create({ name: 'several', ...several });
    assert.deepEqual([made.status, made.document['open']], [201, false]);
    assert.deepEqual(made.document['oauthProvider'], several.oauthProvider);
    const share = control.feed.findByHost('several.share.example.com');
    assert.deepEqual(share?.login?.named, several.oauthProvider);
    for (const [said, shown] of [
      [['test'], 'test'],
      [
        ['test', 'google', 'test'],
        ['test', 'google'],
      ],
      ['google', 'google'],
    ] as const) {
      const { status, document } = await modify('several', { oauthProvider: said });
      assert.deepEqual([status, document['oauthProvider']], [200, shown]);
      assert.deepEqual(document['allowGroups'], ['eng-*']);
    }
    const { document } = await control.call({ path: '/v1/audit-events?limit=2&order=newest' });
    assert.deepEqual(
      (document['items'] as { provider: unknown; changes: unknown }[]).map(({ provider, changes }) => [
        provider,
        changes,
      ]),
      [
        [
          'google',
          { before: { oauthProvider: ['test', 'google'] }, after: { oauthProvider: 'google' }, ...PLAIN },
        ],
        [null, { before: { oauthProvider: 'test' }, after: { oauthProvider: ['test', 'google'] }, ...PLAIN }],
      ],
    );
    for (const [wrong, path] of [
      [[], 'oauthProvider'],
      [Array.from({ length: 21 }, (_, index) => `p${index}`), 'oauthProvider'],
      [['test', 'nobody'], 'oauthProvider.1'],
      [['test', 1], 'oauthProvider'],
      [{ name: 'test' }, 'oauthProvider'],
    ] as const) {
      const refused = await modify('several', { oauthProvider: wrong });
      assert.equal(refused.status, 422, JSON.stringify(wrong));
      assert.match(JSON.stringify(refused.document), new RegExp(`"path":"${path}`), JSON.stringify(wrong));
    }
    await modify('several', { oauthProvider: ['test', 'google'] });
    const kept = await control.call({ path: '/v1/auth-providers/google', method: 'DELETE' });
    assert.deepEqual([kept.status, kept.document['code']], [409, 'provider_in_use']);
    const none = await modify('several', { oauthProvider: null, open: true });
    assert.deepEqual([none.document['oauthProvider'], none.document['allowGroups']], [null, []]);
  });

  test('a rule for everyone without another condition needs the word and shows that the share is open (DESIGN "Rules")', async () => {
    const everyone = { allow: { everyone: true } };
    const narrow = [{ allow: { everyone: true, paths: ['/healthz'] } }, { allow: { tokens: ['ci'] } }];
    const rules = [...narrow, everyone, { deny: { emails: ['mallory@example.com'] } }];
    const login = { oauthProvider: 'test' };
    for (const more of [{}, login, { clientCertificate: { required: true } }]) {
      const refused = await create({ name: 'wide', rules, ...more });
      assert.deepEqual([refused.status, refused.document['code']], [422, 'share_unprotected']);
      assert.match(String(refused.document['detail']), /rule 3 allows everyone/);
      const open = await create({ name: 'narrow', rules: narrow, open: true, ...more });
      assert.deepEqual([open.status, open.document['code']], [422, 'validation_failed']);
    }
    const made = await create({ name: 'wide', rules, open: true, ...login });
    assert.deepEqual([made.status, made.document['open']], [201, true]);
    const listed = await control.call({ path: '/v1/shares?state=open' });
    assert.match(JSON.stringify(listed.document), /"wide"/);
    // It is open already.
    assert.equal((await modify('wide', { rules: [everyone], oauthProvider: null })).document['open'], true);
    assert.equal((await modify('wide', { rules: narrow })).document['open'], false);
    assert.equal((await modify('wide', { rules })).document['code'], 'share_unprotected');
    assert.equal((await modify('wide', { rules, open: true })).status, 200);
  });

  test('rules that name providers are a login: interval and origins go with them, patterns stand in them (2.3)', async () => {
    const rules = [{ allow: { providers: ['test'] } }];
    const settings = { oauthCheckInterval: '30m', allowOrigins: ['https://app.example.com'] };
    const made = await create({ name: 'by-rules', rules, ...settings });
    assert.deepEqual(
      [made.status, made.document['oauthCheckInterval'], made.document['allowOrigins']],
      [201, '30m', settings.allowOrigins],
    );
    assert.equal(checkedEach(control.feed), 30 * 60_000);
    assert.equal((await modify('by-rules', { enabled: true })).document['oauthCheckInterval'], '30m');
    for (const [name, value, condition] of [
      ['oauthEmailAddressPatterns', ['*@a.com'], 'emails'],
      ['allowGroups', ['eng-*'], 'groups'],
    ] as const) {
      const { document } = await modify('by-rules', { [name]: value });
      const message = `it needs an oauthProvider; here rules name the providers, so say it in those rules, as ${condition}`;
      assert.deepEqual(document['faults'], [{ path: name, message }]);
    }
    const tokens = [{ allow: { tokens: ['ci'] } }];
    const refused = await modify('by-rules', { rules: tokens, oauthCheckInterval: '1h' });
    assert.deepEqual(refused.document['faults'], [
      { path: 'oauthCheckInterval', message: 'it needs an oauthProvider, or a rule with providers' },
    ]);
    assert.equal((await modify('by-rules', { rules: tokens })).document['oauthCheckInterval'], null);
    // As it was before rules could have one: the gateway has a default of its own.
    assert.equal((await modify('by-rules', { rules })).document['oauthCheckInterval'], null);
    assert.equal(checkedEach(control.feed), 3 * 60 * 60_000);
  });

  test('an account has 4 MiB of rules, and is told so by a code of its own (DESIGN "Rules")', async () => {
    await using own = await startControl();
    const full = [{ allow: { tokens: ['x'.repeat(MAX_ACCOUNT_RULES_CHARACTERS - 500)] } }];
    await own.store.shares.create(shareOf(own.alice.id, { name: 'full', allowPaths: [], rules: full }));
    const small = { name: 'small', target: TARGET, rules: [{ allow: { tokens: ['ci'] } }] };
    assert.equal((await own.call({ path: '/v1/shares', json: small })).status, 201);
    const more = { denyEmails: Array.from({ length: 20 }, (_, index) => `person${index}@partner.example`) };
    for (const call of [
      { path: '/v1/shares', json: { ...small, name: 'more', ...more } },
      { path: '/v1/shares/small', method: 'PATCH', json: more },
    ]) {
      const refused = await own.call(call);
      assert.deepEqual([refused.status, refused.document['code']], [409, 'rules_too_large']);
    }
    const less = { path: '/v1/shares/full', method: 'PATCH', json: { rules: small.rules } };
    assert.equal((await own.call(less)).status, 200);
    assert.equal((await own.call({ path: '/v1/shares/small', method: 'PATCH', json: more })).status, 200);
  });

  test('definitionsNamed() has each definition that is being set, wherever the share names it', () => {
    const providers = [
      ['mine', 'acc_1'],
      ['also-mine', 'acc_1'],
      ['third', 'acc_1'],
      ['configured', null],
    ].map(([name, accountId]) => ({ name, accountId }) as ProviderRef);
    const rules = [{ deny: { providers: ['also-mine'], emails: ['x'] } }];
    for (const [changes, names] of [
      [{}, []],
      [{ oauthProvider: 'mine' }, ['mine']],
      [{ oauthProvider: ['configured', 'mine', 'gone'], rules }, ['mine', 'also-mine']],
      [{ oauthProvider: null, rules }, ['also-mine']],
    ] as const)
      assert.deepEqual(definitionsNamed(changes, providers), names);
  });

  test('a share that names a provider in a rule is found by it', async () => {
    assert.equal((await create({ name: 'found', rules: [{ allow: { providers: ['test'] } }] })).status, 201);
    const found = await control.call({ path: '/v1/shares?provider=test' });
    const shares = found.document['items'] ?? found.document['shares'];
    assert.match(JSON.stringify(shares), /"found"/);
  });

  test('the audit has each setting before a change and after it', async () => {
    const first = [{ allow: { providers: ['test'], groups: ['eng-*'] } }];
    const second = [{ allow: { everyone: true, paths: ['/healthz'] } }];
    assert.equal((await create({ name: 'told', rules: first })).status, 201);
    const said = { rules: second, oauthProvider: 'test', denyEmails: ['mallory@example.com'] };
    const told = { ...said, oauthCheckInterval: '3h', rules: ['allow everyone; paths /healthz'] };
    const FIRST = 'allow providers test; groups eng-*';
    assert.equal((await modify('told', said)).status, 200);
    assert.equal((await modify('told', { enabled: false })).status, 200);
    assert.equal((await control.call({ path: '/v1/shares/told', method: 'DELETE' })).status, 204);
    const { document } = await control.call({ path: '/v1/audit-events?limit=4&order=newest' });
    const items = document['items'] as { kind: string; changes?: unknown }[];
    assert.deepEqual(
      items.toReversed().map(({ kind, changes }) => [kind, changes]),
      [
        [
          'share.created',
          {
            before: null,
            after: { name: 'told', target: TARGET, rules: [FIRST], owner: 'alice@example.com' },
            ...PLAIN,
          },
        ],
        [
          'share.modified',
          {
            before: { oauthProvider: null, oauthCheckInterval: null, denyEmails: [], rules: [FIRST] },
            after: told,
            ...PLAIN,
          },
        ],
        ['share.modified', { before: { enabled: true }, after: { enabled: false }, ...PLAIN }],
        [
          'share.deleted',
          {
            before: { name: 'told', target: TARGET, ...told, owner: 'alice@example.com', enabled: false },
            after: null,
            ...PLAIN,
          },
        ],
      ],
    );
  });

  test('a change is told with what it replaced, not with what was seen before another one', async (t) => {
    assert.equal((await create({ name: 'raced', oauthProvider: 'test' })).status, 201);
    const { shares } = control.store;
    const find = shares.find.bind(shares);
    const other = async (id: ShareId) =>
      shares.modify({
        accountId: control.alice.id,
        id,
        settings: (share) => ({ ...share, allowGroups: ['ops'] }),
        at: Date.now(),
      });
    t.mock.method(shares, 'find', async (accountId: AccountId, named: string) => {
      const seen = await find(accountId, named);
      if (seen !== null) await other(seen.id);
      return seen;
    });
    assert.equal((await modify('raced', { allowGroups: ['eng-*'] })).status, 200);
    assert.equal((await control.call({ path: '/v1/shares/raced', method: 'DELETE' })).status, 204);
    t.mock.restoreAll();
    const { document } = await control.call({ path: '/v1/audit-events?limit=2&order=newest' });
    const items = document['items'] as { changes: unknown }[];
    assert.deepEqual(
      items.map(({ changes }) => changes),
      [
        {
          before: {
            owner: 'alice@example.com',
            name: 'raced',
            target: TARGET,
            oauthProvider: 'test',
            oauthCheckInterval: '3h',
            allowGroups: ['ops'],
          },
          after: null,
          ...PLAIN,
        },
        { before: { allowGroups: ['ops'] }, after: { allowGroups: ['eng-*'] }, ...PLAIN },
      ],
    );
  });
});

const PLAIN = { secrets: [], omitted: 0 };
