// Logins of members at the control plane, from the grant on, in a browser: what makes a session, and what a
// session is good for. The whole way with a provider is walked in test/e2e/console-login.test.ts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, type BrowserAnswer, createBrowser } from '../../../test/support/browser-by-hand.ts';
import type { JarCookie } from '../../../test/support/cookie-jar.ts';
import { startControl, TEST_PROVIDER, type TestControl } from '../../../test/support/control.ts';
import { hashApiKey, newApiKey } from '../../domain/api-key.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { newId } from '../../domain/id.ts';
import { Secret, secretHash, shortHash } from '../../domain/secret.ts';
import { sealConsoleGrant, type ConsoleGrant } from '../../login/console-grant.ts';
import { openConsoleRequest, sealConsoleRequest } from '../../login/console-target.ts';

let control: TestControl;
before(async () => {
  control = await startControl();
  await invite('bob@example.com');
});
after(() => control[Symbol.asyncDispose]());

describe('POST /auth/invitation', () => {
  test('an invitation goes along by its id; one that is none is refused, and slowed down (THREATS "Exhaustion")', async () => {
    await using other = await startControl();
    const invitation = await invitationIn(other);
    const known = await postInvitation(other, { invitation });
    assert.deepEqual(
      [known.status, JSON.parse(known.body)],
      [200, { providers: ['test'], displayNames: ['test'] }],
    );
    assert.deepEqual(known.setCookies, []);
    const begun = await postInvitation(other, { invitation, provider: 'test' });
    const { url } = JSON.parse(begun.body) as { url: string };
    assert.match(String(requestOf({ ...begun, location: new URL(url) }, other).invitation), /^inv_/);
    assert.ok(!url.includes(invitation));
    assert.deepEqual(codeOf(await postInvitation(other, { invitation, provider: 'other' })), [
      404,
      'provider_unknown',
    ]);
    const statuses: number[] = [];
    for (let count = 0; count < 12; count++) {
      const wrong = count === 0 ? 'x' : `dwi_${'a'.repeat(43)}`;
      statuses.push((await postInvitation(other, { invitation: wrong })).status);
    }
    assert.deepEqual(statuses, [...Array<number>(10).fill(400), 429, 429]);
  });

  test('takes it from its own page alone, as JSON, and repeats nothing of it (login CSRF)', async () => {
    await using other = await startControl();
    const invitation = await invitationIn(other);
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site' },
      { 'content-type': 'text/plain' },
    ] as const) {
      const { status, setCookies } = await postInvitation(other, { invitation, provider: 'test' }, headers);
      assert.ok(status === 403 || status === 415);
      assert.deepEqual(setCookies, []);
    }
    for (const asked of [{ token: invitation }, { invitation, provider: [invitation] }]) {
      const { status, body } = await postInvitation(other, asked);
      assert.equal(status, 422);
      assert.ok(!body.includes(invitation));
    }
  });

  test('its page runs files of its own alone, and tells nobody where it was (contract 5.4)', async () => {
    const { status, headers, body } = await createBrowser().open(`${control.url.origin}/auth/invitation`);
    assert.equal(status, 200);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.doesNotMatch(body, /<style|\sstyle=|\son\w+=|<script(?! type="module" src=")|<!--/);
    for (const [, path = ''] of body.matchAll(/(?:href|src)="(\/auth\/invitation\/files\/[^"]+)"/g))
      assert.equal((await createBrowser().request(`${control.url.origin}${path}`)).status, 200, path);
  });
});

describe('GET /auth/login', () => {
  test('sends the browser to the provider with a sealed request that is bound to it (DESIGN 3)', async () => {
    const browser = createBrowser();
    const answer = await browser.open(`${control.url.origin}/auth/login?provider=test&account=alice`);
    assert.equal(answer.status, 302);
    assert.equal(answer.location?.origin, 'https://auth.share.example.com');
    assert.equal(answer.location?.pathname, '/test/login');
    const request = requestOf(answer);
    assert.deepEqual(
      [request.providerName, request.accountName, request.invitation, request.selectAccount],
      ['test', 'alice', null, false],
    );
    const cookie = browser.jar.find('svc-control-bind');
    assert.equal(request.bindingHash, shortHash(cookie?.value ?? ''));
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.hostOnly], [true, 'lax', true]);
    // Tabs side by side keep the one they have.
    const again = requestOf(
      await browser.open(`${control.url.origin}/auth/login?provider=test&prompt=login`),
    );
    assert.deepEqual([again.bindingHash, again.selectAccount], [request.bindingHash, true]);
  });

  test('takes the only provider there is, and asks which of several (DESIGN 3)', async () => {
    const browser = createBrowser();
    const only = await browser.open(`${control.url.origin}/auth/login`);
    assert.equal(only.location?.pathname, '/test/login');
    await using several = await startControl({
      console: { ...control.settings.console, configuredProviders: ['test', 'other'] },
    });
    const path = '/auth/login?account=alice';
    const answer = await browser.request(`${several.url.origin}${path}`, {
      headers: { host: control.url.host, accept: 'text/html' },
    });
    assert.equal(answer.status, 200);
    for (const name of ['test', 'other'])
      assert.ok(answer.body.includes(`/auth/login?account=alice&amp;provider=${name}`));
  });

  test('another site starts no login: it could choose as whom (login CSRF)', async () => {
    const address = `${control.url.origin}/auth/login?provider=test&account=alice`;
    for (const site of ['cross-site', 'same-site']) {
      const headers = { accept: 'text/html', 'sec-fetch-site': site };
      const { status, body, setCookies } = await createBrowser().request(address, { headers });
      assert.deepEqual([status, setCookies], [200, []]);
      assert.match(body, /Another site sent you here/);
      assert.ok(body.includes('href="/auth/login?account=alice&amp;provider=test"'));
    }
    for (const site of ['same-origin', 'none']) {
      const headers = { accept: 'text/html', 'sec-fetch-site': site };
      assert.equal((await createBrowser().request(address, { headers })).status, 302);
    }
  });

  test('an old link, with the invitation in its query, leads to the page that takes it from the fragment (DESIGN 3)', async () => {
    const token = `dwi_${'a'.repeat(43)}`;
    const answer = await createBrowser().open(`${control.url.origin}/auth/login?invitation=${token}`);
    assert.deepEqual([answer.status, answer.headers['referrer-policy']], [302, 'no-referrer']);
    assert.equal(answer.location?.href, `${control.url.origin}/auth/invitation#${token}`);
  });

  test('refuses what it cannot use, in a page for people (DESIGN 3)', async () => {
    const wrong: readonly (readonly [query: string, status: number, code: string])[] = [
      ['provider=nobody', 404, 'provider_unknown'],
      ['provider=test&provider=test', 400, 'bad_request'],
      ['provider=test&account=A%20b', 400, 'bad_request'],
      ['invitation=dwi_x', 400, 'invitation_invalid'],
    ];
    for (const [query, status, code] of wrong) {
      const address = `${control.url.origin}/auth/login?${query}`;
      assert.deepEqual(codeOf(await createBrowser().request(address)), [status, code]);
      const page = await createBrowser().open(address);
      assert.equal(page.status, status);
      assert.match(page.headers['content-type'] ?? '', /^text\/html/);
      assert.match(String(page.headers['content-security-policy']), /default-src 'none'/);
    }
  });
});

describe('GET /auth/complete', () => {
  test('makes a session of a grant once, for 12 hours, in a cookie that scripts cannot read (DESIGN 3)', async () => {
    const browser = await setOut();
    const path = grantPath(browser);
    const ahead = await browser.request(`${control.url.origin}${path}`, { method: 'HEAD' });
    assert.deepEqual([ahead.status, ahead.headers.allow], [405, 'GET']);
    const answer = await browser.open(`${control.url.origin}${path}`);
    assert.deepEqual([answer.status, answer.location?.pathname], [303, '/console/'], answer.body);
    const session = answer.setCookies.find((line) => line.startsWith('svc-control='));
    assert.match(session ?? '', /^svc-control=[\w-]{22}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const shown = JSON.parse((await browser.request(`${control.url.origin}/auth/session`)).body) as Record<
      string,
      Record<string, string>
    >;
    assert.deepEqual(
      [shown['account']?.['name'], shown['member']?.['email'], shown['member']?.['role']],
      ['alice', 'bob@example.com', 'member'],
    );
    // The former binding is spent, so what is replayed fails on that before it fails on being used.
    const replay = await setOut();
    const twice = grantPath(replay);
    await replay.request(`${control.url.origin}${twice}`);
    bind(replay);
    assert.deepEqual(codeOf(await replay.request(`${control.url.origin}${twice}`)), [400, 'state_replayed']);
  });

  test('one grant used from two connections at once makes one session (THREATS "Session and cookie")', async () => {
    const browser = await setOut();
    const address = `${control.url.origin}${grantPath(browser)}`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => browser.request(address)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 400, 400, 400, 400]);
  });

  test('a grant that is forged, old, foreign, or of a provider that changed makes nothing (THREATS "Email and identity")', async () => {
    const browser = await setOut();
    const { seal } = control.settings.console;
    const request = sealConsoleRequest(seal, {
      kind: 'console',
      bindingHash: bindingOf(browser),
      invitation: null,
      accountName: null,
      providerName: 'test',
      selectAccount: false,
      expiresAt: Date.now() + 60_000,
    });
    const good = new URL(grantPath(browser), control.url).searchParams.get('grant') ?? '';
    const wrong: readonly (readonly [grant: string, code: string])[] = [
      ['', 'request_invalid'],
      [request, 'request_invalid'],
      [`${good.slice(0, -2)}${good.endsWith('AA') ? 'BA' : 'AA'}`, 'request_invalid'],
      [grantOf(browser, { expiresAt: Date.now() }), 'request_expired'],
      [grantOf(browser, { bindingHash: shortHash('another') }), 'state_foreign'],
      [grantOf(browser, { providerGeneration: shortHash('former') }), 'request_expired'],
      [grantOf(browser, { identity: { ...BOB, provider: 'gone' } }), 'request_expired'],
    ];
    for (const [grant, code] of wrong) {
      const answer = await browser.request(`${control.url.origin}/auth/complete?grant=${grant}`);
      assert.equal(codeOf(answer)[1], code);
      assert.deepEqual(answer.setCookies, []);
    }
    const stolen = await createBrowser().request(`${control.url.origin}/auth/complete?grant=${good}`);
    assert.equal(codeOf(stolen)[1], 'state_foreign');
  });

  test('a person who is no member gets no session, and another try (DESIGN 3)', async () => {
    const browser = await setOut();
    const path = grantPath(browser, { identity: { ...BOB, subject: 'eve', email: 'eve@example.com' } });
    const answer = await browser.open(`${control.url.origin}${path}`);
    assert.equal(answer.status, 403);
    assert.match(answer.body, /href="\/auth\/login\?prompt=login"/);
    assert.deepEqual(answer.setCookies, []);
  });

  test('who takes a member over by a new invitation ends the keys that came from the login before, which the audit has (RFC 8628)', async () => {
    const email = 'moved@example.com';
    await invite(email);
    const identity = { ...BOB, subject: 'before', email };
    const first = await setOut();
    await first.open(`${control.url.origin}${grantPath(first, { identity })}`);
    const member = await control.store.members.find(control.alice.id, email);
    const key = newApiKey();
    const login = { provider: 'test', generation: TEST_PROVIDER.generation, emailVerified: true };
    await control.store.apiKeys.create(
      {
        id: newId('key'),
        accountId: control.alice.id,
        name: 'cli-laptop',
        hash: hashApiKey(key),
        createdAt: Date.now(),
        role: 'member',
        scope: 'full',
        expiresAt: null,
        memberId: member?.id ?? null,
        createdBy: null,
        login,
      },
      null,
    );
    const call = { path: '/v1/caller', as: null, headers: { authorization: `Bearer ${key.reveal()}` } };
    assert.equal((await control.call(call)).status, 200);
    const { document } = await control.call({ path: `/v1/members/${email}/invitation`, json: {} });
    const { token } = document['invitation'] as { readonly token: string };
    const invitation = (await control.store.members.findInvitation(secretHash(new Secret(token))))?.id;
    const other = await setOut();
    const over = { identity: { ...identity, subject: 'after' }, invitation: invitation ?? null };
    assert.equal((await other.open(`${control.url.origin}${grantPath(other, over)}`)).status, 303);
    assert.equal((await control.call(call)).document['code'], 'api_key_invalid');
    const events = (await control.call({ path: '/v1/audit-events?kind=api_key.deleted' })).document;
    const [event] = events['items'] as readonly Readonly<Record<string, unknown>>[];
    assert.deepEqual([event?.['reason'], event?.['email']], ['cli-laptop', email]);
  });

  test('a member of several accounts chooses (DESIGN 3)', async () => {
    for (const as of [control.alice, control.mallory])
      await control.call({ path: '/v1/members', json: { email: 'both@example.com' }, as });
    const both = { ...BOB, subject: 'both', email: 'both@example.com' };
    const browser = await setOut();
    const page = await browser.open(`${control.url.origin}${grantPath(browser, { identity: both })}`);
    assert.equal(page.status, 200);
    for (const account of ['alice', 'mallory'])
      assert.ok(page.body.includes(`/auth/login?provider=test&amp;account=${account}`));
    assert.equal(browser.jar.find('svc-control'), undefined);
    bind(browser);
    const path = grantPath(browser, { identity: both, accountName: 'mallory' });
    await browser.open(`${control.url.origin}${path}`);
    const { body } = await browser.request(`${control.url.origin}/auth/session`);
    assert.match(body, /"name":"mallory"/);
  });

  test('an account’s own provider reaches its own members only, and must verify addresses (DESIGN 3)', async () => {
    const define = (name: string, requireVerifiedEmail: boolean) =>
      control.call({
        path: '/v1/auth-providers',
        as: control.mallory,
        json: {
          name,
          type: 'OIDC',
          config: {
            clientId: 'c',
            clientSecret: 's',
            issuerUrl: 'https://127.0.0.1/',
            scopes: ['openid', 'email'],
            requireVerifiedEmail,
          },
        },
      });
    await define('mallorys', true);
    await define('careless', false);
    const generation = control.settings.console.findProvider('mallorys')?.generation ?? '';
    const browser = await setOut();
    // Mallory's provider may say what it likes: alice's member is none of its business.
    const bob = { ...BOB, provider: 'mallorys' };
    const path = grantPath(browser, { identity: bob, providerGeneration: generation });
    assert.deepEqual(codeOf(await browser.request(`${control.url.origin}${path}`)), [403, 'not_a_member']);
    await control.call({ path: '/v1/members', json: { email: BOB.email }, as: control.mallory });
    bind(browser);
    const own = grantPath(browser, { identity: bob, providerGeneration: generation });
    assert.equal((await browser.request(`${control.url.origin}${own}`)).status, 303);
    assert.match((await browser.request(`${control.url.origin}/auth/session`)).body, /"mallory"/);
    const careless = `${control.url.origin}/auth/login?provider=careless`;
    assert.deepEqual(codeOf(await browser.request(careless)), [403, 'provider_unfit']);
    const carelessGrant = grantPath(browser, {
      identity: { ...bob, provider: 'careless' },
      providerGeneration: control.settings.console.findProvider('careless')?.generation ?? '',
    });
    bind(browser);
    assert.deepEqual(codeOf(await browser.request(`${control.url.origin}${carelessGrant}`)), [
      403,
      'provider_unfit',
    ]);
  });
});

describe('a session', () => {
  const share = JSON.stringify({ name: 'bobs', target: 'http://127.0.0.1:3000', open: true });

  test('is good for the control plane’s own pages alone (THREATS "Sibling shares")', async () => {
    const browser = await logIn();
    const address = `${control.url.origin}/v1/shares`;
    const foreign: readonly (readonly [headers: Record<string, string>, code: string])[] = [
      [{ 'content-type': 'application/json' }, 'foreign_origin'],
      [{ ...ownHeaders(), origin: 'https://demo.share.example.com' }, 'foreign_origin'],
      [{ ...ownHeaders(), origin: 'null' }, 'foreign_origin'],
      [{ ...ownHeaders(), 'sec-fetch-site': 'same-site' }, 'foreign_origin'],
      [{ ...ownHeaders(), 'content-type': 'text/plain' }, 'unsupported_media_type'],
      [{ ...ownHeaders(), host: `localhost:${control.url.port}` }, 'misdirected'],
    ];
    for (const [headers, code] of foreign) {
      const posted = await browser.request(address, { method: 'POST', headers, body: share });
      assert.equal(codeOf(posted)[1], code, JSON.stringify(headers));
      const deleted = await browser.request(`${address}/bobs`, { method: 'DELETE', headers });
      assert.equal(codeOf(deleted)[1], code, JSON.stringify(headers));
    }
    for (const site of ['same-site', 'cross-site']) {
      const read = await browser.request(address, { headers: { 'sec-fetch-site': site } });
      assert.equal(codeOf(read)[1], 'foreign_origin');
    }
    const rebound = await browser.request(address, { headers: { host: 'rebound.example.net' } });
    assert.deepEqual(codeOf(rebound), [421, 'misdirected']);
    const made = await browser.request(address, { method: 'POST', headers: ownHeaders(), body: share });
    assert.equal(made.status, 201, made.body);
    const gone = await browser.request(`${address}/bobs`, { method: 'DELETE', headers: ownHeaders() });
    assert.equal(gone.status, 204);
  });

  test('a key that comes along counts instead, and a wrong one is not made good by the cookie (DESIGN 2.5)', async () => {
    const browser = await logIn();
    const authorization = `Bearer ${control.mallory.apiKey.reveal()}`;
    const answer = await browser.request(`${control.url.origin}/v1/account`, { headers: { authorization } });
    assert.match(answer.body, /"mallory"/);
    const wrong = await browser.request(`${control.url.origin}/v1/shares`, {
      headers: { authorization: 'Bearer dw_wrong' },
    });
    assert.equal(codeOf(wrong)[1], 'api_key_invalid');
  });

  test('is over when its provider is another, and stops while its account is suspended (DESIGN 3)', async () => {
    const browser = await logIn();
    const read = async () => codeOf(await browser.request(`${control.url.origin}/v1/shares`));
    assert.equal((await read())[0], 200);
    await control.store.accounts.suspend(control.alice.id, true);
    assert.deepEqual(await read(), [403, 'not_allowed']);
    await control.store.accounts.suspend(control.alice.id, false);
    const { findProvider } = control.settings.console;
    for (const changed of [
      undefined,
      { ...TEST_PROVIDER, generation: shortHash('another'), verifiesEmail: true },
    ]) {
      Object.assign(control.settings.console, { findProvider: () => changed });
      assert.deepEqual(await read(), [401, 'login_required']);
    }
    Object.assign(control.settings.console, { findProvider });
    assert.equal((await read())[0], 200);
  });

  test('that showed no verified address is over once its provider asks for one, and a grant from before opens none (2.4)', async () => {
    const { findProvider } = control.settings.console;
    const lax = { ...TEST_PROVIDER, verifiesEmail: false };
    const unverified = { identity: { ...BOB, emailVerified: false } };
    const [verified, other] = [await logIn(), await logIn()];
    const statusOf = async (browser: Browser) =>
      (await browser.request(`${control.url.origin}/v1/shares`)).status;
    try {
      Object.assign(control.settings.console, { findProvider: () => lax });
      bind(other);
      await other.request(`${control.url.origin}${grantPath(other, unverified)}`);
      assert.deepEqual([await statusOf(verified), await statusOf(other)], [200, 200]);
      const late = await setOut();
      const path = grantPath(late, unverified);
      const strict = { ...lax, verifiesEmail: true, requiresVerifiedEmail: true };
      Object.assign(control.settings.console, { findProvider: () => strict });
      assert.deepEqual([await statusOf(verified), await statusOf(other)], [200, 401]);
      assert.deepEqual(codeOf(await late.request(`${control.url.origin}${path}`)), [403, 'email_unverified']);
      assert.equal(late.jar.find('svc-control'), undefined);
    } finally {
      Object.assign(control.settings.console, { findProvider });
    }
  });

  test('of a first login begins by an address that was called verified then, at a provider that asks for it (DESIGN 3)', async () => {
    await invite('zoe@example.com');
    const zoe = { provider: 'test', subject: 'zoe', email: 'zoe@example.com' };
    const { findProvider } = control.settings.console;
    try {
      for (const [verifiesEmail, emailVerified, outcome] of [
        [true, false, [403, 'not_a_member']],
        [false, true, [403, 'not_a_member']],
        [true, true, [303, '']],
      ] as const) {
        Object.assign(control.settings.console, {
          findProvider: () => ({ ...TEST_PROVIDER, verifiesEmail }),
        });
        const browser = await setOut();
        const path = grantPath(browser, { identity: { ...zoe, emailVerified } });
        assert.deepEqual(codeOf(await browser.request(`${control.url.origin}${path}`)), outcome);
      }
    } finally {
      Object.assign(control.settings.console, { findProvider });
    }
  });

  test('ends with POST /auth/logout, which no other site can make, and with the next login (DESIGN 3)', async () => {
    const browser = await logIn();
    const address = `${control.url.origin}/auth/logout`;
    const forced = await browser.request(address, { method: 'POST', body: '{}' });
    assert.equal(codeOf(forced)[1], 'foreign_origin');
    const first = browser.jar.header(control.url) ?? '';
    const read = async (cookie: string) =>
      (await createBrowser().request(`${control.url.origin}/v1/shares`, { headers: { cookie } })).status;
    assert.equal(await read(first), 200);
    bind(browser);
    const next = grantPath(browser);
    await browser.request(`${control.url.origin}${next}`);
    const second = browser.jar.header(control.url) ?? '';
    assert.deepEqual([await read(first), await read(second)], [401, 200]);
    const out = await browser.request(address, { method: 'POST', headers: ownHeaders(), body: '{}' });
    assert.equal(out.status, 204);
    assert.equal(browser.jar.find('svc-control'), undefined);
    assert.equal(await read(second), 401);
    const again = await browser.request(address, { method: 'POST', headers: ownHeaders(), body: '{}' });
    assert.equal(again.status, 204);
    const nobody = await browser.request(`${control.url.origin}/auth/session`);
    assert.deepEqual(codeOf(nobody), [401, 'login_required']);
  });

  test('ends with POST /auth/logout while the store is away, too: the cookie goes, the session is refused, the end is owed', async (t) => {
    const browser = await logIn();
    const cookie = browser.jar.header(control.url) ?? '';
    const read = async () =>
      codeOf(await createBrowser().request(`${control.url.origin}/v1/shares`, { headers: { cookie } }));
    const logouts = async () => {
      const { document } = await control.call({ path: '/v1/audit-events?kind=console.logout&limit=100' });
      return (document['items'] as readonly object[]).length;
    };
    const earlier = await logouts();
    assert.equal((await read())[0], 200);
    const { consoleSessions } = control.store;
    const broken = [
      t.mock.method(consoleSessions, 'find', away),
      t.mock.method(consoleSessions, 'end', away),
    ];
    const address = `${control.url.origin}/auth/logout`;
    // Thousands that are made up fill the list, from as many networks: one that is known is kept before them.
    for (let count = 0; count < 11_000; count++)
      control.owedConsoleEnds.owe({
        ids: [`made-up-${count}`],
        end: async () => void (await consoleSessions.find('made-up')),
        from: `2001:db8:0:${count.toString(16)}::1`,
        isOurs: false,
      });
    const out = await browser.request(address, { method: 'POST', headers: ownHeaders(), body: '{}' });
    assert.equal(out.status, 204);
    assert.equal(browser.jar.find('svc-control'), undefined);
    await control.owedConsoleEnds.settle();
    for (const { mock } of broken) mock.restore();
    assert.deepEqual(await read(), [401, 'login_required'], 'whoever has the cookie still');
    await Promise.all([control.owedConsoleEnds.settle(), control.owedConsoleEnds.settle()]);
    assert.deepEqual(await read(), [401, 'login_required'], 'ended in the store');
    assert.equal(await logouts(), earlier + 1);
  });
});

async function away(): Promise<never> {
  throw new ServiceError('store_unavailable', 'Cannot use the store: away');
}

function ownHeaders() {
  return { origin: control.url.origin, 'content-type': 'application/json' };
}

const BOB = { provider: 'test', subject: 'bob', email: 'bob@example.com', emailVerified: true };

function postInvitation(
  to: TestControl,
  asked: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<BrowserAnswer> {
  return createBrowser().request(`${to.url.origin}/auth/invitation`, {
    method: 'POST',
    headers: { origin: to.url.origin, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(asked),
  });
}

async function invitationIn(other: TestControl): Promise<string> {
  const { document } = await other.call({ path: '/v1/members', json: { email: 'ann@example.com' } });
  return (document['invitation'] as { token: string }).token;
}

async function invite(email: string): Promise<void> {
  assert.equal((await control.call({ path: '/v1/members', json: { email } })).status, 201);
}

/** What each browser was bound with. */
const bindings = new WeakMap<Browser, JarCookie>();

/** A browser that set out for the provider. */
async function setOut(): Promise<Browser> {
  const browser = createBrowser();
  await browser.open(`${control.url.origin}/auth/login?provider=test`);
  const cookie = browser.jar.find('svc-control-bind');
  assert.ok(cookie);
  bindings.set(browser, cookie);
  return browser;
}

/** As if it had set out again with the same binding. */
function bind(browser: Browser): void {
  const cookie = bindings.get(browser);
  assert.ok(cookie);
  browser.jar.put(cookie);
}

function bindingOf(browser: Browser): string {
  return shortHash(bindings.get(browser)?.value ?? '');
}

async function logIn(): Promise<Browser> {
  const browser = await setOut();
  const { status, body } = await browser.request(`${control.url.origin}${grantPath(browser)}`);
  assert.equal(status, 303, body);
  return browser;
}

/** Where the OAuth frontend sends the browser after the login of bob. */
function grantPath(browser: Browser, over: Partial<ConsoleGrant> = {}): string {
  return `/auth/complete?grant=${grantOf(browser, over)}`;
}

function grantOf(browser: Browser, over: Partial<ConsoleGrant> = {}): string {
  return sealConsoleGrant(control.settings.console.seal, {
    kind: 'console',
    id: newId('att'),
    identity: BOB,
    providerGeneration: TEST_PROVIDER.generation,
    bindingHash: bindingOf(browser),
    invitation: null,
    accountName: null,
    setOutAt: Date.now(),
    expiresAt: Date.now() + 60_000,
    ...over,
  });
}

function requestOf(answer: BrowserAnswer, { settings } = control) {
  const sealed = answer.location?.searchParams.get('request') ?? '';
  const request = openConsoleRequest(settings.console.seal, sealed);
  assert.ok(request);
  return request;
}

function codeOf({ status, body }: BrowserAnswer): readonly [number, string] {
  return [status, body === '' ? '' : String((JSON.parse(body) as { code?: string }).code ?? '')];
}
