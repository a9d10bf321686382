// Commands and agents behind a proxy: a real one, which knows names that this machine does not.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { createTestAuthority, type TestAuthority } from '../../test/support/certificates.ts';
import { type ConnectProxyInput, startConnectProxy } from '../../test/support/connect-proxy.ts';
import { startControl, type TestControl } from '../../test/support/control.ts';
import { startEchoBackend } from '../../test/support/echo-backend.ts';
import { startTestGate, testShare } from '../../test/support/gate.ts';
import { STALLS, startRawProxy } from '../../test/support/raw-proxy.ts';
import { TUNNEL_KEY } from '../../test/support/tunnel-key.ts';
import { until } from '../../test/support/until.ts';
import { createNodeClient } from '../client/node-client.ts';
import { newApiKey } from '../domain/api-key.ts';
import { Secret } from '../domain/secret.ts';
import { connectThrough } from '../http/connect-through.ts';
import { startAgent } from '../tunnel/agent.ts';
import { dialTunnel } from '../tunnel/dial.ts';
import { parseLocalTarget } from '../tunnel/local-target.ts';
import { main } from './main.ts';
import { wayOut } from './way-out.ts';

const HOST = 'control.corp.test';
const LIMIT = { timeout: 60_000 };
type Env = Readonly<Record<string, string>>;

let control: TestControl;
let authority: TestAuthority;
before(async () => {
  control = await startControl();
  authority = createTestAuthority();
  setDefaultCACertificates([...getCACertificates('default'), authority.ca]);
});
after(async () => {
  authority.dispose();
  await control[Symbol.asyncDispose]();
});

async function proxyFor(t: TestContext, draft: ConnectProxyInput = {}) {
  const proxy = await startConnectProxy(draft);
  t.after(() => proxy[Symbol.asyncDispose]());
  return proxy;
}

async function run(words: readonly string[], env: Env, input = '') {
  let [out, err] = ['', ''];
  const code = await main(words, {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    env: { HOME: '/nonexistent', ...env },
    readSecret: async () => new Secret(input),
  });
  return { code, out, err };
}

const listKeys = (env: Env) =>
  run(['api-key', 'list', '--url', `http://${HOST}:${control.url.port}`, '--allow-plain-http'], {
    DOORWARD_API_KEY: control.alice.apiKey.reveal(),
    ...env,
  });

test(
  'commands go through the proxy that the environment names, and show it their login (HTTP_PROXY)',
  LIMIT,
  async (t) => {
    const proxy = await proxyFor(t, { login: 'ann:s3cr@t' });
    for (const name of ['http_proxy', 'HTTP_PROXY']) {
      const { code, err } = await listKeys({ [name]: `http://ann:s3cr%40t@127.0.0.1:${proxy.port}` });
      assert.deepEqual([code, err], [0, ''], name);
    }
    const wanted = `${HOST}:${control.url.port}`;
    assert.deepEqual(proxy.asked, [wanted, wanted]);
    const { code, err } = await listKeys({ http_proxy: `http://127.0.0.1:${proxy.port}` });
    assert.equal(code, 1);
    assert.ok(err.includes(`the proxy http://127.0.0.1:${proxy.port} refused the connection with 407`), err);
  },
);

test(
  'a proxy that refuses, is not there or cannot be read is named, without its password (HTTP_PROXY)',
  LIMIT,
  async (t) => {
    const refusing = await proxyFor(t, { refuses: 403 });
    const gone = await startConnectProxy();
    await gone[Symbol.asyncDispose]();
    const cases: readonly (readonly [value: string, found: RegExp])[] = [
      [
        `http://u:hidden@127.0.0.1:${refusing.port}`,
        /the proxy http:\/\/127\.0\.0\.1:\d+ refused the connection with 403/,
      ],
      [
        `http://u:hidden@127.0.0.1:${gone.port}`,
        /the proxy http:\/\/127\.0\.0\.1:\d+ cannot be reached: nothing listens there/,
      ],
      ['socks5://u:hidden@127.0.0.1:1080', /Cannot use the proxy of http_proxy/],
    ];
    for (const [http_proxy, found] of cases) {
      const { code, out, err } = await listKeys({ http_proxy });
      assert.notEqual(code, 0);
      assert.match(err, found);
      assert.doesNotMatch(out + err, /hidden/);
    }
  },
);

test(
  'for programs, --json tells what a proxy did by a code and its status (HTTP_PROXY)',
  LIMIT,
  async (t) => {
    const proxy = await proxyFor(t, { refuses: 403 });
    const words = ['api-key', 'list', '--url', `http://${HOST}:${control.url.port}`, '--allow-plain-http'];
    const { err } = await run([...words, '--json'], {
      DOORWARD_API_KEY: control.alice.apiKey.reveal(),
      http_proxy: `http://u:hidden@127.0.0.1:${proxy.port}`,
    });
    const told: unknown = JSON.parse(err);
    assert.partialDeepStrictEqual(told, {
      code: 'control_unreachable',
      proxy: { code: 'proxy_refused', status: 403 },
    });
    assert.doesNotMatch(err, /hidden/);
  },
);

test('a proxy that says nothing is named once the wait is over (HTTPS_PROXY)', LIMIT, async (t) => {
  const proxy = await proxyFor(t, { silent: true });
  const { code, err } = await listKeys({ http_proxy: `127.0.0.1:${proxy.port}` });
  assert.equal(code, 1);
  assert.ok(err.includes(`the proxy http://127.0.0.1:${proxy.port} did not answer in 10000 ms`), err);
});

test(
  'NO_PROXY and this machine are reached straight: a key for loopback is shown to no proxy',
  LIMIT,
  async (t) => {
    const proxy = await proxyFor(t);
    const env = {
      http_proxy: `http://127.0.0.1:${proxy.port}`,
      DOORWARD_API_KEY: control.alice.apiKey.reveal(),
    };
    for (const url of [control.url.origin, `http://localhost:${control.url.port}`])
      assert.equal((await run(['api-key', 'list', '--url', url], env)).code, 0, url);
    const { code, err } = await listKeys({ ...env, NO_PROXY: '.corp.test' });
    assert.deepEqual([code, /the proxy/.test(err)], [1, false], err);
    assert.deepEqual(proxy.asked, []);
  },
);

test(
  'https goes through as TLS with the destination, certificates too; the proxy sees no key (HTTPS_PROXY)',
  LIMIT,
  async (t) => {
    const { certificate, key } = authority.issue([HOST]);
    const shown: (string | undefined)[] = [];
    const server = createServer(
      { cert: certificate, key, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        shown.push((request.socket as TLSSocket).getPeerX509Certificate()?.toString());
        response.setHeader('content-type', 'application/json').end('{"items":[]}');
      },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const proxy = await proxyFor(t);
    const { port } = server.address() as AddressInfo;
    const wayTo = wayOut({ env: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` } });
    const apiKey = newApiKey();
    const clientCertificate = { certificate, key: new Secret(key) };
    const call = (url: URL) => createNodeClient({ url, apiKey, clientCertificate, wayTo }).gateways();
    assert.deepEqual(await call(new URL(`https://${HOST}:${port}`)), []);
    assert.equal(shown[0]?.trim(), certificate.trim());
    assert.deepEqual(proxy.asked, [`${HOST}:${port}`]);
    assert.ok(!proxy.sent().includes(apiKey.reveal()));
    await assert.rejects(
      call(new URL(`https://other.corp.test:${port}`)),
      /its certificate is for another name/,
    );
  },
);

test(
  'an agent dials its tunnels through the proxy, and requests come through it (HTTP_PROXY)',
  LIMIT,
  async (t) => {
    const share = testShare('demo', '', { target: null });
    const host = 'tunnel.corp.test';
    const gate = await startTestGate({
      shares: [share],
      settings: { tunnel: { host, workers: 1, atGateway: true, listener: null } },
      admits: () => ({ kind: 'tunnel', shareId: share.id, key: TUNNEL_KEY }),
    });
    t.after(gate.close);
    const backend = await startEchoBackend();
    t.after(backend.close);
    const start = async (proxy: { readonly port: number }) => {
      const agent = startAgent({
        gateways: async () => [{ url: new URL(`http://${host}:${gate.port}`), workers: 1 }],
        share: share.name,
        apiKey: newApiKey(),
        allowPlainHttp: true,
        wayTo: wayOut({ env: { http_proxy: `http://127.0.0.1:${proxy.port}` } }),
        target: parseLocalTarget(backend.url),
        onRequest: () => {},
        onState: () => {},
        onRefused: () => {},
      });
      t.after(() => agent.stop(0));
      await agent.ready;
    };
    const refusing = await proxyFor(t, { refuses: 403 });
    await assert.rejects(
      start(refusing),
      /the proxy http:\/\/127\.0\.0\.1:\d+ refused the connection with 403/,
    );
    const proxy = await proxyFor(t);
    await start(proxy);
    assert.deepEqual(proxy.asked, [`${host}:${gate.port}`]);
    assert.equal((await gate.call({ host: share.hosts[0] ?? '' })).status, 200);
  },
);

for (const secure of [false, true])
  for (const [where, answer] of STALLS)
    test(
      `an agent that stops leaves ${secure ? 'an https' : 'a'} proxy that stalls ${where}`,
      LIMIT,
      async (t) => {
        const stop = new AbortController();
        const pair = secure ? authority.issue(['localhost']) : null;
        const { proxy, left, heads } = await startRawProxy(t, answer, pair);
        const dialling = dialTunnel({
          gateway: new URL('https://tunnel.corp.test'),
          share: 'demo',
          apiKey: newApiKey(),
          clientCertificate: null,
          allowPlainHttp: false,
          agentId: 'agent',
          held: [],
          resumption: { session: null, context: null },
          // Far longer than this test may take: stopping ends it, or nothing does.
          wayTo: (url) => (tls, signal) => connectThrough(proxy, url, { tls, signal, limitMs: 600_000 }),
          signal: stop.signal,
        });
        await until(() => heads.length === 1);
        stop.abort();
        await assert.rejects(dialling, { code: 'gateway_unreachable' });
        await left();
      },
    );

test('cert token create takes the connection options, and posts none of them as fields', LIMIT, async (t) => {
  const proxy = await proxyFor(t);
  const words = ['cert', 'token', 'create', '--common-name', 'ann', '--allow-plain-http'];
  const made = await run([...words, '--url', `http://${HOST}:${control.url.port}`], {
    http_proxy: `http://127.0.0.1:${proxy.port}`,
    DOORWARD_API_KEY: control.alice.apiKey.reveal(),
  });
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /#crt_/);
  const shown = await run([...words, '--url', control.url.origin, '--cert', '/nowhere/x.cert.pem'], {
    DOORWARD_API_KEY: control.alice.apiKey.reveal(),
  });
  assert.match(shown.err, /Cannot present a client certificate to http:/);
});
