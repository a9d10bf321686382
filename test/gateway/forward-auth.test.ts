// The decision behind somebody else's proxy (DESIGN "Forward-auth"): what each of them asks, and what it
// gets.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Share } from '../../src/domain/share.ts';
import type { ShareRequest } from '../../src/domain/share-request.ts';
import { openLoginRequest } from '../../src/login/login-request.ts';
import { namesOf } from '../../src/gateway/forward-auth/every-identity.ts';
import {
  ask,
  OWN_FETCH,
  PAGE_LOAD,
  PROXIES,
  PROXY_SECRET,
  type Outcome,
  through,
} from '../support/forward-auth.ts';
import {
  startTestGate,
  type TestAnswer,
  type TestGateOptions,
  testLogin,
  testShare,
} from '../support/gate.ts';
import { eventually } from '../support/serve-process.ts';

const HOST = 'demo.share.localhost';
const SECURE = {
  publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
  endpointUrl: 'https://auth.share.localhost',
  forwardAuth: { secret: PROXY_SECRET, clientCertificates: false },
} as const;

async function rig(t: TestContext, more: Partial<Share> = {}, options: TestGateOptions = {}) {
  const share: Share = {
    ...testShare('demo', '', { login: testLogin(), behind: true, ...more }),
    target: null,
  };
  const gate = await startTestGate({
    shares: [share, ...(options.shares ?? [])],
    ...options,
    settings: { ...SECURE, ...options.settings },
  });
  t.after(gate.close);
  return { share, gate, port: gate.port };
}

const codeOf = ({ body }: TestAnswer) => (JSON.parse(body) as { code: string }).code;
const answered = (outcome: Outcome) => {
  assert.equal(outcome.kind, 'answered');
  return (outcome as Extract<Outcome, { kind: 'answered' }>).answer;
};

for (const proxy of PROXIES) {
  test(`${proxy}: a session lets in, with every identity header, the empty ones too (DESIGN "Forward-auth")`, async (t) => {
    const { gate, share, port } = await rig(t);
    const { cookie } = gate.login(share);
    const outcome = await through(
      proxy,
      { host: HOST, path: '/a?b=c', headers: { ...PAGE_LOAD, cookie } },
      { port },
    );
    assert.equal(outcome.kind, 'in');
    assert.ok(outcome.kind === 'in');
    const { identity, answer } = outcome;
    assert.equal(identity['svc-auth-email'], 'ada@example.com');
    assert.equal(identity['svc-auth-provider'], 'corp');
    assert.match(identity['svc-auth-expires'] ?? '', /^\d{4}-.*Z$/);
    assert.match(identity['svc-auth-assertion'] ?? '', /^[\w-]+\.[\w-]+\.[\w-]+$/);
    for (const name of namesOf('svc-auth-'))
      assert.equal(answer.rawHeaders.filter((each) => each.toLowerCase() === name).length, 1, name);
    for (const part of ['groups', 'name', 'subject', 'cert-subject', 'cert-serial', 'cert-fingerprint'])
      assert.equal(identity[`svc-auth-${part}`], '', part);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.body, '');
  });

  test(`${proxy}: nobody's page load goes to the login and comes back with its query (DESIGN "Forward-auth")`, async (t) => {
    const { gate, share, port } = await rig(t);
    const answer = answered(
      await through(proxy, { host: HOST, path: '/a/b?c=d&e=%2F', headers: PAGE_LOAD }, { port }),
    );
    assert.equal(answer.status, 302);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.match(String(answer.headers['set-cookie']), /__Host-svc-auth-bind/);
    const url = new URL(answer.headers.location ?? '');
    assert.equal(url.origin, gate.settings.endpointUrl);
    const request = openLoginRequest(gate.seal, url.searchParams.get('request') ?? '');
    assert.equal(request?.returnUrl, `https://${HOST}/a/b?c=d&e=%2F`);
    assert.equal(request?.shareId, share.id);
  });

  test(`${proxy}: a fetch without a session gets 401 JSON, a posted form 303, a POST 401 (DESIGN "Forward-auth")`, async (t) => {
    const { port } = await rig(t);
    const asked = async (method: string, headers: Readonly<Record<string, string>>) =>
      answered(await through(proxy, { host: HOST, method, headers }, { port }));
    const fetched = await asked('GET', OWN_FETCH);
    assert.equal(fetched.status, 401);
    assert.equal(codeOf(fetched), 'login_required');
    assert.equal((await asked('POST', OWN_FETCH)).status, 401);
    const form = {
      ...PAGE_LOAD,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    };
    assert.equal((await asked('POST', form)).status, 303);
    const socket = { 'sec-websocket-key': 'x', 'sec-websocket-version': '13', origin: `https://${HOST}` };
    assert.equal((await asked('GET', socket)).status, 401);
  });

  test(`${proxy}: a refused address gets the page, 403 (DESIGN "Forward-auth")`, async (t) => {
    const { gate, share, port } = await rig(t, { login: testLogin({ emailPatterns: ['*@corp.example'] }) });
    const { cookie } = gate.login(share);
    const answer = answered(
      await through(proxy, { host: HOST, headers: { ...PAGE_LOAD, cookie } }, { port }),
    );
    assert.equal(answer.status, 403);
    assert.match(answer.body, /This email address does not have access/);
    assert.match(answer.body, /ada@example\.com/);
    await eventually('audited', () =>
      gate.audits().find(({ kind, ip }) => kind === 'login.refused' && ip === '198.51.100.7'),
    );
  });

  test(`${proxy}: an ended session opens nothing from then on (DESIGN "Forward-auth")`, async (t) => {
    const { gate, share, port } = await rig(t);
    const login = gate.login(share);
    const visit = { host: HOST, headers: { ...PAGE_LOAD, cookie: login.cookie } };
    assert.equal((await through(proxy, visit, { port })).kind, 'in');
    gate.end(login);
    assert.equal(answered(await through(proxy, visit, { port })).status, 302);
  });

  test(`${proxy}: watchers, log and counts hear of the request, and not of the question (DESIGN "Forward-auth")`, async (t) => {
    const { gate, share, port } = await rig(t);
    gate.tell({ type: 'watch', shares: [share.id] });
    const { cookie } = gate.login(share);
    await through(
      proxy,
      { host: HOST, path: '/orders?x=1', method: 'PUT', headers: { ...OWN_FETCH, cookie } },
      { port },
    );
    const request = await eventually(
      'watched',
      () =>
        gate.said.flatMap((message): readonly ShareRequest[] =>
          message.type === 'requests' ? message.batches.flatMap(({ requests }) => requests) : [],
        )[0],
    );
    assert.equal(request.method, 'PUT');
    assert.equal(request.path, '/orders');
    assert.equal(request.authorized, true);
    assert.equal(request.who, 'ada@example.com');
    assert.equal(request.address, '198.51.100.7');
    const log = await eventually('logged', () => {
      const lines = gate.said.flatMap((message) => (message.type === 'log' ? [message.lines] : [])).join('');
      return lines.includes('/orders') ? lines : null;
    });
    assert.match(log, /"path":"\/orders","status":200.*"authorized":true/);
    assert.doesNotMatch(log, /authorize\//);
  });
}

test('an expired session opens nothing (DESIGN "Forward-auth")', async (t) => {
  const { gate, share, port } = await rig(t);
  const { cookie } = gate.login(share, { expiresAt: Date.now() - 1_000 });
  for (const proxy of PROXIES) {
    const page = await through(proxy, { host: HOST, headers: { ...PAGE_LOAD, cookie } }, { port });
    assert.equal(answered(page).status, 302, proxy);
    const fetched = await through(proxy, { host: HOST, headers: { ...OWN_FETCH, cookie } }, { port });
    assert.equal(answered(fetched).status, 401, proxy);
  }
});

test('a custom host outside of the cookie’s domain is a host like any other (DESIGN "Forward-auth")', async (t) => {
  const custom = 'wiki.customer.example';
  const { gate, port } = await rig(t, { hosts: [HOST, custom] });
  for (const proxy of PROXIES) {
    const outcome = await through(proxy, { host: custom, path: '/a?b', headers: PAGE_LOAD }, { port });
    const url = new URL(answered(outcome).headers.location ?? '');
    assert.equal(url.origin, gate.settings.endpointUrl);
    const request = openLoginRequest(gate.seal, url.searchParams.get('request') ?? '');
    assert.equal(request?.returnUrl, `https://${custom}/a?b`, proxy);
  }
  const own = await gate.call({ host: custom, path: '/.svc/login', headers: PAGE_LOAD });
  assert.equal(own.status, 302);
});

test('changed settings count for the next question: another secret, no certificates (DESIGN "Forward-auth")', async (t) => {
  const { gate, share, port } = await rig(t);
  const { cookie } = gate.login(share);
  const visitor = { host: HOST, headers: { ...PAGE_LOAD, cookie } };
  assert.equal((await ask('caddy', visitor, { port })).status, 200);
  const secret = 'another-secret-of-thirty-two-characters';
  const settings = { ...gate.settings, forwardAuth: { secret, clientCertificates: false } };
  gate.tell({ type: 'settings', settings });
  assert.equal((await ask('caddy', visitor, { port })).status, 403);
  assert.equal((await ask('caddy', visitor, { port, secret })).status, 200);
  gate.tell({ type: 'shares', upsert: [{ ...share, behind: false }], remove: [] });
  assert.equal((await ask('caddy', visitor, { port, secret })).status, 403);
});

test('nginx: what cannot be passed on is 401 with the login’s address, else 403 (DESIGN "Forward-auth")', async (t) => {
  const { gate, share, port } = await rig(t);
  const nobody = await ask('nginx', { host: HOST, path: '/a?b=c&d', headers: PAGE_LOAD }, { port });
  assert.equal(nobody.status, 401);
  assert.equal(
    nobody.headers['svc-login-url'],
    `https://${HOST}/.svc/login?return_to=${encodeURIComponent('/a?b=c&d')}`,
  );
  assert.equal(nobody.headers['set-cookie'], undefined);
  assert.equal(nobody.headers.location, undefined);
  const fetched = await ask('nginx', { host: HOST, headers: OWN_FETCH }, { port });
  assert.equal(fetched.status, 401);
  assert.equal(fetched.headers['svc-login-url'], undefined);
  const { cookie } = gate.login(share);
  const foreign = { ...OWN_FETCH, 'sec-fetch-site': 'same-site', cookie };
  assert.equal((await ask('nginx', { host: HOST, headers: foreign }, { port })).status, 403);
});

test('nginx: that address leads to the login, also from a link of another site (DESIGN "Forward-auth")', async (t) => {
  const { gate } = await rig(t);
  const path = `/.svc/login?return_to=${encodeURIComponent('/a?b=c')}`;
  for (const site of ['none', 'cross-site']) {
    const answer = await gate.call({ host: HOST, path, headers: { ...PAGE_LOAD, 'sec-fetch-site': site } });
    assert.equal(answer.status, 302, site);
    const url = new URL(answer.headers.location ?? '');
    const request = openLoginRequest(gate.seal, url.searchParams.get('request') ?? '');
    assert.equal(request?.returnUrl, `https://${HOST}/a?b=c`);
  }
});

test('nginx: the whole answer lets nobody in, whoever they are by now (DESIGN "Forward-auth")', async (t) => {
  const { gate, share } = await rig(t);
  const { cookie } = gate.login(share);
  const answer = await gate.call({
    host: HOST,
    path: '/.svc/authorize/nginx/answer',
    headers: {
      ...PAGE_LOAD,
      cookie,
      'x-original-method': 'GET',
      'x-original-uri': '/',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '198.51.100.7',
      'svc-auth-secret': PROXY_SECRET,
    },
  });
  assert.equal(answer.status, 503);
  assert.equal(answer.headers['svc-auth-email'], undefined);
});

test('nginx: all of the address may be in X-Original-URL (DESIGN "Forward-auth")', async (t) => {
  const { gate, share, port } = await rig(t);
  const { cookie } = gate.login(share);
  const call = (url: string) =>
    gate.call({
      host: 'doorward.internal',
      path: '/.svc/authorize/nginx',
      headers: {
        ...PAGE_LOAD,
        cookie,
        'x-original-method': 'GET',
        'x-original-url': url,
        'x-forwarded-for': '198.51.100.7',
        'svc-auth-secret': PROXY_SECRET,
      },
    });
  assert.equal((await call(`https://${HOST}/x?y`)).status, 200);
  assert.equal((await call('https://other.share.localhost/')).status, 403);
  for (const url of [`http://${HOST}/`, `//${HOST}/`, `https://ada@${HOST}/`, `https://${HOST}`, '/x', ''])
    assert.equal((await call(url)).status, 400, url);
  assert.ok(port > 0);
});

test('a direct request to a share behind a proxy reaches its own pages alone (DESIGN "Forward-auth")', async (t) => {
  const { gate, share } = await rig(t, { allowOrigins: ['https://app.example.com'] });
  const { cookie } = gate.login(share);
  const call = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    gate.call({ host: HOST, path, headers: { ...OWN_FETCH, cookie, ...headers } });
  for (const path of ['/', '/x?y', '//.svc-like', '/%2e/']) {
    const answer = await call(path);
    assert.equal(answer.status, 421, path);
    assert.equal(codeOf(answer), 'share_behind_proxy');
  }
  const session = await call('/.svc/session');
  assert.equal(session.status, 200);
  assert.equal((JSON.parse(session.body) as { email: string }).email, 'ada@example.com');
  assert.equal((await call('/.svc/session.js')).status, 200);
  const logout = await call('/.svc/logout', { ...PAGE_LOAD });
  assert.equal(logout.headers.location, 'https://auth.share.localhost/corp/logout');
  // A proxy can hand preflights over here: they carry no session.
  const preflight = await gate.call({
    host: HOST,
    method: 'OPTIONS',
    headers: { origin: 'https://app.example.com', 'access-control-request-method': 'PUT' },
  });
  assert.equal(preflight.status, 204);
});

test('a path that is open to everyone lets in as nobody (DESIGN "Forward-auth")', async (t) => {
  const { port } = await rig(t, { allowPaths: ['/healthz'] });
  for (const proxy of PROXIES) {
    const open = await through(proxy, { host: HOST, path: '/healthz?x' }, { port });
    assert.ok(open.kind === 'in', proxy);
    for (const value of Object.values(open.identity)) assert.equal(value, '', proxy);
    assert.equal((await through(proxy, { host: HOST, path: '/healthz/x' }, { port })).kind, 'answered');
  }
});

test('the visitor’s address is the one that the proxy tells (DESIGN "Forward-auth")', async (t) => {
  const { port, gate, share } = await rig(t, { allowAddresses: ['198.51.100.0/24'] });
  const { cookie } = gate.login(share);
  for (const proxy of PROXIES) {
    const from = (address: string) =>
      through(proxy, { host: HOST, address, headers: { ...PAGE_LOAD, cookie } }, { port });
    assert.equal((await from('198.51.100.7')).kind, 'in', proxy);
    assert.equal((await from('203.0.113.9')).kind, 'answered', proxy);
    // What stands further off is the visitor's own word.
    assert.equal((await from('198.51.100.7, 203.0.113.9')).kind, 'answered', proxy);
    const none = await ask(proxy, { host: HOST, address: 'unknown', headers: PAGE_LOAD }, { port });
    assert.equal(none.status, 400, proxy);
  }
});

test('a session that is due waits for its check, and one that cannot be checked is refused (DESIGN "Forward-auth")', async (t) => {
  const { gate, share, port } = await rig(t);
  const { cookie } = gate.login(share, { checkedAt: 0 });
  for (const proxy of PROXIES) {
    const visitor = { host: HOST, headers: { ...OWN_FETCH, cookie } };
    assert.equal(answered(await through(proxy, visitor, { port })).status, 503, proxy);
  }
  assert.ok(gate.questions().some(({ ask: asked }) => asked === 'recheck'));
});

test('a version that knows no shares behind a proxy reaches nothing there (DESIGN "Forward-auth")', async (t) => {
  // As it reads the row: no such setting, and a target that is empty.
  const before = testShare('demo', '', { allowPaths: ['/healthz'], login: testLogin() });
  const gate = await startTestGate({ shares: [before] });
  t.after(gate.close);
  const { cookie } = gate.login(before);
  for (const path of ['/', '/healthz'])
    assert.equal((await gate.call({ host: HOST, path, headers: { cookie } })).status, 500, path);
});

test('the app gets no cookie of ours and no service token, and all others (DESIGN "Forward-auth")', async (t) => {
  const { gate, share, port } = await rig(t);
  const { cookie } = gate.login(share);
  for (const proxy of PROXIES)
    for (const [authorization, left] of [
      ['Basic YTpi', 'Basic YTpi'],
      ['Bearer dws_x', ''],
      ['bearer  dws_x', ''],
    ] as const) {
      const headers = { ...PAGE_LOAD, cookie: `a=b; ${cookie}; c=d`, authorization, 'svc-auth-token': 'x' };
      const answer = await ask(proxy, { host: HOST, headers }, { port });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.cookie, 'a=b; c=d');
      assert.equal(answer.headers.authorization, left);
      assert.equal(answer.headers['svc-auth-token'], '');
    }
});
