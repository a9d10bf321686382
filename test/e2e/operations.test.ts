// The service as operators treat it: a real `doorward serve` process that is reloaded, stopped, crowded and
// hurt.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import { connect as connectTcp, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { type Echo, startEchoBackend } from '../support/echo-backend.ts';
import { freePort } from '../support/free-port.ts';
import { startOidcProvider } from '../support/providers/oidc-provider.ts';
import { changeConfig, configFileOf, eventually, failToServe, logOf } from '../support/serve-process.ts';
import { corpClient } from '../support/service.ts';
import { layOutService, type ServiceProcess } from '../support/service-process.ts';

async function laidOut(t: TestContext, nodeFlags: readonly string[] = []): Promise<ServiceProcess> {
  const service = await layOutService({ nodeFlags });
  t.after(() => service.close());
  return service;
}

test('SIGTERM: a running download finishes, new connections are refused, the exit code is 0', async (t) => {
  const go = Promise.withResolvers<void>();
  const backend = createServer((_request, response) => {
    response.write('first ');
    void go.promise.then(() => response.end('last'));
  });
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
  t.after(() => backend.close());
  const service = await laidOut(t);
  await service.start();
  const target = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;
  await service.client.shares.create({ name: 'open', target, open: true });
  const download = await request(service, 'open');
  const [first] = (await once(download, 'data')) as [Buffer];
  assert.equal(first.toString(), 'first ');
  const stopped = service.stop('SIGTERM');
  await eventually('new connections are refused', () => isRefused(service.port));
  go.resolve();
  assert.equal(await text(download), 'last');
  assert.equal(await stopped, 0);
  const said = logOf(service).map(({ msg }) => msg);
  assert.ok(said.includes('Stopping'));
  const line = logOf(service).find(({ msg, share }) => msg === 'request' && share === 'open');
  assert.equal(line?.['status'], 200);
  assert.equal(line?.['aborted'], undefined);
});

test('the log has one shape: names of levels and RFC 3339 times, for requests too', async (t) => {
  const service = await laidOut(t);
  await service.start();
  (await request(service, 'nobody')).resume();
  await service.stop();
  const lines = logOf(service);
  assert.ok(lines.some(({ msg }) => msg === 'request') && lines.some(({ msg }) => msg === 'Serving'));
  for (const { level, time } of lines) {
    assert.match(level, /^(debug|info|warn|error)$/);
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
});

test('answers of HTTP/1.1 have a reason phrase, through the gateway inside too', async (t) => {
  const service = await laidOut(t);
  await service.start();
  const backend = await startEchoBackend();
  t.after(backend.close);
  await service.client.shares.create({ name: 'demo', target: backend.url, oauthProvider: 'corp' });
  for (const [host, status, phrase] of [
    ['demo', 302, 'Found'],
    ['nobody', 404, 'Not Found'],
    ['login', 404, 'Not Found'],
  ] as const) {
    const answer = await request(service, host);
    answer.resume();
    assert.deepEqual([answer.statusCode, answer.statusMessage], [status, phrase], host);
  }
});

for (const [section, listener] of [
  ['gateway', 'the gateway'],
  ['oauth', 'the OAuth frontend'],
  ['control', 'the control API'],
] as const) {
  test(`a taken port of ${listener} is said, with exit code 1 (address_in_use)`, async (t) => {
    const service = await laidOut(t);
    const taken = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve));
    t.after(() => taken.close());
    changeConfig(service, (config) => {
      Object.assign(config[section] ?? {}, { bind_address: `127.0.0.1:${port}` });
    });
    const { code, said } = await failToServe(configFileOf(service));
    assert.equal(code, 1);
    assert.match(said, new RegExp(`error: Cannot listen .*127\\.0\\.0\\.1:${port}`));
    assert.match(said, /^hint: /m);
  });
}

test('a configuration with faults: each is said, exit code 2, nothing starts', async (t) => {
  const service = await laidOut(t);
  changeConfig(service, (config) => {
    config.oauth['session_lifetime'] = '6h foo';
    config.oauth['cookie_nam'] = 'x';
  });
  const { code, said } = await failToServe(configFileOf(service));
  assert.equal(code, 2);
  assert.match(said, /oauth\.session_lifetime/);
  assert.match(said, /cookie_name/);
});

test('a second service on the same SQLite file is refused, and the first goes on', async (t) => {
  const service = await laidOut(t);
  await service.start();
  const other = join(service.folder, 'other.yaml');
  const config = JSON.parse(readFileSync(configFileOf(service), 'utf8')) as Record<string, object>;
  for (const section of ['gateway', 'oauth', 'control'])
    config[section] = { ...config[section], bind_address: `127.0.0.1:${await freePort()}` };
  writeFileSync(other, JSON.stringify(config));
  const { code, said } = await failToServe(other);
  assert.equal(code, 1);
  assert.match(said, /error: .*doorward\.db/);
  await service.client.shares.list();
});

test('a provider that is down at start stops nothing, and is usable once it is up', async (t) => {
  const service = await laidOut(t);
  const backend = await startEchoBackend();
  t.after(backend.close);
  const port = await freePort();
  const { clientId: client_id, clientSecret: client_secret } = corpClient('');
  changeConfig(service, ({ oauth }) => {
    oauth.providers.push({
      name: 'late',
      type: 'oidc',
      client_id,
      client_secret,
      issuer: `http://127.0.0.1:${port}`,
      scopes: ['openid', 'email'],
      supports_pkce: true,
    });
  });
  await service.start();
  await service.client.shares.create({ name: 'late', target: backend.url, oauthProvider: 'late' });
  await service.client.shares.create({ name: 'demo', target: backend.url, oauthProvider: 'corp' });
  const early = await createBrowser().follow(service.urlOf('late'));
  assert.equal(early.last.status, 503);
  const meanwhile = await walkLogin(createBrowser(), service.urlOf('demo'), { email: 'ada@example.com' });
  assert.equal(meanwhile.last.status, 200);
  const redirectUris = [`${service.endpointUrl}/late/auth/callback`];
  const late = await startOidcProvider({ port, clients: [{ ...corpClient(''), redirectUris }] });
  t.after(late.close);
  const walk = await eventually('a login at the provider that came up', async () => {
    const { last } = await walkLogin(createBrowser(), service.urlOf('late'), { email: 'ada@example.com' });
    return last.status === 200 && last;
  });
  assert.equal((JSON.parse(walk.body) as Echo).headers['svc-auth-provider'], 'late');
});

test('a worker that crashes is replaced, and its sessions go on', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-crash-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'die');
  const preload = pathToFileURL(join(import.meta.dirname, '../support/worker-that-dies.ts'));
  preload.searchParams.set('file', file);
  const service = await laidOut(t, ['--import', preload.href]);
  await service.start();
  const backend = await startEchoBackend();
  t.after(backend.close);
  await service.client.shares.create({ name: 'demo', target: backend.url, oauthProvider: 'corp' });
  const browser = createBrowser();
  await walkLogin(browser, service.urlOf('demo'), { email: 'ada@example.com' });
  const pid = service.pid();
  writeFileSync(file, '');
  await eventually('the log tells of the crash', () =>
    logOf(service).find(({ msg }) => msg === 'A worker of the data plane failed'),
  );
  const answer = await eventually('the next worker answers', () =>
    browser.open(service.urlOf('demo')).catch(() => null),
  );
  assert.equal(answer.status, 200);
  assert.equal(service.pid(), pid);
});

test('/healthz, /readyz and /metrics say how it is', async (t) => {
  const service = await laidOut(t);
  const port = await freePort();
  changeConfig(service, (config) => {
    config['metrics'] = { bind_address: `127.0.0.1:${port}` };
  });
  await service.start();
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  assert.equal((await ask('/healthz')).status, 200);
  const ready = await ask('/readyz');
  assert.equal(ready.status, 200);
  assert.deepEqual(await ready.json(), { ready: true, checks: { gateway: 'ok', store: 'ok' } });
  (await request(service, 'nobody')).resume();
  const metrics = await ask('/metrics');
  assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain/);
  assert.match(await metrics.text(), /^doorward_gateway_requests_total\{code="4xx".*\} 1$/m);
  assert.equal((await ask('/elsewhere')).status, 404);
});

function request(service: ServiceProcess, share: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { host } = new URL(service.urlOf(share));
  const options = { host: '127.0.0.1', port: service.port, agent: false, headers: { host } } as const;
  get(options, resolve).on('error', reject);
  return promise;
}

function isRefused(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connectTcp({ port, host: '127.0.0.1' });
  socket.on('connect', () => {
    socket.destroy();
    resolve(false);
  });
  socket.on('error', () => resolve(true));
  return promise;
}
