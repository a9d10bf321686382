// examples/service-to-service as its readers run it (contract 1.8, 5.3): services that know each other by
// certificates of one account, without any API key. Each callee refuses every certificate that it should,
// also on connections that are open.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes, sign as nodeSign } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { createNodeClient } from '../../src/client/node-client.ts';
import type { NewTokenObject } from '../../src/wire/certificate.ts';
import { readMasterKey } from '../../src/store/sealing/master-key.ts';
import { openStore } from '../../src/store/open.ts';
import { leafCertificate, type Issuer, type Sign } from '../../src/x509/certificate.ts';
import { revocationList } from '../../src/x509/crl.ts';
import { pem } from '../../src/x509/pem.ts';
import { serialFrom } from '../../src/x509/serial.ts';
import { subjectName } from '../../src/x509/subject-name.ts';
import type { Echo } from '../support/echo-backend.ts';
import {
  buildGo,
  CALLER,
  callCallee,
  type Callee,
  type CalleeSettings,
  keptConnection,
  startGoCallee,
  startNginxCallee,
  startNodeCallee,
} from '../support/callee.ts';
import type { TestPair } from '../support/certificates.ts';
import { NGINX } from '../support/gateway-fleet.ts';
import { NO_GO } from '../support/go.ts';
import { openssl, OPENSSL_ALGORITHMS, opensslCsr, withFiles } from '../support/openssl.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let ca: string;
let pair: TestPair;
before(async () => {
  service = await startTestService({ tls: true });
  ca = service.ca ?? '';
  pair = service.authority?.issue(['localhost']) ?? { certificate: '', key: '' };
});
after(() => service?.close());

const CALLEES: readonly {
  readonly name: string;
  readonly start: (settings: CalleeSettings) => Promise<Callee>;
  readonly skip: string | false;
}[] = [
  { name: 'node', start: startNodeCallee, skip: false },
  {
    name: 'go',
    start: startGoCallee,
    skip: NO_GO,
  },
  { name: 'nginx', start: startNginxCallee, skip: existsSync(NGINX) ? false : 'nginx is not installed' },
];

for (const { name, start, skip } of CALLEES) {
  test(
    `examples/service-to-service/${name} answers the caller that it knows, and no other certificate (5.3)`,
    { skip },
    async () => {
      const callee = await start(await settingsOf(await pkiUrl()));
      try {
        const billing = await redeemed();
        const ask = (given: TestPair | null) => callCallee(callee.url, { pair: given, ca });
        const welcome = await ask(billing);
        assert.equal(welcome.status, 200, welcome.body);
        assert.match(welcome.body, /^Hello .*CN=billing/);
        for (const [what, given] of Object.entries(await strangers()))
          // nginx cannot be told to look for it; the account's authorities issue none without.
          if (what !== WITHOUT_USAGE || name !== 'nginx')
            assert.notEqual((await ask(given)).status, 200, what);
        assert.match(
          (await ask(await redeemed({ commonName: 'intern' }))).body,
          /does not answer a certificate of CN=intern/,
        );
        await revocationIsSeen(callee, billing);
        await service.client.certificates.rotateAuthority();
        const next = await redeemed();
        await eventually('the new authority is trusted', async () => {
          await callee.refresh();
          return (await ask(next)).status === 200;
        });
      } finally {
        await callee.stop();
      }
    },
  );

  test(
    `examples/service-to-service/${name} answers nobody when a list is missing, another’s or out of date`,
    { skip },
    async () => {
      const authority = await signingAuthority();
      const now = Math.floor(Date.now() / 1000) * 1000;
      const listOf = (issuer: Issuer, nextUpdate: number) =>
        pem(
          'X509 CRL',
          revocationList(
            { issuer, number: 1, thisUpdate: now - 120_000, nextUpdate, entries: [] },
            authority.sign,
          ),
        );
      const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
      const other = { name: authority.issuer.name, spki: publicKey.export({ format: 'der', type: 'spki' }) };
      const bad: Readonly<Record<string, Readonly<Record<string, string>>>> = {
        'no authorities': { 'ca.pem': '', 'crl.pem': listOf(authority.issuer, now + HOUR_MS) },
        'no list': { 'ca.pem': authority.certificate, 'crl.pem': '' },
        'nothing at all': {},
        'a list out of date': {
          'ca.pem': authority.certificate,
          'crl.pem': listOf(authority.issuer, now - 60_000),
        },
        'a cut list': {
          'ca.pem': authority.certificate,
          'crl.pem': listOf(other, now + HOUR_MS).slice(0, 200),
        },
      };
      const billing = await redeemed();
      for (const [what, files] of Object.entries(bad)) {
        await using server = await startFiles(files);
        const callee = await start(await settingsOf(server.url)).catch(() => null);
        if (callee === null) continue;
        // nginx starts, and refuses whom it cannot judge.
        const { status } = await callCallee(callee.url, { pair: billing, ca }).finally(callee.stop);
        assert.notEqual(status, 200, what);
      }
    },
  );
}

test('examples/service-to-service: curl, Node and Go call through the gateway, which tells the callee who calls (1.8, 5.3)', async () => {
  const share = await service.share('reports', {
    oauthProvider: null,
    clientCertificate: { required: true, subject: CALLER.commonName, unit: CALLER.organizationalUnit },
  });
  const folder = await mkdtemp(join(service.folder, 'callers-'));
  await writeFile(join(folder, 'ca.pem'), ca);
  const billing = await writtenPair(folder, 'billing', await redeemed());
  const intern = await writtenPair(folder, 'intern', await redeemed({ commonName: 'intern' }));
  for (const [name, call] of Object.entries(callersOf(folder, share.url))) {
    const welcome = await call(billing);
    assert.equal(welcome.code, 0, `${name}: ${welcome.err}`);
    const { headers } = JSON.parse(welcome.out) as Echo;
    assert.equal(headers['svc-auth-cert-subject'], 'CN=billing,OU=Services,O=Corp', name);
    assert.equal(headers['authorization'], undefined, 'there is no key of any other kind');
    const refused = await call(intern);
    assert.equal(refused.code, name.startsWith('curl') ? 22 : 1, `${name}: ${refused.out}`);
    assert.doesNotMatch(refused.out, /svc-auth/);
  }
});

type Call = (pair: { readonly certificate: string; readonly key: string }) => Promise<Called>;
type Called = { readonly code: number; readonly out: string; readonly err: string };

function callersOf(folder: string, url: string): Readonly<Record<string, Call>> {
  const { hostname, port } = new URL(url);
  const options = [
    '--silent',
    '--fail',
    '--cacert',
    join(folder, 'ca.pem'),
    '--resolve',
    `${hostname}:${port}:127.0.0.1`,
  ];
  const curl =
    (version: string): Call =>
    ({ certificate, key }) =>
      run('curl', [...options, version, '--cert', certificate, '--key', key, url], {});
  const program =
    (file: string, args: readonly string[]): Call =>
    ({ certificate, key }) =>
      run(file, [...args, url], {
        CERTIFICATE: certificate,
        KEY: key,
        CA: join(folder, 'ca.pem'),
        ADDRESS: '127.0.0.1',
      });
  return {
    'curl, HTTP/1.1': curl('--http1.1'),
    'curl, HTTP/2': curl('--http2'),
    Node: program(process.execPath, ['examples/service-to-service/node/caller.mjs']),
    ...(NO_GO === false ? { Go: program(buildGo('caller-go', service.folder), []) } : {}),
  };
}

async function run(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Called> {
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: Number(code), out, err };
}

async function writtenPair(folder: string, name: string, made: TestPair) {
  const files = { certificate: join(folder, `${name}.cert.pem`), key: join(folder, `${name}.key.pem`) };
  await writeFile(files.certificate, made.certificate);
  await writeFile(files.key, made.key, { mode: 0o600 });
  return files;
}

/** On a connection that was open before, and on a new one. */
async function revocationIsSeen(callee: Callee, billing: TestPair): Promise<void> {
  const agent = keptConnection();
  try {
    const ask = (kept: boolean) => callCallee(callee.url, { pair: billing, ca, ...(kept ? { agent } : {}) });
    assert.equal((await ask(true)).status, 200);
    const { items } = await service.client.certificates.list();
    const found = items.find(({ certificate }) => billing.certificate.startsWith(certificate));
    await service.client.certificates.revoke(found?.id ?? '', { reason: 'key_compromise' });
    await eventually('the revoked certificate is refused', async () => {
      await callee.refresh();
      return (await ask(true)).status !== 200 && (await ask(false)).status !== 200;
    });
  } finally {
    agent.destroy();
  }
}

const HOUR_MS = 3_600_000;
const WITHOUT_USAGE = 'a certificate without a usage';

/** Whoever must not be answered. */
async function strangers(): Promise<Readonly<Record<string, TestPair | null>>> {
  const { issuer, sign, certificate, key } = await signingAuthority();
  const foreign = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const now = Math.floor(Date.now() / 1000) * 1000;
  const made = async (notBefore: number, notAfter: number, signer: Sign = sign): Promise<TestPair> => {
    const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const spki = own.publicKey.export({ format: 'der', type: 'spki' });
    const names = { subject: CALLER, emailAddress: null, issuer, crlUrl: 'http://127.0.0.1/', policy: null };
    const plan = { ...names, serial: serialFrom(randomBytes(16)), spki, notBefore, notAfter };
    return {
      certificate: pem('CERTIFICATE', await leafCertificate(plan, signer)),
      key: own.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    };
  };
  return {
    'no certificate': null,
    'a certificate that is over': await made(now - 2 * HOUR_MS, now - HOUR_MS),
    'a certificate that is not good yet': await made(now + HOUR_MS, now + 2 * HOUR_MS),
    'the name of the authority, not its key': await made(now - HOUR_MS, now + HOUR_MS, (bytes) =>
      nodeSign('sha384', bytes, foreign.privateKey),
    ),
    'a certificate of servers': withUsage('extendedKeyUsage=serverAuth', { certificate, key }),
    [WITHOUT_USAGE]: withUsage('', { certificate, key }),
    'the certificate of a server elsewhere': pair,
  };
}

/** The caller's subject, from the account's own authority, as it would never issue it. */
function withUsage(
  usage: string,
  authority: { readonly certificate: string; readonly key: string },
): TestPair {
  const asked = opensslCsr(OPENSSL_ALGORITHMS['P-256'], ['-subj', '/O=Corp/OU=Services/CN=billing']);
  const files = {
    'ca.pem': authority.certificate,
    'ca.key': authority.key,
    'leaf.csr': asked.csr,
    'leaf.ext': `basicConstraints=critical,CA:FALSE\n${usage}\n`,
  };
  return withFiles(files, (path) => {
    const signing = [
      '-CA',
      path('ca.pem'),
      '-CAkey',
      path('ca.key'),
      '-extfile',
      path('leaf.ext'),
      '-set_serial',
      '77',
    ];
    const certificate = openssl(['x509', '-req', '-in', path('leaf.csr'), '-days', '1', ...signing]);
    return { certificate: certificate.toString(), key: asked.key };
  });
}

/** What the account's authority signs with: only the test takes it out of the store. */
async function signingAuthority() {
  const masterKey = await readMasterKey(service.config.store.masterKeyFile);
  const { engine } = service.config.store;
  const store = await openStore({ engine, masterKey, now: Date.now, exclusive: false });
  try {
    const [account] = await store.accounts.list();
    assert.ok(account);
    const [authority] = await store.cas.list(account.id, Date.now());
    assert.ok(authority);
    const key = (await store.cas.privateKey(account.id, authority.id))?.reveal() ?? '';
    const sign: Sign = (bytes) => nodeSign('sha384', bytes, { key, dsaEncoding: 'der' });
    const spki = openssl(['pkey', '-pubout', '-outform', 'DER'], key);
    const issuer: Issuer = { name: subjectName(authority.certificate), spki };
    return { issuer, sign, key, certificate: pem('CERTIFICATE', authority.certificate) };
  } finally {
    await store.close();
  }
}

/** A token of an admin, redeemed without any API key. */
async function redeemed(over: Partial<NewTokenObject> = {}): Promise<TestPair> {
  const { token } = await service.client.certificates.createToken({ name: 'service', ...CALLER, ...over });
  const { key, csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  const anybody = createNodeClient({ url: controlUrl(), apiKey: null });
  const { certificate, chain } = await anybody.certificates.redeem({ token, csr });
  return { certificate: certificate + chain, key };
}

function controlUrl(): URL {
  return new URL(`http://127.0.0.1:${service.ports.control}`);
}

async function pkiUrl(): Promise<string> {
  const { bundleUrl } = await service.client.certificates.authorities();
  return bundleUrl.replace(/\/ca\.pem$/, '');
}

async function settingsOf(from: string): Promise<CalleeSettings> {
  return { folder: await mkdtemp(join(service.folder, 'callee-')), pkiUrl: from, pair };
}

async function startFiles(files: Readonly<Record<string, string>>) {
  const server = createServer((request, response) => {
    const found = files[(request.url ?? '').slice(1)];
    response.statusCode = found === undefined ? 404 : 200;
    response.end(found ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}
