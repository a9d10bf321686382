// What the gate answers to visitors without a good session (contract 3, 5.1; DESIGN 2.3, 3).

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { newId } from '../../src/domain/id.ts';
import type { ProviderRef } from '../../src/domain/provider-ref.ts';
import { shortHash } from '../../src/domain/secret.ts';
import type { Share } from '../../src/domain/share.ts';
import { openLoginRequest } from '../../src/login/login-request.ts';
import {
  BINDING_NAME,
  startTestGate,
  TEST_PROVIDER,
  testLogin,
  testShare,
  type TestGate,
  type TestGateOptions,
} from '../support/gate.ts';
import { echo, echoedValues, startBackend } from '../support/backend.ts';

const HOST = 'demo.share.localhost';
const SECURE = {
  publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
  endpointUrl: 'https://auth.share.localhost',
} as const;

type Draft = { readonly share?: Partial<Share>; readonly gate?: TestGateOptions };

async function guardedGate(t: TestContext, { share: more, gate: options }: Draft = {}) {
  const backend = await startBackend(t, echo);
  const share = testShare('demo', backend.url, { login: testLogin(), ...more });
  const gate = await startTestGate({ shares: [share], ...options });
  t.after(gate.close);
  return { share, gate };
}

function requestIn(gate: TestGate, url: string | undefined) {
  assert.ok(url !== undefined);
  const { origin, pathname, searchParams } = new URL(url);
  assert.equal(origin, gate.settings.endpointUrl);
  assert.equal(pathname, '/corp/login');
  const request = openLoginRequest(gate.seal, searchParams.get('request') ?? '');
  assert.ok(request !== null);
  return request;
}

const valueOf = (pair: string | undefined) => pair?.slice(pair.indexOf('=') + 1) ?? '';

const codeOf = (body: string) => (JSON.parse(body) as { code: string }).code;

test('no session: a page load is redirected to the login with the whole URL to return to (3, 5.1)', async (t) => {
  const { gate, share } = await guardedGate(t);
  const answer = await gate.call({ host: HOST, path: '/a/b?c=d&e=%2F', headers: { accept: 'text/html' } });
  assert.equal(answer.status, 302);
  assert.equal(answer.headers['cache-control'], 'no-store');
  const request = requestIn(gate, answer.headers.location);
  assert.equal(request.returnUrl, 'http://demo.share.localhost/a/b?c=d&e=%2F');
  assert.equal(request.shareId, share.id);
  assert.equal(request.providerName, 'corp');
  assert.equal(request.bindingHash, null);
  assert.equal(request.selectAccount, false);
  const lifetimeMs = request.expiresAt - Date.now();
  assert.ok(lifetimeMs > 290_000 && lifetimeMs <= 300_000);
});

test('no session: programs are told by 401 with login_url, people are redirected (DESIGN "Not a page load")', async (t) => {
  const { gate } = await guardedGate(t);
  const cases: readonly [number, string, Record<string, string>][] = [
    [302, 'GET', {}],
    [302, 'GET', { accept: '*/*' }],
    [302, 'HEAD', {}],
    [302, 'GET', { accept: 'application/json, text/html' }],
    [302, 'GET', { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }],
    [401, 'GET', { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' }],
    [401, 'GET', { 'x-requested-with': 'XMLHttpRequest' }],
    [401, 'GET', { accept: 'application/json' }],
    [401, 'GET', { accept: 'application/vnd.api+json' }],
    [303, 'POST', { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }],
    [303, 'POST', { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }],
    [401, 'POST', { 'content-type': 'application/json' }],
    [401, 'POST', {}],
    [401, 'PUT', { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }],
    [401, 'DELETE', { accept: 'text/html' }],
    [401, 'OPTIONS', {}],
  ];
  for (const [status, method, headers] of cases) {
    const answer = await gate.call({ host: HOST, method, headers, path: '/x' });
    assert.equal(answer.status, status, `${method} ${JSON.stringify(headers)}`);
    if (status !== 401) requestIn(gate, answer.headers.location);
    else {
      assert.equal(answer.headers['content-type'], 'application/problem+json');
      const problem = JSON.parse(answer.body) as { code: string; login_url: string };
      assert.equal(problem.code, 'login_required');
      requestIn(gate, problem.login_url);
    }
  }
});

test('a call of a page returns to that page, never to another site (DESIGN "Return URL")', async (t) => {
  const { gate } = await guardedGate(t);
  const back = async (referer: string) => {
    const answer = await gate.call({
      host: HOST,
      path: '/api',
      headers: { accept: 'application/json', referer },
    });
    return requestIn(gate, (JSON.parse(answer.body) as { login_url: string }).login_url).returnUrl;
  };
  assert.equal(await back('http://demo.share.localhost/page?x=1'), 'http://demo.share.localhost/page?x=1');
  assert.equal(await back('http://demo.share.localhost.evil.org/'), 'http://demo.share.localhost/api');
  assert.equal(await back('http://evil.org/'), 'http://demo.share.localhost/api');
});

test('over https a login binds to the browser, and keeps a binding that is there (DESIGN "Bound to the browser")', async (t) => {
  const { gate } = await guardedGate(t, { gate: { settings: SECURE } });
  const first = await gate.call({ host: HOST });
  const [setCookie = ''] = first.headers['set-cookie'] ?? [];
  assert.match(
    setCookie,
    /^__Host-svc-auth-bind-[\w-]{6}=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  const value = setCookie.slice(setCookie.indexOf('=') + 1, setCookie.indexOf(';'));
  assert.equal(requestIn(gate, first.headers.location).bindingHash, shortHash(value));
  const second = await gate.call({ host: HOST, headers: { cookie: `${BINDING_NAME}=${value}` } });
  assert.equal(second.headers['set-cookie'], undefined);
  assert.equal(requestIn(gate, second.headers.location).bindingHash, shortHash(value));
});

test('whichever of many calls at once the login set out from, its session opens; what is too much is taken back (DESIGN "One browser, many logins")', async (t) => {
  const { gate, share } = await guardedGate(t, { gate: { settings: SECURE } });
  const calls = Array.from({ length: 40 }, () =>
    gate.call({ host: HOST, headers: { accept: 'application/json' } }),
  );
  const set = (await Promise.all(calls)).map(
    ({ headers }) => headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '',
  );
  assert.equal(new Set(set).size, 40);
  const jar = set.join('; ');
  for (const index of [0, 20, 39]) {
    const { cookie } = gate.login(share, { bindingHash: shortHash(valueOf(set[index])) });
    const headers = { cookie: `${jar}; ${cookie.split(';', 1)[0]}` };
    assert.equal((await gate.call({ host: HOST, headers })).status, 200, `bound to ${index}`);
  }
  for (const headers of [{}, { accept: 'application/json' }]) {
    const answer = await gate.call({ host: HOST, headers: { cookie: jar, ...headers } });
    const url = answer.headers.location ?? (JSON.parse(answer.body) as { login_url: string }).login_url;
    assert.equal(requestIn(gate, url).bindingHash, shortHash(valueOf(set[0])));
    const expired = answer.headers['set-cookie']?.map((text) => text.split('=', 1)[0]) ?? [];
    assert.equal(expired.length, 32);
    assert.ok(!expired.includes(set[0]?.split('=', 1)[0]));
  }
});

test('a session without its binding cookie is another browser’s (DESIGN "Bound to the browser")', async (t) => {
  const { gate, share } = await guardedGate(t, { gate: { settings: SECURE } });
  const { cookie } = gate.login(share, { binding: 'the-cookie' });
  const status = async (sent: string) => (await gate.call({ host: HOST, headers: { cookie: sent } })).status;
  assert.equal(await status(cookie), 200);
  const [session] = cookie.split('; ');
  assert.equal(await status(session!), 302);
  assert.equal(await status(`${session}; ${BINDING_NAME}=another`), 302);
});

test('a session opens its own share only (2.5, 3)', async (t) => {
  const { gate, share } = await guardedGate(t);
  const other = testShare('other', share.target ?? '', { login: testLogin() });
  gate.tell({ type: 'shares', upsert: [other], remove: [] });
  const { cookie } = gate.login(share);
  assert.equal((await gate.call({ host: HOST, headers: { cookie } })).status, 200);
  assert.equal((await gate.call({ host: 'other.share.localhost', headers: { cookie } })).status, 302);
});

test('an ended, an expired and a foreign-provider session log in again (3)', async (t) => {
  const { gate, share } = await guardedGate(t);
  for (const more of [
    { ended: true },
    { expiresAt: Date.now() - 1000 },
    { providerGeneration: shortHash('another') },
    { checkedAt: Date.now() - 4 * 3_600_000, refreshable: false },
  ]) {
    const { cookie } = gate.login(share, more);
    assert.equal((await gate.call({ host: HOST, headers: { cookie } })).status, 302, JSON.stringify(more));
  }
});

test('an ended session in an old cookie does not keep a living one from its visitor (DESIGN "Session cookie")', async (t) => {
  const { gate, share } = await guardedGate(t);
  const later = Math.floor(Date.now() / 1000) * 1000 + 12 * 3_600_000;
  const logins = [
    gate.login(share, { ended: true, expiresAt: later + 1000, email: 'gone@example.com' }),
    gate.login(share, { ended: true, expiresAt: later }),
    gate.login(share, { email: 'ada@example.com' }),
  ];
  for (const order of [logins, logins.toReversed()])
    for (let round = 0; round < 2; round++) {
      const cookie = order.map((login) => login.cookie).join('; ');
      const { status, body } = await gate.call({ host: HOST, headers: { cookie } });
      assert.equal(status, 200, 'known or asked for');
      assert.deepEqual(echoedValues(body, 'svc-auth-email'), ['ada@example.com']);
    }
  gate.end(logins[2]!);
  const cookie = logins.map((login) => login.cookie).join('; ');
  assert.equal((await gate.call({ host: HOST, headers: { cookie } })).status, 302);
});

test('rubbish in the cookie is no session, and four cookies of the name are tried (DESIGN "Session cookie")', async (t) => {
  const { gate, share } = await guardedGate(t);
  const { cookie } = gate.login(share);
  const planted = (count: number) => `${'svc-auth-session=planted; '.repeat(count)}${cookie}`;
  const status = async (sent: string) => (await gate.call({ host: HOST, headers: { cookie: sent } })).status;
  assert.equal(await status(planted(3)), 200);
  assert.equal(await status(planted(4)), 302);
  assert.equal(await status(`svc-auth-session=${'x'.repeat(20_000)}`), 302);
  const flipped = cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  assert.equal(await status(flipped), 302);
});

test('an email that no pattern matches is refused with a way to another account, and noted once (DESIGN "Refused email")', async (t) => {
  const { gate, share } = await guardedGate(t, {
    share: { login: testLogin({ emailPatterns: ['*@corp.com'] }) },
  });
  const { cookie, session } = gate.login(share, { email: 'eve@evil.org' });
  const page = await gate.call({ host: HOST, path: '/x?y', headers: { cookie, accept: 'text/html' } });
  assert.equal(page.status, 403);
  assert.ok(page.body.includes('eve@evil.org'));
  const href = /href="([^"]*\/corp\/login[^"]*)"/.exec(page.body)?.[1]?.replaceAll('&amp;', '&');
  const request = requestIn(gate, href);
  assert.equal(request.selectAccount, true);
  assert.equal(request.returnUrl, 'http://demo.share.localhost/x?y');
  const problem = await gate.call({ host: HOST, headers: { cookie } });
  assert.deepEqual([problem.status, codeOf(problem.body)], [403, 'email_refused']);
  await gate.close();
  const [event, ...more] = gate.audits();
  assert.deepEqual(
    [event?.kind, event?.reason, event?.email],
    ['login.refused', 'email_refused', 'eve@evil.org'],
  );
  assert.equal(event?.sessionId, session.id);
  assert.equal(more.length, 0);
});

test('whoever is refused with a session can ask for access, where the share takes that (DESIGN "Refused email")', async (t) => {
  const login = testLogin({ emailPatterns: ['*@corp.com'] });
  const { gate, share } = await guardedGate(t, { share: { login, accessRequests: true } });
  const { cookie } = gate.login(share, { email: 'eve@evil.org' });
  const open = () => gate.call({ host: HOST, headers: { cookie, accept: 'text/html' } });
  const link = /href="https?:\/\/[^/"]*\/corp\/request-access\?statement=[\w.-]+">Request access</;
  assert.match((await open()).body, link);
  gate.tell({ type: 'shares', upsert: [{ ...share, denyEmails: ['eve@*'] }], remove: [] });
  assert.doesNotMatch((await open()).body, /Request access/, 'it would not help');
  gate.tell({ type: 'shares', upsert: [{ ...share, accessRequests: false }], remove: [] });
  const page = await open();
  assert.equal(page.status, 403);
  assert.doesNotMatch(page.body, /Request access/);
});

test('whoever is refused with a session may be led to the page that says whom to ask, which the gateway does not know (DESIGN "Requests for access")', async (t) => {
  const { gate, share } = await guardedGate(t, {
    share: { login: testLogin({ emailPatterns: ['*@ops.corp.com'] }) },
  });
  const { cookie } = gate.login(share, { email: 'eve@corp.com' });
  const open = async (change: Partial<ProviderRef>) => {
    const provider = { ...TEST_PROVIDER, ...change };
    const login = testLogin({ emailPatterns: ['*@ops.corp.com'], provider });
    gate.tell({ type: 'shares', upsert: [{ ...share, login }], remove: [] });
    return gate.call({ host: HOST, headers: { cookie, accept: 'text/html' } });
  };
  const link = /href="https?:\/\/[^/"]*\/corp\/who-to-ask\?statement=[\w.-]+">Who to ask for access</;
  const own = { accountId: share.accountId, emailPatterns: ['*@corp.com'] };
  const page = await open(own);
  assert.equal(page.status, 403);
  assert.match(page.body, link);
  for (const other of [{}, { ...own, accountId: newId('acc') }, { ...own, emailPatterns: [] }]) {
    const { status, body } = await open(other);
    assert.doesNotMatch(body, /Who to ask/);
    assert.ok(status === 403 || status === 503, String(status));
  }
});

test('patterns of this moment count, not those of the login (DESIGN "Bound to the share")', async (t) => {
  const { gate, share } = await guardedGate(t);
  const { cookie } = gate.login(share, { email: 'ada@example.com' });
  assert.equal((await gate.call({ host: HOST, headers: { cookie } })).status, 200);
  const login = testLogin({ emailPatterns: ['*@corp.com'] });
  gate.tell({ type: 'shares', upsert: [{ ...share, login }], remove: [] });
  assert.equal((await gate.call({ host: HOST, headers: { cookie } })).status, 403);
});

test('a share whose provider is gone lets nobody in (DESIGN 3)', async (t) => {
  const { gate, share } = await guardedGate(t, { share: { login: testLogin({ provider: null }) } });
  const { cookie } = gate.login(share);
  const answer = await gate.call({ host: HOST, headers: { cookie } });
  assert.deepEqual([answer.status, codeOf(answer.body)], [503, 'provider_unusable']);
});

test('requests of other sites do not use the session (DESIGN "Requests from other sites")', async (t) => {
  const { gate, share } = await guardedGate(t, { share: { allowOrigins: ['https://app.example.com'] } });
  const { cookie } = gate.login(share);
  const cases: readonly [number, string, Record<string, string>][] = [
    [403, 'POST', { origin: 'http://evil.share.localhost' }],
    [200, 'POST', { origin: 'http://demo.share.localhost' }],
    [200, 'POST', {}],
    [
      403,
      'GET',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', origin: 'http://evil.share.localhost' },
    ],
    [403, 'GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    [
      403,
      'GET',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ],
    [
      403,
      'POST',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
    [
      200,
      'GET',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
    [200, 'POST', { 'sec-fetch-site': 'same-origin', origin: 'http://demo.share.localhost' }],
    [200, 'POST', { 'sec-fetch-site': 'cross-site', origin: 'https://app.example.com' }],
  ];
  for (const [status, method, headers] of cases) {
    const answer = await gate.call({ host: HOST, method, headers: { cookie, ...headers } });
    assert.equal(answer.status, status, `${method} ${JSON.stringify(headers)}`);
    if (status === 403 && headers['sec-fetch-mode'] !== 'navigate')
      assert.equal(codeOf(answer.body), 'foreign_origin');
  }
});

test('an allowed origin has its preflight answered, and may read answers (DESIGN "Requests from other sites")', async (t) => {
  const { gate, share } = await guardedGate(t, { share: { allowOrigins: ['https://app.example.com'] } });
  const preflight = (origin: string) =>
    gate.call({
      host: HOST,
      method: 'OPTIONS',
      headers: {
        origin,
        'sec-fetch-site': 'cross-site',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'x-a, content-type',
      },
    });
  const allowed = await preflight('https://app.example.com');
  assert.equal(allowed.status, 204);
  assert.equal(allowed.headers['access-control-allow-origin'], 'https://app.example.com');
  assert.equal(allowed.headers['access-control-allow-credentials'], 'true');
  assert.equal(allowed.headers['access-control-allow-methods'], 'PUT');
  assert.equal(allowed.headers['access-control-allow-headers'], 'x-a, content-type');
  assert.match(allowed.headers.vary ?? '', /\bOrigin\b/);
  assert.equal((await preflight('https://evil.example.com')).status, 403);
  const { cookie } = gate.login(share);
  const headers = { cookie, origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' };
  const answer = await gate.call({ host: HOST, method: 'PUT', headers });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['access-control-allow-origin'], 'https://app.example.com');
  assert.equal(answer.headers['access-control-allow-credentials'], 'true');
  assert.match(answer.headers.vary ?? '', /\bOrigin\b/);
  const { cookie: _none, ...anonymous } = headers;
  const refused = await gate.call({ host: HOST, method: 'PUT', headers: anonymous });
  assert.deepEqual(
    [refused.status, refused.headers['access-control-allow-origin']],
    [401, 'https://app.example.com'],
  );
});

test('/.svc/session tells who is logged in, or 401 (DESIGN 2.3)', async (t) => {
  const { gate, share } = await guardedGate(t);
  const { cookie, session } = gate.login(share);
  const answer = await gate.call({ host: HOST, path: '/.svc/session?x', headers: { cookie } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.deepEqual(JSON.parse(answer.body), {
    provider: 'corp',
    email: 'ada@example.com',
    expires: new Date(session.expiresAt).toISOString().replace('.000Z', 'Z'),
    logout_url: 'http://demo.share.localhost/.svc/logout',
  });
  const anonymous = await gate.call({
    host: HOST,
    path: '/.svc/session',
    headers: { accept: 'application/json' },
  });
  assert.equal(anonymous.status, 401);
  assert.equal(
    (await gate.call({ host: HOST, path: '/.svc/session', headers: { accept: '*/*' } })).status,
    401,
  );
  const foreign = await gate.call({
    host: HOST,
    path: '/.svc/session',
    headers: { cookie, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
  });
  assert.equal(foreign.status, 403);
  const post = await gate.call({ host: HOST, path: '/.svc/session', method: 'POST', headers: { cookie } });
  assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD']);
});

test('/.svc/logout redirects to the logout of the share’s provider (DESIGN 2.3)', async (t) => {
  const { gate } = await guardedGate(t);
  const answer = await gate.call({
    host: HOST,
    path: '/.svc/logout?redirect_url=https%3A%2F%2Fx.example.com',
  });
  assert.equal(answer.status, 302);
  assert.equal(
    answer.headers.location,
    'http://auth.share.localhost/corp/logout?redirect_url=https%3A%2F%2Fx.example.com',
  );
});

test('/.svc/logout leads to the provider of the session after the share has changed to another (3, 4.2.4)', async (t) => {
  const { gate, share } = await guardedGate(t, { gate: { providers: [TEST_PROVIDER] } });
  const former = gate.login(share);
  const gone = gate.login(share, { providerGeneration: shortHash('of a provider that is gone') });
  const provider = { ...TEST_PROVIDER, name: 'partner', generation: shortHash('partner') };
  const changed = { ...share, login: testLogin({ providerName: 'partner', provider }) };
  gate.tell({ type: 'shares', upsert: [changed], remove: [] });
  const present = gate.login(changed);
  const providerAt = async (cookie: string) => {
    const headers = cookie === '' ? {} : { cookie };
    const { status, headers: answered } = await gate.call({ host: HOST, path: '/.svc/logout?a=b', headers });
    assert.equal(status, 302);
    assert.equal(answered['cache-control'], 'no-store');
    return /^http:\/\/auth\.share\.localhost\/(\w+)\/logout\?a=b$/.exec(answered.location ?? '')?.[1];
  };
  assert.equal(await providerAt(former.cookie), 'corp');
  assert.equal(await providerAt(present.cookie), 'partner');
  assert.equal(await providerAt(`${former.cookie}; ${present.cookie}`), 'partner');
  assert.equal(await providerAt(gone.cookie), 'partner', 'there is nobody else to ask');
  assert.equal(await providerAt(''), 'partner');
});

test('other reserved paths are 404 and never forwarded, however they are spelt (DESIGN 2.3)', async (t) => {
  const { gate, share } = await guardedGate(t);
  const { cookie } = gate.login(share);
  for (const path of [
    '/.svc',
    '/.svc/',
    '/.svc/other',
    '/%2esvc/session',
    '/.svc%2fsession',
    '//.svc/session',
    '/./.svc/session',
    '/x/../.svc/session',
    '/x/%2e%2e/.svc/session',
    '/.svc\\session',
    '/.svc;x=1/session',
    '/.%73vc/session',
    '/.svc/session/',
  ]) {
    const answer = await gate.raw(
      `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1.1 404 /, path);
  }
  for (const path of ['/.svcx', '/x/.svc/session', '/?/.svc/', '/.SVC/session', '/%252esvc/session'])
    assert.equal((await gate.call({ host: HOST, path, headers: { cookie } })).status, 200, path);
});
