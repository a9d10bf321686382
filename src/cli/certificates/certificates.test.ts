// `doorward cert` and `ca`, against a control API with a real store.

import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { callDoorward, type Ended } from '../../../test/support/doorward.ts';
import { newAuthority } from '../../pki/authority.ts';
import { OID } from '../../x509/oid.ts';
import { openssl, OPENSSL_ALGORITHMS, opensslCsr } from '../../../test/support/openssl.ts';

let control: TestControl;
before(async () => {
  control = await startControl();
});
after(() => control[Symbol.asyncDispose]());

function doorward(...words: readonly string[]): Promise<Ended> {
  const env = { DOORWARD_URL: control.url.origin, DOORWARD_API_KEY: control.alice.apiKey.reveal() };
  return callDoorward(words, { env });
}

test('cert token create, list, delete: the link alone on its line, once (DESIGN 2.4, contract 5.4)', async () => {
  const draft = ['--common-name', 'ann', '--email-address', 'ann@corp.example', '--unit', 'Sales'];
  const made = await doorward('cert', 'token', 'create', ...draft, '--qr');
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /^http:\/\/127\.0\.0\.1:\d+\/redeem#crt_[\w-]{43}\n$/);
  assert.match(made.err, /[▀▄█]{5}/);
  assert.match(made.err, /secure channel/);
  const list = await doorward('cert', 'token', 'list');
  assert.match(
    list.out,
    /^ID +NAME +STARTS WITH +FOR +VALIDITY +STATE\n(crq_\w+) +ann +crt_[\w-]{6} +ann, Sales +30d +valid until /,
  );
  assert.doesNotMatch(list.out, /crt_[\w-]{7}/);
  const id = /crq_\w+/.exec(list.out)?.[0] ?? '';
  assert.equal((await doorward('cert', 'token', 'delete', id)).code, 0);
  const gone = await doorward('cert', 'token', 'delete', id, '--json');
  assert.equal(gone.code, 1);
  assert.match(gone.err, /token_unknown/);
  assert.match((await doorward('cert', 'token', 'list')).out, /^There are no/);
});

test('cert list, inspect, revoke: what was issued, and what is over (DESIGN 2.4)', async () => {
  const token = JSON.parse(
    (
      await doorward(
        'cert',
        'token',
        'create',
        '--common-name',
        'bob',
        '--email-address',
        'bob@corp.example',
        '--json',
      )
    ).out,
  ) as { token: string };
  const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  await control.call({ path: '/v1/client-certificates/redeem', json: { token: token.token, csr }, as: null });
  const list = await doorward('cert', 'list', '--email', 'bob@corp.example');
  assert.match(
    list.out,
    /^cer_\w+ +bob +bob +bob@corp\.example +[\da-f]{16}… +living +[\d-]+ [\d:]+Z +never +api-key:key_\w+$/m,
  );
  assert.equal((await doorward('cert', 'list', '--expires-within', '31d')).out, list.out);
  assert.match((await doorward('cert', 'list', '--expires-within', '1d')).out, /^No matching/);
  const id = /cer_\w+/.exec(list.out)?.[0] ?? '';
  const shown = await doorward('cert', 'inspect', id);
  assert.match(shown.out, /^state +living$/m);
  const pem = shown.out.slice(shown.out.indexOf('-----BEGIN'));
  assert.match(openssl(['x509', '-noout', '-subject'], pem).toString(), /CN = bob/);
  const both = await doorward('cert', 'revoke', id, '--all-of', 'bob@corp.example');
  assert.equal(both.code, 2);
  const revoked = await doorward('cert', 'revoke', id, '--reason', 'key_compromise');
  assert.match(revoked.out, /^revoked +[\d-]+ [\d:]+Z by \S+: key_compromise$/m);
  assert.match(revoked.err, /^Revoked cer_\w+: it stops working at every gateway within two seconds/);
  assert.match((await doorward('cert', 'revoke', '--all-of', 'bob@corp.example')).err, /Revoked 0 of/);
});

test('cert revoke --serial and --file: one that the service knows, and a serial that it does not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-cert-'));
  const link = (await doorward('cert', 'token', 'create', '--common-name', 'eve')).out.trim();
  const out = join(folder, 'eve');
  assert.equal((await doorward('cert', 'request', link, '--out', out)).code, 0);
  const file = `${out}.cert.pem`;
  const neither = await doorward('cert', 'revoke', '--serial', '01', '--file', file);
  assert.equal(neither.code, 2);
  const revoked = await doorward('cert', 'revoke', '--file', file);
  assert.match(revoked.out, /^cer_\w+\n$/);
  assert.match(revoked.err, /^Revoked 1 by \S+: it stops working at every gateway within two seconds/);
  const again = await doorward('cert', 'revoke', '--file', file);
  assert.deepEqual([again.code, again.err], [0, `Already revoked or expired: ${file}\n`]);
  const unknown = await doorward('cert', 'revoke', '--serial', '01:AB', '--json');
  assert.deepEqual(JSON.parse(unknown.out), { revoked: [], serials: ['01AB'] });
  const second = await doorward('cert', 'revoke', '--serial', '01:AC');
  assert.equal(second.out, 'serial:01AC\n', 'as events name it');
  const wrong = await doorward('cert', 'revoke', '--serial', '0x1');
  assert.match(wrong.err, /a positive number in hex/);
  const key = await doorward('cert', 'revoke', '--file', `${out}.key.pem`);
  assert.match(key.err, /it contains no certificate in PEM/);
  await rm(folder, { recursive: true, force: true });
});

test('cert request: a key for its owner alone, and a certificate for it, without an API key (contract 1.7)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-cert-'));
  for (const type of ['p256', 'p384', 'ed25519', 'rsa3072']) {
    const link = (await doorward('cert', 'token', 'create', '--common-name', 'carol')).out.trim();
    const out = join(folder, type);
    const made = await doorward('cert', 'request', link, '--out', out, '--key-type', type, '--json');
    assert.equal(made.code, 0, made.err);
    const { files } = JSON.parse(made.out) as { files: { key: string; certificate: string; chain: string } };
    assert.equal((await stat(files.key)).mode & 0o777, 0o600);
    const certificate = new X509Certificate(await readFile(files.certificate));
    assert.ok(certificate.checkPrivateKey(createPrivateKey(await readFile(files.key))));
    assert.ok(certificate.verify(new X509Certificate(await readFile(files.chain)).publicKey));
    const again = await doorward('cert', 'request', link, '--out', `${out}-2`, '--key', files.key);
    assert.equal(again.code, 0, again.err);
    assert.deepEqual(await readFile(`${out}-2.cert.pem`), await readFile(files.certificate));
    const used = await doorward('cert', 'request', link, '--out', `${out}-3`);
    assert.match(used.err, /it was already used/);
    await assert.rejects(stat(`${out}-3.key.pem`), { code: 'ENOENT' });
    assert.equal((await doorward('cert', 'request', link, '--out', out)).code, 2);
  }
  await rm(folder, { recursive: true });
});

test('cert request keeps its key when the answer is lost or any 5xx: the same key gets its certificate (contract 2.7)', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-lost-'));
  t.after(() => rm(folder, { recursive: true }));
  const losses: Readonly<Record<string, (response: ServerResponse) => void>> = {
    internal: problem(500, 'internal'),
    store: problem(503, 'store_unavailable'),
    proxy: (response) =>
      void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
    broken: (response) => void response.destroy(),
    half: (response) =>
      void response.writeHead(201, { 'content-length': 999 }).write('{', () => response.destroy()),
  };
  for (const [name, lose] of Object.entries(losses)) {
    const made = await doorward('cert', 'token', 'create', '--common-name', name, '--json');
    const { token } = JSON.parse(made.out) as { token: string };
    // The certificate is made, and its answer lost on the way.
    const proxy = createServer(async (request, response) => {
      const path = request.url ?? '';
      const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
      const answer = await control.call({ path, json: JSON.parse(body) as object, as: null });
      assert.equal(answer.status, 201);
      lose(response);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const out = join(folder, name);
    const lost = await doorward('cert', 'request', token, '--url', `http://127.0.0.1:${port}`, '--out', out);
    proxy.close().closeAllConnections();
    assert.equal(lost.code, 1, lost.err);
    assert.match(lost.err, new RegExp(`add --key .*${name}\\.key\\.pem`), name);
    const again = await doorward('cert', 'request', token, '--out', out, '--key', `${out}.key.pem`);
    assert.equal(again.code, 0, `${name}: ${again.err}`);
    const certificate = new X509Certificate(await readFile(`${out}.cert.pem`));
    assert.ok(certificate.checkPrivateKey(createPrivateKey(await readFile(`${out}.key.pem`))));
  }
});

function problem(status: number, code: string): (response: ServerResponse) => void {
  return (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ title: code, status, code, detail: 'Cannot answer the call' }));
}

test('cert request --p12: a key store for its owner alone, under a passphrase that is shown once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-p12-'));
  const at = (name: string) => join(folder, name);
  const request = async (words: readonly string[]) => {
    const link = (await doorward('cert', 'token', 'create', '--common-name', 'Žofie')).out.trim();
    return doorward('cert', 'request', link, '--out', at('doorward'), ...words);
  };
  const made = await request(['--p12', at('zofie.p12')]);
  assert.equal(made.code, 0, made.err);
  const passphrase = /^passphrase +([a-z2-9-]{24}) /m.exec(made.err)?.[1] ?? '';
  assert.equal((await stat(at('zofie.p12'))).mode & 0o777, 0o600);
  const opened = openssl([
    'pkcs12',
    '-nodes',
    '-in',
    at('zofie.p12'),
    '-passin',
    `pass:${passphrase}`,
  ]).toString();
  const certificate = new X509Certificate(opened.slice(opened.indexOf('-----BEGIN CERT')));
  assert.deepEqual(certificate.raw, new X509Certificate(await readFile(at('doorward.cert.pem'))).raw);
  assert.ok(certificate.checkPrivateKey(createPrivateKey(await readFile(at('doorward.key.pem')))));
  assert.equal(opened.match(/BEGIN CERTIFICATE/g)?.length, 2);
  // Nothing is overwritten, and the token stays good: it is found out before anything is sent.
  const link = (await doorward('cert', 'token', 'create', '--common-name', 'dan')).out.trim();
  const taken = await doorward('cert', 'request', link, '--out', at('dan'), '--p12', at('zofie.p12'));
  assert.deepEqual([taken.code, /zofie\.p12: the file already exists/.test(taken.err)], [2, true]);
  await assert.rejects(stat(at('dan.key.pem')), { code: 'ENOENT' });
  await writeFile(at('passphrase'), 'correct horse battery\n');
  const words = ['--out', at('dan'), '--p12', at('dan.p12'), '--p12-passphrase', at('passphrase'), '--json'];
  const given = await doorward('cert', 'request', link, ...words);
  assert.equal(given.code, 0, given.err);
  const { files, ...answer } = JSON.parse(given.out) as { files: { keyStore: string } };
  assert.deepEqual([files.keyStore, 'passphrase' in answer], [at('dan.p12'), false]);
  openssl(['pkcs12', '-nodes', '-in', at('dan.p12'), '-passin', 'pass:correct horse battery']);
  const olderLink = (await doorward('cert', 'token', 'create', '--common-name', 'eve')).out.trim();
  const apple = ['--out', at('older'), '--p12', at('older.p12'), '--p12-older', '--json'];
  const { passphrase: fresh } = JSON.parse((await doorward('cert', 'request', olderLink, ...apple)).out) as {
    passphrase: string;
  };
  assert.ok((await readFile(at('older.p12'))).includes(OID.sha1TripleDes));
  openssl(['pkcs12', '-nodes', '-in', at('older.p12'), '-passin', `pass:${fresh}`]);
  await rm(folder, { recursive: true });
});

test('cert request refuses before it makes or sends anything (contract 5.4, DESIGN 2.4)', async () => {
  const token = `crt_${'x'.repeat(43)}`;
  const folder = await mkdtemp(join(tmpdir(), 'doorward-none-'));
  const out = join(folder, 'x');
  const short = join(folder, 'short');
  await writeFile(short, 'elevenchars');
  const fair = join(folder, 'fair');
  await writeFile(fair, 'nineteen characters');
  const wrong: readonly (readonly [code: number, reason: RegExp, words: readonly string[]])[] = [
    [1, /neither https nor on this machine/, [`http://control.example.com/redeem#${token}`]],
    [2, /12 or more/, [token, '--p12', `${out}.p12`, '--p12-passphrase', short]],
    [2, /cannot be read/, [token, '--p12', `${out}.p12`, '--p12-passphrase', join(folder, 'none')]],
    [2, /need --p12/, [token, '--p12-passphrase', short]],
    [2, /20 or more/, [token, '--p12', `${out}.p12`, '--p12-passphrase', fair, '--p12-older']],
    [
      2,
      /both the token and the passphrase from standard input/,
      ['-', '--p12', `${out}.p12`, '--p12-passphrase', '-'],
    ],
  ];
  for (const [code, reason, words] of wrong) {
    const answer = await doorward('cert', 'request', ...words, '--out', out);
    assert.equal(answer.code, code, answer.err);
    assert.match(answer.err, reason);
  }
  assert.deepEqual((await readdir(folder)).toSorted(), ['fair', 'short']);
  await rm(folder, { recursive: true });
});

test('cert policy show, set: what is not given stays (contract 2.7)', async () => {
  const open = await doorward('cert', 'policy', 'show');
  assert.match(
    open.out,
    /^organization +any\nunits +any\ncommon names +any\nvalidity +at most 397d\nrenewal +by its holder, with the certificate\nrenewable for +397d from the first certificate\n$/,
  );
  const draft = [
    '--renewal-by-login',
    '--organization',
    'Corp',
    '--unit',
    'Sales',
    '--unit',
    'Ops',
    '--max-validity',
    '90d',
  ];
  const set = await doorward('cert', 'policy', 'set', ...draft);
  assert.match(
    set.out,
    /^organization +Corp\nunits +Sales, Ops\ncommon names +any\nvalidity +at most 90d\nrenewal +by its holder, also by logging in\nrenewable for +\w+( from the first certificate)?\n$/,
  );
  const refused = await doorward('cert', 'token', 'create', '--common-name', 'ann', '--unit', 'Board');
  assert.equal(refused.code, 2);
  assert.match(refused.err, /it must be one of "Sales", "Ops"/);
  const more = await doorward(
    'cert',
    'policy',
    'set',
    '--common-name-pattern',
    '*.corp',
    '--no-units',
    '--json',
  );
  assert.deepEqual(JSON.parse(more.out), {
    organization: 'Corp',
    organizationalUnits: [],
    commonNamePattern: '*.corp',
    maxValidity: '90d',
    renewalByLogin: true,
    renewableFor: null,
  });
  const gone = [
    '--no-organization',
    '--no-common-name-pattern',
    '--no-max-validity',
    '--no-renewal-by-login',
  ];
  assert.equal((await doorward('cert', 'policy', 'set', ...gone)).out, open.out);
  for (const words of [[], ['--unit', 'a', '--no-units']])
    assert.equal((await doorward('cert', 'policy', 'set', ...words)).code, 2);
});

test('ca show, rotate: PEM on standard output (DESIGN 2.4)', async () => {
  const first = await doorward('ca', 'show');
  assert.match(openssl(['x509', '-noout', '-subject'], first.out).toString(), /O = alice/);
  assert.match(first.err, /\/pki\/acc_\w+\/crl\.der/);
  const rotated = await doorward('ca', 'rotate');
  assert.notEqual(rotated.out, first.out);
  const both = await doorward('ca', 'show');
  assert.equal(both.out, rotated.out + first.out);
  assert.doesNotMatch(both.err, /expires within a year/);
  await control.store.cas.put(
    newAuthority({ id: control.alice.id, name: 'alice' }, Date.now() - 3_400 * DAY_MS),
    false,
  );
  assert.match(
    (await doorward('ca', 'show')).err,
    /warning +expires within a year: replace it with `doorward ca rotate`/,
  );
});

const DAY_MS = 86_400_000;
