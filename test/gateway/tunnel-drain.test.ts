// Gateways and agents that come and go while requests run (DESIGN "Tunnel"; issue "Staying up").

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { newApiKey } from '../../src/domain/api-key.ts';
import { startAgent, type AgentState } from '../../src/tunnel/agent.ts';
import { parseLocalTarget } from '../../src/tunnel/local-target.ts';
import { startTestGate, testShare, type TestGate } from '../support/gate.ts';
import { openHostileAgent } from '../support/hostile-agent.ts';
import { untilAsked } from '../support/tunnel-frames.ts';
import { TUNNEL_KEY } from '../support/tunnel-key.ts';
import { until } from '../support/until.ts';
import { FRAMES } from '../../src/tunnel/wire.ts';

const SHARE = testShare('demo', '', { target: null });
const HOST = SHARE.hosts[0] ?? '';
const LIMIT = { timeout: 60_000 };

async function startGate(t: TestContext): Promise<TestGate> {
  const gate = await startTestGate({
    shares: [SHARE],
    admits: () => ({ kind: 'tunnel', shareId: SHARE.id, key: TUNNEL_KEY }),
  });
  t.after(gate.close);
  return gate;
}

/** `/wait` is answered half, and the rest when the test says so. */
async function startBackend(t: TestContext) {
  const waiting: ServerResponse[] = [];
  let served = 0;
  const server = createServer((request, response) => {
    served += 1;
    if (request.url !== '/wait') return void response.end('hello');
    response.write('half, ');
    waiting.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { target: `http://127.0.0.1:${port}`, waiting, served: () => served };
}

async function serveAt(t: TestContext, gates: readonly TestGate[], target: string) {
  const states: AgentState[] = [];
  const agent = startAgent({
    gateways: async () =>
      gates.map(({ port }) => ({ url: new URL(`http://tunnel.share.localhost:${port}`), workers: 1 })),
    share: SHARE.name,
    apiKey: newApiKey(),
    target: parseLocalTarget(target),
    onRequest: () => {},
    onState: (state) => states.push(state),
    onRefused: (error) => assert.fail(error),
  });
  t.after(() => agent.stop(0));
  await agent.ready;
  await until(() => states.at(-1)?.connected === gates.length);
  return { agent, states };
}

test(
  'a gateway that drains lets the requests through its tunnels end, and others go on (SIGTERM)',
  LIMIT,
  async (t) => {
    const [one, two] = [await startGate(t), await startGate(t)];
    const backend = await startBackend(t);
    const { states } = await serveAt(t, [one, two], backend.target);
    const running = one.call({ host: HOST, path: '/wait' });
    await until(() => backend.waiting.length === 1);
    one.tell({ type: 'drain', deadlineMs: 30_000 });
    assert.equal((await two.call({ host: HOST })).status, 200);
    assert.ok(states.every(({ connected }, index) => index < 1 || connected > 0));
    backend.waiting[0]?.end('whole');
    const { status, body } = await running;
    assert.deepEqual([status, body], [200, 'half, whole']);
    await until(() => states.at(-1)?.connected === 1);
    assert.equal((await two.call({ host: HOST })).status, 200);
  },
);

test(
  'a request that waits for a connection of its agent’s still gets it when its gateway drains (SIGTERM)',
  LIMIT,
  async (t) => {
    const gate = await startGate(t);
    const agent = await openHostileAgent(t, gate.port, {
      host: 'tunnel.share.localhost',
      share: SHARE.name,
      apiKey: newApiKey(),
    });
    const asked = () => agent.heard.filter(({ type }) => type === FRAMES.lend).length;
    const before = asked();
    const waiting = gate.call({ host: HOST, method: 'POST' });
    await until(() => asked() > before);
    gate.tell({ type: 'drain', deadlineMs: 30_000 });
    // No new agent any more.
    await assert.rejects(async () => {
      for (;;)
        await openHostileAgent(t, gate.port, {
          host: 'tunnel.share.localhost',
          share: SHARE.name,
          apiKey: newApiKey(),
          agentId: 'late-agent',
        });
    }, /draining|ECONNREFUSED/);
    const lent = await agent.lend();
    await untilAsked(lent);
    lent.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    const { status, body } = await waiting;
    assert.deepEqual([status, body], [200, 'ok']);
  },
);

test(
  'an agent that stops answers what it was asked, and another of the share takes all that comes (issue: Staying up)',
  LIMIT,
  async (t) => {
    const gate = await startGate(t);
    const [first, second] = [await startBackend(t), await startBackend(t)];
    const leaving = await serveAt(t, [gate], first.target);
    await serveAt(t, [gate], second.target);
    // The emptiest is asked, so with one that waits each has its turn.
    const running = [gate.call({ host: HOST, path: '/wait' }), gate.call({ host: HOST, path: '/wait' })];
    await until(() => first.waiting.length === 1 && second.waiting.length === 1);
    const stopped = leaving.agent.stop(30_000);
    const calls = Array.from({ length: 50 }, () => gate.call({ host: HOST, method: 'POST', body: 'x' }));
    for (const { status } of await Promise.all(calls)) assert.equal(status, 200);
    for (const { waiting } of [first, second]) waiting[0]?.end('whole');
    for (const { status, body } of await Promise.all(running))
      assert.deepEqual([status, body], [200, 'half, whole']);
    await stopped;
    const before = first.served();
    assert.equal((await gate.call({ host: HOST })).status, 200);
    assert.equal(first.served(), before);
  },
);
