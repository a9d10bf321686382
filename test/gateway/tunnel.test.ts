// Shares that agents serve, through the gate: who may open a tunnel, what visitors get, and what becomes of
// an agent's connections.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { test, type TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { hashApiKey, newApiKey } from '../../src/domain/api-key.ts';
import { newId } from '../../src/domain/id.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { ServiceError } from '../../src/domain/service-error.ts';
import type { WorkerAnswer } from '../../src/gateway/messages.ts';
import { startAgent, type AgentOptions, type AgentState } from '../../src/tunnel/agent.ts';
import type { ServedRequest } from '../../src/tunnel/told.ts';
import { parseLocalTarget } from '../../src/tunnel/local-target.ts';
import { startEchoBackend, type Echo } from '../support/echo-backend.ts';
import { startTestGate, testLogin, testShare, type TestGate, type TestGateOptions } from '../support/gate.ts';
import { lendTo, openHostileAgent } from '../support/hostile-agent.ts';
import { TUNNEL_KEY } from '../support/tunnel-key.ts';
import { until } from '../support/until.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const HOST = 'demo.share.localhost';
const TUNNEL_HOST = 'tunnel.share.localhost';
const LIMIT = { timeout: 60_000 };
const KEY = newApiKey();
const OWN_KEY = newId('key');
const OTHER_KEY = newId('key');

const SHARE = testShare('demo', '', { target: null });

async function tunnelGate(t: TestContext, more: Partial<TestGateOptions> = {}) {
  const refused: { now: WorkerAnswer | null } = { now: null };
  const gate = await startTestGate({
    shares: [SHARE],
    admits: ({ keyHash, share }): WorkerAnswer =>
      refused.now ??
      (keyHash === hashApiKey(KEY) && (share === SHARE.name || share === SHARE.id)
        ? { kind: 'tunnel', shareId: SHARE.id, key: TUNNEL_KEY }
        : { kind: 'refused', code: 'share_unknown', message: 'Cannot serve it: unknown', hint: null }),
    ...more,
  });
  t.after(gate.close);
  return { gate, refused };
}

function agentFor(
  t: TestContext,
  gate: Pick<TestGate, 'port'>,
  target: string,
  more: Partial<AgentOptions> = {},
) {
  const served: ServedRequest[] = [];
  const states: AgentState[] = [];
  const ended: ServiceError[] = [];
  const agent = startAgent({
    gateways: async () => [{ url: new URL(`http://${TUNNEL_HOST}:${gate.port}`), workers: 1 }],
    share: SHARE.name,
    apiKey: KEY,
    target: parseLocalTarget(target),
    onRequest: (request) => served.push(request),
    onState: (state) => states.push(state),
    onRefused: (error) => ended.push(error),
    ...more,
  });
  t.after(() => agent.stop(0));
  return { agent, served, states, ended };
}

async function echoBackend(t: TestContext) {
  const backend = await startEchoBackend();
  t.after(backend.close);
  return backend;
}

test('a share is served through its agent, and away without one (2.3)', LIMIT, async (t) => {
  const { gate } = await tunnelGate(t);
  const backend = await echoBackend(t);
  const away = await gate.call({ host: HOST });
  assert.deepEqual([away.status, away.headers['retry-after']], [503, '5']);
  assert.equal(JSON.parse(away.body).code, 'agent_away');
  const page = await gate.call({
    host: HOST,
    headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' },
  });
  assert.equal(page.status, 503);
  assert.match(page.body, /is not connected at the moment/);
  const { agent, served } = agentFor(t, gate, backend.url);
  await agent.ready;
  const { status, body } = await gate.call({ host: HOST, path: '/a?b', method: 'POST', body: 'hello' });
  const echo = JSON.parse(body) as Echo;
  assert.deepEqual([status, echo.method, echo.target, echo.body], [200, 'POST', '/a?b', 'hello']);
  assert.equal(echo.headers.host, HOST);
  await until(() => served.length > 0);
  assert.equal(served[0]?.head.path, '/a?b');
  await agent.stop(5_000);
  assert.equal((await gate.call({ host: HOST })).status, 503);
});

test(
  'identity headers are the gateway’s, through a tunnel too (contract 2.6, THREATS "Header smuggling")',
  LIMIT,
  async (t) => {
    const share = { ...SHARE, login: testLogin() };
    const { gate } = await tunnelGate(t, { shares: [share] });
    const backend = await echoBackend(t);
    const { agent, served } = agentFor(t, gate, backend.url);
    await agent.ready;
    const { cookie } = gate.login(share);
    const forged = {
      'svc-auth-email': 'eve@evil.test',
      svc_auth_email: 'eve@evil.test',
      'x-forwarded-for': '6.6.6.6',
    };
    assert.equal((await gate.call({ host: HOST, headers: forged })).status, 302);
    const { body } = await gate.call({ host: HOST, headers: { cookie, ...forged } });
    const { headers } = JSON.parse(body) as Echo;
    assert.equal(headers['svc-auth-email'], 'ada@example.com');
    assert.equal(headers['svc_auth_email'], undefined);
    assert.equal(headers['x-forwarded-for'], '127.0.0.1');
    assert.equal(headers.cookie, undefined);
    // Nor does the agent show anybody else.
    await until(() => served.length > 0);
    assert.deepEqual(
      served.map(({ email }) => email),
      ['ada@example.com'],
    );
  },
);

test('a WebSocket works through a tunnel (3 Tunnel)', LIMIT, async (t) => {
  const { gate } = await tunnelGate(t);
  const backend = await echoBackend(t);
  await agentFor(t, gate, backend.url).agent.ready;
  const socket = new WebSocket(`ws://127.0.0.1:${gate.port}/live`, {
    headers: { host: HOST },
    origin: `http://${HOST}`,
  });
  await once(socket, 'open');
  socket.send('hello');
  const [data] = (await once(socket, 'message')) as [Buffer];
  assert.equal(data.toString(), 'hello');
  socket.close(4001, 'bye');
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
  assert.deepEqual([code, reason.toString()], [4001, 'bye']);
});

test('an answer that has only begun reaches the visitor at once (issue: streaming)', LIMIT, async (t) => {
  const { gate } = await tunnelGate(t);
  const backend = await echoBackend(t);
  await agentFor(t, gate, backend.url).agent.ready;
  const socket = createConnection({ port: gate.port, host: '127.0.0.1' });
  t.after(() => socket.destroy());
  socket.write(`GET /stream HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1');
  });
  await until(() => heard.includes('data: open'));
});

test('a backend that is down behind its agent is a 502, like a direct one (2.3)', LIMIT, async (t) => {
  const { gate } = await tunnelGate(t);
  const backend = await startEchoBackend();
  await backend.close();
  await agentFor(t, gate, backend.url).agent.ready;
  const { status, body } = await gate.call({ host: HOST });
  assert.deepEqual([status, JSON.parse(body).code], [502, 'backend_down']);
});

test('an agent is refused with the reason: key, share, host, path (3 Tunnel)', LIMIT, async (t) => {
  const { gate } = await tunnelGate(t);
  const refusal = async (more: Partial<AgentOptions>) => {
    const { agent } = agentFor(t, gate, '3000', more);
    return agent.ready.then(
      () => 'served',
      (error: ServiceError) => error.code,
    );
  };
  assert.equal(await refusal({ share: 'other' }), 'share_unknown');
  assert.equal(await refusal({ apiKey: new Secret('nonsense') }), 'api_key_invalid');
  assert.equal(
    await refusal({ gateways: async () => [{ url: new URL(`http://${HOST}:${gate.port}`), workers: 1 }] }),
    'misdirected',
  );
  const raw = (lines: readonly string[]) =>
    gate.raw([...lines, 'Connection: Upgrade', 'Upgrade: doorward-tunnel/2', '', ''].join('\r\n'));
  const host = `Host: ${TUNNEL_HOST}`;
  const agentName = 'Doorward-Agent: agent-of-tests';
  assert.match(
    await raw(['GET /v1/tunnel?share=demo HTTP/1.1', host, agentName]),
    /^HTTP\/1.1 401 .*api_key_missing/s,
  );
  assert.match(await raw(['GET /v1/tunnel HTTP/1.1', host, agentName]), /^HTTP\/1.1 400 /);
  assert.match(await raw(['GET /elsewhere HTTP/1.1', host, agentName]), /^HTTP\/1.1 404 /);
  const huge = `X-Huge: ${'x'.repeat(9_000)}`;
  assert.match(await raw(['GET /v1/tunnel?share=demo HTTP/1.1', host, agentName, huge]), /^HTTP\/1.1 431 /);
  assert.equal(gate.said.filter((message) => message.type === 'question').length, 1);
});

test(
  'an agent whose share or key is gone loses its tunnel, and says why (issue: Safety)',
  LIMIT,
  async (t) => {
    const { gate, refused } = await tunnelGate(t);
    const backend = await echoBackend(t);
    const { agent, ended } = agentFor(t, gate, backend.url);
    await agent.ready;
    refused.now = { kind: 'refused', code: 'share_unknown', message: 'Cannot serve it: gone', hint: null };
    gate.tell({ type: 'shares', upsert: [], remove: [SHARE.id] });
    await until(() => ended.length > 0);
    assert.equal(ended[0]?.code, 'share_unknown');
    assert.equal((await gate.call({ host: HOST })).status, 404);
  },
);

const GONE: WorkerAnswer = { kind: 'refused', code: 'api_key_invalid', message: 'Gone', hint: null };

test(
  'a key that is gone ends its tunnels and what runs through them, and no others (3 Tunnel)',
  LIMIT,
  async (t) => {
    const otherKey = newApiKey();
    const other = testShare('other', '', { target: null });
    const gone = new Set<string>();
    const { gate } = await tunnelGate(t, {
      shares: [SHARE, other],
      admits: ({ keyHash, share }) => {
        if (gone.has(keyHash ?? '')) return GONE;
        const id = keyHash === hashApiKey(KEY) ? OWN_KEY : OTHER_KEY;
        return {
          kind: 'tunnel',
          shareId: share === 'demo' ? SHARE.id : other.id,
          key: { id, expiresAt: null },
        };
      },
    });
    const backend = await echoBackend(t);
    const { agent, ended } = agentFor(t, gate, backend.url);
    const others = agentFor(t, gate, backend.url, { share: 'other', apiKey: otherKey });
    await Promise.all([agent.ready, others.agent.ready]);
    const streams = await Promise.all([
      openStream(gate.port, HOST),
      openStream(gate.port, 'other.share.localhost'),
    ]);
    gone.add(hashApiKey(KEY));
    gate.tell({ type: 'keys-gone', keys: [OWN_KEY] });
    await streams[0].closed;
    await until(() => ended.length > 0);
    assert.equal((await gate.call({ host: HOST })).status, 503);
    assert.equal((await gate.call({ host: 'other.share.localhost' })).status, 200);
    assert.equal(streams[1].isOpen(), true);
  },
);

test('a key that goes while its agent is let in serves nothing (3 Tunnel)', LIMIT, async (t) => {
  let asked = 0;
  const { gate } = await tunnelGate(t, {
    admits: () => {
      if (++asked > 1) return GONE;
      // Told before the answer: the question was answered from what was there then.
      gate.tell({ type: 'keys-gone', keys: [OWN_KEY] });
      return { kind: 'tunnel', shareId: SHARE.id, key: { id: OWN_KEY, expiresAt: null } };
    },
  });
  const backend = await echoBackend(t);
  const { agent } = agentFor(t, gate, backend.url);
  await assert.rejects(agent.ready, { code: 'api_key_invalid' });
  assert.equal(asked, 2);
  assert.equal((await gate.call({ host: HOST })).status, 503);
});

test('a key that expires ends its tunnels then, and not before (3 Tunnel)', LIMIT, async (t) => {
  const expiresAt = Date.now() + 1_500;
  const { gate } = await tunnelGate(t, {
    admits: () =>
      Date.now() >= expiresAt ? GONE : { kind: 'tunnel', shareId: SHARE.id, key: { id: OWN_KEY, expiresAt } },
  });
  const backend = await echoBackend(t);
  const { agent, ended } = agentFor(t, gate, backend.url);
  await agent.ready;
  const stream = await openStream(gate.port, HOST);
  await stream.closed;
  const lateMs = Date.now() - expiresAt;
  assert.ok(lateMs >= 0 && lateMs < PROMPTLY_MS, `${lateMs} ms`);
  await until(() => ended.length > 0);
});

test('after a gap in the changes every tunnel is asked about again (3 Tunnel)', LIMIT, async (t) => {
  const { gate, refused } = await tunnelGate(t);
  const backend = await echoBackend(t);
  const { agent, ended } = agentFor(t, gate, backend.url);
  await agent.ready;
  const stream = await openStream(gate.port, HOST);
  refused.now = GONE;
  gate.tell({ type: 'forget-sessions' });
  await stream.closed;
  await until(() => ended.length > 0);
});

for (const [what, change] of Object.entries({
  'is disabled': { enabled: false },
  'is reached by the gateway itself from now on': { target: 'http://127.0.0.1:9' },
}))
  test(`a share that ${what} ends its tunnels (3 Tunnel)`, LIMIT, async (t) => {
    const { gate, refused } = await tunnelGate(t);
    const backend = await echoBackend(t);
    const { agent, states } = agentFor(t, gate, backend.url);
    await agent.ready;
    const stream = await openStream(gate.port, HOST);
    refused.now = { kind: 'refused', code: 'share_disabled', message: 'Cannot serve it', hint: null };
    gate.tell({ type: 'shares', upsert: [{ ...SHARE, ...change }], remove: [] });
    await stream.closed;
    // It tries again by itself, for whoever disabled it may enable it.
    await until(() =>
      states.some(({ connected, fault }) => connected === 0 && fault?.code === 'share_disabled'),
    );
    refused.now = null;
    gate.tell({ type: 'shares', upsert: [SHARE], remove: [] });
    await until(() => states.at(-1)?.connected === 1);
    assert.equal((await gate.call({ host: HOST })).status, 200);
  });

test('an agent comes back by itself after the gateway was gone (issue: Staying up)', LIMIT, async (t) => {
  const { gate } = await tunnelGate(t);
  const backend = await echoBackend(t);
  const { agent, states } = agentFor(t, gate, backend.url);
  await agent.ready;
  await gate.close();
  await until(() => states.some(({ connected, fault }) => connected === 0 && fault !== null));
  const again = await tunnelGate(t, { settings: { bind: { host: '127.0.0.1', port: gate.port } } });
  await until(() => states.at(-1)?.connected === 1);
  await until(async () => (await again.gate.call({ host: HOST })).status === 200);
});

test(
  'an agent that connects again replaces its old connection to the worker (3 Tunnel)',
  LIMIT,
  async (t) => {
    const { gate } = await tunnelGate(t);
    const socket = createConnection({ port: gate.port, host: '127.0.0.1' });
    t.after(() => socket.destroy());
    socket.write(upgrade(''));
    const [head] = (await once(socket, 'data')) as [Buffer];
    assert.match(head.toString('latin1'), /^HTTP\/1\.1 101 .*Upgrade: doorward-tunnel\/2\r\n/s);
    const worker = /doorward-worker: (\S+)/i.exec(head.toString('latin1'))?.[1] ?? '';
    assert.notEqual(worker, '');
    const held = await gate.raw(upgrade(`x, ${worker}`));
    assert.match(held, /^HTTP\/1\.1 409 .*tunnel_held/s);
    assert.match(held, new RegExp(`"worker":"${worker}"`));
  },
);

function upgrade(held: string): string {
  return [
    'GET /v1/tunnel?share=demo HTTP/1.1',
    `Host: ${TUNNEL_HOST}`,
    `Authorization: Bearer ${KEY.reveal()}`,
    'Doorward-Agent: agent-of-tests',
    ...(held === '' ? [] : [`Doorward-Workers-Held: ${held}`]),
    'Connection: Upgrade',
    'Upgrade: doorward-tunnel/2',
    '',
    '',
  ].join('\r\n');
}

/** A request whose answer never ends, once its first bytes came. */
async function openStream(port: number, host: string) {
  const socket = createConnection({ port, host: '127.0.0.1' });
  const closed = once(socket, 'close');
  socket.on('error', () => {});
  socket.write(`GET /stream HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await once(socket, 'data');
  socket.resume();
  return { closed, isOpen: () => !socket.destroyed };
}

test(
  'a connection that comes to a worker that did not ask for it is nobody’s request, in log and metrics',
  LIMIT,
  async (t) => {
    const { gate, refused } = await tunnelGate(t);
    const lend = (ticket: string) => lendTo(t, gate.port, { host: TUNNEL_HOST, ticket });
    await assert.rejects(lend(`${'A'.repeat(22)}, ${'B'.repeat(22)}`), /^Error: HTTP\/1\.1 421 /);
    // No agent says this.
    await assert.rejects(lend('no-ticket'), /^Error: HTTP\/1\.1 421 /);
    refused.now = { kind: 'refused', code: 'store_unavailable', message: 'Away', hint: null };
    const input = { host: TUNNEL_HOST, share: SHARE.name, apiKey: KEY };
    await assert.rejects(openHostileAgent(t, gate.port, input), /^Error: HTTP\/1\.1 503 /);
    const counted = (code: string) => {
      gate.tell({ type: 'metrics', id: 7 });
      const told = gate.said.findLast((message) => message.type === 'metrics');
      const requests = told?.metrics.find(({ name }) => name === 'doorward_gateway_requests_total');
      return requests?.values.find(({ labels }) => labels['code'] === code)?.value;
    };
    // The gate is done with refusals in the order in which it gave them.
    await until(() => counted('5xx') === 1);
    assert.equal(counted('4xx'), 1);
    await gate.close();
    const log = gate.said.flatMap((message) => (message.type === 'log' ? [message.lines] : [])).join('');
    const statuses = Array.from(
      log.matchAll(/"path":"\/v1\/tunnel","status":(\d+)/g),
      ([, status]) => status,
    );
    assert.deepEqual(statuses, ['421', '503']);
  },
);
