// Two gateways on one PostgreSQL, renewal under load, and custom hosts, where certificates come by themselves
// (DESIGN "Certificates by themselves").

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '../../src/cli/service/logger.ts';
import type { Config } from '../../src/config/config.ts';
import { startService } from '../../src/serve.ts';
import { acmePorts, handshake, openSameStore, OWN_NAMES, startAcme } from '../support/acme-service.ts';
import { freePort } from '../support/free-port.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import type { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres[Symbol.asyncDispose]());

/** Another gateway of the same installation, at ports of its own. */
async function another(t: TestContext, { config, folder }: Pick<TestService, 'config' | 'folder'>) {
  const { tlsPort, httpPort } = await acmePorts();
  const own: Config = {
    ...config,
    gateway: { ...config.gateway, bindAddress: at(tlsPort) },
    oauth: { ...config.oauth, bindAddress: at(tlsPort) },
    control: { ...config.control, bindAddress: at(await freePort()) },
    metrics: null,
    acme: { ...config.acme!, httpBindAddress: at(httpPort) },
  };
  const { log, appendLines } = createLogger({ level: 'debug', file: join(folder, 'other.log') });
  const service = await startService({ config: own, log, appendLog: appendLines });
  t.after(() => service.close(0));
  return { tlsPort, httpPort };
}

test('two gateways order once; the ACME server looks at the other one; both serve', async (t) => {
  const storeUrl = (await postgres.formedPlace()).reveal();
  const { server, service, ordered, settled, tlsPort } = await startAcme(t, { storeUrl });
  await settled();
  const second = await another(t, service);
  await service.share('wiki');
  // From now on challenges arrive at the second, and the first visitor at either.
  Object.assign(server.state, second);
  const kinds: string[] = [];
  server.state.validating = async (kind) => void kinds.push(kind);
  const visits = Array.from({ length: 10 }, (_, index) =>
    handshake(index % 2 === 0 ? tlsPort : second.tlsPort, 'wiki.share.test', { ca: server.ca }),
  );
  for (const socket of await Promise.all(visits)) {
    assert.equal(socket.getPeerX509Certificate()?.subjectAltName, 'DNS:wiki.share.test');
    socket.destroy();
  }
  for (const name of OWN_NAMES) (await handshake(second.tlsPort, name, { ca: server.ca })).destroy();
  assert.deepEqual(ordered().toSorted(), [...OWN_NAMES, 'wiki.share.test'].toSorted());
  assert.deepEqual(kinds, ['http-01']);
  // By TLS-ALPN-01, too.
  server.state.kinds = ['tls-alpn-01'];
  await service.share('docs');
  (await handshake(tlsPort, 'docs.share.test', { ca: server.ca })).destroy();
  assert.deepEqual(kinds, ['http-01', 'tls-alpn-01']);
});

test('a renewal under load fails no handshake and cuts no connection, and the key is another one', async (t) => {
  const { server, service, settled, open, tlsPort } = await startAcme(t, { workers: 2 });
  await settled();
  await service.share('wiki');
  const held = await open('wiki.share.test');
  const former = held.getPeerX509Certificate()?.fingerprint256;
  const ask = async () => {
    const answer = once(held, 'data');
    held.write('GET / HTTP/1.1\r\nHost: wiki.share.test\r\n\r\n');
    assert.match(String(await answer), /^HTTP\/1\.1 302 /);
  };
  await ask();
  const seen = new Set<string>();
  const load = { handshakes: 0, stopped: false };
  const visit = async () => {
    while (!load.stopped) {
      const began = performance.now();
      try {
        const socket = await handshake(tlsPort, 'wiki.share.test', { ca: server.ca });
        seen.add(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
        load.handshakes++;
        socket.destroy();
      } catch (error) {
        // One that the machine held up for longer than a handshake may take was not failed by the renewal.
        if (performance.now() - began < HANDSHAKE_DEADLINE_MS) throw error;
      }
    }
  };
  const visitors = Array.from({ length: 8 }, visit);
  await until(() => load.handshakes > 50);
  // As the ACME server would when it is to be revoked: the service asks it a few seconds after.
  const now = Date.now();
  server.state.suggest = { start: now - 2_000, end: now - 1_000 };
  await dueNow(service);
  await until(() => seen.size > 1);
  const renewedAt = load.handshakes;
  await until(() => load.handshakes > renewedAt + 50);
  load.stopped = true;
  await Promise.all(visitors);
  assert.equal(seen.size, 2, 'the former, then the new one');
  assert.ok(seen.has(former ?? ''));
  await ask();
});

/** Of a ClientHello, the shortest that a front has. */
const HANDSHAKE_DEADLINE_MS = 5_000;

function at(port: number) {
  return { host: '127.0.0.1', port };
}

/** Has the service ask again what the server suggests, which it does every few hours. */
async function dueNow(service: TestService): Promise<void> {
  const store = await openSameStore(service);
  try {
    while (!(await store.acme.takeLease('test', 60_000))) await pause(50);
    const row = await store.acme.find('wiki.share.test');
    const { renewAt } = row!.held!;
    await store.acme.plan('test', row!.id, { renewAt, checkAt: 0 });
    await store.acme.releaseLease('test');
  } finally {
    await store.close();
  }
}

test('a custom host gets its certificate once it is proved, and none before or after', async (t) => {
  const { server, service, settled, tlsPort, ordered } = await startAcme(t);
  await settled();
  await service.share('wiki');
  const host = 'wiki.customer.example';
  const visit = async () => (await handshake(tlsPort, host)).destroy();
  await visit();
  const store = await openSameStore(service);
  t.after(() => store.close());
  const [account] = await store.accounts.list();
  await store.hosts.grant({ host, accountId: account!.id, createdAt: Date.now() });
  await visit();
  assert.equal(ordered().length, OWN_NAMES.length, 'nobody has it');
  await service.client.hosts.create({ host, share: 'wiki' });
  const socket = await handshake(tlsPort, host, { ca: server.ca });
  assert.equal(socket.getPeerX509Certificate()?.subjectAltName, `DNS:${host}`);
  socket.destroy();
  const other = 'gone.customer.example';
  await store.hosts.grant({ host: other, accountId: account!.id, createdAt: Date.now() });
  await service.client.hosts.create({ host: other, share: 'wiki' });
  await service.client.hosts.remove(other);
  (await handshake(tlsPort, other)).destroy();
  assert.deepEqual(
    ordered().filter((name) => name.endsWith('.example')),
    [host],
  );
});
