// Certificates that come by themselves, against Pebble: another implementation of the server's side, which
// looks at challenges itself and refuses nonces on purpose.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { registerAccount } from '../../src/acme/account.ts';
import { createConnection } from '../../src/acme/connection.ts';
import { newKey } from '../../src/acme/jws.ts';
import { createDialler } from '../../src/providers/dialler.ts';
import { createAcmeRig } from '../support/acme-rig.ts';
import { type AcmeServiceOptions, handshake, OWN_NAMES, startAcmeService } from '../support/acme-service.ts';
import { NO_PEBBLE, type Pebble, startPebble } from '../support/pebble.ts';
import { openTestStore } from '../support/store.ts';
import { until } from '../support/until.ts';

async function startService(t: TestContext, pebble: Pebble, more: Partial<AcmeServiceOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pebble-service-'));
  t.after(() => rm(folder, { recursive: true }));
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, pebble.ca);
  const service = await startAcmeService({
    directory: pebble.directory,
    tlsPort: pebble.ports.tlsPort,
    ...more,
    acme: { ca_file: caFile, ...more.acme },
  });
  t.after(() => service.close());
  const root = await pebble.root();
  const opened = async (name: string) => {
    const socket = await handshake(pebble.ports.tlsPort, name, { ca: root });
    t.after(() => socket.destroy());
    return socket.getPeerX509Certificate()?.subjectAltName;
  };
  /** Once it is there. */
  const open = async (name: string) => {
    await until(() =>
      opened(name).then(
        () => true,
        () => false,
      ),
    );
    return opened(name);
  };
  return { service, open };
}

test('Pebble: its own hosts by HTTP-01, a share on first use', { skip: NO_PEBBLE }, async (t) => {
  const pebble = await startPebble(t);
  const { service, open } = await startService(t, pebble, { httpPort: pebble.ports.httpPort });
  for (const name of OWN_NAMES) assert.equal(await open(name), `DNS:${name}`);
  await service.share('wiki');
  assert.equal(await open('wiki.share.test'), 'DNS:wiki.share.test');
});

test('Pebble: its own hosts and a share on first use by TLS-ALPN-01', { skip: NO_PEBBLE }, async (t) => {
  const pebble = await startPebble(t);
  const { service, open } = await startService(t, pebble, { workers: 2 });
  for (const name of OWN_NAMES) assert.equal(await open(name), `DNS:${name}`);
  await service.share('wiki');
  assert.equal(await open('wiki.share.test'), 'DNS:wiki.share.test');
});

test('Pebble: the wildcard by DNS-01 with a program', { skip: NO_PEBBLE }, async (t) => {
  const pebble = await startPebble(t);
  const folder = await mkdtemp(join(tmpdir(), 'pebble-hook-'));
  t.after(() => rm(folder, { recursive: true }));
  const hook = join(folder, 'hook.mjs');
  await writeFile(
    hook,
    `const [change, name, value] = process.argv.slice(2);
const body = JSON.stringify(change === 'add' ? { host: name + '.', value } : { host: name + '.' });
const { ok } = await fetch('${pebble.management}/' + (change === 'add' ? 'set' : 'clear') + '-txt', { method: 'POST', body });
process.exit(ok ? 0 : 1);`,
  );
  const dns = { provider: 'hook', command: [process.execPath, hook], wait: '1s' };
  const { service, open } = await startService(t, pebble, { acme: { dns } });
  await service.share('wiki');
  for (const name of ['wiki.share.test', ...OWN_NAMES]) assert.equal(await open(name), 'DNS:*.share.test');
});

test('Pebble: renewal, and another account key', { skip: NO_PEBBLE }, async (t) => {
  const pebble = await startPebble(t);
  const clock = { time: Date.now() };
  await using store = await openTestStore(() => clock.time);
  await using rig = await createAcmeRig(store, clock);
  const fault = 'target_refused';
  const { fetch } = createDialler({
    allow: 'operator',
    ownListeners: [],
    refused: fault,
    unreachable: fault,
  });
  const connection = createConnection({
    directoryUrl: pebble.directory,
    fetch,
    fetchElsewhere: fetch,
    trustedAuthorities: pebble.ca,
    now: () => clock.time,
  });
  await rig.want();
  const { directory } = pebble;
  const orderer = rig.orderer({ connection, directory, dns: { records: pebble.records, waitMs: 0 } });
  await orderer.run();
  const first = await rig.seen();
  assert.ok(first.served !== null, first.row?.lastFailure ?? '');
  const account = await store.acme.account(directory, newKey(), 0);
  const before = await registerAccount(connection, {
    privateKey: account.privateKey,
    email: 'ops@example.com',
    externalAccount: null,
  });
  await store.acme.takeLease('first', 60_000);
  await store.acme.setNextKey('first', account.id, newKey());
  await store.acme.releaseLease('first');
  clock.time = first.row?.held?.renewAt ?? 0;
  await orderer.run();
  const second = await rig.seen();
  assert.ok(
    second.served !== null && second.served.certificate !== first.served.certificate,
    second.row?.lastFailure ?? '',
  );
  const changed = await store.acme.account(directory, newKey(), 0);
  assert.notEqual(changed.privateKey.reveal(), account.privateKey.reveal());
  const after = await registerAccount(connection, {
    privateKey: changed.privateKey,
    email: 'ops@example.com',
    externalAccount: null,
  });
  assert.equal(after.kid, before.kid, 'it is the same account');
  await orderer.stop();
});

test(
  'Pebble: an account that is bound to an external one (RFC 8555 section 7.3.4)',
  { skip: NO_PEBBLE },
  async (t) => {
    const key = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W';
    const pebble = await startPebble(t, { 'kid-1': key });
    const eab = { kid: 'kid-1', hmac_key: key };
    const { open } = await startService(t, pebble, { acme: { eab } });
    for (const name of OWN_NAMES) assert.equal(await open(name), `DNS:${name}`);
  },
);
