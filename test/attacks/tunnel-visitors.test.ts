// THREATS "Tunnel" by visitors: whoever aborts requests by the thousand does not bring an agent's connection
// down, on which every visitor of the share depends (measured: a thousand resets end a connection of Node's,
// unless it is told otherwise).

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setDefaultCACertificates } from 'node:tls';
import { newApiKey } from '../../src/domain/api-key.ts';
import { startAgent } from '../../src/tunnel/agent.ts';
import { parseLocalTarget } from '../../src/tunnel/local-target.ts';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGate, testShare, type TestGateOptions } from '../support/gate.ts';
import {
  type Field,
  frame,
  headersFrame,
  number32,
  openFrames,
  RST_STREAM,
} from '../support/http2-frames.ts';
import { openHttp2 } from '../support/http2-visitor.ts';
import { TUNNEL_KEY } from '../support/tunnel-key.ts';
import { until } from '../support/until.ts';

const TUNNEL_HOST = 'tunnel.share.localhost';
const SHARE = testShare('demo', '', { target: null });
const HOST = SHARE.hosts[0] ?? '';
const TIMED = { timeout: 120_000 };

/** A share that an agent serves, over plain HTTP; `/hang` is never answered. */
async function served(t: TestContext, more: Partial<TestGateOptions> = {}) {
  const backend = createServer((request, response) => {
    hanging += request.url === '/hang' ? 1 : 0;
    response.on('close', () => {
      if (request.url === '/hang') hanging -= 1;
    });
    reached += 1;
    if (request.url !== '/hang') response.end('hello');
  });
  let hanging = 0;
  let reached = 0;
  backend.listen(0, '127.0.0.1');
  await once(backend, 'listening');
  t.after(() => {
    backend.closeAllConnections();
    backend.close();
  });
  const admits = () => ({ kind: 'tunnel', shareId: SHARE.id, key: TUNNEL_KEY }) as const;
  const agents = await startTestGate({ shares: [SHARE], admits, ...more });
  t.after(agents.close);
  const states: number[] = [];
  return {
    gate: agents,
    hanging: () => hanging,
    reached: () => reached,
    connections: states,
    async serve(url: URL) {
      const agent = startAgent({
        gateways: async () => [{ url, workers: 1 }],
        share: SHARE.name,
        apiKey: newApiKey(),
        target: parseLocalTarget(`http://127.0.0.1:${(backend.address() as AddressInfo).port}`),
        onRequest: () => {},
        onState: ({ connected }) => states.push(connected),
        onRefused: (error) => assert.fail(error),
      });
      t.after(() => agent.stop(0));
      await agent.ready;
      states.length = 0;
    },
  };
}

test(
  'Tunnel: a thousand and a half visitors who leave at once do not end the agent’s connection',
  TIMED,
  async (t) => {
    const { gate, hanging, reached, connections, serve } = await served(t);
    await serve(new URL(`http://${TUNNEL_HOST}:${gate.port}`));
    for (let round = 0; round < 15; round++) {
      const visitors = Array.from({ length: 100 }, () => {
        const socket = connect(gate.port, '127.0.0.1');
        socket.on('error', () => {});
        socket.write(`GET /hang HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
        return socket;
      });
      t.after(() => visitors.forEach((socket) => socket.destroy()));
      await until(() => hanging() === 100);
      for (const socket of visitors) socket.destroy();
      await until(() => hanging() === 0);
    }
    assert.equal(reached(), 1_500);
    assert.equal((await gate.call({ host: HOST })).body, 'hello');
    assert.deepEqual(connections, []);
  },
);

test('Tunnel: rapid resets end the visitor’s connection, and nobody else’s', TIMED, async (t) => {
  const certificate = makeCertificate(['*.share.localhost']);
  const { gate, reached, connections, serve } = await served(t, {
    settings: { tls: true, publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 } },
    certificates: [certificate],
  });
  // For agents of this process, which are given no authority of their own.
  setDefaultCACertificates([certificate.certificate]);
  await serve(new URL(`https://${TUNNEL_HOST}:${gate.port}`));
  const other = await openHttp2(t, gate.port, HOST);
  for (let visitor = 0; visitor < 3; visitor++) {
    const { socket, send, closed } = await openFrames(t, gate.port, HOST);
    for (let stream = 1; stream < 8_000 && !socket.destroyed; stream += 2) {
      send(headersFrame(stream, GET), frame(RST_STREAM, 0, stream, number32(8)));
      if (stream % 100 === 1) await new Promise(setImmediate);
    }
    await closed;
  }
  const { status, body } = await other.ask({ ':path': '/', ':authority': HOST });
  assert.deepEqual([status, body], [200, 'hello']);
  assert.ok(reached() < 6_000);
  assert.deepEqual(connections, []);
});

const GET: readonly Field[] = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/hang'],
  [':authority', HOST],
];
