// THREATS "Tunnel" by agents: whatever an agent that may serve one share sends to the edge, the visitors of
// other shares, their agents and the gateway do not notice.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { hashApiKey, newApiKey } from '../../src/domain/api-key.ts';
import type { WorkerAnswer } from '../../src/gateway/messages.ts';
import { startAgent } from '../../src/tunnel/agent.ts';
import { parseLocalTarget } from '../../src/tunnel/local-target.ts';
import { startEchoBackend } from '../support/echo-backend.ts';
import { startTestGate, testShare } from '../support/gate.ts';
import { type HostileInput, lendTo, openHostileAgent } from '../support/hostile-agent.ts';
import { listenPort } from '../support/listen-port.ts';
import { frame, HELLO, untilAsked } from '../support/tunnel-frames.ts';
import { TUNNEL_KEY } from '../support/tunnel-key.ts';
import { FRAMES, OPENED, TICKET_BYTES } from '../../src/tunnel/wire.ts';
import { writeHello } from '../../src/tunnel/hello.ts';
import { MAX_FRAME_BYTES } from '../../src/tunnel/limits.ts';

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
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** A gate with an honest agent for one share, and a hostile one for another. */
async function attack(t: TestContext, input: Partial<HostileInput> = {}) {
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
      ...input,
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

test('Tunnel: an agent that lends nothing is sent nothing, and its visitors hear so', TIMED, async (t) => {
  const { agent, visit, othersNoticeNothing } = await attack(t);
  const { status, body } = await visit();
  assert.deepEqual([status, JSON.parse(body).code], [504, 'backend_timeout']);
  assert.ok(!agent.socket.destroyed);
  await othersNoticeNothing();
});

test(
  'Tunnel: an agent that never reads holds its own visitors back, and takes no more memory than a window',
  TIMED,
  async (t) => {
    const { gate, agent, othersNoticeNothing } = await attack(t);
    const visitor = connect(gate.port, '127.0.0.1');
    t.after(() => visitor.destroy());
    visitor.on('error', () => {});
    visitor.write(`POST / HTTP/1.1\r\nHost: ${HOSTILE_HOST}\r\nContent-Length: 1000000000\r\n\r\n`);
    const lent = await agent.lend();
    await untilAsked(lent);
    lent.pause();
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

/** What is no answer, as of any backend: the request is over, and nothing else. */
const EVIL_ANSWERS: Readonly<Record<string, string>> = {
  'informational answers without end': `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(9)}${OK}`,
  'many headers': `HTTP/1.1 200 OK\r\n${Array.from({ length: 300 }, (_, index) => `x-${index}: v\r\n`).join('')}\r\n`,
  'large headers': `HTTP/1.1 200 OK\r\n${Array.from({ length: 6 }, (_, index) => `x-${index}: ${'v'.repeat(15_000)}\r\n`).join('')}\r\n`,
  'a switch that nobody asked for':
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok',
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
};
for (const [what, answer] of Object.entries(EVIL_ANSWERS))
  test(
    `Tunnel: an agent that answers with ${what} is no answer, and its gateway keeps none of it`,
    TIMED,
    async (t) => {
      const { agent, visit, othersNoticeNothing } = await attack(t);
      const visited = visit();
      const lent = await agent.lend();
      await untilAsked(lent);
      lent.write(answer);
      const { status, rawHeaders } = await visited;
      assert.equal(status, 502);
      assert.ok(rawHeaders.join('').length < 5_000);
      const again = visit();
      const other = await agent.lend();
      await untilAsked(other);
      other.write(OK);
      assert.equal((await again).status, 200);
      await othersNoticeNothing();
    },
  );

/** What no agent sends that means well: each ends its tunnel. */
const FLOODS: Readonly<Record<string, Buffer>> = {
  pings: frame(FRAMES.ping),
  greetings: HELLO,
  goodbyes: frame(FRAMES.leave),
  'ends of connections': frame(FRAMES.ended, Buffer.alloc(TICKET_BYTES)),
  'frames of no known kind': frame(77, 'x'),
  'frames that are too large': Buffer.concat([Buffer.from([FRAMES.ping, 1, 0, 1]), Buffer.alloc(70_000)]),
};
for (const [what, flood] of Object.entries(FLOODS))
  test(`Tunnel: an agent that floods ${what} loses its tunnel, and what it lent`, PROMPT, async (t) => {
    const { agent, visit, othersNoticeNothing } = await attack(t);
    const visited = visit().catch(() => null);
    const lent = await agent.lend();
    const lost = closedOf(lent);
    await untilAsked(lent);
    const many = Buffer.concat(Array.from({ length: 200 }, () => flood));
    for (let sent = 0; sent < 200_000 && !agent.socket.destroyed; sent += 200) {
      agent.send(many);
      await new Promise(setImmediate);
    }
    await agent.closed;
    await lost;
    assert.equal((await visited)?.status, 502);
    await othersNoticeNothing();
  });

test('Tunnel: an agent that goes on sending pings loses its tunnel', TIMED, async (t) => {
  const { agent, othersNoticeNothing } = await attack(t);
  const answers = () => agent.heard.filter(({ type }) => type === FRAMES.pong).length;
  for (let round = 0; round < 100 && !agent.socket.destroyed; round++) {
    const before = answers();
    agent.send(...Array.from({ length: A_FEW }, () => frame(FRAMES.ping)));
    await agent.wait(() => answers() >= before + A_FEW);
  }
  assert.ok(agent.socket.destroyed, `${answers()} were answered`);
  await othersNoticeNothing();
});

test('Tunnel: an agent that trickles a frame loses its tunnel before a ping would tell', TIMED, async (t) => {
  const { agent, othersNoticeNothing } = await attack(t);
  agent.send(Buffer.from([FRAMES.ended, 0, 0xff, 0]));
  const trickle = setInterval(() => agent.send(Buffer.alloc(1)), 100);
  t.after(() => clearInterval(trickle));
  await agent.closed;
  await othersNoticeNothing();
});

/** What only the edge may do on a tunnel, or nobody. */
const FOREIGN: Readonly<Record<string, Buffer>> = {
  'asks the edge to lend': frame(FRAMES.lend, Buffer.alloc(TICKET_BYTES)),
  'tells of requests': frame(FRAMES.told, '[]'),
  'says that it is ready, as the edge does': frame(FRAMES.ready),
  'names a target of two lines': frame(
    FRAMES.hello,
    writeHello({ host: `a\r\nHost: ${HONEST.hosts[0]}`, watches: false }),
  ),
  'sends a whole frame of nothing known': frame(200, Buffer.alloc(MAX_FRAME_BYTES)),
  'speaks HTTP/1.1 to whoever listens': Buffer.from(
    `GET /v1/shares HTTP/1.1\r\nHost: ${HONEST.hosts[0]}\r\n\r\n`,
  ),
};
for (const [what, bytes] of Object.entries(FOREIGN))
  test(`Tunnel: an agent that ${what} gets nothing for it, and loses its tunnel`, TIMED, async (t) => {
    const { agent, othersNoticeNothing } = await attack(t);
    const before = agent.heard.length;
    agent.send(bytes);
    await agent.closed;
    assert.ok(!agent.heard.slice(before).some(({ type }) => type !== FRAMES.ping && type !== FRAMES.lend));
    await othersNoticeNothing();
  });

test('Tunnel: an agent that cuts every request is asked each at most twice', TIMED, async (t) => {
  const { agent, visit, othersNoticeNothing } = await attack(t);
  let asked = 0;
  for (let count = 0; count < 10; count++) {
    const visited = visit('GET');
    for (let turn = 0; turn < 2; turn++) {
      const lent = await agent.lend();
      await untilAsked(lent);
      asked += 1;
      lent.destroy();
    }
    assert.equal((await visited).status, 502);
  }
  assert.equal(asked, 20);
  await othersNoticeNothing();
});

test('Tunnel: a connection without a ticket of this worker’s is lent to nobody', TIMED, async (t) => {
  const { gate, agent, visit, othersNoticeNothing } = await attack(t);
  const refused = (ticket: string) =>
    assert.rejects(
      lendTo(t, gate.port, { host: TUNNEL_HOST, ticket }),
      /^Error: HTTP\/1\.1 421 .*misdirected/s,
    );
  await refused('A'.repeat(22));
  await refused('');
  await refused(Array.from({ length: 200 }, () => 'B'.repeat(22)).join(', '));
  const ticket = (await agent.ticket()) ?? '';
  // Under the name of a share, too, a ticket is the only thing that counts, and only at the tunnel host.
  await assert.rejects(lendTo(t, gate.port, { host: HOSTILE_HOST, ticket }), /misdirected/);
  const lent = await agent.lend(ticket);
  await refused(ticket);
  // What was lent under the ticket is of the share whose agent got it, and of no other.
  const visited = visit();
  await untilAsked(lent);
  lent.write(OK);
  assert.equal((await visited).status, 200);
  await othersNoticeNothing();
});

test('Tunnel: answers that come before a request are never given to one', TIMED, async (t) => {
  const { agent, visit, othersNoticeNothing } = await attack(t);
  const poison = 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\npoisoned';
  const spare = await agent.lend();
  const gone = closedOf(spare);
  spare.write(poison);
  spare.resume();
  await gone;
  const first = visit();
  const kept = await agent.lend();
  await untilAsked(kept);
  const cut = closedOf(kept);
  kept.write(OK);
  assert.equal((await first).body, 'ok');
  kept.write(poison);
  await cut;
  const second = visit();
  const eager = await agent.lend();
  eager.once('data', () => eager.write(Buffer.concat([Buffer.from([OPENED]), Buffer.from(poison)])));
  eager.resume();
  assert.equal((await second).status, 502);
  const third = visit();
  const clean = await agent.lend();
  await untilAsked(clean);
  clean.write(OK);
  assert.equal((await third).body, 'ok');
  await othersNoticeNothing();
});

test('Tunnel: an agent of the version before is refused, and told to update', TIMED, async (t) => {
  const { gate, othersNoticeNothing } = await attack(t);
  const answer = await gate.raw(
    [
      'GET /v1/tunnel?share=hostile HTTP/1.1',
      `Host: ${TUNNEL_HOST}`,
      `Authorization: Bearer ${keyOf(HOSTILE).reveal()}`,
      'Doorward-Agent: agent-of-before',
      'Connection: Upgrade',
      'Upgrade: doorward-tunnel/1',
      '',
      '',
    ].join('\r\n'),
  );
  assert.match(answer, /^HTTP\/1\.1 400 .*Update Doorward.*bad_request/s);
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
  // No new requests there.
  assert.ok(await agent.wait(({ type }) => type === FRAMES.leave));
  assert.ok(!second.heard.some(({ type }) => type === FRAMES.leave));
  await othersNoticeNothing();
  const wrong = openHostileAgent(t, gate.port, {
    host: TUNNEL_HOST,
    share: HONEST.id,
    apiKey: keyOf(HOSTILE),
  });
  await assert.rejects(wrong, /^Error: HTTP\/1\.1 404 .*share_unknown/s);
  await othersNoticeNothing();
});

function closedOf(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on('close', () => resolve());
  return promise;
}

/** Many more than an honest agent sends, whatever time they take on a busy machine. */
const A_FEW = 50;
/** Far more than windows and the system's buffers hold. */
const MOST_BYTES = 64 * 1024 * 1024;
