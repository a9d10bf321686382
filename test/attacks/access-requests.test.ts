// Requests for access against whoever makes more of them than a request: pages of other sites, statements
// that are forged or of another share, addresses that look like globs, markup, floods. The login, the control
// API and the feed are the real ones, on one store.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { MOST_OPEN_OF_SHARE } from '../../src/domain/access-request.ts';
import { newId, type ShareId } from '../../src/domain/id.ts';
import { wouldLetIn } from '../../src/domain/would-let-in.ts';
import type { Answer } from '../../src/http/answer.ts';
import { createAskLimit } from '../../src/login/ask-limit.ts';
import { sealAccessStatement } from '../../src/login/access-statement.ts';
import { createLogin } from '../../src/login/login.ts';
import type { LoginHttpRequest } from '../../src/login/login-deps.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { startControlOn, TEST_PROVIDER, type TestControl } from '../support/control.ts';
import { codeOf, createLoginRig, header, logIn } from '../support/login-rig.ts';
import { type EngineUnderTest, onEngines } from '../support/on-engines.ts';

const GENERATION = TEST_PROVIDER.generation;
const EVE = 'eve@elsewhere.org';
const SHARE = {
  target: 'http://127.0.0.1:3000',
  oauthProvider: TEST_PROVIDER.name,
  oauthEmailAddressPatterns: ['*@example.com'],
  accessRequests: true,
};

onEngines('requests for access', (engine) => {
  test('who is refused at the callback finds the form, where the share says so and it could help', async () => {
    await using rig = await createLoginRig({}, engine.openStore);
    const share = await rig.addShare({ patterns: ['*@example.com'] });
    const asHtml = { headers: { accept: 'text/html' } };
    const refuse = async () => String((await refused(rig, share.id)).body);
    assert.doesNotMatch(await refuse(), /Request access/, 'a share that does not say so takes none');
    rig.changeShare(share.id, (before) => ({ ...before, accessRequests: true }));
    const href = linkIn(await refuse());
    assert.match(href, /^https:\/\/auth\.example\.com\/corp\/request-access\?statement=/);
    const form = await rig.browser().get(href, asHtml);
    assert.equal(form.status, 200);
    assert.match(header(form, 'content-security-policy') ?? '', /form-action 'self'/);
    assert.match(String(form.body), /eve@elsewhere\.org/);
    rig.changeShare(share.id, (before) => ({ ...before, denyEmails: ['eve@*'] }));
    assert.doesNotMatch(await refuse(), /Request access/, 'who is denied asks for what cannot help');
  });

  test('a grant lets this one address in until it ends, and is told of in audit and to webhooks', async (t) => {
    const { control, ask, letsIn } = await start(t, engine);
    const share = await ask.share('wiki');
    assert.match((await ask(share, { message: 'I am  <b>new</b>\u202e here' })).body as string, /was sent/);
    const [request, ...others] = await listed(control);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [request!['share'], request!['email'], request!['message'], request!['state']],
      ['wiki', EVE, 'I am  <b>new</b>  here', 'open'],
    );
    assert.deepEqual(letsIn('wiki', EVE), false);
    const path = `/v1/access-requests/${String(request!['id'])}/grant`;
    for (const wrong of [
      {},
      { for: '91d' },
      { for: '1d', until: '2030-01-01T00:00:00Z' },
      { until: '2001-01-01T00:00:00Z' },
    ])
      assert.equal((await control.call({ path, json: wrong })).status, 422, JSON.stringify(wrong));
    const stale = await control.call({ path, json: { for: '1d' }, headers: { 'if-match': '"x.1"' } });
    assert.equal(stale.document['code'], 'precondition_failed');
    const foreign = await control.call({ path, json: { for: '1d' }, as: control.mallory });
    assert.equal(foreign.document['code'], 'access_request_unknown');
    const twice = await Promise.all([1, 2].map(() => control.call({ path, json: { for: '1d' } })));
    assert.deepEqual(twice.map(({ status }) => status).toSorted(), [200, 409]);
    assert.deepEqual(
      [letsIn('wiki', EVE), letsIn('wiki', 'eva@elsewhere.org'), letsIn('wiki', EVE, 86_500_000)],
      [true, false, false],
    );
    const shown = await control.call({ path: '/v1/shares/wiki' });
    assert.equal((shown.document['rules'] as unknown[]).length, 1, 'granted once');
    assert.match((await ask(share)).body as string, /already have access/);
    assert.deepEqual(await listed(control), [], 'nothing waits once it is granted');
    await control.call({ method: 'PATCH', path: '/v1/shares/wiki', json: { rules: [] } });
    assert.match((await ask(share)).body as string, /was sent/, 'what was taken back is asked for anew');
    assert.equal((await listed(control)).length, 1);
    const events = await control.call({ path: '/v1/audit-events?kind=access.requested&kind=access.granted' });
    assert.deepEqual(
      (events.document['items'] as Record<string, unknown>[]).map(({ kind, email, reason }) => [
        kind,
        email,
        reason,
      ]),
      [
        ['access.requested', EVE, 'wiki'],
        ['access.granted', EVE, 'wiki'],
        ['access.requested', EVE, 'wiki'],
      ],
    );
  });

  test('the owner is named to people of the account’s own provider, and to no stranger', async (t) => {
    const { control, ask, statement, changeProvider } = await start(t, engine);
    const share = await ask.share('wiki');
    const json = { owner: 'owner@example.com' };
    assert.equal((await control.call({ method: 'PATCH', path: '/v1/shares/wiki', json })).status, 200);
    const isNamed = async (change: Partial<Provider>) => {
      changeProvider(change);
      const [form, page] = [await ask(share), await ask.whom(share)];
      assert.deepEqual([form.status, page.status], [200, 200]);
      const named = [form, page].map(({ body }) => /owner@example\.com/.test(String(body)));
      assert.equal(named[0], named[1], 'both pages go by one rule');
      return named[0];
    };
    const own = { accountId: control.alice.id, emailPatterns: ['*@elsewhere.org'], verifiesEmail: true };
    assert.equal(await isNamed(own), true);
    assert.equal(await isNamed({ ...own, accountId: null }), false, 'a provider of the configuration');
    assert.equal(await isNamed({ ...own, accountId: control.mallory.id }), false, 'another account’s');
    assert.equal(await isNamed({ ...own, emailPatterns: [] }), false, 'one that anybody may log in at');
    // The last ones let in whoever registers such a name.
    for (const all of ['*', '*@*', '*@*.org', '*@e*.org', '*@*elsewhere.org', '*@[a-m]*.org'])
      assert.equal(await isNamed({ ...own, emailPatterns: [all] }), false, `anybody, by ${all}`);
    assert.equal(await isNamed({ ...own, emailPatterns: ['*@example.com'] }), false, 'not one of theirs');
    assert.equal(await isNamed({ ...own, verifiesEmail: false }), false, 'an address that anybody can give');
    assert.equal(await isNamed(own), true);
    // Neither does a statement that is forged, old, of another provider, or of a share with another login.
    for (const sealed of [
      'forged',
      statement({ shareId: share, expiresAt: Date.now() - 1 }),
      statement({ shareId: share, providerName: 'other' }),
      statement({ shareId: share, providerGeneration: 'former' }),
      statement({ shareId: newId('shr') }),
    ]) {
      const { status, body } = await ask.whom(share, sealed);
      assert.ok(status >= 400, String(status));
      assert.doesNotMatch(String(body), /owner@example/);
    }
  });

  test('who is refused by a share without requests is led to the page that says whom to ask, if they may be the account’s own', async () => {
    await using rig = await createLoginRig({}, engine.openStore);
    const share = await rig.addShare({ patterns: ['*@example.com'] });
    const linked = async () =>
      /href="([^"]*)">Who to ask/.exec(String((await refused(rig, share.id)).body))?.[1];
    assert.equal(await linked(), undefined, 'a provider of the configuration');
    const { accountId } = rig.deps.findShare(share.id)!;
    const own = { accountId, emailPatterns: ['*@elsewhere.org'] };
    Object.assign(rig.provider('corp'), own);
    const href = (await linked())?.replaceAll('&amp;', '&') ?? '';
    assert.match(href, /^https:\/\/auth\.example\.com\/corp\/who-to-ask\?statement=/);
    const page = await rig.browser().get(href, { headers: { accept: 'text/html' } });
    assert.equal(page.status, 200);
    assert.match(String(page.body), /Who to ask for access/);
    assert.match(String(page.body), /eve@elsewhere\.org/);
    Object.assign(rig.provider('corp'), { ...own, emailPatterns: ['*@example.com'] });
    assert.equal(await linked(), undefined, 'not one of theirs');
  });

  test('an address with characters of globs lets in itself alone', async (t) => {
    const { control, ask, letsIn } = await start(t, engine);
    const email = '*{a,b}?@elsewhere.org';
    await ask(await ask.share('wiki'), { email });
    const [request] = await listed(control);
    assert.equal(request!['email'], email);
    const path = `/v1/access-requests/${String(request!['id'])}/grant`;
    const granted = await control.call({ path, json: { for: '7d' } });
    assert.equal(granted.status, 200, JSON.stringify(granted.document));
    for (const other of ['x@elsewhere.org', 'ab@elsewhere.org', '*ax@elsewhere.org', EVE])
      assert.equal(letsIn('wiki', other), false, other);
  });

  test('where login and certificate are both needed, a grant asks for the certificate too', async (t) => {
    const { control, ask } = await start(t, engine);
    const share = await ask.share('wiki');
    await control.store.shares.modify({
      accountId: control.alice.id,
      id: share,
      settings: (before) => ({ ...before, clientCertificate: { subject: 'ops-*', unit: null } }),
      at: 1,
    });
    await control.store.accessRequests.ask(...row(control, share, EVE));
    const [request] = await listed(control);
    await control.call({ path: `/v1/access-requests/${String(request!['id'])}/grant`, json: { for: '7d' } });
    const shown = await control.call({ path: '/v1/shares/wiki' });
    assert.match(JSON.stringify(shown.document['rules']), /"certificate":\{"subject":"ops-\*"/);
  });

  test('only the form itself asks: no other site, no forged, old or foreign statement, no browser ahead', async (t) => {
    const { control, ask, statement } = await start(t, engine);
    const share = await ask.share('wiki');
    const other = await ask.share('other');
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
    ] as const)
      assert.equal(await code(ask(share, { headers })), 'foreign_origin', JSON.stringify(headers));
    assert.equal(await code(ask(share, { headers: { 'sec-purpose': 'prefetch' } })), 'looked_ahead');
    const sealed = statement({ shareId: share });
    const tampered = `${sealed.slice(0, -4)}AAAA`;
    for (const forged of ['', 'x', tampered])
      assert.equal(await code(ask(share, { sealed: forged })), 'request_invalid');
    const old = statement({ shareId: share, expiresAt: Date.now() - 1 });
    assert.equal(await code(ask(share, { sealed: old })), 'request_expired');
    const stale = statement({ shareId: share, providerGeneration: 'former' });
    assert.equal(await code(ask(share, { sealed: stale })), 'request_expired');
    assert.equal(await code(ask(share, { message: 'x'.repeat(201) })), 'bad_request');
    assert.equal(await code(ask(share, { body: `statement=${sealed}&statement=${sealed}` })), 'bad_request');
    assert.deepEqual(await listed(control), []);
    // A statement speaks of its own share, whatever else the form says.
    await ask(share, {
      body: `statement=${statement({ shareId: other })}&share=${share}&email=a%40example.com`,
    });
    assert.deepEqual(
      (await listed(control)).map(({ share: name, email }) => [name, email]),
      [['other', EVE]],
    );
    await control.call({ method: 'PATCH', path: '/v1/shares/wiki', json: { accessRequests: false } });
    assert.equal(await code(ask(share)), 'request_expired');
  });

  test('a flood is one request of each address, a bounded number of each share, and seldom of one network', async (t) => {
    const { control, ask } = await start(t, engine);
    const share = await ask.share('wiki');
    await Promise.all(Array.from({ length: 6 }, (_, index) => ask(share, { message: `again ${index}` })));
    assert.equal((await listed(control)).length, 1);
    const audit = await control.call({ path: '/v1/audit-events?kind=access.requested' });
    assert.equal((audit.document['items'] as unknown[]).length, 1);
    for (let each = 1; each < MOST_OPEN_OF_SHARE; each++)
      await control.store.accessRequests.ask(...row(control, share, `p${each}@elsewhere.org`));
    const late = row(control, share, 'late@elsewhere.org');
    assert.equal(await control.store.accessRequests.ask(...late), 'full');
    assert.equal(codeOf(await ask(share, { email: 'later@elsewhere.org' })), 'rate_limited');
    const [dismissed] = await listed(control);
    const path = `/v1/access-requests/${String(dismissed!['id'])}/dismiss`;
    assert.equal((await control.call({ path, json: {} })).status, 200);
    const again = row(control, share, String(dismissed!['email']));
    assert.equal(await control.store.accessRequests.ask(...again), 'dismissed');
    const limit = createAskLimit(() => 0);
    const counted = Array.from({ length: 21 }, () => limit.count('192.0.2.1'));
    assert.deepEqual(counted.map((seconds) => seconds === null).indexOf(false), 20);
  });

  test('the requests of a share go with it', async (t) => {
    const { control, ask } = await start(t, engine);
    await ask(await ask.share('wiki'));
    assert.equal((await listed(control)).length, 1);
    assert.equal((await control.call({ method: 'DELETE', path: '/v1/shares/wiki' })).status, 204);
    assert.deepEqual(await listed(control), []);
  });
});

async function code(answer: Promise<Answer>): Promise<string> {
  return codeOf(await answer);
}

type Rig = Awaited<ReturnType<typeof createLoginRig>>;

async function refused(rig: Rig, shareId: ShareId): Promise<Answer> {
  const browser = rig.browser();
  const share = rig.deps.findShare(shareId)!;
  const get = browser.get;
  const asHtml = { ...browser, get: (url: string | URL) => get(url, { headers: { accept: 'text/html' } }) };
  return logIn(asHtml, rig.startUrl(share), EVE);
}

function linkIn(body: string): string {
  return /href="([^"]*)">Request access/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';
}

type Sent = {
  readonly email?: string;
  readonly message?: string;
  readonly sealed?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A control API, and the login of the same store and shares. */
async function start(t: TestContext, { openStore }: EngineUnderTest) {
  const control = await startControlOn(await openStore());
  t.after(() => control[Symbol.asyncDispose]());
  await using rig = await createLoginRig();
  const { seal } = rig.deps;
  let provider: Provider = { ...rig.provider('corp'), name: TEST_PROVIDER.name, generation: GENERATION };
  const login = createLogin({
    ...rig.deps,
    provider: (name) => (name === provider.name ? provider : undefined),
    findShare: (id) => control.feed.find(id) ?? undefined,
    accessRequests: control.store.accessRequests,
    ownerOf: async (id) => (await control.store.shares.findById(id))?.owner ?? null,
    now: Date.now,
    audited: () => undefined,
  });
  const statement = (over: object) =>
    sealAccessStatement(seal, {
      shareId: newId('shr'),
      providerName: provider.name,
      providerGeneration: GENERATION,
      email: EVE,
      expiresAt: Date.now() + 60_000,
      ...over,
    });
  const ask = async (shareId: ShareId, sent: Sent = {}): Promise<Answer> => {
    const { email = EVE, message = '', sealed = statement({ shareId, email }) } = sent;
    const request: LoginHttpRequest = {
      method: 'POST',
      path: `/${provider.name}/request-access`,
      query: new URLSearchParams(),
      rawQuery: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...sent.headers },
      cookies: [],
      body: sent.body ?? new URLSearchParams({ statement: sealed, message }).toString(),
      ip: '192.0.2.1',
      requestId: 'req-1',
    };
    return login(request);
  };
  const whom = (shareId: ShareId, sealed = statement({ shareId })): Promise<Answer> =>
    login({
      method: 'GET',
      path: `/${provider.name}/who-to-ask`,
      query: new URLSearchParams({ statement: sealed }),
      rawQuery: '',
      headers: { accept: 'text/html' },
      cookies: [],
      ip: '192.0.2.1',
      requestId: 'req-1',
    });
  const share = async (name: string) => {
    const made = await control.call({ path: '/v1/shares', json: { name, ...SHARE } });
    assert.equal(made.status, 201, JSON.stringify(made.document));
    return made.document['id'] as ShareId;
  };
  const letsIn = (name: string, email: string, laterMs = 0) =>
    wouldLetIn(control.feed.findByHost(`${name}.share.example.com`)!, { email }, Date.now() + laterMs)
      .outcome === 'allowed';
  const changeProvider = (change: Partial<Provider>) => void (provider = { ...provider, ...change });
  return { control, statement, letsIn, changeProvider, ask: Object.assign(ask, { share, whom }) };
}

async function listed(control: Pick<TestControl, 'call'>) {
  const { document } = await control.call({ path: '/v1/access-requests?limit=100' });
  return document['items'] as Record<string, unknown>[];
}

type Ask = TestControl['store']['accessRequests']['ask'];

function row({ alice }: Pick<TestControl, 'alice'>, shareId: ShareId, email: string): Parameters<Ask> {
  const provider = TEST_PROVIDER.name;
  const at = Date.now();
  const base = { accountId: alice.id, shareId, provider, email };
  return [
    { id: newId('arq'), ...base, providerGeneration: GENERATION, message: '', isLetIn: false, at },
    {
      id: newId('evt'),
      at,
      kind: 'access.requested',
      ...base,
      sessionId: null,
      actor: null,
      ip: null,
      requestId: null,
      reason: null,
    },
  ];
}
