// What neither a hostile agent nor a hostile visitor may do to anybody else (THREATS "Tunnel"), and what
// becomes of requests when agents come and go.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { WebSocketServer } from 'ws';
import { frame, HELLO, talkTunnel, type TunnelTalk, untilAsked } from '../../test/support/tunnel-frames.ts';
import { startTunnelRig, type TunnelRig } from '../../test/support/tunnel-rig.ts';
import { serveTunnel } from './agent-session.ts';
import { LentBudget } from './lent-budget.ts';
import { MAX_FRAME_BYTES, MAX_LENT, TICKET_MS } from './limits.ts';
import { parseLocalTarget } from './local-target.ts';
import { FRAMES, OPENED, TICKET_BYTES } from './wire.ts';
import { ServiceError } from '../domain/service-error.ts';
import { until } from '../../test/support/until.ts';

const LIMIT = { timeout: 60_000 };

async function hello(): Promise<{
  readonly url: string;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}> {
  const server = createServer((request, response) => {
    if (request.url !== '/hang') response.end('hello');
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.on('message', (data, binary) => socket.send(data, { binary })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function backendOf(body: Buffer) {
  const server = createServer((_request, response) => response.end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** An agent by hand, which lends whatever is wanted and has `answer` speak on it. */
async function hostile(rig: TunnelRig, answer: (request: string, lent: Socket) => void): Promise<TunnelTalk> {
  const agent = talkTunnel(await rig.hostileAgent());
  const before = rig.edge.counts().ready;
  agent.send(HELLO);
  const lend = async (ticket: string): Promise<void> => {
    const lent = await rig.lend(ticket);
    lent?.once('data', () => {
      lent.write(Buffer.from([OPENED]));
      lent.on('data', (chunk: Buffer) => answer(chunk.toString('latin1'), lent));
    });
    lent?.resume();
  };
  const lendOn = async (): Promise<void> => {
    for (let ticket = await agent.ticket(); ticket !== null; ticket = await agent.ticket())
      // The rig may be gone by then.
      void lend(ticket).catch(() => {});
  };
  void lendOn();
  await until(() => rig.edge.counts().ready > before);
  return agent;
}

/** Says what it must, and never reads. */
async function deaf(rig: TunnelRig): Promise<void> {
  const socket = await rig.hostileAgent();
  socket.pause();
  socket.write(HELLO);
  await until(() => rig.edge.counts().ready === 1);
}

test('a share without an agent is known to be away at once (2.3)', LIMIT, async () => {
  await using rig = await startTunnelRig();
  const { error } = await rig.call().done;
  assert.equal(codeOf(error), 'agent_away');
});

test(
  'a share is away as soon as its agent is gone, and back with the first request after it came (2.3)',
  LIMIT,
  async () => {
    await using app = await hello();
    await using rig = await startTunnelRig();
    const { socket } = await rig.join(app.url);
    socket.destroy();
    await until(() => rig.edge.counts().tunnels === 0);
    assert.equal(codeOf((await rig.call().done).error), 'agent_away');
    await rig.join(app.url);
    assert.equal((await rig.call().done).body.toString(), 'hello');
  },
);

test(
  'an agent that lends nothing gets no request, and its visitors are told so (THREATS "Tunnel")',
  LIMIT,
  async () => {
    await using rig = await startTunnelRig();
    const agent = talkTunnel(await rig.hostileAgent());
    agent.send(HELLO);
    await until(() => rig.edge.counts().ready === 1);
    const { error } = await rig.call().done;
    assert.equal(codeOf(error), 'backend_timeout');
    assert.equal(rig.edge.counts().ready, 1);
  },
);

test(
  'an upload that its target does not take ends at the agent, too, once its visitor has left (THREATS "Tunnel")',
  LIMIT,
  async () => {
    const sockets: Socket[] = [];
    const app = createTcpServer({ pauseOnConnect: true }, (socket) => void sockets.push(socket));
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    await using rig = await startTunnelRig();
    const target = parseLocalTarget(String((app.address() as AddressInfo).port));
    const gone = Promise.withResolvers<void>();
    await rig.join({ ...target, connect: () => target.connect().on('close', () => gone.resolve()) });
    const { exchange } = rig.call({ method: 'POST', body: 'chunked', on: { onDrain: () => send() } });
    const sent = { pieces: 0 };
    const send = () => {
      sent.pieces += 1;
      exchange.write(Buffer.alloc(1024 * 1024));
    };
    send();
    // Once nothing more leaves for many turns, nobody takes anything.
    for (let still = 0, before = 0; sent.pieces < 2 || still < 1_000; still++) {
      await new Promise(setImmediate);
      if (sent.pieces !== before) still = 0;
      before = sent.pieces;
    }
    exchange.abort();
    await gone.promise;
    for (const socket of sockets) socket.destroy();
    app.close();
  },
);

test(
  'no more than a thousand requests are under way through a tunnel, whatever it lends (3 Tunnel)',
  LIMIT,
  async () => {
    await using rig = await startTunnelRig();
    let asked = 0;
    await hostile(rig, () => void (asked += 1));
    const calls = Array.from({ length: MAX_LENT }, () => rig.call({ method: 'POST' }));
    await until(() => asked === MAX_LENT);
    const { error } = await rig.call().done;
    assert.equal(codeOf(error), 'agent_busy');
    for (const { exchange } of calls) exchange.abort();
    await until(() => rig.active() === 0);
  },
);

test(
  'an agent that floods informational answers loses that request alone (THREATS "Tunnel")',
  LIMIT,
  async () => {
    await using rig = await startTunnelRig();
    await hostile(rig, (request, lent) => {
      if (request.startsWith('POST /flood')) lent.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(9));
      lent.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nanswer');
    });
    const { error, informational } = await rig.call({ method: 'POST', target: '/flood' }).done;
    assert.equal(error?.code, 'protocol');
    assert.equal(informational.length, 8);
    assert.equal((await rig.call().done).body.toString(), 'answer');
  },
);

test(
  'an agent that floods headers or trailers loses that request alone (THREATS "Tunnel")',
  LIMIT,
  async () => {
    await using rig = await startTunnelRig();
    const many = Array.from({ length: 200 }, (_none, index) => `x-${index}: v\r\n`).join('');
    await hostile(rig, (request, lent) => {
      const head = request.startsWith('POST /head') ? many : '';
      const trailers = request.startsWith('POST /trailers') ? many : 'x-one: 1\r\n';
      lent.write(`HTTP/1.1 200 OK\r\n${head}Transfer-Encoding: chunked\r\n\r\n`);
      lent.write(`6\r\nanswer\r\n0\r\n${trailers}\r\n`);
    });
    assert.equal((await rig.call({ method: 'POST', target: '/head' }).done).error?.code, 'protocol');
    // How many of them go to the visitor, the gate bounds: as of any backend.
    assert.equal((await rig.call({ method: 'POST', target: '/trailers' }).done).error, null);
    assert.deepEqual((await rig.call().done).trailers, ['x-one', '1']);
  },
);

test('an agent that never reads holds back what visitors send (THREATS "Tunnel")', LIMIT, async () => {
  await using rig = await startTunnelRig();
  await hostile(rig, (_request, lent) => lent.pause());
  const { exchange } = rig.call({ method: 'POST', body: 'chunked' });
  let written = 0;
  let room = exchange.write(Buffer.alloc(1));
  await until(() => rig.active() === 1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  room = true;
  for (let turn = 0; turn < 2_000 && room; turn++) {
    room = exchange.write(Buffer.alloc(64 * 1024));
    written += 64 * 1024;
    if (room) await new Promise(setImmediate);
  }
  assert.equal(room, false, `${written} bytes were taken`);
  exchange.abort();
});

test('what nobody reads of an answer stays with the agent (3 Tunnel)', LIMIT, async () => {
  await using rig = await startTunnelRig();
  const lents: Socket[] = [];
  await hostile(rig, (_request, lent) => {
    lents.push(lent);
    lent.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    for (let piece = 0; piece < 64; piece++) lent.write(`80000\r\n${'x'.repeat(512 * 1024)}\r\n`);
  });
  let got = 0;
  const calls = Array.from({ length: 4 }, () =>
    rig.call({ method: 'POST', on: { onData: (chunk) => ((got += chunk.byteLength), false) } }),
  );
  await until(() => lents.length === 4);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(got <= 4 * 2 * 64 * 1024, `${got} bytes were taken`);
  for (const { writableLength } of lents) assert.ok(writableLength > 8 * 1024 * 1024, `${writableLength}`);
  for (const { exchange } of calls) exchange.abort();
});

test('thousands of aborted requests leave the connection up (THREATS "Tunnel")', LIMIT, async () => {
  await using app = await hello();
  await using rig = await startTunnelRig();
  await rig.join(app.url);
  for (let round = 0; round < 30; round++) {
    const calls = Array.from({ length: 100 }, () => rig.call({ target: '/hang' }));
    await new Promise(setImmediate);
    for (const { exchange } of calls) exchange.abort();
    await until(() => rig.active() === 0);
  }
  assert.equal(rig.edge.counts().ready, 1);
  assert.equal((await rig.call().done).body.toString(), 'hello');
});

test(
  'two agents share the requests, and losing one loses no page load (issue: Staying up)',
  LIMIT,
  async () => {
    await using app = await hello();
    await using rig = await startTunnelRig();
    const first = await rig.join(app.url);
    await rig.join(app.url);
    const held = Array.from({ length: 10 }, () => rig.call({ target: '/hang' }));
    const calls = Array.from({ length: 20 }, () => rig.call());
    first.socket.destroy();
    for (const { done } of calls) assert.equal((await done).body.toString(), 'hello');
    for (const { exchange } of held) exchange.abort();
    assert.equal(rig.edge.counts().ready, 1);
  },
);

test(
  'an agent that drains answers what it was asked, and is asked nothing more (issue: Staying up)',
  LIMIT,
  async () => {
    await using app = await hello();
    await using rig = await startTunnelRig();
    const { session } = await rig.join(app.url);
    const calls = Array.from({ length: 50 }, () => rig.call({ method: 'POST', body: 'none' }));
    await session.drain();
    for (const { done } of calls) assert.equal((await done).body.toString(), 'hello');
    assert.equal(codeOf((await rig.call().done).error), 'agent_away');
  },
);

test('an end that is silent is given up, at both ends (issue: Staying up)', LIMIT, async () => {
  await using rig = await startTunnelRig({ pings: { everyMs: 20, answerMs: 100 } });
  await deaf(rig);
  await until(() => rig.edge.counts().tunnels === 0);
});

test(
  'an end that is silent is given up while it is still written to (issue: Staying up)',
  LIMIT,
  async () => {
    await using rig = await startTunnelRig({ pings: { everyMs: 200, answerMs: 100 } });
    const agent = await hostile(rig, (_request, lent) => lent.pause());
    const { exchange, done } = rig.call({ method: 'POST', body: 'chunked' });
    exchange.write(Buffer.alloc(1));
    await until(() => rig.active() === 1);
    agent.socket.pause();
    const repeated = rig.call();
    // More than the network between the two holds: the last write is never done.
    for (let sent = 0; sent < 64; sent++) exchange.write(Buffer.alloc(1024 * 1024));
    assert.notEqual((await done).error, null);
    assert.equal(codeOf((await repeated.done).error), 'agent_away');
    await until(() => rig.edge.counts().tunnels === 0);
    assert.equal(codeOf((await rig.call().done).error), 'agent_away');
  },
);

test(
  'an answer that came whole is read to its end after its agent left (issue: Staying up)',
  LIMIT,
  async () => {
    const body = Buffer.alloc(200_000, 'x');
    await using app = await backendOf(body);
    await using rig = await startTunnelRig();
    const { session } = await rig.join(app.url);
    let paused = true;
    const { exchange, done, outcome } = rig.call({ on: { onData: () => !paused } });
    await until(() => outcome.events.includes('data'));
    const drained = session.drain();
    await until(() => rig.edge.counts().ready === 0);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
    paused = false;
    exchange.resume();
    const answer = await done;
    assert.deepEqual([answer.error, answer.body.equals(body)], [null, true]);
    await drained;
    await until(() => rig.edge.counts().tunnels === 0);
  },
);

test(
  'a ticket is good once, for a while, and as long as its agent is there (THREATS "Tunnel")',
  LIMIT,
  async (t) => {
    await using rig = await startTunnelRig();
    const agent = talkTunnel(await rig.hostileAgent());
    agent.send(HELLO);
    const ticket = (await agent.ticket()) ?? '';
    assert.equal(await rig.lend('A'.repeat(22)), null, 'one that nobody gave');
    assert.notEqual(await rig.lend(ticket), null);
    assert.equal(await rig.lend(ticket), null, 'one that was used');
    const call = rig.call();
    const late = (await agent.ticket()) ?? '';
    const now = performance.now.bind(performance);
    const clock = t.mock.method(performance, 'now', () => now() + TICKET_MS + 1);
    assert.equal(await rig.lend(late), null, 'one that is too old');
    clock.mock.restore();
    call.exchange.abort();
    rig.call();
    const orphan = (await agent.ticket()) ?? '';
    rig.edge.retain(() => false);
    await agent.closed;
    assert.equal(await rig.lend(orphan), null, 'one of an agent that is gone');
  },
);

test(
  'a lent connection that speaks before it is asked is closed, and never used (THREATS "Tunnel")',
  LIMIT,
  async () => {
    const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\npoisoned';
    await using rig = await startTunnelRig();
    const agent = talkTunnel(await rig.hostileAgent());
    agent.send(HELLO);
    const lend = async () => {
      const lent = await rig.lend((await agent.ticket()) ?? '');
      assert.ok(lent !== null);
      lent.resume();
      return lent;
    };
    // While it is spare.
    const early = await lend();
    early.on('end', () => early.end());
    early.write(answer);
    await closedOf(early);
    // Behind the byte that says that the target is there.
    const eager = rig.call({ method: 'POST' });
    const second = await lend();
    second.on('end', () => second.end());
    second.once('data', () => second.write(Buffer.concat([Buffer.from([OPENED]), Buffer.from(answer)])));
    assert.equal((await eager.done).error?.code, 'connect_failed');
    // Between two requests.
    const first = rig.call({ method: 'POST' });
    const third = await lend();
    await untilAsked(third);
    third.write(`${answer}${answer}`);
    assert.equal((await first.done).body.toString(), 'poisoned');
    third.on('end', () => third.end());
    await closedOf(third);
    const next = rig.call({ method: 'POST' });
    const fourth = await lend();
    await untilAsked(fourth);
    fourth.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nclean');
    assert.equal((await next.done).body.toString(), 'clean');
  },
);

const EVIL_FRAMES: Readonly<Record<string, readonly Buffer[]>> = {
  'a frame larger than any may be': [HELLO, Buffer.from([FRAMES.hello, 1, 0, 1])],
  'a frame of no known kind': [HELLO, frame(99)],
  'what only the edge says': [HELLO, frame(FRAMES.lend, Buffer.alloc(TICKET_BYTES))],
  'two greetings': [HELLO, HELLO],
  'a greeting that is no JSON': [frame(FRAMES.hello, '{')],
  'a greeting with a host of two lines': [
    frame(FRAMES.hello, JSON.stringify({ host: 'a\r\nX-Evil: 1', watches: false })),
  ],
  'ends of connections that it never lent': [HELLO, frame(FRAMES.ended, Buffer.alloc(TICKET_BYTES))],
  'endless pings': [HELLO, ...Array.from({ length: 1_000 }, () => frame(FRAMES.ping))],
  'endless goodbyes': [HELLO, ...Array.from({ length: 1_000 }, () => frame(FRAMES.leave))],
};
for (const [what, frames] of Object.entries(EVIL_FRAMES))
  test(`an agent that sends ${what} loses its tunnel (THREATS "Tunnel")`, LIMIT, async () => {
    await using rig = await startTunnelRig();
    const agent = talkTunnel(await rig.hostileAgent());
    agent.send(...frames);
    await agent.closed;
    assert.equal(rig.edge.counts().tunnels, 0);
  });

test(
  'an agent lends no more than its share, whatever a gateway asks for (THREATS "Tunnel")',
  LIMIT,
  async () => {
    const control = Promise.withResolvers<Socket>();
    const server = createTcpServer((socket) => control.resolve(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const own = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const gateway = await control.promise;
    gateway.on('error', () => {});
    const raised: string[] = [];
    const session = serveTunnel(own, {
      target: parseLocalTarget('9'),
      budget: new LentBudget(),
      onRequest: null,
      raise: (tickets) => raised.push(...tickets),
    });
    const whole = Buffer.alloc(MAX_FRAME_BYTES);
    for (let count = 0; count < 250; count++) gateway.write(frame(FRAMES.lend, whole));
    await until(() => raised.length > 0);
    gateway.write(frame(FRAMES.ping));
    await once(gateway, 'data');
    await until(() => gateway.writableLength === 0);
    assert.equal(raised.length, MAX_LENT);
    // What no gateway says ends it.
    gateway.write(frame(FRAMES.told, '[["GET"]]'));
    await session.closed;
    gateway.destroy();
    server.close();
  },
);

test('a WebSocket passes frames both ways and ends on both sides (3 Tunnel)', LIMIT, async () => {
  await using app = await hello();
  await using rig = await startTunnelRig();
  await rig.join(app.url);
  const { socket, headers, status } = await rig.call({
    upgrade: 'websocket',
    headers: ['Host', 'demo', 'Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version', '13'],
  }).done;
  assert.equal(status, 101);
  assert.equal(headers[headers.indexOf('Sec-WebSocket-Accept') + 1], 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  assert.ok(socket !== null);
  const heard: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => heard.push(chunk));
  socket.resume();
  socket.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]));
  await until(() => Buffer.concat(heard).byteLength >= 4);
  assert.deepEqual(Buffer.concat(heard), Buffer.from([0x81, 0x02, 0x68, 0x69]));
  socket.write(Buffer.from([0x88, 0x80, 0, 0, 0, 0]));
  await once(socket, 'end');
  socket.destroy();
  await until(() => rig.active() === 0);
});

test('an upgrade that the target answers otherwise is that answer (3 Tunnel)', LIMIT, async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'sec-websocket-accept': 'forged' }).end('no socket here');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await using rig = await startTunnelRig();
  await rig.join(String((server.address() as AddressInfo).port));
  const answer = await rig.call({ upgrade: 'websocket' }).done;
  assert.deepEqual([answer.status, answer.body.toString(), answer.socket], [200, 'no socket here', null]);
  server.closeAllConnections();
  server.close();
});

/** The fault that the visitor is told. */
function codeOf(error: Error | null): string | null {
  return error?.cause instanceof ServiceError ? error.cause.code : null;
}

function closedOf(lent: Socket): Promise<void> {
  return new Promise((resolve) => lent.on('close', () => resolve()));
}
