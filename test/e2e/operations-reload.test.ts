// Changes to a running `doorward serve` process (DESIGN 2.1): SIGHUP, keys that rotate, certificates whose
// files change.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { makeCertificate } from '../support/certificate.ts';
import { type Echo, startEchoBackend } from '../support/echo-backend.ts';
import { startOidcProvider } from '../support/providers/oidc-provider.ts';
import { changeConfig, configFileOf, eventually, hangUp, logOf } from '../support/serve-process.ts';
import { corpClient } from '../support/service.ts';
import {
  layOutService,
  type ServiceProcess,
  type ServiceProcessOptions,
} from '../support/service-process.ts';

/** A running service with a share `demo` behind a login at `corp`. */
async function running(
  t: TestContext,
  options: Pick<ServiceProcessOptions, 'tls' | 'configByEnvironment'> = {},
) {
  const service = await layOutService(options);
  t.after(() => service.close());
  await service.start();
  const backend = await startEchoBackend();
  t.after(backend.close);
  await service.client.shares.create({ name: 'demo', target: backend.url, oauthProvider: 'corp' });
  return { service, backend };
}

test('SIGHUP makes a new provider usable, and keeps sessions', async (t) => {
  const { service, backend } = await running(t);
  const ada = await loggedIn(service);
  const client = corpClient('');
  const redirectUris = [`${service.endpointUrl}/second/auth/callback`];
  const second = await startOidcProvider({ clients: [{ ...client, redirectUris }] });
  t.after(second.close);
  const share = { name: 'second', target: backend.url, oauthProvider: 'second' };
  await assert.rejects(service.client.shares.create(share), { code: 'validation_failed' });
  changeConfig(service, ({ oauth: { providers } }) => {
    providers.push({ ...providers[0], name: 'second', issuer: second.issuer });
  });
  assert.equal((await hangUp(service)).msg, 'Reloaded the configuration');
  await service.client.shares.create(share);
  const walk = await walkLogin(createBrowser(), service.urlOf('second'), { email: 'ada@example.com' });
  assert.equal((JSON.parse(walk.last.body) as Echo).headers['svc-auth-provider'], 'second');
  assert.equal((await ada.open(service.urlOf('demo'))).status, 200);
});

test('SIGHUP with a faulty file keeps the former configuration, and says what is wrong', async (t) => {
  const { service } = await running(t);
  const ada = await loggedIn(service);
  changeConfig(service, ({ oauth }) => {
    oauth['cookie_name'] = 'other-name';
    oauth['session_lifetime'] = '6h foo';
  });
  const line = await hangUp(service);
  assert.equal(line.level, 'error');
  assert.match(JSON.stringify(line), /oauth\.session_lifetime/);
  assert.equal((await ada.open(service.urlOf('demo'))).status, 200);
  await loggedIn(service);
  writeFileSync(configFileOf(service), 'gateway: [');
  assert.equal((await hangUp(service)).level, 'error');
  assert.equal((await ada.open(service.urlOf('demo'))).status, 200);
});

test('SIGHUP names the settings that need a restart, and keeps them as they were', async (t) => {
  const { service } = await running(t);
  changeConfig(service, (config) => {
    config['gateway'] = { ...config['gateway'], workers: 2 };
  });
  assert.equal((await hangUp(service)).msg, 'Reloaded the configuration');
  const warning = logOf(service).find(({ level }) => level === 'warn');
  assert.deepEqual(warning?.['settings'], ['gateway.workers']);
});

test('after SIGHUP, the settings tell the line of each value, and what waits for a restart', async (t) => {
  const { service } = await running(t, { configByEnvironment: true });
  const before = await settingsOf(service);
  assert.equal(before.configuration?.file, 'doorward.yaml');
  assert.equal(before.configuration.chosenBy, 'environment');
  assert.deepEqual(before.of('oauth.session_lifetime'), ['file', 1]);
  assert.deepEqual(before.of('limits.shares'), ['default', null]);
  changeConfig(service, (config) => {
    config['gateway'] = { ...config['gateway'], public_url: 'http://*.share.localhost:8080' };
    config['limits'] = { shares: 321 };
  });
  assert.equal((await hangUp(service)).msg, 'Reloaded the configuration');
  const lines = readFileSync(configFileOf(service), 'utf8').split('\n');
  const lineOf = (text: string) => lines.findIndex((line) => line.includes(text)) + 1;
  const reloaded = await settingsOf(service);
  assert.deepEqual(reloaded.of('limits.shares'), ['file', lineOf('"shares": 321')]);
  assert.deepEqual(reloaded.of('gateway.public_url'), ['start', lineOf('share.localhost:8080')]);
  assert.deepEqual(reloaded.of('oauth.providers[0]'), ['file', lineOf('"providers"') + 1]);
  assert.ok((reloaded.configuration?.readAt ?? '') > before.configuration.readAt);
});

test('previous_keys change the keys without logging anybody out; without the old pair its sessions are over', async (t) => {
  const { service } = await running(t);
  const ada = await loggedIn(service);
  const old: Record<string, unknown> = {};
  changeConfig(service, ({ oauth }) => {
    Object.assign(old, { signing_key: oauth['signing_key'], encryption_key: oauth['encryption_key'] });
    oauth['signing_key'] = 'another signing key, of 32 characters or more';
    oauth['encryption_key'] = 'another encryption key, of 24 or more';
    oauth['previous_keys'] = [old];
  });
  await hangUp(service);
  assert.equal((await ada.open(service.urlOf('demo'))).status, 200);
  const grace = await loggedIn(service, 'grace@example.com');
  changeConfig(service, ({ oauth }) => {
    delete oauth['previous_keys'];
  });
  await hangUp(service);
  assert.equal((await ada.open(service.urlOf('demo'))).status, 302);
  assert.equal((await grace.open(service.urlOf('demo'))).status, 200);
});

test('a login under way lives through a change of keys', async (t) => {
  const { service } = await running(t);
  const browser = createBrowser();
  const { stopped } = await walkLogin(browser, service.urlOf('demo'), {
    email: 'ada@example.com',
    until: (next) => next.pathname === '/corp/auth/callback',
  });
  changeConfig(service, ({ oauth }) => {
    const { signing_key, encryption_key } = oauth;
    oauth['previous_keys'] = [{ signing_key, encryption_key }];
    oauth['signing_key'] = 'another signing key, of 32 characters or more';
    oauth['encryption_key'] = 'another encryption key, of 24 or more';
  });
  await hangUp(service);
  assert.ok(stopped);
  assert.equal((await browser.follow(stopped)).last.status, 200);
});

test('certificates are read again when their files change; old connections go on', async (t) => {
  const { service } = await running(t, { tls: true });
  const host = new URL(service.urlOf('demo')).hostname;
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: service.tls?.ca });
  t.after(() => agent.destroy());
  const before = await fingerprint(service, host);
  const kept = await askTwice(service, { agent, host });
  const pair = makeCertificate([`*.share.localhost`, 'share.localhost']);
  writeFileSync(join(service.folder, 'server.pem'), pair.certificate);
  writeFileSync(join(service.folder, 'server.key'), pair.key);
  const after = await eventually('a new connection gets the new certificate', async () => {
    const seen = await fingerprint(service, host);
    return seen !== before && seen;
  });
  assert.notEqual(after, before);
  assert.equal(await kept(), 302);
  assert.ok(logOf(service).some(({ msg }) => msg === 'Certificates changed'));
});

test('a certificate without its key is never put to use', async (t) => {
  const { service } = await running(t, { tls: true });
  const host = new URL(service.urlOf('demo')).hostname;
  const before = await fingerprint(service, host);
  writeFileSync(join(service.folder, 'server.pem'), makeCertificate(['*.share.localhost']).certificate);
  await eventually('the log says so', () =>
    logOf(service).find(({ msg }) => msg === 'Cannot use the changed certificates: the former stay'),
  );
  assert.equal(await fingerprint(service, host), before);
});

async function settingsOf({ client }: ServiceProcess) {
  const { configuration, origins } = await client.settings();
  const of = (asked: string) =>
    origins.filter(({ key }) => key === asked).map(({ from, line }) => [from, line])[0];
  return { configuration, of };
}

async function loggedIn(service: ServiceProcess, email = 'ada@example.com') {
  const browser = createBrowser(service.tls === null ? {} : { ca: service.tls.ca });
  const { last } = await walkLogin(browser, service.urlOf('demo'), { email });
  assert.equal(last.status, 200);
  return browser;
}

/** Of the certificate that a new connection gets. */
async function fingerprint(service: ServiceProcess, servername: string): Promise<string> {
  const socket: TLSSocket = connect({
    port: service.port,
    host: '127.0.0.1',
    servername,
    rejectUnauthorized: false,
  });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

/** One request now; a second one, on the same connection, when called. Answers its status. */
async function askTwice(
  service: ServiceProcess,
  { agent, host }: { readonly agent: Agent; readonly host: string },
): Promise<() => Promise<number>> {
  const ask = async () => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; socket: unknown }>();
    const options = { agent, host: '127.0.0.1', port: service.port, servername: host, headers: { host } };
    get(options, (response) => {
      const { socket, statusCode = 0 } = response;
      response.resume().on('end', () => resolve({ status: statusCode, socket }));
    }).on('error', reject);
    return promise;
  };
  const first = await ask();
  return async () => {
    const second = await ask();
    assert.equal(second.socket, first.socket);
    return second.status;
  };
}
