// From a request token to an open share, and to the end of it: keys and CSRs of openssl, certificates
// redeemed by the API, curl by HTTP/1.1 and HTTP/2, a WebSocket that ends with the certificate (contract 1.8,
// 5.3; DESIGN "Mutual TLS").

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { WebSocket } from 'ws';
import type { Echo } from '../support/echo-backend.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ tls: true });
  await writeFile(join(service.folder, 'gateway-ca.pem'), service.ca ?? '');
});
after(() => service?.close());

type Holder = {
  readonly id: string;
  readonly serial: string;
  readonly certificate: string;
  readonly key: string;
  /** For curl. */
  readonly options: readonly string[];
};

async function holder(
  name: string,
  algorithm: readonly string[] = OPENSSL_ALGORITHMS['P-256'],
): Promise<Holder> {
  const { key, csr } = opensslCsr(algorithm);
  const input = { name, commonName: name, organizationalUnit: 'CI' };
  const { token } = await service.client.certificates.createToken(input);
  const { certificate, chain, serial } = await service.client.certificates.redeem({ token, csr });
  const { id } = await service.client.certificates.show(serial);
  const file = (what: string) => join(service.folder, `${name}.${what}.pem`);
  await writeFile(file('key'), key, { mode: 0o600 });
  await writeFile(file('certificate'), certificate + chain);
  const options = ['--cert', file('certificate'), '--key', file('key')];
  return { id, serial, certificate: certificate + chain, key, options };
}

type Answer = { readonly status: number; readonly version: string; readonly body: string };

async function curl(url: string, ...options: readonly string[]): Promise<Answer> {
  const { port, hostname } = new URL(url);
  const trust = [
    '--cacert',
    join(service.folder, 'gateway-ca.pem'),
    '--resolve',
    `${hostname}:${port}:127.0.0.1`,
  ];
  const told = [
    '--silent',
    '--show-error',
    '--max-time',
    '30',
    '--write-out',
    '\n%{http_code} %{http_version}',
  ];
  const { stdout } = await promisify(execFile)('curl', told.concat(trust, options, url));
  const at = stdout.lastIndexOf('\n');
  const [status = '', version = ''] = stdout.slice(at + 1).split(' ');
  return { status: Number(status), version, body: stdout.slice(0, at) };
}

test('keys of every kind open a share by curl, by HTTP/1.1 and HTTP/2, and the backend is told whose they are (1.8, 5.3)', async () => {
  const share = await service.share('strict', {
    oauthProvider: null,
    clientCertificate: { required: true, subject: 'of-*', unit: 'CI' },
  });
  for (const [kind, algorithm] of Object.entries(OPENSSL_ALGORITHMS)) {
    const { serial, options } = await holder(`of-${kind}`, algorithm);
    for (const [option, version] of [
      ['--http1.1', '1.1'],
      ['--http2', '2'],
    ] as const) {
      const answer = await curl(share.url, option, ...options);
      assert.deepEqual([answer.status, answer.version], [200, version], `${kind} ${answer.body}`);
      const { headers } = JSON.parse(answer.body) as Echo;
      assert.equal(headers['svc-auth-cert-subject'], `CN=of-${kind},OU=CI`);
      assert.equal(headers['svc-auth-cert-serial'], serial);
    }
  }
  const stranger = await holder('somebody');
  const refused = await curl(share.url, ...stranger.options);
  assert.equal(refused.status, 403);
  assert.match(refused.body, /certificate_refused/);
  assert.match((await curl(share.url)).body, /certificate_required/);
});

test('the inventory knows where a certificate was used last (DESIGN 2.6)', async () => {
  const { serial, options } = await holder('seen');
  const share = await service.share('seen', { oauthProvider: null, clientCertificate: { required: true } });
  assert.equal((await service.client.certificates.show(serial)).lastUsedAt, null);
  await curl(share.url, ...options);
  await eventually('the use of a certificate in the inventory', async () => {
    const { lastUsedOn, lastUsedFrom } = await service.client.certificates.show(serial);
    return lastUsedOn === 'seen' && lastUsedFrom === '127.0.0.1';
  });
});

test('a revoked certificate opens nothing any more: not again, not on a connection that is open, and its WebSockets end (DESIGN "Mutual TLS")', async () => {
  const [ann, bob] = [await holder('ann'), await holder('bob')];
  const share = await service.share('live', { oauthProvider: null, clientCertificate: { required: true } });
  const sockets = await Promise.all([ann, bob].map((each) => openSocket(share.url, each)));
  const closed = once(sockets[0]!, 'close');
  await service.client.certificates.revoke(ann.serial, { reason: 'key_compromise' });
  assert.match((await curl(share.url, ...ann.options)).body, /certificate_revoked/);
  await closed;
  assert.equal((await curl(share.url, ...bob.options)).status, 200);
  const echoed = once(sockets[1]!, 'message');
  sockets[1]!.send('still here');
  await echoed;
  sockets[1]!.terminate();
  await eventually('the refusal in the audit', async () => {
    const { items } = await service.client.auditEvents.list({ kind: ['certificate.refused'] });
    return items.some(
      ({ actor, reason }) => actor === `certificate:${ann.id}` && reason === 'certificate_revoked',
    );
  });
});

test('an authority that another took the place of is trusted as long as what it issued', async () => {
  const former = await holder('former');
  const share = await service.share('rotated', {
    oauthProvider: null,
    clientCertificate: { required: true },
  });
  await service.client.certificates.rotateAuthority();
  const next = await holder('next');
  for (const { options } of [former, next]) assert.equal((await curl(share.url, ...options)).status, 200);
});

test('a login and a certificate: both, or either (DESIGN "Mutual TLS")', async () => {
  const { options } = await holder('both');
  const share = await service.share('both', { clientCertificate: { required: true } });
  const page = ['--header', 'Accept: text/html'];
  assert.equal((await curl(share.url, ...page)).status, 403);
  assert.equal((await curl(share.url, ...page, ...options)).status, 302);
  await service.client.shares.modify('both', { access: 'either' });
  assert.equal((await curl(share.url, ...page)).status, 302);
  assert.equal((await curl(share.url, ...options)).status, 200);
});

async function openSocket(url: string, { certificate, key }: Holder): Promise<WebSocket> {
  const { host, hostname, port } = new URL(url);
  const options = {
    headers: { host, origin: url },
    servername: hostname,
    cert: certificate,
    key,
    ca: service.ca ?? '',
  };
  const socket = new WebSocket(`wss://127.0.0.1:${port}/socket`, options);
  socket.on('error', () => {});
  await once(socket, 'open');
  return socket;
}
