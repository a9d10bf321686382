// What neither a hostile agent nor a hostile visitor may do to anybody else (THREATS "Tunnel"), and what
// becomes of requests when agents come and go.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { performServerHandshake, type ServerHttp2Session, type SecureServerOptions } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { WebSocketServer } from 'ws';
import { startTunnelRig, type TunnelRig } from '../../test/support/tunnel-rig.ts';
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

async function hostile(rig: TunnelRig, options: SecureServerOptions): Promise<ServerHttp2Session> {
  const before = rig.edge.counts().ready;
  const session = performServerHandshake(await rig.hostileAgent(), options);
  session.on('error', () => undefined);
  await until(() => rig.edge.counts().ready > before);
  return session;
}

/** An agent that offers all there is to offer, and never reads. */
async function deaf(rig: TunnelRig): Promise<void> {
  const socket = await rig.hostileAgent();
  socket.on('error', () => undefined);
  socket.pause();
  // SETTINGS with INITIAL_WINDOW_SIZE, and WINDOW_UPDATE of the connection (RFC 9113 sections 6.5, 6.9).
  socket.write(Buffer.from('00000604000000000000047fffffff0000040800000000007ffeffff', 'hex'));
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

test('an agent that announces no streams gets no request (THREATS "Tunnel")', LIMIT, async () => {
  await using rig = await startTunnelRig();
  await hostile(rig, { settings: { maxConcurrentStreams: 0 } });
  const { error } = await rig.call().done;
  assert.equal(codeOf(error), 'agent_busy');
});

test(
  'no more than a thousand requests are under way through a tunnel, whatever it offers (3 Tunnel)',
  LIMIT,
  async () => {
    await using rig = await startTunnelRig();
    await hostile(rig, { settings: { maxConcurrentStreams: 100_000 } });
    const calls = Array.from({ length: 1_000 }, () => rig.call({ method: 'POST' }));
    const { error } = await rig.call().done;
    assert.equal(codeOf(error), 'agent_busy');
    for (const { exchange } of calls) exchange.abort();
    await until(() => rig.edge.counts().streams === 0);
  },
);

test(
  'an agent that floods informational answers loses that request alone (THREATS "Tunnel")',
  LIMIT,
  async () => {
    await using rig = await startTunnelRig();
    const session = await hostile(rig, {});
    session.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      if (headers[':path'] === '/flood')
        for (let count = 0; count < 9; count++) stream.additionalHeaders({ ':status': 103 });
      stream.respond({ ':status': 200 });
      stream.end('answer');
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
    const session = await hostile(rig, {});
    const many = Object.fromEntries(Array.from({ length: 200 }, (_none, index) => [`x-${index}`, 'v']));
    session.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      if (headers[':path'] === '/head') stream.respond({ ':status': 200, ...many });
      else stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('wantTrailers', () =>
        stream.sendTrailers(headers[':path'] === '/trailers' ? many : { 'x-one': '1' }),
      );
      stream.end('answer');
    });
    for (const target of ['/head', '/trailers']) {
      const { error } = await rig.call({ method: 'POST', target }).done;
      assert.equal(error?.code, 'reset', target);
    }
    assert.deepEqual((await rig.call().done).trailers, ['x-one', '1']);
  },
);

test('an agent that never reads holds back what visitors send (THREATS "Tunnel")', LIMIT, async () => {
  await using rig = await startTunnelRig();
  await deaf(rig);
  const { exchange } = rig.call({ method: 'POST', body: 'chunked' });
  let written = 0;
  let room = true;
  for (let turn = 0; turn < 2_000 && room; turn++) {
    room = exchange.write(Buffer.alloc(64 * 1024));
    written += 64 * 1024;
    if (room) await new Promise(setImmediate);
  }
  assert.equal(room, false, `${written} bytes were taken`);
  exchange.abort();
});

test(
  'unread answers of one tunnel are reset beyond a limit, the largest first (3 Tunnel)',
  LIMIT,
  async () => {
    const limit = 4 * 1024 * 1024;
    await using rig = await startTunnelRig({ unread: { tunnelBytes: limit } });
    const session = await hostile(rig, { settings: { maxConcurrentStreams: 1_000 } });
    session.on('stream', (stream) => {
      stream.on('error', () => undefined);
      stream.respond({ ':status': 200 });
      stream.write(Buffer.alloc(1024 * 1024));
    });
    const calls = Array.from({ length: 40 }, () => rig.call({ method: 'POST', on: { onData: () => false } }));
    await until(() => calls.filter(({ outcome }) => outcome.error !== null).length >= 24);
    const left = calls.filter(({ outcome }) => outcome.error === null);
    // How much of each has come differs; a stream alone is never more than its window and a little.
    assert.ok(left.length >= 4, `${left.length} are left`);
  },
);

test('unread answers of all tunnels together have a limit, too (3 Tunnel)', LIMIT, async () => {
  await using rig = await startTunnelRig({ unread: { processBytes: 4 * 1024 * 1024 } });
  for (let agent = 0; agent < 4; agent++) {
    const session = await hostile(rig, { settings: { maxConcurrentStreams: 1_000 } });
    session.on('stream', (stream) => {
      stream.on('error', () => undefined);
      stream.respond({ ':status': 200 });
      stream.write(Buffer.alloc(1024 * 1024));
    });
  }
  // The emptiest tunnel is asked, so each has ten: far less than a tunnel may hold.
  const calls = Array.from({ length: 40 }, () => rig.call({ method: 'POST', on: { onData: () => false } }));
  await until(() => calls.filter(({ outcome }) => outcome.error !== null).length >= 20);
});

test('thousands of aborted requests leave the connection up (THREATS "Tunnel")', LIMIT, async () => {
  await using app = await hello();
  await using rig = await startTunnelRig();
  await rig.join(app.url);
  for (let round = 0; round < 30; round++) {
    const calls = Array.from({ length: 100 }, () => rig.call({ target: '/hang' }));
    await new Promise(setImmediate);
    for (const { exchange } of calls) exchange.abort();
    await until(() => rig.edge.counts().streams === 0);
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
    await deaf(rig);
    const { exchange, done } = rig.call({ method: 'POST', body: 'chunked' });
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
    const { session, socket } = await rig.join(app.url);
    let paused = true;
    const { exchange, done } = rig.call({ on: { onData: () => !paused } });
    await until(() => rig.served.length === 1);
    const ended = once(socket, 'finish');
    const drained = session.drain();
    await ended;
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

test('a WebSocket passes frames both ways and ends on both sides (3 Tunnel)', LIMIT, async () => {
  await using app = await hello();
  await using rig = await startTunnelRig();
  await rig.join(app.url);
  const { socket, headers, status } = await rig.call({
    upgrade: 'websocket',
    headers: ['Host', 'demo', 'Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version', '13'],
  }).done;
  assert.equal(status, 101);
  assert.equal(headers[headers.indexOf('sec-websocket-accept') + 1], 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
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
  await until(() => rig.edge.counts().streams === 0);
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
