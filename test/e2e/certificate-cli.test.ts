// The command line with a client certificate in the place of an API key, and `doorward cert renew`, against
// the whole service over TLS.

import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  CONTROL_HOST,
  startCertificateRig,
  type CertificateRig,
  type IssuedPair,
} from '../support/control-certificates.ts';
import { type Ended, runDoorward, startDoorward } from '../support/doorward.ts';

let rig: CertificateRig;
let folder: string;
before(async () => {
  rig = await startCertificateRig('required');
  folder = await mkdtemp(join(tmpdir(), 'doorward-cert-'));
  await writeFile(join(folder, 'ca.pem'), rig.service.ca ?? '');
});
after(async () => {
  await rm(folder, { recursive: true });
  await rig[Symbol.asyncDispose]();
});

function environment(over: Readonly<Record<string, string>> = {}): Record<string, string> {
  const home = join(folder, 'home');
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    HOME: home,
    ...over,
  };
}

function doorward(words: readonly string[], over: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return runDoorward(words, { env: environment(over) });
}

/** Without when it was used last, which may be another by the next call. */
function listed({ out }: Ended): readonly string[] | null {
  return out.match(/cer_\w+ +robot/g);
}

/** As `doorward cert request` leaves them. */
async function write(name: string, pair: IssuedPair): Promise<{ certificate: string; key: string }> {
  const files = { certificate: join(folder, `${name}.cert.pem`), key: join(folder, `${name}.key.pem`) };
  await writeFile(files.certificate, pair.certificate);
  await writeFile(files.key, pair.key, { mode: 0o600 });
  await writeFile(join(folder, `${name}.chain.pem`), 'old\n');
  return files;
}

async function look(files: { certificate: string; key: string }) {
  const certificate = new X509Certificate(await readFile(files.certificate));
  const fits = certificate.checkPrivateKey(createPrivateKey(await readFile(files.key)));
  return { serial: certificate.serialNumber, certificate, fits };
}

const url = () => `https://${CONTROL_HOST}:${rig.service.ports.gateway}`;

test('commands call with a certificate alone, by option, by environment, and as login kept it (DESIGN 2.4)', async () => {
  const { certificate, key } = await write('robot', await rig.issue(rig.keys.alice));
  const asked = ['cert', 'list', '--url', url()];
  const none = await doorward(asked);
  assert.deepEqual([none.code, /--cert/.test(none.err)], [4, true]);
  const byOption = await doorward([...asked, '--cert', certificate]);
  assert.match(byOption.out, /robot/, byOption.err);
  const variables = { DOORWARD_CLIENT_CERTIFICATE: certificate, DOORWARD_CLIENT_KEY: key };
  assert.deepEqual(listed(await doorward(asked, variables)), listed(byOption));
  const login = await doorward(['login', '--url', url(), '--cert', certificate]);
  assert.match(login.err, /^Logged in at https:/, login.err);
  assert.deepEqual(listed(await doorward(['cert', 'list'])), listed(byOption));
  const browser = await doorward(['login', '--url', url(), '--browser']);
  assert.deepEqual([browser.code, browser.out], [4, ''], 'no code that nothing comes of');
  assert.match(browser.err, /only together with a client certificate[^]*doorward login --cert FILE/);
  const wrong = await write('other', await rig.issue(rig.keys.alice));
  const mixed = await doorward([...asked, '--cert', certificate, '--key', wrong.key]);
  assert.deepEqual([mixed.code, /is not its key/.test(mixed.err)], [2, true]);
  const plain = await doorward(['cert', 'list', '--url', 'http://127.0.0.1:1'], variables);
  assert.deepEqual([plain.code, /needs https/.test(plain.err)], [2, true]);
  const alone = await doorward(asked, { DOORWARD_CLIENT_KEY: key });
  assert.equal(alone.code, 2);
});

test('cert renew puts a new certificate and chain in place, at the address that the certificate says', async () => {
  const files = await write('renewed', await rig.issue(rig.keys.alice, { apiRole: null }));
  const first = await look(files);
  const hook = 'echo "$DOORWARD_RENEWED_CERTIFICATE $DOORWARD_RENEWED_KEY"';
  const made = await doorward(['cert', 'renew', files.certificate, '--exec', hook]);
  assert.equal(made.code, 0, made.err);
  assert.match(made.err, /^Renewed .*renewed\.cert\.pem: valid until \d{4}-/);
  assert.equal(made.out, `${files.certificate} ${files.key}\n`);
  const second = await look(files);
  assert.ok(second.fits && second.serial !== first.serial);
  assert.ok(second.certificate.publicKey.equals(first.certificate.publicKey));
  const chain = new X509Certificate(await readFile(join(folder, 'renewed.chain.pem')));
  assert.ok(second.certificate.verify(chain.publicKey));
  const json = await doorward(['cert', 'renew', files.certificate, '--new-key', '--json']);
  const third = await look(files);
  assert.equal((JSON.parse(json.out) as { serial: string }).serial, third.serial);
  assert.ok(third.fits && !third.certificate.publicKey.equals(first.certificate.publicKey));
  assert.equal((await stat(files.key)).mode & 0o777, 0o600);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.endsWith('.next')),
    [],
  );
});

test('cert renew goes on after a crash, with the same key and the same certificate', async () => {
  const files = await write('crashed', await rig.issue(rig.keys.alice));
  const first = await look(files);
  // As if the answer had come, and the new key were in its place already: its certificate alone waits for its
  // name.
  const copy = join(folder, 'copy');
  await mkdir(copy);
  const there = { certificate: join(copy, 'x.cert.pem'), key: join(copy, 'x.key.pem') };
  await writeFile(there.certificate, await readFile(files.certificate));
  await writeFile(there.key, await readFile(files.key), { mode: 0o600 });
  assert.equal((await doorward(['cert', 'renew', there.certificate, '--new-key'])).code, 0);
  const renewed = await look(there);
  await rename(there.key, files.key);
  await rename(there.certificate, `${files.certificate}.next`);
  assert.equal((await look(files)).fits, false);
  const second = await doorward(['cert', 'renew', files.certificate]);
  assert.equal(second.code, 0, second.err);
  const after_ = await look(files);
  assert.ok(after_.fits && after_.serial !== renewed.serial && after_.serial !== first.serial);
  // As if the answer had been lost: the key that waits is used, and gets what it got.
  await writeFile(`${files.key}.next`, await readFile(files.key), { mode: 0o600 });
  await chmod(`${files.key}.next`, 0o600);
  const lost = await doorward(['cert', 'renew', files.certificate, '--new-key']);
  assert.equal(lost.code, 0, lost.err);
  assert.ok((await look(files)).fits);
});

test('cert renew says what stands in its way (DESIGN 2.4)', async () => {
  const pair = await rig.issue(rig.keys.alice);
  const files = await write('revoked', pair);
  const holder = await rig.issue(rig.keys.alice);
  await rig.call({ path: `/v1/client-certificates/${pair.serial}/revoke`, json: {}, pair: holder });
  const refused = await doorward(['cert', 'renew', files.certificate, '--json']);
  assert.equal(refused.code, 4);
  assert.equal((JSON.parse(refused.err) as { code: string }).code, 'certificate_revoked');
  // A daemon does not wait for what cannot come.
  // Five minutes are over when it is issued, so that it is due at once.
  const short = await rig.issue(rig.keys.alice, { validityMs: 100_000 });
  const due = await write('due', short);
  await rig.call({ path: `/v1/client-certificates/${short.serial}/revoke`, json: {}, pair: holder });
  const ended = await doorward(['cert', 'renew', due.certificate, '--daemon']);
  assert.equal(ended.code, 4, ended.err);
  assert.match(ended.err, /it was revoked|was revoked/);
  const nothing = await doorward(['cert', 'renew', join(folder, 'nothing.cert.pem')]);
  assert.deepEqual([nothing.code, /Cannot read .*ENOENT/.test(nothing.err)], [2, true]);
  assert.equal((await doorward(['cert', 'renew', files.key])).code, 2);
});

test('cert renew --daemon waits until two thirds of the life, and stops when it is asked to', async (t) => {
  const files = await write('kept', await rig.issue(rig.keys.alice, { validityMs: 30 * 86_400_000 }));
  const child = startDoorward(['cert', 'renew', files.certificate, '--daemon'], environment());
  t.after(() => child.kill('SIGKILL'));
  const [said] = (await once(child.stderr, 'data')) as [Buffer];
  const at = /^Next renewal of .*: (\d{4}-\d\d-\d\d) (\d\d:\d\d)Z/.exec(said.toString());
  const days = (Date.parse(`${at?.[1]}T${at?.[2]}Z`) - Date.now()) / 86_400_000;
  assert.ok(days > 19.9 && days < 21.6, said.toString());
  child.kill('SIGTERM');
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0);
});

test('cert renew after a failed --new-key keeps the key in use, and the one that waits for its own certificate', async () => {
  const files = await write('waiting', await rig.issue(rig.keys.alice));
  await chmod(files.key, 0o640);
  const own = await readFile(files.key, 'utf8');
  const failed = await doorward([
    'cert',
    'renew',
    files.certificate,
    '--new-key',
    '--url',
    'https://127.0.0.1:1',
  ]);
  assert.equal(failed.code, 1, failed.err);
  const waiting = await readFile(`${files.key}.next`, 'utf8');
  const plain = await doorward(['cert', 'renew', files.certificate]);
  assert.equal(plain.code, 0, plain.err);
  assert.ok((await look(files)).fits);
  assert.equal(await readFile(files.key, 'utf8'), own);
  assert.equal(await readFile(`${files.key}.next`, 'utf8'), waiting);
  const renewed = await doorward(['cert', 'renew', files.certificate, '--new-key']);
  assert.equal(renewed.code, 0, renewed.err);
  assert.ok((await look(files)).fits);
  assert.equal(await readFile(files.key, 'utf8'), waiting);
  assert.equal((await stat(files.key)).mode & 0o777, 0o640);
});
