// Tunnels whose stream numbers run out, forced: what else takes 2^30 requests (RFC 9113 section 5.1.1).

import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { newApiKey } from '../../src/domain/api-key.ts';
import { startAgent, type AgentState } from '../../src/tunnel/agent.ts';
import { LAST_STREAM_ID, WORN_STREAM_ID } from '../../src/tunnel/limits.ts';
import { parseLocalTarget } from '../../src/tunnel/local-target.ts';
import { startTestGate, testShare } from '../support/gate.ts';
import { TUNNEL_KEY } from '../support/tunnel-key.ts';
import { startTunnelRig } from '../support/tunnel-rig.ts';
import { until } from '../support/until.ts';

const SHARE = testShare('demo', '', { target: null });
const HOST = SHARE.hosts[0] ?? '';
const LIMIT = { timeout: 60_000 };

/** The edge's sessions, in the order of their first requests. */
function edgeSessions(t: TestContext): readonly ClientHttp2Session[] {
  const sessions: ClientHttp2Session[] = [];
  const opened = channel('http2.client.stream.created');
  const note = (message: unknown) => {
    const { session } = (message as { readonly stream: ClientHttp2Stream }).stream;
    if (session !== undefined && !sessions.includes(session as ClientHttp2Session))
      sessions.push(session as ClientHttp2Session);
  };
  opened.subscribe(note);
  t.after(() => opened.unsubscribe(note));
  return sessions;
}

/** Node has had it since 8; its types have not. */
function skipTo(session: ClientHttp2Session | undefined, streamId: number): void {
  (session as unknown as { readonly setNextStreamID: (id: number) => void }).setNextStreamID(streamId);
}

/** `/wait` is answered half, and the rest when the test says so. */
async function startBackend(t: TestContext) {
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
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
  return { target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, waiting };
}

async function startWorn(t: TestContext) {
  const gate = await startTestGate({
    shares: [SHARE],
    admits: () => ({ kind: 'tunnel', shareId: SHARE.id, key: TUNNEL_KEY }),
  });
  t.after(gate.close);
  const backend = await startBackend(t);
  const sessions = edgeSessions(t);
  const states: AgentState[] = [];
  const agent = startAgent({
    gateways: async () => [{ url: new URL(`http://tunnel.share.localhost:${gate.port}`), workers: 1 }],
    share: SHARE.name,
    apiKey: newApiKey(),
    target: parseLocalTarget(backend.target),
    onRequest: () => {},
    onState: (state) => states.push(state),
    onRefused: (error) => assert.fail(error),
  });
  t.after(() => agent.stop(0));
  await agent.ready;
  const running = gate.call({ host: HOST, path: '/wait' });
  await until(() => backend.waiting.length === 1);
  return { gate, backend, sessions, states, running };
}

const post = { host: HOST, method: 'POST', body: 'x' } as const;

test(
  'a tunnel whose stream numbers run out is replaced before they do: no request fails, and a long one runs on (3 Tunnel)',
  LIMIT,
  async (t) => {
    const { gate, backend, sessions, states, running } = await startWorn(t);
    assert.equal(sessions.length, 1);
    skipTo(sessions[0], WORN_STREAM_ID + 1);
    for (let calls = 0; sessions.length === 1; calls++) {
      assert.ok(calls < 3_000, 'the agent opens another connection while the long request runs');
      assert.deepEqual((await gate.call(post)).status, 200);
    }
    assert.ok(states.every(({ connected }) => connected === 1));
    const atOnce = Array.from({ length: 50 }, () => gate.call(post));
    for (const { status } of await Promise.all(atOnce)) assert.equal(status, 200);
    await until(() => sessions[0]?.closed === true);
    assert.equal(sessions[0]?.destroyed, false);
    backend.waiting[0]?.end('whole');
    assert.deepEqual(await running.then(({ status, body }) => [status, body]), [200, 'half, whole']);
    await until(() => sessions[0]?.destroyed === true);
    assert.equal((await gate.call(post)).status, 200);
    assert.equal(sessions.length, 2);
  },
);

test(
  'an agent whose tunnel takes no requests any more dials again at once, while a long one runs there (3 Tunnel)',
  LIMIT,
  async (t) => {
    const { gate, backend, sessions, states, running } = await startWorn(t);
    skipTo(sessions[0], LAST_STREAM_ID + 1);
    assert.equal((await gate.call(post)).status, 200);
    await until(() => states.some(({ connected }) => connected === 0));
    await until(() => states.at(-1)?.connected === 1);
    await until(async () => (await gate.call(post)).status === 200);
    assert.equal(sessions.length, 2);
    backend.waiting[0]?.end('whole');
    assert.deepEqual(await running.then(({ status, body }) => [status, body]), [200, 'half, whole']);
  },
);

test(
  'a tunnel that cannot open a stream is never asked again, and its request goes through another (3 Tunnel)',
  LIMIT,
  async (t) => {
    const backend = await startBackend(t);
    const sessions = edgeSessions(t);
    await using rig = await startTunnelRig();
    await rig.join(backend.target);
    assert.equal((await rig.call().done).status, 200);
    const [worn] = sessions;
    skipTo(worn, 2 ** 31 - 1);
    worn?.request().on('error', () => {});
    await rig.join(backend.target);
    for (let calls = 0; calls < 20; calls++) {
      const { exchange, done } = rig.call({ method: 'POST', body: { length: 1 } });
      exchange.write(Buffer.from('x'));
      exchange.end();
      assert.deepEqual(await done.then(({ status, error }) => [status, error]), [200, null]);
    }
    assert.equal(rig.edge.counts().ready, 1);
  },
);

test(
  'with nothing but a tunnel that cannot open a stream, its agent is away at once (3 Tunnel)',
  LIMIT,
  async (t) => {
    const backend = await startBackend(t);
    const sessions = edgeSessions(t);
    await using rig = await startTunnelRig();
    await rig.join(backend.target);
    assert.equal((await rig.call().done).status, 200);
    skipTo(sessions[0], 2 ** 31 - 1);
    sessions[0]?.request().on('error', () => {});
    const { error } = await rig.call({ method: 'POST' }).done;
    assert.match(String(error), /no agent serves this share/);
    assert.equal(rig.edge.counts().ready, 0);
  },
);
