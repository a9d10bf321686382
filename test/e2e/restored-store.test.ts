// What lives after `doorward restore`: seen from outside, on each engine, with certificates, request tokens, invitations and keys
// that were used, made, revoked or deleted between the backup and the restore.

import assert from 'node:assert/strict';
import { join } from 'node:path';
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

  test(`restore onto ${kind}: request tokens and invitations of the backup are over, and keys are listed or deleted`, async (t) => {
    const service = await running(t, kind);
    const { client } = service;
    const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
    const { token } = await client.certificates.createToken({ name: 'once', commonName: 'ann' });
    const { invitation } = await client.members.create({ email: 'eve@acme.test', role: 'admin' });
    const { id: keyId, key: apiKey } = await client.apiKeys.create({ name: 'leaked', role: 'admin' });
    const file = await backUp(service);
    await client.certificates.redeem({ token, csr });
    await client.members.remove('eve@acme.test');
    await client.apiKeys.remove(keyId);
    const listed = await restore(service, { file, kind });
    assert.equal(listed['endedTokens'], 1);
    assert.equal(listed['endedInvitations'], 1);
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
  const host = 'strict.share.localhost';
  return Promise.all(
    holders.map(async (pair) => {
      const { status, code } = await callTls(port, { host, pair });
      return code ?? status;
    }),
  );
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
