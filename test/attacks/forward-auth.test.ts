// THREATS "Forward-auth": what is asked by whoever is no proxy of ours, and what a visitor does to the
// questions of one that is. Each attack is made at every dialect.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Share } from '../../src/domain/share.ts';
import { newId } from '../../src/domain/id.ts';
import { namesOf } from '../../src/gateway/forward-auth/every-identity.ts';
import { secretHash } from '../../src/domain/secret.ts';
import { newServiceToken } from '../../src/domain/service-token.ts';
import type { GateSettings } from '../../src/gateway/messages.ts';
import { openLoginRequest } from '../../src/login/login-request.ts';
import { makeCertificate } from '../support/certificate.ts';
import { ask, OWN_FETCH, PAGE_LOAD, PROXIES, PROXY_SECRET, through } from '../support/forward-auth.ts';
import { startTestGate, type TestAnswer, testLogin, testShare } from '../support/gate.ts';
import { openHttp2 } from '../support/http2-visitor.ts';

const HOST = 'demo.share.localhost';
const SETTINGS = {
  publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
  endpointUrl: 'https://auth.share.localhost',
  forwardAuth: { secret: PROXY_SECRET, clientCertificates: false },
} as const;

async function rig(t: TestContext, more: Partial<Share> = {}, settings: Partial<GateSettings> = {}) {
  const accountId = newId('acc');
  const behind = (name: string, extra: Partial<Share> = {}): Share => ({
    ...testShare(name, '', { login: testLogin(), behind: true, accountId, ...extra }),
    target: null,
  });
  const share = behind('demo', more);
  const other = behind('other');
  const plain = testShare('plain', 'http://127.0.0.1:1', { login: testLogin(), accountId });
  const gate = await startTestGate({
    shares: [share, other, plain],
    settings: { ...SETTINGS, ...settings },
  });
  t.after(gate.close);
  const { cookie } = gate.login(share);
  return { gate, port: gate.port, share, other, plain, cookie, page: { ...PAGE_LOAD, cookie } };
}

const codeOf = ({ body }: TestAnswer) => /"code":\s*"(\w+)"/.exec(body)?.[1];
const letsNobodyIn = (answer: TestAnswer, what: string) => {
  assert.ok(answer.status >= 300, `${what}: ${answer.status}`);
  for (const name of namesOf('svc-auth-')) assert.equal(answer.headers[name], undefined, what);
};

for (const proxy of PROXIES) {
  test(`${proxy}: nobody else may ask: no secret, a wrong one, two, another case (THREATS "Forward-auth")`, async (t) => {
    const { port, page } = await rig(t, {}, { trustedProxies: ['127.0.0.0/8'] });
    const visitor = { host: HOST, headers: page };
    assert.equal((await ask(proxy, visitor, { port })).status, 200);
    for (const secret of [null, '', 'x', PROXY_SECRET.toUpperCase(), `${PROXY_SECRET} `.repeat(2)]) {
      const answer = await ask(proxy, visitor, { port, secret });
      letsNobodyIn(answer, String(secret));
      assert.equal(answer.status, 403);
    }
    const twice = await ask(proxy, visitor, {
      port,
      secret: null,
      more: { 'svc-auth-secret': [PROXY_SECRET, PROXY_SECRET] },
    });
    letsNobodyIn(twice, 'two secrets');
    const underscores = await ask(proxy, visitor, {
      port,
      secret: null,
      more: { svc_auth_secret: PROXY_SECRET },
    });
    letsNobodyIn(underscores, 'underscores');
  });

  test(`${proxy}: where no secret is configured nobody may ask, from a trusted address either (THREATS "Forward-auth")`, async (t) => {
    const { port, page } = await rig(t, {}, { forwardAuth: null, trustedProxies: ['127.0.0.1'] });
    for (const secret of [null, '', PROXY_SECRET]) {
      const answer = await ask(proxy, { host: HOST, headers: page }, { port, secret });
      letsNobodyIn(answer, String(secret));
      assert.equal(answer.status, 403);
    }
  });

  test(`${proxy}: each header of the question is there once and means one thing, else 400 (THREATS "Forward-auth")`, async (t) => {
    const { port, page } = await rig(t);
    const visitor = { host: HOST, headers: page, path: '/x' };
    const own = proxy === 'nginx' || proxy === 'envoy' ? [] : ['x-forwarded-host'];
    const target = proxy === 'envoy' ? [] : [proxy === 'nginx' ? 'x-original-uri' : 'x-forwarded-uri'];
    const method = proxy === 'envoy' ? [] : [proxy === 'nginx' ? 'x-original-method' : 'x-forwarded-method'];
    const good: Readonly<Record<string, string>> = {
      'x-forwarded-host': HOST,
      'x-forwarded-uri': '/x',
      'x-original-uri': '/x',
      'x-forwarded-method': 'GET',
      'x-original-method': 'GET',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '198.51.100.7',
    };
    for (const name of [...own, ...target, ...method, 'x-forwarded-proto', 'x-forwarded-for']) {
      const value = good[name] ?? '';
      for (const [what, bad] of [
        ['twice', [value, value]],
        ['two of them', [value, `${value}y`]],
        ['empty', ''],
      ] as const) {
        const answer = await ask(proxy, visitor, { port, more: { [name]: bad } });
        letsNobodyIn(answer, `${name} ${what}`);
        assert.deepEqual([answer.status, codeOf(answer) ?? 'page'], [400, 'page'], `${name} ${what}`);
        assert.match(answer.body, /did not describe this request/);
      }
    }
    const list: Readonly<Record<string, readonly string[]>> = {
      'x-forwarded-host': [
        `${HOST}, evil.example`,
        `evil.example, ${HOST}`,
        `ada@${HOST}`,
        `${HOST}/x`,
        `${HOST}\\x`,
      ],
      'x-forwarded-proto': ['https, http', 'HTTPS', 'ftp', 'wss', 'http'],
      'x-forwarded-method': ['GET, POST', 'GET POST', 'CONNECT', 'A'.repeat(40)],
      'x-original-method': ['GET, POST', 'GET POST', 'CONNECT', 'A'.repeat(40)],
    };
    for (const name of [...own, ...method, 'x-forwarded-proto'])
      for (const bad of list[name] ?? []) {
        const answer = await ask(proxy, visitor, { port, more: { [name]: bad } });
        letsNobodyIn(answer, `${name}: ${bad}`);
        assert.ok([400, 403, 404].includes(answer.status), `${name}: ${bad} ${answer.status}`);
      }
  });

  test(`${proxy}: a path is a path: no absolute form, no fragment, no blank, none that is ours (THREATS "Forward-auth")`, async (t) => {
    const { port, page } = await rig(t);
    const at = (path: string) => ask(proxy, { host: HOST, headers: page, path }, { port });
    if (proxy !== 'envoy')
      for (const path of [
        `https://${HOST}/x`,
        `http://plain.share.localhost/`,
        '*',
        'x',
        '',
        '?x',
        '/x y',
        '/#x',
        '\\x',
        '/\u00e9',
      ])
        letsNobodyIn(await at(path), path);
    for (const path of [
      '/.svc/logout',
      '/.svc/session',
      '/.svc/begin?grant=x',
      '/%2esvc/session',
      '/x/../.svc/session',
      '//.svc/session',
      '/.svc%2fsession',
      '/.svc/authorize/nginx',
      '/.svc;x/session',
    ])
      letsNobodyIn(await at(path), path);
  });

  test(`${proxy}: where rules ask for paths, one that can be read in two ways is refused (THREATS "Forward-auth")`, async (t) => {
    const { port, page } = await rig(t, {
      rules: [{ allow: { everyone: true, paths: ['/public/*'] } }, { deny: { paths: ['/admin/*'] } }],
    });
    const at = (path: string, headers: Readonly<Record<string, string>> = {}) =>
      ask(proxy, { host: HOST, path, headers }, { port });
    assert.equal((await at('/public/x?../admin')).status, 200);
    for (const path of [
      '/public/../admin/x',
      '/public/%2e%2e/admin/x',
      '/public/..%2fadmin/x',
      '/public//../admin',
      '/public/;/../admin',
      '/public/\\..\\admin',
      '//public/x',
      '/%70ublic/x',
      '/public%2f..%2fadmin',
    ])
      letsNobodyIn(await at(path), path);
    for (const name of [
      'x-rewrite-url',
      'x-http-method-override',
      'x_http_method_override',
      'x-http-method',
      'x-method-override',
      'x-override-url',
      ...(proxy === 'nginx' ? [] : ['x-original-uri', 'x-original-url', 'X_Original_URL']),
    ])
      letsNobodyIn(await at('/public/x', { [name]: '/admin/x' }), name);
    letsNobodyIn(await at('/admin/x', page), 'denied');
  });

  test(`${proxy}: the other dialects' headers, which a visitor may send, say nothing (THREATS "Forward-auth")`, async (t) => {
    const { port, page, gate, other } = await rig(t, { denyEmails: ['*'] });
    const claims = {
      ...(proxy === 'nginx' || proxy === 'envoy'
        ? {
            'x-forwarded-host': 'other.share.localhost',
            'x-forwarded-uri': '/free',
            'x-forwarded-method': 'OPTIONS',
          }
        : { 'x-original-uri': '/free', 'x-original-method': 'OPTIONS' }),
      'x-forwarded-port': '1',
      forwarded: 'for=10.0.0.1;host=other.share.localhost;proto=https',
      'x-real-ip': '10.0.0.1',
      'x-forwarded-user': 'root',
      'svc-auth-email': 'root@example.com',
      svc_auth_email: 'root@example.com',
      x_forwarded_host: 'other.share.localhost',
    };
    const { cookie } = gate.login(other);
    const both = { ...page, cookie: `${page.cookie}; ${cookie}`, ...claims };
    letsNobodyIn(await ask(proxy, { host: HOST, headers: both }, { port }), 'denied, whatever is claimed');
  });

  test(`${proxy}: what is let in is told of by our headers alone, however a visitor spells them (THREATS "Forward-auth")`, async (t) => {
    const { port, page } = await rig(t, { allowPaths: ['/open'] });
    const claims = {
      'svc-auth-email': 'root@example.com',
      'Svc-Auth-Email': 'root@example.com',
      'svc-auth-groups': 'admin',
      'svc-auth-assertion': 'x.y.z',
    };
    const someone = await through(proxy, { host: HOST, headers: { ...page, ...claims } }, { port });
    assert.ok(someone.kind === 'in');
    assert.equal(someone.identity['svc-auth-email'], 'ada@example.com');
    assert.equal(someone.identity['svc-auth-groups'], '');
    const nobody = await through(proxy, { host: HOST, path: '/open', headers: claims }, { port });
    assert.ok(nobody.kind === 'in');
    assert.deepEqual(new Set(Object.values(nobody.identity)), new Set(['']));
  });

  test(`${proxy}: a forwarded host is a share's, and behind a proxy, or nothing; no login leads elsewhere (THREATS "Forward-auth")`, async (t) => {
    const { port, gate, page } = await rig(t);
    for (const [host, status] of [
      ['evil.example', 404],
      ['evil.example:443', 404],
      [`${HOST}.evil.example`, 404],
      [`evil${HOST}`, 404],
      ['auth.share.localhost', 404],
      ['tunnel.share.localhost', 404],
      ['127.0.0.1', 404],
      ['plain.share.localhost', 403],
    ] as const) {
      const answer = await ask(proxy, { host, headers: PAGE_LOAD }, { port });
      letsNobodyIn(answer, host);
      assert.equal(answer.headers.location, undefined, host);
      assert.equal(answer.headers['svc-login-url'], undefined, host);
      if (proxy !== 'nginx') assert.equal(answer.status, status, host);
    }
    // One host in other words: a login leads to it in its own.
    for (const host of [HOST.toUpperCase(), `${HOST}.`, `${HOST}:8443`, `${HOST}:443`]) {
      assert.equal((await ask(proxy, { host, headers: page }, { port })).status, 200, host);
      const answer = await through(proxy, { host, headers: PAGE_LOAD }, { port });
      assert.ok(answer.kind === 'answered');
      const url = new URL(answer.answer.headers.location ?? '');
      const request = openLoginRequest(gate.seal, url.searchParams.get('request') ?? '');
      assert.equal(request?.returnUrl, `https://${HOST}/`, host);
      if (answer.codes !== null)
        assert.equal(answer.codes.headers['svc-login-url'], `https://${HOST}/.svc/login?return_to=%2F`);
    }
  });

  test(`${proxy}: a session of another share, or another browser, opens nothing (THREATS "Forward-auth")`, async (t) => {
    const { port, gate, other, cookie } = await rig(t);
    for (const stolen of [gate.login(other).cookie, cookie.split('; ')[0]!])
      letsNobodyIn(
        await ask(proxy, { host: HOST, headers: { ...PAGE_LOAD, cookie: stolen } }, { port }),
        stolen.slice(0, 40),
      );
  });

  test(`${proxy}: pages of sibling shares use no session, nor one whose Fetch Metadata was dropped (THREATS "Sibling shares")`, async (t) => {
    const { port, cookie } = await rig(t);
    const at = (headers: Readonly<Record<string, string>>, method = 'GET') =>
      ask(proxy, { host: HOST, method, headers: { cookie, ...headers } }, { port });
    const sibling = 'https://other.share.localhost';
    for (const [headers, method] of [
      [{ ...OWN_FETCH, 'sec-fetch-site': 'same-site', origin: sibling }, 'GET'],
      [{ ...OWN_FETCH, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 'POST'],
      [{ ...PAGE_LOAD, 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' }, 'GET'],
      [{ ...PAGE_LOAD, 'sec-fetch-site': 'same-site', origin: sibling }, 'POST'],
      // Of a WebSocket older browsers say nothing but the origin.
      [{ 'sec-websocket-key': 'x', 'sec-websocket-version': '13', origin: sibling }, 'GET'],
      [{ 'sec-websocket-version': '13', 'sec-fetch-site': 'none', 'sec-fetch-mode': 'websocket' }, 'GET'],
      [{}, 'GET'],
      [{ accept: 'text/html' }, 'POST'],
      [{ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 'POST'],
      [{ ...PAGE_LOAD, 'sec-purpose': 'prefetch' }, 'GET'],
    ] as const) {
      const answer = await at(headers, method);
      letsNobodyIn(answer, JSON.stringify(headers));
      assert.equal(answer.status, 403, JSON.stringify(headers));
    }
    assert.equal((await at({ ...OWN_FETCH, origin: `https://${HOST}` }, 'POST')).status, 200);
    assert.equal((await at({ ...PAGE_LOAD, 'sec-fetch-site': 'cross-site' })).status, 200);
    const socket = { 'sec-websocket-key': 'x', 'sec-websocket-version': '13', origin: `https://${HOST}` };
    assert.equal((await at({ ...socket, 'sec-fetch-site': 'same-origin' })).status, 200);
  });

  test(`${proxy}: a preflight of an allowed origin is not let in (THREATS "Forward-auth")`, async (t) => {
    const origin = 'https://app.example.com';
    const { port } = await rig(t, { allowOrigins: [origin] });
    const headers = { origin, 'access-control-request-method': 'PUT' };
    letsNobodyIn(await ask(proxy, { host: HOST, method: 'OPTIONS', headers }, { port }), 'preflight');
  });

  test(`${proxy}: no question has a body, or more headers than a request may (THREATS "Forward-auth")`, async (t) => {
    const { port, page } = await rig(t);
    const long = await ask(
      proxy,
      { host: HOST, headers: { ...page, 'x-long': 'x'.repeat(65_536) } },
      { port },
    );
    letsNobodyIn(long, '64 KB');
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`x-${index}`, 'x']));
    letsNobodyIn(await ask(proxy, { host: HOST, headers: { ...page, ...many } }, { port }), 'many');
    const bodied = await ask(
      proxy,
      { host: HOST, headers: page },
      { port, more: { 'content-length': '5' } },
    ).catch(() => null);
    if (bodied !== null) letsNobodyIn(bodied, 'a body');
  });

  test(`${proxy}: a service token counts, one of another share does not, and guessing is slowed down by visitor (THREATS "Forward-auth")`, async (t) => {
    const { port } = await tokenRig(t);
    const at = (token: string, address: string) =>
      ask(proxy, { host: HOST, address, headers: { 'svc-auth-token': token } }, { port });
    const good = await at(TOKEN.reveal(), '198.51.100.7');
    assert.equal(good.status, 200);
    assert.equal(good.headers['svc-auth-provider'], 'token');
    const bearer = { authorization: `Bearer ${TOKEN.reveal()}` };
    assert.equal((await ask(proxy, { host: HOST, headers: bearer }, { port })).status, 200);
    const statuses = new Set<number>();
    for (let guess = 0; guess < 40; guess++)
      statuses.add((await at(newServiceToken().reveal(), '203.0.113.9')).status);
    assert.ok(!statuses.has(200));
    if (proxy !== 'nginx') assert.ok(statuses.has(429), [...statuses].join());
    assert.equal((await at(TOKEN.reveal(), '198.51.100.7')).status, 200);
  });
}

test('an endpoint that is none, or another method, is refused (THREATS "Forward-auth")', async (t) => {
  const { gate, page } = await rig(t);
  const at = (path: string, method = 'GET') =>
    gate.call({ host: HOST, path, method, headers: { ...page, ...questionHeaders() } });
  assert.equal((await at('/.svc/authorize/traefik')).status, 200);
  for (const path of [
    '/.svc/authorize',
    '/.svc/authorize/',
    '/.svc/authorize/apache',
    '/.svc/authorize/traefik/',
    '/.svc/authorize/traefik/answer',
    '/.svc/authorize/Traefik',
    '/.svc/authorize/%74raefik',
    '/.svc//authorize/traefik',
    '/.svc/authorize/../authorize/traefik',
    '/x/../.svc/authorize/traefik',
    '/.svc/authorize/envoy',
    '/.svc/authorize/nginx',
  ])
    letsNobodyIn(await at(path), path);
  for (const method of ['POST', 'HEAD', 'OPTIONS', 'PUT'])
    letsNobodyIn(await at('/.svc/authorize/traefik', method), method);
});

const HOUR = 3_600_000;
const TOKEN = newServiceToken();

/** A share that a token opens, and the token. */
async function tokenRig(t: TestContext) {
  const rigged = await rig(t, { rules: [{ allow: { tokens: ['deploy-*'] } }] });
  const { gate, share } = rigged;
  const token = {
    id: newId('tok'),
    accountId: share.accountId,
    name: 'deploy-bot',
    hash: secretHash(TOKEN),
    shareIds: [share.id],
    expiresAt: Date.now() + HOUR,
  };
  gate.tell({ type: 'tokens', news: { reset: true, tokens: [token], gone: [] } });
  return rigged;
}

function questionHeaders(): Readonly<Record<string, string>> {
  return {
    'x-forwarded-method': 'GET',
    'x-forwarded-host': HOST,
    'x-forwarded-uri': '/',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '198.51.100.7',
    'svc-auth-secret': PROXY_SECRET,
  };
}

test('no question is answered 200 because a visitor calls it gRPC (THREATS "Forward-auth")', async (t) => {
  const certificate = makeCertificate(['*.share.localhost']);
  const demo = testShare('demo', '', { login: testLogin(), behind: true });
  const gate = await startTestGate({
    shares: [{ ...demo, target: null }, testShare('plain', 'http://127.0.0.1:1', { login: testLogin() })],
    settings: { ...SETTINGS, tls: true },
    certificates: [certificate],
  });
  t.after(gate.close);
  const visitor = await openHttp2(t, gate.port, HOST);
  const paths = ['nginx', 'nginx/answer', 'traefik', 'caddy', 'haproxy', 'envoy/', 'envoy/a.B/C', 'none', ''];
  for (const secret of [PROXY_SECRET, 'wrong'])
    for (const path of paths)
      for (const host of [HOST, 'plain.share.localhost', 'none.share.localhost']) {
        const answer = await visitor.ask(
          {
            ':method': 'POST',
            ':path': `/.svc/authorize/${path}`,
            ':authority': HOST,
            'content-type': 'application/grpc',
            te: 'trailers',
            'svc-auth-secret': secret,
            'x-forwarded-method': 'POST',
            'x-forwarded-uri': '/a.B/C',
            'x-forwarded-host': host,
            'x-forwarded-proto': 'https',
            'x-forwarded-for': '198.51.100.7',
          },
          '',
        );
        assert.ok(answer.status >= 300, `${path}: ${answer.status}`);
        assert.equal(answer.headers['grpc-status'], undefined);
      }
});
