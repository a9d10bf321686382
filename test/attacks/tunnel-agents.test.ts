// THREATS "Tunnel" by agents: whatever an agent that may serve one share sends to the edge, the visitors of
// other shares, their agents and the gateway do not notice (RFC 9113 section 10.5).

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { hashApiKey, newApiKey } from '../../src/domain/api-key.ts';
import type { WorkerAnswer } from '../../src/gateway/messages.ts';
import { startAgent } from '../../src/tunnel/agent.ts';
import { parseLocalTarget } from '../../src/tunnel/local-target.ts';
import { startEchoBackend } from '../support/echo-backend.ts';
import { startTestGate, testShare } from '../support/gate.ts';
import { type HostileAgent, type HostileInput, openHostileAgent } from '../support/hostile-agent.ts';
import { listenPort } from '../support/listen-port.ts';
import {
  ACK,
  block,
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  type Field,
  type Frame,
  frame,
  GOAWAY,
  HEADERS,
  number32,
  PING,
  RST_STREAM,
  SETTINGS,
} from '../support/http2-frames.ts';
import { TUNNEL_KEY } from '../support/tunnel-key.ts';

const TUNNEL_HOST = 'tunnel.share.localhost';
const HONEST = testShare('honest', '', { target: null });
const HOSTILE = testShare('hostile', '', { target: null });
const HOSTILE_HOST = HOSTILE.hosts[0] ?? '';
const KEYS = new Map([
  [HONEST, newApiKey()],
  [HOSTILE, newApiKey()],
]);
const keyOf = (share: typeof HONEST) => KEYS.get(share) ?? newApiKey();
/** What should end and does not must not hold up the run. */
const TIMED = { timeout: 60_000 };
/** Before it would miss a ping. */
const PROMPT = { timeout: 12_000 };
const OK: readonly Field[] = [[':status', '200']];

/** A gate with an honest agent for one share, and a hostile one for another. */
async function attack(t: TestContext, settings: Partial<HostileInput> = {}) {
  const gate = await startTestGate({
    shares: [HONEST, HOSTILE],
    admits: ({ keyHash, share }): WorkerAnswer => {
      for (const [each, key] of KEYS)
        if (hashApiKey(key) === keyHash && (share === each.name || share === each.id))
          return { kind: 'tunnel', shareId: each.id, key: TUNNEL_KEY };
      return { kind: 'refused', code: 'share_unknown', message: 'Cannot serve it: unknown', hint: null };
    },
  });
  t.after(gate.close);
  const backend = await startEchoBackend();
  t.after(backend.close);
  const lost: number[] = [];
  const honest = startAgent({
    gateways: async () => [{ url: new URL(`http://${TUNNEL_HOST}:${gate.port}`), workers: 1 }],
    share: HONEST.name,
    apiKey: keyOf(HONEST),
    target: parseLocalTarget(backend.url),
    onRequest: () => {},
    onState: ({ connected }) => void (connected === 0 && lost.push(connected)),
    onRefused: (error) => assert.fail(error),
  });
  t.after(() => honest.stop(0));
  await honest.ready;
  lost.length = 0;
  const open = (more: Partial<HostileInput> = {}) =>
    openHostileAgent(t, gate.port, {
      host: TUNNEL_HOST,
      share: HOSTILE.name,
      apiKey: keyOf(HOSTILE),
      ...settings,
      ...more,
    });
  return {
    gate,
    open,
    agent: await open(),
    visit: (method = 'POST') => gate.call({ host: HOSTILE_HOST, method }),
    /** The other share is served, by the connection that it had. */
    async othersNoticeNothing() {
      const { status } = await gate.call({ host: HONEST.hosts[0] ?? '' });
      assert.equal(status, 200);
      assert.deepEqual(lost, []);
    },
  };
}

/** The next request that the edge sends, of those that were not taken yet. */
function taker(agent: HostileAgent) {
  const taken = new Set<number>();
  return async (): Promise<number> => {
    const isNew = ({ type, stream }: Frame) => type === HEADERS && !taken.has(stream);
    const next = await agent.wait(isNew);
    assert.ok(next, 'the tunnel ended');
    taken.add(next.stream);
    return next.stream;
  };
}

function headers(stream: number, fields: readonly Field[], flags: number): Buffer {
  return frame(HEADERS, END_HEADERS | flags, stream, block(fields));
}

test(
  'Tunnel: an agent that announces no streams is sent none, and its visitors hear so at once',
  TIMED,
  async (t) => {
    const settings = Buffer.concat([Buffer.from([0, 3]), number32(0)]);
    const { agent, visit, othersNoticeNothing } = await attack(t, { settings });
    const { status, body } = await visit();
    assert.deepEqual([status, JSON.parse(body).code], [503, 'agent_busy']);
    assert.ok(!agent.heard.some(({ type }) => type === HEADERS));
    await othersNoticeNothing();
  },
);

test(
  'Tunnel: an agent that never reads holds its own visitors back, and takes no more memory than a window',
  TIMED,
  async (t) => {
    const { gate, agent, othersNoticeNothing } = await attack(t);
    agent.socket.pause();
    const visitor = connect(gate.port, '127.0.0.1');
    t.after(() => visitor.destroy());
    visitor.on('error', () => {});
    visitor.write(`POST / HTTP/1.1\r\nHost: ${HOSTILE_HOST}\r\nContent-Length: 1000000000\r\n\r\n`);
    const chunk = Buffer.alloc(1024 * 1024);
    let offered = 0;
    let taken = -1;
    // Once nothing more leaves this end for many turns, it is held back.
    for (let still = 0; still < 200;) {
      if (visitor.writableLength === 0 && offered < MOST_BYTES) {
        visitor.write(chunk);
        offered += chunk.length;
      }
      const now = visitor.bytesWritten - visitor.writableLength;
      still = now === taken ? still + 1 : 0;
      taken = now;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.ok(offered < MOST_BYTES, `${offered} bytes were taken`);
    await othersNoticeNothing();
  },
);

test('Tunnel: an agent that floods informational answers breaks that request alone', TIMED, async (t) => {
  const { agent, visit, othersNoticeNothing } = await attack(t);
  const next = taker(agent);
  const visited = visit();
  const stream = await next();
  for (let count = 0; count < 9; count++) agent.send(headers(stream, [[':status', '103']], 0));
  agent.send(headers(stream, OK, END_STREAM));
  assert.equal((await visited).status, 502);
  const again = visit();
  agent.send(headers(await next(), OK, END_STREAM));
  assert.equal((await again).status, 200);
  await othersNoticeNothing();
});

/** Heads that hold more than a head may. */
const HUGE: Readonly<Record<string, (stream: number) => readonly Buffer[]>> = {
  'many headers': (stream) => [
    headers(
      stream,
      [...OK, ...Array.from({ length: 200 }, (_, index): Field => [`x-${index}`, 'v'])],
      END_STREAM,
    ),
  ],
  'large headers': (stream) => {
    const whole = block([
      ...OK,
      ...Array.from({ length: 6 }, (_, index): Field => [`x-${index}`, 'v'.repeat(15_000)]),
    ]);
    return pieces(stream, whole);
  },
  'one header that stands for megabytes (RFC 7541 section 7.3)': (stream) => {
    // It is put into the table once, with 4,000 bytes, and then meant 4,000 times by one byte each.
    const value = Buffer.alloc(4_000, 'v');
    const entry = Buffer.concat([
      Buffer.from([0x40, 1]),
      Buffer.from('x'),
      Buffer.from([127, 0xa1, 0x1e]),
      value,
    ]);
    return pieces(stream, Buffer.concat([block(OK), entry, Buffer.alloc(4_000, 0xbe)]));
  },
};
for (const [what, flood] of Object.entries(HUGE))
  test(
    `Tunnel: an agent that answers with ${what} is no answer, and its gateway keeps none of it`,
    TIMED,
    async (t) => {
      const { agent, visit, othersNoticeNothing } = await attack(t);
      const visited = visit();
      agent.send(...flood(await taker(agent)()));
      const { status, rawHeaders } = await visited;
      assert.equal(status, 502);
      assert.ok(rawHeaders.join('').length < 5_000);
      await othersNoticeNothing();
    },
  );

/** What no agent sends that means well: each ends its tunnel. */
const FLOODS: Readonly<Record<string, (stream: number) => Buffer>> = {
  'a header block without end': (stream) => frame(CONTINUATION, 0, stream, Buffer.from([0])),
  pings: () => frame(PING, 0, 0, Buffer.alloc(8)),
  settings: () => frame(SETTINGS, 0, 0),
  'empty data': (stream) => frame(DATA, 0, stream),
};
for (const [what, flood] of Object.entries(FLOODS))
  test(`Tunnel: an agent that floods ${what} loses its tunnel`, TIMED, async (t) => {
    const { agent, visit, othersNoticeNothing } = await attack(t);
    const visited = visit().catch(() => null);
    const stream = await taker(agent)();
    const first = what.startsWith('a header block')
      ? frame(HEADERS, 0, stream, block(OK))
      : headers(stream, OK, 0);
    agent.send(first);
    const many = Buffer.concat(Array.from({ length: 200 }, () => flood(stream)));
    for (let sent = 0; sent < 200_000 && !agent.socket.destroyed; sent += 200) {
      agent.send(many);
      await new Promise(setImmediate);
    }
    await agent.closed;
    await visited;
    await othersNoticeNothing();
  });

test(
  'Tunnel: an agent that says goodbye without end, and stays, loses its tunnel at once',
  PROMPT,
  async (t) => {
    const { agent, visit, othersNoticeNothing } = await attack(t);
    const visited = visit().catch(() => null);
    const stream = await taker(agent)();
    agent.send(headers(stream, OK, 0));
    const goodbye = frame(GOAWAY, 0, 0, Buffer.concat([number32(stream), number32(0)]));
    agent.send(...Array.from({ length: 1_000 }, () => goodbye));
    await agent.closed;
    await visited;
    await othersNoticeNothing();
  },
);

/**
 * Slowly enough that all are answered before the next come: no queue grows by them, and the work is the
 * edge's all the same.
 */
const STEADY: Readonly<Record<string, readonly [type: number, payload: Buffer]>> = {
  pings: [PING, Buffer.alloc(8)],
  settings: [SETTINGS, Buffer.alloc(0)],
};
for (const [what, [type, payload]] of Object.entries(STEADY))
  test(`Tunnel: an agent that goes on sending ${what} loses its tunnel`, TIMED, async (t) => {
    const { agent, othersNoticeNothing } = await attack(t);
    const answers = () => agent.heard.filter((each) => each.type === type && (each.flags & ACK) !== 0).length;
    for (let round = 0; round < 100 && !agent.socket.destroyed; round++) {
      const before = answers();
      agent.send(...Array.from({ length: A_FEW }, () => frame(type, 0, 0, payload)));
      await agent.wait(() => answers() >= before + A_FEW);
    }
    assert.ok(agent.socket.destroyed, `${answers()} were answered`);
    await othersNoticeNothing();
  });

/** What only the edge may do on a tunnel, or nobody. */
const FOREIGN: Readonly<Record<string, (stream: number) => readonly Buffer[]>> = {
  'opens a stream towards the edge': () => [
    headers(
      2,
      [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':authority', HONEST.hosts[0] ?? ''],
        [':path', '/'],
      ],
      END_STREAM,
    ),
  ],
  'pushes a request': (stream) => [
    frame(
      5,
      END_HEADERS,
      stream,
      Buffer.concat([
        number32(2),
        block([
          [':method', 'GET'],
          [':scheme', 'http'],
          [':authority', HONEST.hosts[0] ?? ''],
          [':path', '/'],
        ]),
      ]),
    ),
  ],
  'answers a request that it was not asked': (stream) => [headers(stream + 2, OK, END_STREAM)],
  'sends beyond the windows': (stream) => [
    headers(stream, OK, 0),
    ...Array.from({ length: 2_000 }, () => frame(DATA, 0, stream, Buffer.alloc(16_000))),
  ],
  'speaks HTTP/1.1 to whoever listens': () => [
    Buffer.from(`GET /v1/shares HTTP/1.1\r\nHost: ${HONEST.hosts[0]}\r\n\r\n`),
  ],
};
for (const [what, frames] of Object.entries(FOREIGN))
  test(`Tunnel: an agent that ${what} gets nothing for it, and loses its tunnel`, TIMED, async (t) => {
    const { gate, agent, othersNoticeNothing } = await attack(t);
    // It reads nothing, so that it has no room left for what it is not to have.
    const visitor = connect(gate.port, '127.0.0.1');
    t.after(() => visitor.destroy());
    visitor.on('error', () => {});
    visitor.pause();
    visitor.write(`POST / HTTP/1.1\r\nHost: ${HOSTILE_HOST}\r\nContent-Length: 0\r\n\r\n`);
    const stream = await taker(agent)();
    agent.send(...frames(stream));
    await Promise.race([agent.closed, agent.wait(({ type }) => type === GOAWAY || type === RST_STREAM)]);
    assert.ok(
      !agent.heard.some((each) => each.stream % 2 === 0 && each.stream !== 0),
      'the edge answered a stream of the agent',
    );
    await othersNoticeNothing();
  });

test('Tunnel: an agent that resets every request is asked each at most twice', TIMED, async (t) => {
  const { agent, visit, othersNoticeNothing } = await attack(t);
  const next = taker(agent);
  for (let count = 0; count < 20; count++) {
    const visited = visit('GET');
    for (let turn = 0; turn < 2; turn++) agent.send(frame(RST_STREAM, 0, await next(), number32(8)));
    assert.equal((await visited).status, 502);
  }
  assert.equal(agent.heard.filter(({ type }) => type === HEADERS).length, 40);
  await othersNoticeNothing();
});

test(
  'Tunnel: whoever says half a head at the agents’ own port is gone before a visitor would be',
  TIMED,
  async (t) => {
    const port = await listenPort();
    const listener = { bind: { host: '127.0.0.1', port }, tls: false };
    const gate = await startTestGate({
      settings: { tunnel: { host: TUNNEL_HOST, workers: 1, atGateway: false, listener } },
    });
    t.after(gate.close);
    const gone: number[] = [];
    const ends = [gate.port, port].map(async (each) => {
      const socket = connect(each, '127.0.0.1');
      t.after(() => socket.destroy());
      socket.on('error', () => {});
      socket.resume();
      socket.write(`GET /v1/tunnel HTTP/1.1\r\nHost: ${TUNNEL_HOST}\r\n`);
      await once(socket, 'close');
      gone.push(each);
    });
    await Promise.race(ends);
    assert.deepEqual(gone, [port]);
  },
);

test('Tunnel: an agent with the name of another pushes it out of its own share alone', TIMED, async (t) => {
  const { gate, agent, open, othersNoticeNothing } = await attack(t, { agentId: 'one-name-for-all' });
  await open({ agentId: 'another-name' });
  const second = await open();
  // GOAWAY to the first: no new requests there.
  assert.ok(await agent.wait(({ type }) => type === GOAWAY));
  assert.ok(!second.heard.some(({ type }) => type === GOAWAY));
  await othersNoticeNothing();
  const wrong = openHostileAgent(t, gate.port, {
    host: TUNNEL_HOST,
    share: HONEST.id,
    apiKey: keyOf(HOSTILE),
  });
  await assert.rejects(wrong, /^Error: HTTP\/1\.1 404 .*share_unknown/s);
  await othersNoticeNothing();
});

/** In frames no longer than a peer must take, all but the last without END_HEADERS. */
function pieces(stream: number, whole: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0; start < whole.length; start += 16_000)
    parts.push(whole.subarray(start, start + 16_000));
  return parts.map((part, index) => {
    const last = index === parts.length - 1 ? END_HEADERS : 0;
    return index === 0
      ? frame(HEADERS, END_STREAM | last, stream, part)
      : frame(CONTINUATION, last, stream, part);
  });
}

/** Many more than an honest agent sends, whatever time they take on a busy machine. */
const A_FEW = 50;
/** Far more than windows and the system's buffers hold. */
const MOST_BYTES = 64 * 1024 * 1024;
