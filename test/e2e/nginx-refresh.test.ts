// The script of the nginx example: it puts in place what verifies, and keeps the files of before when a list
// does not.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { authoritiesOf, rotateAuthority } from '../../src/pki/authority.ts';
import { createRevocationLists } from '../../src/pki/revocation-list.ts';
import type { AccountCa } from '../../src/store/certificates/certificate.ts';
import { pem } from '../../src/x509/pem.ts';
import { testPki } from '../support/pki.ts';
import { addAccount, openTestStore } from '../support/store.ts';

test('refresh.sh keeps the old list when any of the new ones does not verify (RFC 5280 section 6.3.3)', async (t) => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const lists = createRevocationLists(pki.deps);
  const [accountId, stranger] = [await addAccount(store), await addAccount(store)];
  await authoritiesOf(pki.deps, accountId);
  await rotateAuthority(pki.deps, accountId);
  const cas = await authoritiesOf(pki.deps, accountId);
  const [foreign] = await authoritiesOf(pki.deps, stranger);
  assert.ok(foreign && cas.length === 2);
  const crl = async (ca: AccountCa) => pem('X509 CRL', (await lists(ca)).der);
  const good = (await Promise.all(cas.map(crl))).join('');
  const files = {
    'ca.pem': cas.map(({ certificate }) => pem('CERTIFICATE', certificate)).join(''),
    'crl.pem': good,
  };
  const server = createServer((request, response) =>
    response.end(files[request.url?.slice(1) as keyof typeof files]),
  ).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), 'doorward-refresh-'));
  t.after(() => rm(folder, { recursive: true }));
  const env = {
    PATH: process.env['PATH'] ?? '',
    PKI_URL: `http://127.0.0.1:${port}`,
    FOLDER: folder,
    PID_FILE: join(folder, 'nginx.pid'),
  };
  const refresh = () => promisify(execFile)('sh', [SCRIPT], { env });
  const inPlace = () => readFile(join(folder, 'crl.pem'), 'utf8');
  await refresh();
  assert.equal(await inPlace(), good);
  const [first] = cas;
  assert.ok(first);
  for (const bad of [
    await crl(foreign),
    (await crl(first)) + (await crl(foreign)),
    (await crl(foreign)) + (await crl(first)),
    '<h1>Bad Gateway</h1>',
    '',
    good.slice(0, 200),
  ]) {
    files['crl.pem'] = bad;
    await assert.rejects(refresh(), /does not verify/);
    assert.equal(await inPlace(), good);
  }
  files['crl.pem'] = await crl(first);
  await refresh();
  assert.equal(await inPlace(), files['crl.pem']);
});

const SCRIPT = join(import.meta.dirname, '../../examples/service-to-service/nginx/refresh.sh');
