// When a share that was away is told to be back: whoever reads it may send visitors at once, to any worker.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { newApiKey } from '../../../domain/api-key.ts';
import { newId } from '../../../domain/id.ts';
import { createEdge } from '../../../tunnel/edge.ts';
import { parseLocalTarget } from '../../../tunnel/local-target.ts';
import { HELD_HEADER, TUNNEL_PROTOCOL } from '../../../tunnel/wire.ts';
import type { ShareObject } from '../../../wire/share.ts';
import { until } from '../../../../test/support/until.ts';
import { serveShare, type LinkEvent } from './serve-share.ts';

const WORKERS = ['worker-one', 'worker-two'] as const;

const anyWorker = (): boolean => true;

/** A gateway of two workers that share a port: which of them takes a connection is chance, or the test. */
async function twoWorkers(t: TestContext) {
  const shareId = newId('shr');
  const edges = WORKERS.map(() => createEdge());
  const sockets = new Set<Duplex>();
  let lets: (worker: number) => boolean = anyWorker;
  let refusals = 0;
  const server = createServer().on('upgrade', ({ headers }, socket) => {
    sockets.add(socket);
    const held = String(headers[HELD_HEADER] ?? '');
    const at = WORKERS.findIndex((worker, index) => !held.includes(worker) && lets(index));
    if (at === -1) {
      refusals += 1;
      const body = JSON.stringify({ code: 'tunnel_held', worker: WORKERS[0], workers: WORKERS.length });
      socket.end(
        `HTTP/1.1 409 Conflict\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
      return;
    }
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${TUNNEL_PROTOCOL}\r\n` +
        `Doorward-Worker: ${WORKERS[at]}\r\nDoorward-Workers: ${WORKERS.length}\r\n\r\n`,
      () =>
        edges[at]!.accept(socket, {
          shareId,
          agentId: 'an-agent',
          keyId: newId('key'),
          keyHash: null,
          certificate: null,
          keyExpiresAt: null,
        }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    for (const edge of edges) edge.close();
    server.close();
  });
  return {
    shareId,
    port: (server.address() as AddressInfo).port,
    ready: () => edges.map((edge) => edge.counts().ready),
    refusals: () => refusals,
    let: (which: (worker: number) => boolean) => {
      lets = which;
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
  };
}

test('a share is told to be back once every worker has a connection, and takes requests on it', async (t) => {
  const gateway = await twoWorkers(t);
  const told: (readonly [LinkEvent['kind'], readonly number[]])[] = [];
  const share = { id: gateway.shareId, name: 'demo', enabled: true, tunnel: 'reserved' };
  const up = await serveShare({
    client: {
      shares: { create: async () => share as ShareObject } as never,
      gateways: async () =>
        [{ tunnelUrl: `http://127.0.0.1:${gateway.port}`, workers: WORKERS.length }] as never,
    },
    apiKey: newApiKey(),
    clientCertificate: null,
    wayTo: () => null,
    input: { name: 'demo', settings: {} as never },
    target: parseLocalTarget('1'),
    onReady: () => assert.deepEqual(gateway.ready(), [1, 1]),
    onRequest: () => {},
    onLink: ({ kind }) => told.push([kind, gateway.ready()]),
  });
  t.after(() => up.stop(0));
  gateway.let((worker) => worker === 0);
  const before = gateway.refusals();
  gateway.cut();
  await until(() => gateway.refusals() >= before + 3);
  assert.deepEqual(
    told.map(([kind]) => kind),
    ['away'],
    'one of two workers has a connection',
  );
  gateway.let(anyWorker);
  await until(() => told.length > 1);
  assert.deepEqual(told[1], ['back', [1, 1]]);
});
