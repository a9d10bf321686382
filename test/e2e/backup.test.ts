// Backing up, restoring and rotating the master key of a service that runs: by command line, seen through the
// API, the gate and a browser.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { Secret } from '../../src/domain/secret.ts';
import { type Browser, createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { startEchoBackend, type EchoBackend } from '../support/echo-backend.ts';
import { freePort } from '../support/free-port.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { changeConfig, configFileOf, failToServe } from '../support/serve-process.ts';
import { layOutService, type ServiceProcess } from '../support/service-process.ts';

let postgres: TestPostgres;
let backend: EchoBackend;
before(async () => {
  [postgres, backend] = await Promise.all([startPostgres(), startEchoBackend()]);
});
after(async () => {
  await backend?.close();
  await postgres?.[Symbol.asyncDispose]();
});

test('a backup made while people log in and shares change is restored into a fresh folder and onto PostgreSQL', async (t) => {
  const { service, file, ada, grace } = await backedUp(t);
  const stores = ['sqlite:fresh/doorward.db', (await postgres.place()).reveal()];
  for (const url of stores) {
    changeConfig(service, (config) => Object.assign(config['store'] ?? {}, { url }));
    const { code, document, err } = await doorward(service, 'restore', file, '--json');
    assert.equal(code, 0, err);
    assert.ok(
      Number(document['rows']) > 0 && Number(document['endedSessions']) >= 2,
      JSON.stringify(document),
    );
    await service.start();
    for (const browser of [ada, grace]) {
      // Whether or not she logged out after the backup: nobody is in.
      assert.equal((await browser.open(service.urlOf('demo'))).status, 302);
    }
    await checkWorks(service);
    await service.stop();
  }
});

test('restore --keep-sessions lets the sessions of the backup go on, and the former file is kept', async (t) => {
  const { service, file, grace } = await backedUp(t);
  const { code, document, err } = await doorward(service, 'restore', file, '--keep-sessions', '--json');
  assert.equal(code, 0, err);
  const keptAside = String(document['keptAside']);
  assert.match(keptAside, /doorward\.db\.before-\d{8}T\d{6}Z$/);
  await service.start();
  assert.equal((await grace.open(service.urlOf('demo'))).status, 200);
  assert.ok((await service.client.shares.list()).items.every(({ name }) => name !== 'after-the-backup'));
  await service.stop();
  // What was written after the backup is in the file that was kept.
  changeConfig(service, (config) => Object.assign(config['store'] ?? {}, { url: `sqlite:${keptAside}` }));
  await service.start();
  await service.client.shares.show('after-the-backup');
});

test('restore is refused while the service runs, with another master key, and from a damaged file', async (t) => {
  const { service, file } = await backedUp(t);
  await service.start();
  const served = await doorward(service, 'restore', file);
  assert.equal(served.code, 1);
  assert.match(served.err, /error: .*another process uses it/);
  await service.client.shares.show('after-the-backup');
  await service.stop();
  const keyFile = join(service.folder, 'master.key');
  const key = await readFile(keyFile, 'utf8');
  await writeFile(keyFile, `${Buffer.alloc(32, 7).toString('base64url')}\n`);
  const foreign = await doorward(service, 'restore', file);
  assert.equal(foreign.code, 2);
  assert.match(foreign.err, /error: .*another master key\nhint: .*store\.master_key_file/);
  await writeFile(keyFile, key);
  await writeFile(file, (await readFile(file, 'utf8')).slice(0, -40));
  const damaged = await doorward(service, 'restore', file);
  assert.equal(damaged.code, 1);
  assert.match(damaged.err, /error: .*incomplete/);
  await service.start();
  await service.client.shares.show('after-the-backup');
});

test('key rotate beside the running service: nobody is logged out, logins go on, and the old key is useless', async (t) => {
  const { service, ada } = await running(t);
  const keyFile = join(service.folder, 'master.key');
  const old = await readFile(keyFile, 'utf8');
  const { code, document, err } = await doorward(service, 'key', 'rotate', '--json');
  assert.equal(code, 0, err);
  assert.equal(document['state'], 'rotated');
  assert.ok(Number(document['resealed']) >= 3, 'a session, a provider, a webhook');
  assert.equal(document['unreadable'], 0);
  assert.notEqual(await readFile(keyFile, 'utf8'), old);
  const told = await doorward(service, 'audit', '--operator', '--last', '1', '--json');
  assert.deepEqual(
    [told.code, told.document['kind'], told.document['actor']],
    [0, 'master_key.rotated', 'operator'],
  );
  const none = await doorward(service, 'audit', '--operator', '--kind', 'store.restored', '--json');
  assert.deepEqual([none.code, none.document], [0, {}]);
  const followed = await doorward(service, 'audit', '--operator', '--follow');
  assert.equal(followed.code, 2, followed.err);
  assert.equal((await ada.open(service.urlOf('demo'))).status, 200);
  await checkWorks(service);
  await service.stop();
  await service.start();
  assert.equal((await ada.open(service.urlOf('demo'))).status, 200);
  // Its tokens are opened to be revoked.
  assert.equal((await ada.open(`${service.urlOf('demo')}/.svc/logout`)).status, 302);
  await service.stop();
  await writeFile(keyFile, old);
  const refused = await failToServe(configFileOf(service));
  assert.equal(refused.code, 2);
  assert.match(refused.said, /created with another master key/);
});

test('a second service on the same SQLite file is refused as long as the first lives, kill -9 included', async (t) => {
  const { service } = await running(t);
  const other = join(service.folder, 'other.yaml');
  const config = JSON.parse(await readFile(configFileOf(service), 'utf8')) as Record<string, object>;
  for (const section of ['gateway', 'oauth', 'control'])
    config[section] = { ...config[section], bind_address: `127.0.0.1:${await freePort()}` };
  await writeFile(other, JSON.stringify(config));
  for (let round = 0; round < 2; round++) {
    const { code, said } = await failToServe(other);
    assert.equal(code, 1);
    assert.match(said, /error: .*doorward\.db: another process uses it\nhint: Stop the other doorward/);
    // It leaves no lock behind.
    assert.equal(await service.stop('SIGKILL'), 'SIGKILL');
    await service.start();
    await service.client.shares.show('demo');
  }
});

type Running = { readonly service: ServiceProcess; readonly ada: Browser };

/** A service with a share, a definition and a webhook, where Ada is logged in. */
async function running(t: TestContext): Promise<Running> {
  const service = await layOutService();
  t.after(() => service.close());
  // For the webhook, which nobody answers.
  changeConfig(service, (config) => Object.assign(config, { outbound_allow: ['127.0.0.1'] }));
  await service.start();
  const { shares, providers, webhooks } = service.client;
  await shares.create({ name: 'demo', target: backend.url, oauthProvider: 'corp' });
  const config = { clientId: 'c', clientSecret: 'a secret of the partner' };
  await providers.create({ name: 'partner', type: 'GOOGLE', config });
  await webhooks.create({ url: 'https://127.0.0.1/webhook' });
  return { service, ada: await logIn(service, 'ada@example.com') };
}

/**
 * A backup from while the service ran and was written to; the service is stopped, and was used after the
 * backup.
 */
async function backedUp(t: TestContext) {
  const { service, ada } = await running(t);
  const grace = await logIn(service, 'grace@example.com');
  const file = join(service.folder, 'backup');
  const writer = { stopped: false, written: 0 };
  const writing = (async () => {
    while (!writer.stopped) {
      await service.client.shares.modify('demo', { enabled: true });
      writer.written++;
    }
  })();
  const { code, document, err } = await doorward(service, 'backup', '--to', file, '--json');
  assert.equal(code, 0, err);
  writer.stopped = true;
  await writing;
  assert.ok(writer.written > 0);
  assert.equal(document['file'], file);
  await service.client.shares.create({ name: 'after-the-backup', target: backend.url, open: true });
  const [adas] = (await service.client.sessions.list({ email: 'ada@example.com' })).items;
  await service.client.sessions.end(adas?.id ?? '');
  await service.stop();
  return { service, file, ada, grace };
}

async function logIn(service: ServiceProcess, email: string): Promise<Browser> {
  const browser = createBrowser();
  const { last } = await walkLogin(browser, service.urlOf('demo'), { email });
  assert.equal(last.status, 200);
  return browser;
}

/** Every kind of record is there, can be changed and added to, and people log in. */
async function checkWorks(service: ServiceProcess): Promise<void> {
  const { shares, providers, webhooks, sessions, auditEvents, apiKeys, members } = service.client;
  const made = await shares.create({ name: 'made-now', target: backend.url, oauthProvider: 'corp' });
  assert.deepEqual(
    (await shares.list()).items.map(({ name }) => name).filter((name) => name !== 'after-the-backup'),
    ['demo', 'made-now'],
  );
  await shares.modify('made-now', { enabled: false });
  await shares.remove('made-now');
  assert.equal(made.name, 'made-now');
  await providers.modify('partner', { config: { clientId: 'd', clientSecret: 'another' } });
  assert.equal((await providers.list()).items.length, 1);
  assert.equal((await webhooks.list()).items.length, 1);
  const { items } = await apiKeys.list();
  assert.ok(items.length > 0);
  assert.ok((await members.list()).items.length > 0);
  const browser = await logIn(service, 'hopper@example.com');
  const [found] = (await sessions.list({ email: 'hopper@example.com' })).items;
  assert.ok(found !== undefined);
  assert.equal((await browser.open(service.urlOf('demo'))).status, 200);
  const events = (await auditEvents.list({})).items;
  assert.ok(events.some(({ kind }) => kind === 'share.created'));
}

type Ran = { readonly code: number; readonly err: string; readonly document: Record<string, unknown> };

async function doorward(service: ServiceProcess, ...words: readonly string[]): Promise<Ran> {
  let [out, err] = ['', ''];
  const code = await main([...words, '--config', configFileOf(service)], {
    out: (text) => (out += text),
    err: (text) => (err += text),
    env: {},
    readSecret: async () => new Secret(''),
  });
  const document = out === '' ? {} : (JSON.parse(out) as Record<string, unknown>);
  return { code, err, document };
}
