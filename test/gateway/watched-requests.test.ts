// What a gate tells of requests at shares that somebody watches, and that it tells nothing of others.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import type { RequestBatch, ShareRequest } from '../../src/domain/share-request.ts';
import { startBackend } from '../support/backend.ts';
import { createClientAuthority } from '../support/client-authority.ts';
import { startTestGate, testLogin, testShare, type TestGate } from '../support/gate.ts';
import { callTls, GATE_CERTIFICATE, TLS_SETTINGS } from '../support/mutual-tls.ts';

const HOST = 'demo.share.localhost';

async function watchedGate(t: TestContext) {
  const backend = await startBackend(t, (_request, response) => response.writeHead(201).end('ok'));
  const [share, other] = [
    testShare('demo', backend.url, { login: testLogin({ emailPatterns: ['ada@*'] }) }),
    testShare('other', backend.url),
  ];
  const gate = await startTestGate({ shares: [share, other] });
  t.after(gate.close);
  return { gate, share, other, backend };
}

function batchesOf(gate: TestGate): readonly RequestBatch[] {
  return gate.said.flatMap((message) => (message.type === 'requests' ? message.batches : []));
}

async function told(gate: TestGate, count: number): Promise<readonly ShareRequest[]> {
  for (;;) {
    const requests = batchesOf(gate).flatMap((batch) => batch.requests);
    if (requests.length >= count) return requests;
    await pause(10);
  }
}

test('a gate tells nothing of a share that nobody watches, or watches no longer', async (t) => {
  const { gate, share, other } = await watchedGate(t);
  const ask = (host: string) => gate.call({ host, path: '/' });
  await ask('other.share.localhost');
  gate.tell({ type: 'watch', shares: [share.id] });
  await ask('other.share.localhost');
  gate.tell({ type: 'watch', shares: [other.id] });
  await ask(HOST);
  gate.tell({ type: 'watch', shares: [] });
  await ask('other.share.localhost');
  // One that is told shows that nothing else was on its way before it.
  gate.tell({ type: 'watch', shares: [share.id] });
  await ask(HOST);
  assert.equal((await told(gate, 1)).length, 1);
  assert.deepEqual(
    batchesOf(gate).map(({ shareId }) => shareId),
    [share.id],
  );
});

test('a gate tells method, path without query, status, time, who and why not (THREATS "Secrets")', async (t) => {
  const { gate, share } = await watchedGate(t);
  gate.tell({ type: 'watch', shares: [share.id] });
  const { cookie } = gate.login(share, { email: 'ada@example.com' });
  const { cookie: stranger } = gate.login(share, { email: 'eve@example.com' });
  const before = Date.now();
  await gate.call({ host: HOST, path: '/orders?token=sesame', method: 'POST', headers: { cookie } });
  await gate
    .call({ host: HOST, path: '/orders#token=sesame', headers: { cookie: stranger } })
    .catch(() => {});
  await gate.call({ host: HOST, path: `/${'x'.repeat(5_000)}?token=sesame` });
  await gate.call({ host: HOST, path: '/.svc/elsewhere', headers: { cookie: stranger } });
  const requests = await told(gate, 3);
  assert.doesNotMatch(JSON.stringify(requests), /sesame/);
  const [good, ...others] = requests;
  assert.ok(good);
  const { requestId, at, durationMs, ...rest } = good;
  assert.deepEqual(rest, {
    method: 'POST',
    path: '/orders',
    status: 201,
    authorized: false,
    who: 'ada@example.com',
    reason: null,
    aborted: false,
    address: '127.0.0.1',
  });
  assert.ok(requestId.length > 0 && at >= before && durationMs >= 0 && Number.isInteger(durationMs));
  const long = others.find(({ path }) => path.startsWith('/xxx'));
  assert.deepEqual([long?.status, long?.who, long?.reason], [302, null, 'login_required']);
  assert.equal(long?.path.length, 301);
});

test('a gate names who came by certificate, and why one who did not was refused', async (t) => {
  const backend = await startBackend(t, (_request, response) => response.end('ok'));
  const accountId = 'acc_1';
  const authority = createClientAuthority(accountId);
  const share = testShare('demo', backend.url, {
    accountId,
    clientCertificate: { subject: null, unit: null },
  });
  const gate = await startTestGate({
    shares: [share],
    settings: TLS_SETTINGS,
    certificates: [GATE_CERTIFICATE],
    trust: { reset: true, authorities: [authority.trusted], gone: [], revoked: [], gaps: [], known: [] },
  });
  t.after(gate.close);
  gate.tell({ type: 'watch', shares: [share.id] });
  await callTls(gate.port, { host: HOST, pair: authority.leaf({ commonName: 'build-7' }) });
  await callTls(gate.port, { host: HOST });
  const requests = await told(gate, 2);
  assert.deepEqual(
    requests.map(({ status, who, reason }) => [status, who, reason]),
    [
      [200, 'build-7', null],
      [403, null, 'certificate_required'],
    ],
  );
});

test('a gate tells of a WebSocket when it begins, once, and of a broken answer when it breaks', async (t) => {
  const { gate, other, backend } = await watchedGate(t);
  const sockets = new WebSocketServer({ noServer: true });
  backend.server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, () => {}),
  );
  backend.server.removeAllListeners('request');
  backend.server.on('request', (_request, response) => {
    response.writeHead(200, { 'content-length': '9' });
    response.write('half');
    setImmediate(() => response.destroy());
  });
  gate.tell({ type: 'watch', shares: [other.id] });
  const socket = new WebSocket(`ws://127.0.0.1:${gate.port}/live`, {
    headers: { host: 'other.share.localhost' },
  });
  await once(socket, 'open');
  const [upgraded] = await told(gate, 1);
  assert.deepEqual([upgraded?.status, upgraded?.path, upgraded?.aborted], [101, '/live', false]);
  const closed = once(socket, 'close');
  socket.close();
  for (const client of sockets.clients) client.close();
  await closed;
  sockets.close();
  await gate.call({ host: 'other.share.localhost', path: '/half' }).catch(() => {});
  const requests = await told(gate, 2);
  assert.deepEqual(
    requests.map(({ path, aborted }) => [path, aborted]),
    [
      ['/live', false],
      ['/half', true],
    ],
  );
});
