// `GET /v1/state` and `POST /v1/apply` on both engines: an account becomes what a state says, all of it or
// nothing, and a state that is taken back changes nothing.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import type { ApplyAnswer, AccountState } from '../../src/wire/state.ts';
import { hashApiKey, newApiKey, parseApiKey } from '../../src/domain/api-key.ts';
import { newId } from '../../src/domain/id.ts';
import type { Store } from '../../src/store/store.ts';
import {
  addAccountWithKey,
  startControlOn,
  type TestAccount,
  type TestAnswer,
  type TestControl,
} from '../support/control.ts';
import { onEngines } from '../support/on-engines.ts';
import { addThings } from '../support/operations.ts';

type Control = TestControl<Store & AsyncDisposable>;

onEngines('the state of an account', ({ openStore }) => {
  let control: Control;
  before(async () => {
    control = await startControlOn(await openStore());
    await addThings(control);
  });
  after(() => control[Symbol.asyncDispose]());

  const stateOf = async (as: TestAccount): Promise<AccountState> => {
    const { status, document } = await control.call({ path: '/v1/state', as });
    assert.equal(status, 200, JSON.stringify(document));
    return document as AccountState;
  };
  const send = (as: TestAccount, json: object): Promise<TestAnswer> =>
    control.call({ path: '/v1/apply', as, json });
  const apply = async (as: TestAccount, json: object): Promise<ApplyAnswer> => {
    const { status, document } = await send(as, json);
    assert.equal(status, 200, JSON.stringify(document));
    return document as unknown as ApplyAnswer;
  };
  const account = (name: string) => addAccountWithKey(control.store, name);
  const refused = async (as: TestAccount, json: object) => (await send(as, json)).status === 403;
  const changeNumber = () => control.store.changes.latest();
  const kindsOf = async (as: TestAccount) => {
    const { document } = await control.call({ path: '/v1/audit-events?limit=200', as });
    return (document['items'] as { kind: string; actor: string }[]).map(({ kind }) => kind).toReversed();
  };

  test('applied to the account that it was taken from changes nothing, with prune, too', async () => {
    await control.call({
      method: 'PATCH',
      path: '/v1/certificate-policy',
      json: { organization: 'Corp', maxValidity: '30d' },
    });
    const state = await stateOf(control.alice);
    assert.deepEqual(Object.keys(state), [
      'providers',
      'shares',
      'hosts',
      'tokens',
      'webhooks',
      'certificatePolicy',
    ]);
    const number = await changeNumber();
    const events = (await kindsOf(control.alice)).length;
    const answer = await apply(control.alice, { state, prune: true });
    assert.deepEqual([answer.applied, answer.changes, answer.kept], [false, [], []]);
    assert.equal(answer.unchanged.length, 7);
    assert.equal(await changeNumber(), number);
    assert.equal((await kindsOf(control.alice)).length, events);
  });

  test('made anew in an empty account it is taken back as it was', async () => {
    const taken = await stateOf(control.alice);
    const copy = await account('copy');
    // Names of providers and shares are one account's, and secrets are in no state.
    const renamed = JSON.parse(
      JSON.stringify(taken).replaceAll('"alices-', '"copied-').replaceAll('alices.host', 'copied.host'),
    ) as AccountState;
    const state = {
      ...renamed,
      providers: renamed.providers?.map((provider) => ({
        ...provider,
        config: { ...provider.config, clientSecret: 'sesame' },
      })),
    };
    const answer = await apply(copy, { state });
    assert.deepEqual(told(answer), [
      'create provider copied-provider',
      'create share copied-asked-share',
      'create share copied-share',
      'create host copied.host.example',
      'create token copied-service-token',
      'create webhook https://127.0.0.1/alices-webhook',
      'change certificate policy certificate policy',
    ]);
    assert.deepEqual(
      answer.secrets.map(({ kind, name }) => [kind, name]),
      [
        ['token', 'copied-service-token'],
        ['webhook', 'https://127.0.0.1/alices-webhook'],
      ],
    );
    assert.deepEqual(await stateOf(copy), renamed);
    assert.deepEqual(told(await apply(copy, { state, prune: true })), []);
    assert.deepEqual((await kindsOf(copy)).filter((kind) => !kind.startsWith('login')).slice(-7), [
      'provider.created',
      'share.created',
      'share.created',
      'host.claimed',
      'service_token.created',
      'webhook.created',
      'certificate_policy.modified',
    ]);
  });

  test('a dry run says what would be done, and writes nothing', async () => {
    const dry = await account('dry');
    const number = await changeNumber();
    const events = await kindsOf(dry);
    const state = {
      shares: [{ name: 'dry', target: 'http://127.0.0.1:3000', clientCertificate: { required: true } }],
    };
    const answer = await apply(dry, { state, dryRun: true });
    assert.deepEqual([answer.applied, told(answer)], [false, ['create share dry']]);
    assert.deepEqual(await kindsOf(dry), events);
    assert.equal(await changeNumber(), number);
    assert.deepEqual(await control.store.cas.list(dry.id, Date.now()), [], 'no authority is made');
    assert.equal((await control.call({ path: '/v1/shares/dry', as: dry })).status, 404);
  });

  test('changes are told field by field, a secret only as changed', async () => {
    const fields = await account('fields');
    const share = { name: 'fielded', target: 'http://127.0.0.1:3000', oauthProvider: 'fielded' };
    const config = {
      clientId: 'c',
      clientSecret: 'sesame-1',
      issuerUrl: 'https://127.0.0.1/',
      scopes: ['openid', 'email'],
    };
    const provider = { name: 'fielded', type: 'OIDC', config };
    const state = { providers: [provider], shares: [share] };
    await apply(fields, { state });
    assert.deepEqual(told(await apply(fields, { state })), []);
    const answer = await apply(fields, {
      state: {
        providers: [{ ...provider, config: { ...config, clientSecret: 'sesame-2' } }],
        shares: [{ ...share, oauthEmailAddressPatterns: ['*@example.com'], enabled: false }],
      },
    });
    assert.deepEqual(
      answer.changes.map(({ fields: changed }) => changed),
      [
        [{ name: 'clientSecret', secret: true }],
        [
          { name: 'oauthEmailAddressPatterns', before: null, after: '["*@example.com"]' },
          { name: 'enabled', before: null, after: 'false' },
        ],
      ],
    );
    assert.doesNotMatch(JSON.stringify(answer), /sesame/);
    const [definition] = await control.store.providerDefinitions.list(fields.id, { after: null, limit: 9 });
    const [usable] = await control.store.providerDefinitions.among(definition ? [definition.id] : []);
    assert.equal(usable?.openCredential().clientSecret?.reveal(), 'sesame-2');
    // What the state does not say is what a new share has.
    await apply(fields, { state: { shares: [share] } });
    const { document } = await control.call({ path: '/v1/shares/fielded', as: fields });
    assert.deepEqual([document['oauthEmailAddressPatterns'], document['enabled']], [[], true]);
  });

  test('a backend is one of three, and only agents keep a share for themselves', async () => {
    const backends = await account('backends');
    const name = 'backends';
    const open = true;
    for (const share of [
      { name, open, behind: true },
      { name, open, target: 'http://127.0.0.1:3000' },
      { name, open, target: 'http://127.0.0.1:3001' },
      { name, open, behind: true },
    ]) {
      assert.equal((await apply(backends, { state: { shares: [share] } })).changes.length, 1);
      const { shares } = await stateOf(backends);
      assert.deepEqual(shares, [share]);
      assert.deepEqual(told(await apply(backends, { state: { shares } })), []);
    }
    const faultOf = async (share: object) => {
      const { status, document } = await send(backends, { state: { shares: [share] } });
      assert.equal(status, 422, JSON.stringify(document));
      return (document['faults'] as { path: string }[]).map(({ path }) => path);
    };
    assert.deepEqual(await faultOf({ name, open, tunnel: 'reserved' }), ['state.shares.0.tunnel']);
    assert.deepEqual(await faultOf({ name, open, behind: true, target: 'http://127.0.0.1:3000' }), [
      'state.shares.0.target',
    ]);
    assert.deepEqual(await faultOf({ name, behind: true }), ['state.shares.0.open']);
    assert.deepEqual(await faultOf({ name, open, behind: true, oauthProvider: 'test' }), [
      'state.shares.0.open',
    ]);
  });

  test('prune deletes what the sections of the state lack, and nothing of other sections', async () => {
    const pruned = await account('pruned');
    const state = {
      providers: [
        {
          name: 'pruned',
          type: 'OIDC',
          config: {
            clientId: 'c',
            clientSecret: 's',
            issuerUrl: 'https://127.0.0.1/',
            scopes: ['openid', 'email'],
          },
        },
      ],
      shares: [
        { name: 'pruned', target: 'http://127.0.0.1:3000', oauthProvider: 'pruned' },
        { name: 'stays', tunnel: 'reserved', open: true },
      ],
      hosts: [{ host: 'pruned.example.com', share: 'pruned' }],
      tokens: [{ name: 'both', shares: ['pruned', 'stays'], expiresIn: '90d' }],
      webhooks: [{ url: 'https://127.0.0.1/pruned' }],
    };
    await apply(pruned, { state });
    await control.call({ path: '/v1/shares', as: pruned, json: { tunnel: 'ephemeral', open: true } });
    const less = {
      providers: [],
      shares: [state.shares[1]],
      hosts: [],
      tokens: [{ ...state.tokens[0], shares: ['stays'] }],
    };
    const kept = await apply(pruned, { state: { ...less, tokens: state.tokens } });
    assert.deepEqual(kept.kept, [
      { kind: 'provider', name: 'pruned' },
      { kind: 'share', name: 'pruned' },
      { kind: 'host', name: 'pruned.example.com' },
    ]);
    const answer = await apply(pruned, { state: less, prune: true });
    // The token loses the share with it, and stays.
    assert.deepEqual(told(answer), [
      'delete host pruned.example.com',
      'delete share pruned',
      'delete provider pruned',
    ]);
    const left = await stateOf(pruned);
    assert.deepEqual(
      [left.providers, left.shares, left.hosts, left.tokens?.[0]?.shares, left.webhooks],
      [[], [state.shares[1]], [], ['stays'], state.webhooks],
    );
    const { document } = await control.call({ path: '/v1/shares', as: pruned });
    assert.equal((document['items'] as unknown[]).length, 2, 'the ephemeral share is its agent’s');
  });

  test('each change is in the audit log with who made it, and reaches webhooks', async () => {
    const heard = await account('heard');
    const url = 'https://127.0.0.1/heard';
    await apply(heard, { state: { webhooks: [{ url, kinds: ['share.created', 'share.deleted'] }] } });
    const share = { name: 'heard', target: 'http://127.0.0.1:3000', open: true };
    await apply(heard, { state: { shares: [share] } });
    await apply(heard, { state: { shares: [] }, prune: true });
    const keys = (await control.call({ path: '/v1/api-keys', as: heard })).document['items'];
    const [key] = keys as { id: string }[];
    const { document } = await control.call({ path: '/v1/audit-events', as: heard });
    const events = document['items'] as { kind: string; actor: string; reason: string }[];
    const changes = events.filter(({ kind }) => kind.startsWith('share.'));
    assert.deepEqual(
      changes.map(({ kind, reason }) => [kind, reason]),
      [
        ['share.deleted', 'heard'],
        ['share.created', 'heard'],
      ],
    );
    assert.deepEqual(new Set(changes.map(({ actor }) => actor)), new Set([`api-key:${key?.id}`]));
    const [webhook] = (await control.store.webhooks.list(heard.id, { after: null, limit: 1 })).rows;
    assert.equal(webhook?.waiting, 2);
  });

  test('what is refused at the end undoes what was done before it', async () => {
    const whole = await account('whole');
    const state = {
      shares: [
        { name: 'whole', target: 'http://127.0.0.1:3000', open: true },
        // Of another account.
        { name: 'alices-share', target: 'http://127.0.0.1:3000', open: true },
      ],
    };
    const number = await changeNumber();
    const { status, document } = await send(whole, { state });
    assert.deepEqual([status, document['code']], [409, 'name_taken']);
    assert.deepEqual((await stateOf(whole)).shares, []);
    assert.equal(await changeNumber(), number);
    const [first] = state.shares;
    assert.deepEqual(told(await apply(whole, { state: { shares: [first] } })), ['create share whole']);
  });

  test('every fault is told at once, with its place, before anything is written', async () => {
    const faulty = await account('faulty');
    const { status, document } = await send(faulty, {
      state: {
        providers: [
          {
            name: 'faulty',
            type: 'OIDC',
            config: { clientId: 'c', issuerUrl: 'https://127.0.0.1/', scopes: ['openid'] },
          },
        ],
        shares: [
          { name: 'Faulty', target: 'http://127.0.0.1:3000', open: true },
          { name: 'unprotected', target: 'http://127.0.0.1:3000' },
          { name: 'twice', target: 'http://127.0.0.1:3000', oauthProvider: 'nobody' },
          { name: 'twice', tunnel: 'reserved', target: 'http://127.0.0.1:3000', open: true },
        ],
        hosts: [{ host: 'a.example.com', share: 'none' }],
        tokens: [{ name: 'late', shares: ['none'], expiresAt: '2001-01-01T00:00:00.000Z' }],
      },
    });
    assert.deepEqual([status, document['code']], [422, 'validation_failed']);
    assert.deepEqual((document['faults'] as { path: string }[]).map(({ path }) => path).toSorted(), [
      'state.hosts.0',
      'state.providers.0.config.scopes',
      'state.shares.0.name',
      'state.shares.1',
      'state.shares.2.oauthProvider',
      'state.shares.3.name',
      'state.shares.3.target',
      'state.tokens.0',
    ]);
    assert.deepEqual((await stateOf(faulty)).shares, []);
  });

  test('a change after the plan is refused, and never overwritten', async () => {
    const planned = await account('planned');
    const share = { name: 'planned', target: 'http://127.0.0.1:3000', open: true };
    await apply(planned, { state: { shares: [share] } });
    const state = { shares: [{ ...share, allowOrigins: ['https://a.example'] }] };
    const { plan } = await apply(planned, { state, dryRun: true });
    await control.call({
      method: 'PATCH',
      path: '/v1/shares/planned',
      as: planned,
      json: { allowOrigins: ['https://b.example'] },
    });
    const { status, document } = await send(planned, { state, plan });
    assert.deepEqual([status, document['code']], [412, 'precondition_failed']);
    assert.deepEqual((await stateOf(planned)).shares?.[0]?.allowOrigins, ['https://b.example']);
    const again = await apply(planned, { state, dryRun: true });
    assert.equal((await apply(planned, { state, plan: again.plan })).applied, true);
  });

  test('two at once never mix', async () => {
    const racing = await account('racing');
    const names = Array.from({ length: 12 }, (_, index) => `racing-${index}`);
    const stateFor = (origin: string, odd: number) => ({
      shares: names.map((name, index) => ({
        name,
        target: 'http://127.0.0.1:3000',
        open: true,
        // Each changes what the other leaves as it is.
        allowOrigins: index % 2 === odd ? [origin] : [],
      })),
    });
    const states = [stateFor('https://a.example', 0), stateFor('https://b.example', 1)];
    for (let round = 0; round < 3; round++) {
      await apply(racing, { state: stateFor('https://none.example', 2) });
      const plans = await Promise.all(states.map((state) => apply(racing, { state, dryRun: true })));
      const answers = await Promise.all(
        states.map((state, index) => send(racing, { state, plan: plans[index]?.plan })),
      );
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412]);
      const origins = new Set(
        (await stateOf(racing)).shares?.flatMap(({ allowOrigins = [] }) => allowOrigins),
      );
      assert.equal(origins.size, 1, [...origins].join(' '));
      states.reverse();
    }
  });

  test('a thousand shares are one call, live in reasonable time', async () => {
    const large = await account('large');
    const state = {
      shares: Array.from({ length: 1_000 }, (_, index) =>
        Object.assign(
          { name: `large-${index}`, oauthProvider: 'test' },
          index % 10 === 0 ? { rules: [{ deny: { outside: ['10.0.0.0/8'] } }] } : {},
          // Whose target is looked up is judged later than who has none.
          index % 7 === 0 ? { tunnel: 'reserved' } : { target: 'http://127.0.0.1:3000' },
        ),
      ),
    };
    const { plan } = await apply(large, { state, dryRun: true });
    const again = await apply(large, { state, dryRun: true });
    assert.equal(again.plan, plan);
    const order = again.changes.map(({ name }) => name);
    assert.deepEqual(order, order.toSorted());
    const began = Date.now();
    assert.equal((await apply(large, { state })).changes.length, 1_000);
    assert.deepEqual((await apply(large, { state, prune: true })).changes, []);
    const tookMs = Date.now() - began;
    assert.ok(tookMs < 120_000, `${tookMs} ms`);
  });

  test('a long body is read for whoever may call, up to 4 MiB', async () => {
    const path = '/v1/apply';
    const long = await control.call({ path, body: longBody(1024 * 1024) });
    assert.deepEqual([long.status, long.document['code']], [422, 'validation_failed']);
    const longer = await control.call({ path, body: longBody(4 * 1024 * 1024) });
    assert.deepEqual([longer.status, longer.document['code']], [413, 'body_too_large']);
    // What is never sent is never waited for: who calls is asked first.
    const { status } = await begunCall(control.url, path);
    assert.equal(status, 401);
  });

  test('a state that is refused for who applies it, or for its plan, makes no certificate authority', async () => {
    const refusedOnes = await account('no-authority');
    const json = { name: 'reads', role: 'admin', scope: 'read' };
    const { document } = await control.call({ path: '/v1/api-keys', as: refusedOnes, json });
    const apiKey = parseApiKey(String(document['key']));
    assert.ok(apiKey);
    const share = { name: 'no-authority', target: 'http://127.0.0.1:3000' };
    const state = { shares: [{ ...share, clientCertificate: { required: true } }] };
    const authorities = () => control.store.cas.list(refusedOnes.id, Date.now());
    assert.equal(await refused({ id: refusedOnes.id, apiKey }, { state }), true);
    assert.deepEqual(await authorities(), []);
    assert.equal((await send(refusedOnes, { state, plan: 'another' })).status, 412);
    assert.deepEqual(await authorities(), []);
    assert.equal((await apply(refusedOnes, { state })).applied, true);
    assert.equal((await authorities()).length, 1);
  });

  test('role and scope are those of each operation; a key that reads may plan', async () => {
    const roles = await account('roles');
    const keyOf = async (role: 'admin' | 'member', scope: 'full' | 'read'): Promise<TestAccount> => {
      const json = { name: `as-${role}-${scope}`, role, scope };
      const { document } = await control.call({ path: '/v1/api-keys', as: roles, json });
      const apiKey = parseApiKey(String(document['key']));
      assert.ok(apiKey);
      return { id: roles.id, apiKey };
    };
    const share = { name: 'roles', target: 'http://127.0.0.1:3000', open: true };
    const webhook = { url: 'https://127.0.0.1/roles' };
    const member = await keyOf('member', 'full');
    const reader = await keyOf('admin', 'read');
    assert.equal(await refused(member, { state: { webhooks: [webhook] }, dryRun: true }), true);
    assert.equal(await refused(reader, { state: { webhooks: [webhook] } }), true);
    assert.equal(await refused(reader, { state: { webhooks: [webhook] }, dryRun: true }), false);
    assert.equal(await refused(reader, { state: { shares: [share] } }), true);
    assert.equal(await refused(member, { state: { shares: [share] } }), false);
    assert.deepEqual(Object.keys(await stateOf(member)), ['shares', 'hosts']);
    // A secret is nothing that a key which only reads could try.
    const config = { clientId: 'c', issuerUrl: 'https://127.0.0.1/', scopes: ['openid', 'email'] };
    const withSecret = (clientSecret: string) => ({
      providers: [{ name: 'roles', type: 'OIDC', config: { ...config, clientSecret } }],
    });
    await apply(roles, { state: withSecret('right') });
    for (const secret of ['right', 'wrong']) {
      const answer = await apply(reader, { state: withSecret(secret), dryRun: true });
      assert.deepEqual([told(answer), answer.notes.length], [[], 1]);
    }
  });

  test('a token that changes is replaced, and one that expired makes room', async () => {
    const tokens = await account('tokens');
    const share = { name: 'tokens', target: 'http://127.0.0.1:3000', open: true };
    const until = new Date(Date.now() + 40 * 86_400_000).toISOString();
    const one = (token: object) => ({
      state: { shares: [share], tokens: [{ name: 'bot', shares: ['tokens'], ...token }] },
    });
    const [first] = (await apply(tokens, one({ expiresIn: '90d' }))).secrets;
    assert.match(first?.secret ?? '', /^dws_/);
    assert.deepEqual(told(await apply(tokens, one({ expiresIn: '5d' }))), []);
    const replaced = await apply(tokens, one({ expiresAt: until }));
    assert.deepEqual(told(replaced), ['replace token bot']);
    assert.notEqual(replaced.secrets[0]?.secret, first?.secret);
    assert.equal((await stateOf(tokens)).tokens?.[0]?.expiresAt, until);
    const shares = await control.store.shares.list(tokens.id, { after: null, limit: 1 });
    await control.store.serviceTokens.create(
      {
        id: newId('tok'),
        accountId: tokens.id,
        name: 'over',
        hash: hashApiKey(newApiKey()),
        shareIds: shares.shares.map(({ id }) => id),
        createdAt: Date.now() - 2,
        expiresAt: Date.now() - 1,
        createdBy: 'operator',
        memberId: null,
        login: null,
      },
      null,
    );
    assert.deepEqual(
      (await stateOf(tokens)).tokens?.map(({ name }) => name),
      ['bot'],
    );
    const both = { name: 'over', shares: ['tokens'], expiresIn: '1d' };
    const state = { tokens: [{ name: 'bot', shares: ['tokens'], expiresAt: until }, both] };
    assert.deepEqual(told(await apply(tokens, { state })), ['create token over']);
    assert.deepEqual(told(await apply(tokens, { state })), []);
  });

  test('webhooks of one name or one URL are told apart, and a given secret is the one that signs', async () => {
    const hooks = await account('hooks');
    const secret = 'whs_0123456789abcdefghijklmn';
    const webhooks = [
      { name: 'audit', url: 'https://127.0.0.1/a', secret },
      { name: 'audit', url: 'https://127.0.0.1/b' },
      { url: 'https://127.0.0.1/b', kinds: ['share.created'] },
      { url: 'https://127.0.0.1/b', kinds: ['share.created'] },
    ];
    const made = await apply(hooks, { state: { webhooks } });
    assert.equal(made.changes.length, 4);
    assert.equal(made.secrets.length, 3, 'no secret is shown that was given');
    assert.deepEqual(told(await apply(hooks, { state: { webhooks }, prune: true })), []);
    assert.deepEqual(told(await apply(hooks, { state: await stateOf(hooks), prune: true })), []);
    const other = await apply(hooks, {
      state: { webhooks: [{ ...webhooks[0], secret: `${secret}!`, enabled: false }] },
    });
    assert.deepEqual(other.changes[0]?.fields, [
      { name: 'enabled', before: 'true', after: 'false' },
      { name: 'secret', secret: true },
    ]);
    const first = (await control.store.webhooks.list(hooks.id, { after: null, limit: 9 })).rows.find(
      ({ url }) => url === 'https://127.0.0.1/a',
    );
    assert.ok(first);
    const kept = await control.store.webhooks.secrets(hooks.id, first.id);
    assert.deepEqual(
      kept?.map((each) => each.reveal()),
      [`${secret}!`, secret],
    );
  });

  test('a host that the operator granted is active at once, or with the next apply', async () => {
    const hosted = await account('hosted');
    const share = { name: 'hosted', target: 'http://127.0.0.1:3000', open: true };
    const state = { shares: [share], hosts: [{ host: 'hosted.customer.com', share: 'hosted' }] };
    const pending = await apply(hosted, { state });
    assert.match(pending.notes.join(), /hosted\.customer\.com is pending/);
    assert.deepEqual(told(await apply(hosted, { state })), []);
    await control.store.hosts.grant({
      host: 'hosted.customer.com',
      accountId: hosted.id,
      createdAt: Date.now(),
    });
    assert.deepEqual(told(await apply(hosted, { state })), ['change host hosted.customer.com']);
    const { document } = await control.call({ path: '/v1/hosts/hosted.customer.com', as: hosted });
    assert.equal(document['state'], 'active');
    assert.deepEqual(told(await apply(hosted, { state })), []);
    const moved = {
      shares: [share, { ...share, name: 'hosted-too' }],
      hosts: [{ host: 'hosted.customer.com', share: 'hosted-too' }],
    };
    assert.deepEqual(told(await apply(hosted, { state: moved })), [
      'create share hosted-too',
      'replace host hosted.customer.com',
    ]);
  });
});

function told({ changes }: ApplyAnswer): readonly string[] {
  return changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`);
}

function longBody(length: number): string {
  return JSON.stringify({ state: { shares: [] }, plan: 'x'.repeat(length) });
}

/** The answer to a call without a key whose body is announced, and does not come. */
function begunCall(url: URL, path: string): Promise<{ readonly status: number | undefined }> {
  return new Promise((resolve, reject) => {
    const call = request(new URL(path, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '1000000' },
    });
    call.on('response', ({ statusCode }) => {
      resolve({ status: statusCode });
      call.destroy();
    });
    call.on('error', reject);
    call.write('{');
  });
}
