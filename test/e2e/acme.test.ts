// Certificates that come by themselves (DESIGN "Certificates by themselves"), the whole service against a
// strict ACME server that looks at challenges for real.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startAcmeServer } from '../support/acme-server.ts';
import {
  acmePorts,
  handshake,
  openSameStore,
  OWN_NAMES,
  startAcme,
  startAcmeService,
} from '../support/acme-service.ts';
import { FRONT_DOOR } from '../support/front-door.ts';
import { programCall } from '../support/program-call.ts';
import { until } from '../support/until.ts';

test('serve gets certificates of its own hosts by HTTP-01, and serves them (RFC 8555 section 8.3)', async (t) => {
  const { open, ordered, settled } = await startAcme(t);
  await settled();
  for (const name of OWN_NAMES)
    assert.equal((await open(name)).getPeerX509Certificate()?.subjectAltName, `DNS:${name}`);
  assert.deepEqual(ordered().toSorted(), OWN_NAMES.toSorted());
});

test('serve proves hosts by TLS-ALPN-01 where it has no plain listener (RFC 8737)', async (t) => {
  const { server, open, settled } = await startAcme(t, { plain: false, workers: 2 });
  const looks: string[] = [];
  server.state.validating = async (kind) => void looks.push(kind);
  await settled();
  assert.deepEqual(new Set(looks), new Set(['tls-alpn-01']));
  await open('login.share.test');
});

test('serve gets the wildcard by DNS-01 with a hook, and takes its record back (RFC 8555 section 8.4)', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'acme-hook-'));
  t.after(() => rm(folder, { recursive: true }));
  const hook = join(folder, 'hook.js');
  await writeFile(
    hook,
    `require('node:fs').appendFileSync(__dirname + '/calls', process.argv.slice(2).join(' ') + '\\n');`,
  );
  const calls = () =>
    existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') : [];
  const dns = { provider: 'hook', command: [process.execPath, hook, 'first'], wait: '1s' };
  const { server, open, service, ordered } = await startAcme(t, { acme: { dns } });
  server.state.validating = async () => {
    for (const call of calls()) {
      const [, change, name = '', value = ''] = call.split(' ');
      if (change === 'add') server.txt.set(name, new Set([value]));
    }
  };
  await until(() => server.orders.some(({ status }) => status === 'valid'));
  await service.share('wiki');
  for (const name of ['wiki.share.test', ...OWN_NAMES])
    assert.equal((await open(name)).getPeerX509Certificate()?.subjectAltName, 'DNS:*.share.test', name);
  assert.deepEqual(ordered(), ['*.share.test']);
  await until(() => calls().length === 2);
  const [added = '', removed = ''] = calls();
  assert.match(added, /^first add _acme-challenge\.share\.test \S{43}$/);
  assert.equal(removed, added.replace('first add', 'first remove'));
});

test('a share host gets its certificate when it is first needed, its visitors wait, and others wait for nobody', async (t) => {
  const { open, service, tlsPort, ordered, settled } = await startAcme(t);
  await settled();
  await service.share('wiki');
  assert.deepEqual(ordered().toSorted(), OWN_NAMES.toSorted(), 'nobody needed it yet');
  const visitors = await Promise.all(Array.from({ length: 20 }, () => open('wiki.share.test')));
  for (const socket of visitors)
    assert.equal(socket.getPeerX509Certificate()?.subjectAltName, 'DNS:wiki.share.test');
  assert.equal(ordered().filter((name) => name === 'wiki.share.test').length, 1);
  const body = once(visitors[0]!, 'data');
  visitors[0]!.write('GET / HTTP/1.1\r\nHost: wiki.share.test\r\n\r\n');
  assert.match(String(await body), /^HTTP\/1\.1 302 /);
  for (const stranger of ['nobody.share.test', 'share.test', 'victim.example.com', 'a.wiki.share.test'])
    (await handshake(tlsPort, stranger)).destroy();
  assert.equal(ordered().length, OWN_NAMES.length + 1, 'a stranger’s name is never ordered');
});

test('refused nonces cost nothing, and rate limits hold as long as the server says (RFC 8555 sections 6.5 and 6.6)', async (t) => {
  const server = await startAcmeServer();
  t.after(() => server[Symbol.asyncDispose]());
  const { tlsPort, httpPort } = await acmePorts();
  Object.assign(server.state, { tlsPort, httpPort, badNonces: 4 });
  let limited = 0;
  server.state.refuse = (path) => {
    if (path !== '/order' || limited > 0) return null;
    limited++;
    return { status: 429, type: 'rateLimited', headers: { 'retry-after': '7200' } };
  };
  const began = Date.now();
  const service = await startAcmeService({ directory: server.directory, tlsPort, httpPort });
  t.after(() => service.close());
  await until(() => server.orders.filter(({ status }) => status === 'valid').length === OWN_NAMES.length - 1);
  const store = await openSameStore(service);
  t.after(() => store.close());
  const waiting = (await store.acme.names()).filter(({ held }) => held === null);
  assert.equal(waiting.length, 1);
  assert.ok((waiting[0]?.retryAt ?? 0) >= began + 7_200_000, 'not before Retry-After');
  assert.match(waiting[0]?.lastFailure ?? '', /429 rateLimited/);
  const metrics = await (await fetch(`http://127.0.0.1:${service.ports.metrics}/metrics`)).text();
  assert.match(metrics, /doorward_events_total\{kind="public_certificate\.failed"\} 1/);
  assert.match(metrics, /doorward_acme_certificates\{state="failing"\} 1/);
  assert.equal(server.accounts.length, 1);
});

test('doorward key rotate-acme replaces the account key while the service runs (RFC 8555 section 7.3.5)', async (t) => {
  const { server, service, settled } = await startAcme(t);
  await settled();
  const former = JSON.stringify(server.accounts[0]?.jwk);
  const { command, words } = programCall(FRONT_DOOR);
  await promisify(execFile)(command, [...words, 'key', 'rotate-acme', '--config', service.configFile]);
  await until(() => JSON.stringify(server.accounts[0]?.jwk) !== former);
  assert.equal(server.accounts.length, 1);
});
