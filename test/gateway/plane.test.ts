// The data plane in its threads (DESIGN 4, Two planes): workers, what they are told, and one that dies.

import assert from 'node:assert/strict';
import { createServer, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import type { AddressInfo } from 'node:net';
import { newId, type SessionId } from '../../src/domain/id.ts';
import type { SessionState } from '../../src/domain/session.ts';
import type { RequestBatch } from '../../src/domain/share-request.ts';
import { createDataPlane, type DataPlaneOptions } from '../../src/gateway/plane.ts';
import { NO_TRUST } from '../../src/domain/certificate-trust.ts';
import { NO_SERVICE_TOKENS } from '../../src/domain/service-token.ts';
import { sharesNow } from '../../src/domain/share-book.ts';
import { steadyNow } from '../../src/gateway/steady-clock.ts';
import { createSeal } from '../../src/login/seal.ts';
import { TEST_KEYS, sealedLogin, testLogin, testSettings, testShare } from '../support/gate.ts';
import { echo, startBackend } from '../support/backend.ts';
import { createClientAuthority } from '../support/client-authority.ts';
import { callTls, GATE_CERTIFICATE, revocationOf, TLS_SETTINGS } from '../support/mutual-tls.ts';
import { until } from '../support/until.ts';

const HOST = 'demo.share.localhost';

function startPlane(t: TestContext, more: Partial<DataPlaneOptions> = {}) {
  const states = new Map<SessionId, SessionState>();
  const faults: string[] = [];
  const logs: string[] = [];
  const plane = createDataPlane({
    start: {
      settings: testSettings(),
      certificates: [],
      shares: sharesNow([]),
      trust: NO_TRUST,
      tokens: NO_SERVICE_TOKENS,
      watched: [],
      storeGoodAt: steadyNow(),
    },
    workers: 2,
    onSession: async (id) => ({ kind: 'session', state: states.get(id) ?? null }),
    onTunnel: async () => ({ kind: 'unavailable' }),
    onRecheck: async () => ({ kind: 'unavailable' }),
    onConfirm: async () => ({ kind: 'unavailable' }),
    onProvider: async () => ({ kind: 'unavailable' }),
    onCertificate: async () => ({ kind: 'unavailable' }),
    onAudit: () => {},
    onSeen: () => {},
    onActivity: () => {},
    onCertificatesSeen: () => {},
    onTokensSeen: () => {},
    onRequests: () => {},
    onSpans: () => {},
    onLog: (lines) => logs.push(lines),
    onFault: (message) => faults.push(message),
    ...more,
  });
  t.after(plane.close);
  return { plane, states, faults, logs };
}

async function ask(
  port: number,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  httpRequest({ port, host: '127.0.0.1', agent: false, headers: { host: HOST, ...headers } }, (response) => {
    text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
  })
    .on('error', reject)
    .end();
  return await promise;
}

test('createDataPlane() starts workers on one port, and a change counts for the next request on each (DESIGN 4)', async (t) => {
  const backend = await startBackend(t, echo);
  const { plane, states } = startPlane(t);
  const { port } = await plane.ready;
  assert.equal((await ask(port)).status, 404);
  const share = testShare('demo', backend.url, { login: testLogin() });
  await plane.shares([share], []);
  const statuses = await Promise.all(Array.from({ length: 10 }, () => ask(port)));
  for (const { status } of statuses) assert.equal(status, 302);
  const { cookie, state } = sealedLogin(createSeal([TEST_KEYS]), { share, secure: false, more: {} });
  states.set(state.id, state);
  for (let call = 0; call < 10; call++) assert.equal((await ask(port, { cookie })).status, 200);
  await plane.sessions([{ ...state, ended: true }]);
  for (let call = 0; call < 10; call++) assert.equal((await ask(port, { cookie })).status, 302);
  assert.equal((await plane.metrics()).length, 2);
  await plane.shares([], [share.id]);
  assert.equal((await ask(port)).status, 404);
});

test('a port that is taken is address_in_use, with a hint', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  t.after(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const settings = testSettings({ bind: { host: '127.0.0.1', port } });
  const start = {
    settings,
    certificates: [],
    shares: sharesNow([]),
    trust: NO_TRUST,
    tokens: NO_SERVICE_TOKENS,
    watched: [],
    storeGoodAt: steadyNow(),
  };
  const { plane } = startPlane(t, { start, workers: 1 });
  await assert.rejects(plane.ready, { code: 'address_in_use' });
});

test('a worker that dies is replaced by one that knows what changed meanwhile', async (t) => {
  const backend = await startBackend(t, echo);
  const workerFile = new URL('../support/mortal-worker.ts', import.meta.url);
  const told: RequestBatch[] = [];
  let replaced = 0;
  const { plane, faults } = startPlane(t, {
    workers: 1,
    workerFile,
    onReplaced: () => replaced++,
    onRequests: (batches) => told.push(...batches),
  });
  const { port } = await plane.ready;
  const share = testShare('demo', backend.url);
  await plane.shares([share], []);
  await plane.watch([share.id]);
  assert.equal((await ask(port)).status, 200);
  // A message that no gate can take apart ends nothing, and holds up nobody who waits until it counts.
  const toldAt = performance.now();
  await plane.sessions(null as never);
  assert.ok(performance.now() - toldAt < 10_000);
  assert.equal((await ask(port)).status, 200);
  assert.equal(faults.length, 1);
  await plane.forgetSessions();
  await until(async () => (await ask(port).catch(() => null))?.status === 200);
  assert.equal(faults.length, 2);
  // It has to be told of sessions again.
  await until(async () => replaced === 1);
  // Its requests are watched, too.
  told.length = 0;
  while (told.length === 0) await ask(port);
  assert.equal(told[0]?.shareId, share.id);
});

test('a worker that starts while sessions are read is not told of one that ended before it was there', async (t) => {
  const backend = await startBackend(t, echo);
  let replaced = 0;
  const { plane, states } = startPlane(t, {
    workers: 1,
    workerFile: new URL('../support/mortal-worker.ts', import.meta.url),
    onReplaced: () => replaced++,
  });
  const { port } = await plane.ready;
  const share = testShare('demo', backend.url, { login: testLogin() });
  await plane.shares([share], []);
  const { cookie, state } = sealedLogin(createSeal([TEST_KEYS]), { share, secure: false, more: {} });
  states.set(state.id, { ...state, ended: true });
  const tell = plane.fillSessions();
  // The page is read here, and it has the session. Then it ends, and all workers hear of that.
  await plane.sessions([{ ...state, ended: true }]);
  await plane.forgetSessions();
  await until(async () => replaced === 1);
  await tell([state]);
  assert.equal((await ask(port, { cookie })).status, 302);
  // Of what is read from now on it is told.
  states.clear();
  const { cookie: other, state: known } = sealedLogin(createSeal([TEST_KEYS]), {
    share,
    secure: false,
    more: {},
  });
  await plane.fillSessions()([known]);
  assert.equal((await ask(port, { cookie: other })).status, 200);
});

test('a worker that dies as soon as it listens is started less and less often', async (t) => {
  const deaths: number[] = [];
  const { promise: died, resolve } = Promise.withResolvers<void>();
  const { plane } = startPlane(t, {
    workers: 1,
    workerFile: new URL('../support/short-lived-worker.ts', import.meta.url),
    onFault: () => {
      if (deaths.push(performance.now()) === 6) resolve();
    },
  });
  await plane.ready;
  await died;
  assert.ok(deaths.at(-1)! - deaths[0]! >= 50 + 100 + 200 + 400 + 800 - 10, deaths.join(' '));
});

test('living() counts the workers that listen', async (t) => {
  const workerFile = new URL('../support/mortal-worker.ts', import.meta.url);
  const died = Promise.withResolvers<number>();
  const { plane } = startPlane(t, {
    workers: 1,
    workerFile,
    onFault: () => died.resolve(plane.living()),
  });
  await plane.ready;
  assert.equal(plane.living(), 1);
  void plane.forgetSessions();
  assert.equal(await died.promise, 0);
  await until(() => plane.living() > 0);
});

test('drain() finishes what runs and then ends the workers (SIGTERM)', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const backend = await startBackend(t, (_request, response) => {
    arrived.resolve();
    void go.promise.then(() => response.end('done'));
  });
  const { plane, logs } = startPlane(t);
  const { port } = await plane.ready;
  await plane.shares([testShare('demo', backend.url)], []);
  const running = ask(port);
  await arrived.promise;
  const drained = plane.drain(10_000);
  go.resolve();
  assert.equal((await running).body, 'done');
  await drained;
  await assert.rejects(ask(port), { code: 'ECONNREFUSED' });
  assert.match(logs.join(''), /"status":200/);
});

test('createDataPlane() tells every worker whose certificates count (DESIGN "Mutual TLS")', async (t) => {
  const backend = await startBackend(t, echo);
  const accountId = newId('acc');
  const authority = createClientAuthority(accountId);
  const share = testShare('demo', backend.url, {
    accountId,
    clientCertificate: { subject: null, unit: null },
  });
  const { plane } = startPlane(t, {
    start: {
      settings: testSettings(TLS_SETTINGS),
      certificates: [GATE_CERTIFICATE],
      shares: sharesNow([share]),
      trust: NO_TRUST,
      tokens: NO_SERVICE_TOKENS,
      watched: [],
      storeGoodAt: steadyNow(),
    },
  });
  const { port } = await plane.ready;
  const [ann, bob] = [authority.leaf(), authority.leaf({ commonName: 'bob' })];
  const askAll = async (pair: typeof ann) => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => callTls(port, { host: HOST, pair })));
    return [...new Set(answers.map(({ code, status }) => code ?? status))];
  };
  assert.deepEqual(await askAll(ann), ['certificate_foreign']);
  await plane.trust({ ...NO_TRUST, reset: false, authorities: [authority.trusted] });
  assert.deepEqual(await askAll(ann), [200]);
  const { revoked = [] } = revocationOf(authority, ann);
  await plane.trust({ ...NO_TRUST, reset: false, revoked });
  assert.deepEqual(await askAll(ann), ['certificate_revoked']);
  assert.deepEqual(await askAll(bob), [200]);
});
