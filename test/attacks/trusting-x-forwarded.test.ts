// THREATS "Trusting X-Forwarded-*": who came, from where and by what is what the connection says, unless a
// trusted proxy says more. Nothing else that a visitor may claim lets anybody in.

import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { echo, echoedValues, startBackend } from '../support/backend.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { callGate, startTestGate, testLogin, testShare, type TestGateOptions } from '../support/gate.ts';
import { startTestService, type TestService } from '../support/service.ts';

const HOST = 'demo.share.localhost';
const OPEN = 'open.share.localhost';
/** Everything by which some proxy somewhere says who came, from where, for what. */
const CLAIMS: Readonly<Record<string, string>> = {
  'x-forwarded-for': '6.6.6.6',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'https',
  'x-forwarded-scheme': 'https',
  'x-forwarded-port': '6666',
  'x-forwarded-server': 'evil.example',
  'x-forwarded-user': 'root',
  'x-forwarded-email': 'root@example.com',
  'x-forwarded-uri': '/public',
  'x-forwarded-method': 'OPTIONS',
  'x-forwarded-groups': 'admin',
  forwarded: 'for=6.6.6.6;host=evil.example;proto=https;by=evil',
  'x-real-ip': '6.6.6.6',
  'x-request-id': 'chosen-by-a-visitor',
  'true-client-ip': '6.6.6.6',
  'x-original-url': '/public',
  'x-rewrite-url': '/public',
  'x-http-method-override': 'OPTIONS',
  'x-auth-request-email': 'root@example.com',
  'x-remote-user': 'root',
  'remote-user': 'root',
  'x-pomerium-claim-email': 'root@example.com',
  'cf-access-authenticated-user-email': 'root@example.com',
  'x-goog-authenticated-user-email': 'root@example.com',
  'tailscale-user-login': 'root@example.com',
  authorization: 'Bearer root',
};

const claiming = (index: number) => ({
  ...CLAIMS,
  'x-forwarded-for': `6.6.${index}.6`,
  'x-real-ip': `6.6.${index}.6`,
});

describe('Trusting X-Forwarded-*: at the gate', () => {
  test('strangers are told of as their connection says, in the log too', async (t) => {
    const { gate } = await twoShares(t);
    const { status, body } = await gate.call({ host: OPEN, headers: CLAIMS });
    assert.equal(status, 200);
    assertOwnWord(body, '127.0.0.1');
    assert.notDeepEqual(echoedValues(body, 'x-request-id'), [CLAIMS['x-request-id']]);
    await gate.close();
    const log = gate.said.flatMap((message) => (message.type === 'log' ? [message.lines] : [])).join('');
    assert.match(log, /"ip":"127\.0\.0\.1"/);
    assert.doesNotMatch(log, /6\.6\.6\.6|chosen-by-a-visitor|evil/);
  });

  test('no claim, user agent, method or path of a health check lets anybody in', async (t) => {
    const { gate } = await twoShares(t);
    const agents = [
      'GoogleHC/1.0',
      'kube-probe/1.33',
      'ELB-HealthChecker/2.0',
      'Envoy/HC',
      'curl/8',
      'Googlebot/2.1',
      '',
    ];
    const paths = [
      '/',
      '/ping',
      '/ready',
      '/healthz',
      '/health',
      '/robots.txt',
      '/favicon.ico',
      '/oauth2/auth',
      '/oauth2/userinfo',
    ];
    for (const agent of agents)
      for (const path of paths)
        for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'POST']) {
          const { status } = await gate.call({
            host: HOST,
            path,
            method,
            headers: { ...CLAIMS, 'user-agent': agent },
          });
          assert.ok(status === 302 || status === 401, `${agent} ${method} ${path} got ${status}`);
        }
    assert.equal(gate.questions().length, 0);
  });

  test('a method override does not make a foreign request a harmless one', async (t) => {
    const { gate, share } = await twoShares(t);
    const { cookie } = gate.login(share);
    const headers = { cookie, ...CLAIMS, origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' };
    assert.equal((await gate.call({ host: HOST, method: 'POST', headers })).status, 403);
  });

  test('a chain is believed from its near end, up to the first stranger, whatever stands before', async (t) => {
    const { gate } = await twoShares(t, {
      settings: { trustedProxies: ['127.0.0.0/8', '10.0.0.0/8', '::1'] },
    });
    const cases: readonly (readonly [given: string | readonly string[], chain: string, address: string])[] = [
      ['203.0.113.9', '203.0.113.9, 127.0.0.1', '203.0.113.9'],
      ['6.6.6.6, 203.0.113.9', '203.0.113.9, 127.0.0.1', '203.0.113.9'],
      ['127.0.0.1, 6.6.6.6, 203.0.113.9, 10.1.1.1', '203.0.113.9, 10.1.1.1, 127.0.0.1', '203.0.113.9'],
      [['6.6.6.6', '203.0.113.9'], '203.0.113.9, 127.0.0.1', '203.0.113.9'],
      ['10.1.1.1, 10.1.1.2', '10.1.1.1, 10.1.1.2, 127.0.0.1', '10.1.1.1'],
      ['::ffff:203.0.113.9', '203.0.113.9, 127.0.0.1', '203.0.113.9'],
      ['203.0.113.9, rubbish', '127.0.0.1', '127.0.0.1'],
      ['rubbish, 203.0.113.9', '203.0.113.9, 127.0.0.1', '203.0.113.9'],
      // With the port of the connection, as some gateways write it.
      ['203.0.113.9:1234', '203.0.113.9, 127.0.0.1', '203.0.113.9'],
      ['203.0.113.9:1234:5', '127.0.0.1', '127.0.0.1'],
      ['', '127.0.0.1', '127.0.0.1'],
      [',,,', '127.0.0.1', '127.0.0.1'],
      ['<script>', '127.0.0.1', '127.0.0.1'],
    ];
    for (const [given, chain, address] of cases) {
      const { body } = await gate.call({ host: OPEN, headers: { ...CLAIMS, 'x-forwarded-for': given } });
      assert.deepEqual(echoedValues(body, 'x-forwarded-for'), [chain], String(given));
      assert.deepEqual(echoedValues(body, 'x-real-ip'), [address], String(given));
      assert.deepEqual(
        echoedValues(body, 'x-forwarded-host'),
        [OPEN],
        'scheme, host and port are the configuration’s',
      );
      assert.deepEqual(echoedValues(body, 'x-forwarded-proto'), ['http']);
    }
    const { body } = await gate.call({
      host: OPEN,
      headers: { 'x-forwarded-for': `6.6.6.6, ${'10.0.0.1, '.repeat(2_000)}10.0.0.2` },
    });
    assert.equal(echoedValues(body, 'x-forwarded-for')[0]?.split(', ').length, 17, 'nobody reads thousands');
  });
});

describe('Trusting X-Forwarded-*: at the OAuth frontend and the control API', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  test('redirects and cookies are the configuration’s, whatever host and scheme are claimed', async () => {
    const share = await service.share('demo');
    const browser = service.browser();
    const { stopped } = await browser.follow(share.url, (next) => next.pathname.endsWith('/login'));
    assert.ok(stopped);
    const path = stopped.pathname + stopped.search;
    for (const [port, host] of [
      [service.ports.oauth, 'evil.example'],
      [service.ports.oauth, '127.0.0.1'],
      [service.ports.gateway, stopped.host],
    ] as const) {
      const answer = await callGate(port, { host, path, headers: { ...CLAIMS, accept: 'text/html' } });
      assert.equal(answer.status, 302);
      const redirect = new URL(answer.headers.location ?? '');
      assert.equal(redirect.origin, service.idp.issuer);
      assert.equal(redirect.searchParams.get('redirect_uri'), `${service.endpointUrl}/corp/auth/callback`);
      assert.doesNotMatch(JSON.stringify(answer.rawHeaders), /evil|6666/);
    }
  });

  test('the audit names the address of the connection', async () => {
    const share = await service.share('audited');
    const browser = service.browser();
    const { stopped } = await browser.follow(share.url, (next) => next.origin === service.idp.issuer);
    const { stopped: callback } = await walkLogin(browser, stopped ?? '', {
      email: 'ada@example.com',
      until: (next) => next.pathname.endsWith('/callback'),
    });
    const answer = await browser.open(callback ?? '', { headers: CLAIMS });
    assert.equal(answer.status, 302);
    const audit = await callGate(service.ports.control, {
      host: '127.0.0.1',
      path: '/v1/audit-events',
      headers: { authorization: `Bearer ${service.apiKey}` },
    });
    const { items } = JSON.parse(audit.body) as { items: { kind: string; ip: string | null }[] };
    assert.equal(items.find(({ kind }) => kind === 'login.succeeded')?.ip, '127.0.0.1');
    assert.doesNotMatch(audit.body, /6\.6\.6\.6/);
  });

  test('a rate limit is not dodged by claiming another address each time', async () => {
    const keys = await Promise.all(
      Array.from({ length: 14 }, (_, index) =>
        callGate(service.ports.control, {
          host: '127.0.0.1',
          path: '/v1/shares',
          headers: { ...claiming(index), authorization: `Bearer dw_${'x'.repeat(43)}` },
        }),
      ),
    );
    assert.equal(keys.filter(({ status }) => status === 401).length, 10);
    assert.equal(keys.filter(({ status }) => status === 429).length, 4);
    const path = `/corp/auth/callback?code=x&state=${'x'.repeat(22)}`;
    const { host } = new URL(service.endpointUrl);
    const statuses: number[] = [];
    for (let index = 0; index < 70; index++) {
      const port = index % 2 === 0 ? service.ports.gateway : service.ports.oauth;
      statuses.push((await callGate(port, { host, path, headers: claiming(index) })).status);
    }
    assert.deepEqual(new Set(statuses.slice(0, 60)), new Set([400]));
    assert.deepEqual(new Set(statuses.slice(60)), new Set([429]));
  });
});

async function twoShares(t: TestContext, options: TestGateOptions = {}) {
  const backend = await startBackend(t, echo);
  const share = testShare('demo', backend.url, { login: testLogin() });
  const gate = await startTestGate({ shares: [share, testShare('open', backend.url)], ...options });
  t.after(gate.close);
  return { gate, share };
}

function assertOwnWord(body: string, address: string): void {
  const own = { for: address, proto: 'http', host: OPEN, port: '80' };
  for (const [name, value] of Object.entries(own))
    assert.deepEqual(echoedValues(body, `x-forwarded-${name}`), [value]);
  assert.deepEqual(echoedValues(body, 'x-real-ip'), [address]);
  for (const name of [
    'forwarded',
    'x-forwarded-user',
    'x-forwarded-email',
    'x-forwarded-scheme',
    'x-forwarded-server',
  ])
    assert.deepEqual(echoedValues(body, name), [], name);
}
