// What lives after `doorward restore`: seen from outside, on each engine, with certificates, request tokens,
// invitations and keys that were used, made, revoked or deleted between the backup and the restore.

import assert from 'node:assert/strict';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test, type TestContext } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { Secret } from '../../src/domain/secret.ts';
import { startEchoBackend, type EchoBackend } from '../support/echo-backend.ts';
import { callTls } from '../support/mutual-tls.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { changeConfig, configFileOf } from '../support/serve-process.ts';
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

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`restore onto ${kind}: certificates issued since the backup open nothing, those of before and after do`, async (t) => {
    const service = await running(t, kind);
    const kept = await holder(service, 'kept');
    const file = await backUp(service);
    const [since, revoked] = [await holder(service, 'since'), await holder(service, 'revoked')];
    await service.client.certificates.revoke(revoked.serial, {});
    assert.deepEqual(await opens(service, [kept, since, revoked]), [200, 200, 'certificate_revoked']);
    await restore(service, { file, kind });
    const fresh = await holder(service, 'fresh');
    const refused = 'certificate_revoked';
    assert.deepEqual(await opens(service, [kept, since, revoked, fresh]), [200, refused, refused, 200]);
    // Once more the same backup: what was issued after the first restore is unknown, too.
    await restore(service, { file, kind });
    assert.deepEqual(await opens(service, [kept, since, revoked, fresh]), [200, refused, refused, refused]);
    // And a backup of what was restored, which holds one that is good.
    const last = await holder(service, 'last');
    const second = await backUp(service, 'second');
    await restore(service, { file: second, kind });
    assert.deepEqual(await opens(service, [kept, since, revoked, fresh, last]), [
      200,
      refused,
      refused,
      refused,
      200,
    ]);
  });

  test(`restore onto ${kind}: a certificate that the store lost is revoked by its serial or itself, on open connections, too`, async (t) => {
    const service = await running(t, kind);
    const [lost, other] = [await holder(service, 'lost'), await holder(service, 'other')];
    const agents = [lost, other].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
    t.after(() => agents.forEach((agent) => agent.destroy()));
    const open = () =>
      Promise.all(
        [lost, other].map(async (pair, index) => {
          const tls = { agent: agents[index]! };
          const { status, code } = await callTls(service.port, { host: STRICT, pair, tls });
          return code ?? status;
        }),
      );
    // Lost in a way that no restore is noted of: whoever reads the store by hand sees the same.
    await forget(service, kind, [lost.serial, other.serial]);
    assert.deepEqual(await open(), [200, 200]);
    const { certificates } = service.client;
    await assert.rejects(certificates.revoke(lost.serial, {}), { code: 'certificate_unknown' });
    const none = { revoked: [], serials: [] };
    const bySerial = await certificates.revokeNamed({ serial: lost.serial });
    assert.deepEqual(bySerial, { ...none, serials: [lost.serial] });
    assert.deepEqual(await open(), ['certificate_revoked', 200]);
    const byItself = await certificates.revokeNamed({ certificate: other.certificate });
    assert.deepEqual(byItself, { ...none, serials: [other.serial] });
    assert.deepEqual(await open(), ['certificate_revoked', 'certificate_revoked']);
    assert.deepEqual(await certificates.revokeNamed({ certificate: other.certificate }), none);
    // A backup has them, and so has a gateway that starts.
    const file = await backUp(service, 'with-revoked');
    await restore(service, { file, kind });
    assert.deepEqual(await opens(service, [lost, other]), ['certificate_revoked', 'certificate_revoked']);
    assert.deepEqual(await certificates.revokeNamed({ serial: lost.serial }), none);
  });

  test(`restore onto ${kind}: request tokens and invitations of the backup are over, and keys and service tokens are listed or deleted`, async (t) => {
    const service = await running(t, kind);
    const { client } = service;
    const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
    const { token } = await client.certificates.createToken({ name: 'once', commonName: 'ann' });
    const { invitation } = await client.members.create({ email: 'eve@acme.test', role: 'admin' });
    const { id: keyId, key: apiKey } = await client.apiKeys.create({ name: 'leaked', role: 'admin' });
    await client.shares.create({ name: 'wiki', target: 'http://127.0.0.1:3000', open: true });
    await client.serviceTokens.create({ name: 'deploy-bot', shares: ['wiki'], expiresIn: '1h' });
    const file = await backUp(service);
    await client.serviceTokens.remove('deploy-bot');
    await client.certificates.redeem({ token, csr });
    await client.members.remove('eve@acme.test');
    await client.apiKeys.remove(keyId);
    const listed = await restore(service, { file, kind });
    assert.equal(listed['endedTokens'], 1);
    assert.equal(listed['endedInvitations'], 1);
    assert.equal(listed['serviceTokens'], 1, 'one that was deleted since works again');
    assert.equal((await client.serviceTokens.list()).items.length, 1);
    const names = (listed['apiKeys'] as readonly { readonly name: string }[]).map(({ name }) => name);
    assert.ok(names.includes('leaked'), 'whoever restores is told that it works again');
    const again = client.certificates.redeem({ token, csr: opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr });
    await assert.rejects(again, { code: 'token_expired' });
    const eve = (await client.members.list()).items.find(({ email }) => email === 'eve@acme.test');
    assert.equal(eve?.invitedUntil, null, new URL(invitation.url).pathname);
    const call = () =>
      fetch(`${service.controlUrl}/v1/shares`, { headers: { authorization: `Bearer ${apiKey}` } });
    assert.equal((await call()).status, 200);
    const without = await restore(service, { file, kind }, '--revoke-keys');
    assert.equal(without['revokedKeys'], names.length);
    assert.deepEqual(without['apiKeys'], []);
    assert.deepEqual([without['revokedServiceTokens'], without['serviceTokens']], [1, 0]);
    assert.equal((await call()).status, 401);
  });
}

type Holder = { readonly serial: string; readonly certificate: string; readonly key: string };

async function holder({ client }: ServiceProcess, name: string): Promise<Holder> {
  const { key, csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  const { token } = await client.certificates.createToken({ name, commonName: name });
  const { certificate, chain, serial } = await client.certificates.redeem({ token, csr });
  return { serial, key, certificate: certificate + chain };
}

/** At a share that asks for a certificate: 200, or why not. */
function opens({ port }: ServiceProcess, holders: readonly Holder[]): Promise<readonly (number | string)[]> {
  const host = STRICT;
  return Promise.all(
    holders.map(async (pair) => {
      const { status, code } = await callTls(port, { host, pair });
      return code ?? status;
    }),
  );
}

/** Deletes what the store has of these, past the service. */
async function forget(
  service: ServiceProcess,
  kind: 'sqlite' | 'postgres',
  serials: readonly string[],
): Promise<void> {
  const sql = `DELETE FROM client_certificates WHERE serial IN (${serials.map((each) => `'${each}'`).join(', ')})`;
  if (kind === 'sqlite') {
    const database = new DatabaseSync(service.storeFile, { timeout: 5_000 });
    database.exec(sql);
    database.close();
    return;
  }
  let url = '';
  changeConfig(service, (config) => (url = String(config['store']?.['url'])));
  await postgres.query(new Secret(url), sql);
}

async function running(t: TestContext, kind: 'sqlite' | 'postgres'): Promise<ServiceProcess> {
  const service = await layOutService({ tls: true });
  t.after(() => service.close());
  if (kind === 'postgres') {
    const file = await backUp(service, 'moved');
    await restoreAt(service, file, (await postgres.place()).reveal());
  }
  await service.start();
  const clientCertificate = { required: true, subject: null, unit: null };
  await service.client.shares.create({ name: 'strict', target: backend.url, clientCertificate });
  return service;
}

async function backUp(service: ServiceProcess, name = 'backup'): Promise<string> {
  const file = join(service.folder, name);
  await doorward(service, 'backup', '--to', file);
  return file;
}

const STRICT = 'strict.share.localhost';

type Restoring = { readonly file: string; readonly kind: 'sqlite' | 'postgres' };

async function restore(service: ServiceProcess, { file, kind }: Restoring, ...options: readonly string[]) {
  await service.stop();
  const url = kind === 'sqlite' ? 'sqlite:data/doorward.db' : (await postgres.place()).reveal();
  const restored = await restoreAt(service, file, url, ...options);
  await service.start();
  return restored;
}

function restoreAt(service: ServiceProcess, file: string, url: string, ...options: readonly string[]) {
  changeConfig(service, (config) => Object.assign(config['store'] ?? {}, { url }));
  return doorward(service, 'restore', file, ...options);
}

async function doorward(service: ServiceProcess, ...args: readonly string[]) {
  let [out, err] = ['', ''];
  const code = await main([...args, '--config', configFileOf(service), '--json'], {
    out: (text) => (out += text),
    err: (text) => (err += text),
    env: {},
    readSecret: async () => new Secret(''),
  });
  assert.equal(code, 0, err);
  return JSON.parse(out) as Readonly<Record<string, unknown>>;
}
