// THREATS "Certificates": an authority's key in a backup or log; a missing key or list of authorities failing
// open. The log is at its most talkative, and the key is looked for in every form in which it could be
// written.

import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import type { AuthorityObject } from '../../src/wire/certificate.ts';
import type { Secret } from '../../src/domain/secret.ts';
import { backUpStore, restoreStore } from '../../src/store/backup/stores.ts';
import { readMasterKey, readMasterKeys } from '../../src/store/sealing/master-key.ts';
import { openStore, type StoreEngine } from '../../src/store/open.ts';
import { openssl, OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { changeConfig } from '../support/serve-process.ts';
import { layOutService, type ServiceProcess } from '../support/service-process.ts';

const csrs = [0, 1, 2, 3].map(() => opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr);
let service: ServiceProcess;
before(async () => {
  service = await layOutService();
  changeConfig(service, (config) => Object.assign(config, { log: { level: 'debug', access: true } }));
  await service.start();
});
after(() => service?.close());

test('Certificates: no key of an authority, and no token, is in log, audit, answer, database or backup', async () => {
  const { certificates } = service.client;
  const answers: unknown[] = [];
  const first = await redeemed(0);
  answers.push(first.answer, await certificates.rotateAuthority(), (await redeemed(1)).answer);
  const { items } = await certificates.list();
  answers.push(await certificates.revoke(items[0]?.id ?? '', {}), await certificates.authorities(), items);
  const unused = await certificates.createToken({ name: 'unused', commonName: 'eve' });
  await assert.rejects(certificates.redeem({ token: unused.token, csr: 'nonsense' }));
  for (const file of ['ca.pem', 'crl.pem', 'crl.der']) answers.push((await pkiFile(file)).toString('latin1'));
  answers.push(await service.client.auditEvents.list({ limit: 200 }));
  const file = join(service.folder, 'backup');
  await backUpStore(engine(), { to: file, ...silent, force: false });
  const keys = await keysOf();
  assert.equal(keys.length, 2);
  // Then all of the log is written.
  await service.stop();
  const places: [string, Buffer][] = [['answers', Buffer.from(JSON.stringify(answers))]];
  for (const name of await readdir(service.folder, { recursive: true, withFileTypes: true }))
    if (name.isFile() && !/^(?:server|master)\.key$/.test(name.name))
      places.push([name.name, await readFile(join(name.parentPath, name.name))]);
  const names = places.map(([name]) => name);
  for (const wanted of ['log', 'backup', 'doorward.db']) assert.ok(names.includes(wanted), names.join(', '));
  const needles = [...keys.flatMap(formsOf), Buffer.from(first.token), Buffer.from(unused.token)];
  for (const [name, bytes] of places)
    for (const needle of needles)
      assert.ok(!bytes.includes(needle), `${name} has ${needle.toString('latin1')}`);
});

test('Certificates: the forms that are looked for are those of a key', async () => {
  await service.start();
  const [key] = await keysOf();
  assert.ok(key);
  const { d = '' } = createPrivateKey(key.reveal()).export({ format: 'jwk' });
  const der = openssl(['pkey', '-outform', 'DER'], key.reveal());
  for (const text of [key.reveal(), d, der, der.toString('hex'), JSON.stringify({ key: key.reveal() })])
    assert.ok(formsOf(key).some((form) => Buffer.from(text).includes(form)));
});

test('Certificates: a restored store issues from the same authorities, keeps what was revoked, and steps back with no list', async () => {
  const { certificates } = service.client;
  const saved = {
    authorities: await keptAuthorities(),
    certificates: (await certificates.list()).items,
    crl: await listNumbers(),
  };
  assert.ok(saved.certificates.some(({ state }) => state === 'revoked'));
  const file = join(service.folder, 'backup-of-all');
  const unused = await certificates.createToken({ name: 'unused', commonName: 'ann' });
  await backUpStore(engine(), { to: file, ...silent, force: false });
  // After the backup, lists go on.
  await redeemed(2);
  await certificates.revoke(
    (await certificates.list()).items.find(({ state }) => state === 'living')?.id ?? '',
    {},
  );
  const published = await listNumbers();
  assert.ok(published.some((number, index) => number > (saved.crl[index] ?? Infinity)));
  await service.stop();
  const masterKeys = await readMasterKeys(join(service.folder, 'master.key'));
  await restoreStore(engine(), { file, ...silent, masterKeys, keepSessions: false, revokeKeys: false });
  await service.start();
  assert.deepEqual(await keptAuthorities(), saved.authorities);
  assert.deepEqual((await certificates.list()).items, saved.certificates);
  for (const [index, number] of (await listNumbers()).entries())
    assert.ok(number > (published[index] ?? Infinity), `${number} comes after ${published[index]}`);
  // The store cannot know whether it was used since.
  const stale = certificates.redeem({ token: unused.token, csr: csrs[3] ?? '' });
  await assert.rejects(stale, { code: 'token_expired' });
  const fresh = await certificates.createToken({ name: 'fresh', commonName: 'ann' });
  const again = await certificates.redeem({ token: fresh.token, csr: csrs[3] ?? '' });
  assert.equal(again.chain, saved.authorities[0]?.certificate);
});

test('Certificates: whose authority or its key is gone gets nothing, and the token stays good', async () => {
  const { token } = await service.client.certificates.createToken({ name: 'gone', commonName: 'ann' });
  const [csr = ''] = csrs;
  const redeem = () => service.client.certificates.redeem({ token, csr });
  using db = new DatabaseSync(service.storeFile, { timeout: 20_000 });
  db.exec(`UPDATE account_cas SET private_key = 'x' || private_key`);
  await assert.rejects(redeem(), { code: 'internal' });
  db.exec('UPDATE account_cas SET private_key = substr(private_key, 2)');
  assert.match((await redeem()).certificate, /BEGIN CERTIFICATE/);
  // Files of nobody are not empty files, which some who read them take for "trust all".
  for (const file of ['ca.pem', 'crl.pem', 'crl.der', 'aca_x.crl'])
    assert.equal((await fetch((await urlOf(file)).replace(/acc_\w+/, 'acc_x'))).status, 404);
});

async function redeemed(index: number): Promise<{ readonly token: string; readonly answer: unknown }> {
  const { certificates } = service.client;
  const { token } = await certificates.createToken({ name: 'laptop', commonName: 'ann' });
  return { token, answer: await certificates.redeem({ token, csr: csrs[index] ?? '' }) };
}

async function urlOf(file: string): Promise<string> {
  const { bundleUrl } = await service.client.certificates.authorities();
  return bundleUrl.replace(/ca\.pem$/, file);
}

async function pkiFile(file: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(await urlOf(file))).arrayBuffer());
}

/** What a backup keeps of them: their lists go on. */
async function keptAuthorities(): Promise<readonly Pick<AuthorityObject, 'certificate' | 'issuing'>[]> {
  const { items } = await service.client.certificates.authorities();
  return items.map(({ certificate, issuing }) => ({ certificate, issuing }));
}

/** The number of the newest revocation list of each authority. */
async function listNumbers(): Promise<readonly number[]> {
  const { items } = await service.client.certificates.authorities();
  const lists = await Promise.all(items.map(({ id }) => pkiFile(`${id}.crl`)));
  return lists.map((der) => {
    const text = openssl(['crl', '-inform', 'DER', '-noout', '-crlnumber'], der).toString();
    return Number(text.trim().replace('crlNumber=', ''));
  });
}

function engine(): StoreEngine {
  return { kind: 'sqlite', file: service.storeFile };
}

/** The private keys of all authorities, as the store has them for whoever has the master key. */
async function keysOf(): Promise<readonly Secret[]> {
  const masterKey = await readMasterKey(join(service.folder, 'master.key'));
  const store = await openStore({ engine: engine(), masterKey, now: Date.now, exclusive: false });
  try {
    const authorities = await store.cas.all(Date.now());
    const keys = await Promise.all(
      authorities.map(({ accountId, id }) => store.cas.privateKey(accountId, id)),
    );
    return keys.filter((key) => key !== null);
  } finally {
    await store.close();
  }
}

/**
 * Pieces of the key, one of which is in whatever it is written into: bytes, hex, and base64 from each of
 * three offsets.
 */
function formsOf(key: Secret): readonly Buffer[] {
  const { d = '' } = createPrivateKey(key.reveal()).export({ format: 'jwk' });
  const scalar = Buffer.from(d, 'base64url');
  const hex = scalar.toString('hex').slice(8, 40);
  const base64 = [0, 1, 2].flatMap((skipped) => {
    const text = scalar.subarray(skipped).toString('base64').slice(4, 20);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const texts = [hex, hex.toUpperCase(), ...base64, 'PRIVATE KEY'].map((text) => Buffer.from(text));
  return [scalar.subarray(4, 20), ...texts];
}

const silent = { now: Date.now, progress: () => undefined };
