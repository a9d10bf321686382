// One exchange over a real socket: strictness, early answers, upgrades, aborts.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Duplex, duplexPair } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { rawBackend, type OnRawRequest, type RawBackend } from '../../../test/support/raw-backend.ts';
import { call } from '../../../test/support/upstream-call.ts';
import type { UpstreamError } from './upstream-error.ts';
import { createUpstream, type Upstream } from './upstream.ts';
import { until } from '../../../test/support/until.ts';

type Rig = { readonly backend: RawBackend; readonly upstream: Upstream; readonly faults: UpstreamError[] };

async function rig(t: TestContext, onRequest: OnRawRequest): Promise<Rig> {
  const backend = await rawBackend(onRequest);
  const faults: UpstreamError[] = [];
  const upstream = createUpstream({ onConnectionFault: (_key, error) => faults.push(error) });
  t.after(async () => {
    upstream.close();
    await backend.close();
  });
  return { backend, upstream, faults };
}

const OK = 'HTTP/1.1 200 OK\r\n';
const HELLO = `${OK}Content-Length: 5\r\n\r\nhello`;

const BAD: Readonly<Record<string, string>> = {
  'no HTTP at all': 'SSH-2.0-OpenSSH\r\n',
  'a status above 599': 'HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n',
  'a bare LF': `${OK}A: b\nContent-Length: 0\r\n\r\n`,
  'a bare CR': `${OK}A: b\rc\r\nContent-Length: 0\r\n\r\n`,
  'a folded header': `${OK}A: b\r\n c\r\nContent-Length: 0\r\n\r\n`,
  'a NUL in a value': `${OK}A: \0\r\nContent-Length: 0\r\n\r\n`,
  'a space before the colon': `${OK}Content-Length : 0\r\n\r\n`,
  'Content-Length with Transfer-Encoding': `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'two equal lengths': `${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`,
  'an encoding other than chunked': `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  'chunked in HTTP/1.0': 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'a broken chunk size': `${OK}Transfer-Encoding: chunked\r\n\r\n-1\r\n`,
  'nine informational answers': 'HTTP/1.1 103 X\r\n\r\n'.repeat(9),
  'a switch that nobody asked for': 'HTTP/1.1 101 X\r\nUpgrade: websocket\r\n\r\n',
};

for (const [name, bytes] of Object.entries(BAD)) {
  test(`exchange() fails and closes the connection at ${name} (DESIGN 6)`, async (t) => {
    const closed = Promise.withResolvers<void>();
    const { backend, upstream } = await rig(t, (socket) => {
      socket.on('close', () => closed.resolve());
      socket.write(bytes, 'latin1');
    });
    const { error } = await call(upstream, backend.origin).done;
    assert.equal(error?.code, 'protocol');
    assert.deepEqual(upstream.counts(), { active: 0, idle: 0, waiting: 0 });
    await closed.promise;
  });
}

test('exchange() delivers the answer, reports surplus bytes and does not use the connection again (DESIGN 6)', async (t) => {
  const { backend, upstream, faults } = await rig(t, (socket) => void socket.write(`${HELLO}${HELLO}`));
  for (let nth = 1; nth <= 3; nth += 1) {
    const outcome = await call(upstream, backend.origin).done;
    assert.deepEqual([outcome.status, outcome.body.toString(), outcome.error], [200, 'hello', null]);
    assert.equal(faults.length, nth);
    assert.equal(backend.sockets.length, nth);
  }
});

test('exchange() closes a connection that speaks while idle, and never shows its bytes (DESIGN 6)', async (t) => {
  const { backend, upstream, faults } = await rig(t, (socket) => void socket.write(HELLO));
  await call(upstream, backend.origin).done;
  const [socket] = backend.sockets;
  assert.ok(socket !== undefined);
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil');
  await once(socket, 'close');
  assert.equal(faults[0]?.code, 'protocol');
  const outcome = await call(upstream, backend.origin).done;
  assert.equal(outcome.body.toString(), 'hello');
  assert.equal(backend.sockets.length, 2);
});

test('exchange() delivers headers, informational answers, chunks and trailers in order (RFC 9112)', async (t) => {
  const { backend, upstream } = await rig(t, (socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
    socket.write(`${OK}X-Case: 1\r\nx-case: 2\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`);
    socket.write('2;x=y\r\nde\r\n0\r\nX-T: 1\r\n\r\n');
  });
  const outcome = await call(upstream, backend.origin, { trailersAllowed: true }).done;
  assert.deepEqual(outcome.events, ['informational', 'head', 'data', 'end']);
  assert.deepEqual(outcome.informational, [[103, ['Link', '</a>']]]);
  assert.deepEqual(outcome.headers, ['X-Case', '1', 'x-case', '2', 'Transfer-Encoding', 'chunked']);
  assert.equal(outcome.body.toString(), 'abcde');
  assert.deepEqual(outcome.trailers, ['X-T', '1']);
  assert.match(backend.received[0] ?? '', /Connection: TE\r\nTE: trailers\r\n/);
});

test('exchange() drops trailers that are too many, and does not use their connection again (RFC 9110 section 6.5)', async (t) => {
  const { backend, upstream, faults } = await rig(t, (socket) => {
    socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n${'A: b\r\n'.repeat(300)}\r\n`);
  });
  for (let nth = 1; nth <= 3; nth += 1) {
    const outcome = await call(upstream, backend.origin, { trailersAllowed: true }).done;
    assert.deepEqual([outcome.body.toString(), outcome.trailers, outcome.error], ['hello', [], null]);
    assert.equal(backend.sockets.length, nth);
  }
  assert.deepEqual(faults, []);
});

test('exchange() writes a body by its length and by chunks, with trailers (RFC 9112 section 7.1)', async (t) => {
  const { backend, upstream } = await rig(t, (socket, head) => {
    if (head.includes('Content-Length')) socket.write(HELLO);
  });
  const sized = call(upstream, backend.origin, { method: 'POST', body: { length: 6 } });
  sized.exchange.write(Buffer.from('abc'));
  sized.exchange.write(Buffer.from('def'));
  sized.exchange.end();
  await sized.done;
  assert.match(backend.received[0] ?? '', /\r\nContent-Length: 6\r\n\r\nabcdef$/);
  const chunked = call(upstream, backend.origin, { method: 'POST', body: 'chunked' });
  chunked.exchange.write(Buffer.alloc(0));
  chunked.exchange.write(Buffer.alloc(26, 'x'));
  chunked.exchange.end(['X-T', '1']);
  const [socket] = backend.sockets;
  while (backend.received[0]?.endsWith('X-T: 1\r\n\r\n') !== true) await once(socket as Socket, 'data');
  assert.ok(backend.received[0]?.endsWith(`chunked\r\n\r\n1a\r\n${'x'.repeat(26)}\r\n0\r\nX-T: 1\r\n\r\n`));
  socket?.write(HELLO);
  assert.equal((await chunked.done).status, 200);
});

test('exchange() refuses a body of another length than announced, and the backend never takes it for whole (RFC 9112 section 6.3)', async (t) => {
  const { backend, upstream } = await rig(t, () => {});
  for (const bytes of ['abc', 'abcdefg']) {
    const { exchange, done } = call(upstream, backend.origin, { method: 'POST', body: { length: 6 } });
    exchange.write(Buffer.from(bytes));
    exchange.end();
    const { error, events } = await done;
    assert.equal(error?.code, 'body_mismatch');
    assert.deepEqual(events, ['error']);
  }
  assert.equal(upstream.counts().active, 0);
});

test('exchange() lets the caller wait for 100 before it sends the body (RFC 9110 section 10.1.1)', async (t) => {
  const { backend, upstream } = await rig(t, (socket) => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    socket.on('data', (chunk) => chunk.includes('body!') && socket.write(HELLO));
  });
  const headers = ['Host', 'a', 'Expect', '100-continue'];
  const waiting = Promise.withResolvers<void>();
  const { exchange, done } = call(upstream, backend.origin, {
    method: 'PUT',
    headers,
    body: { length: 5 },
    on: { onInformational: () => waiting.resolve() },
  });
  await waiting.promise;
  assert.ok(!backend.received[0]?.includes('body!'));
  exchange.write(Buffer.from('body!'));
  exchange.end();
  const outcome = await done;
  assert.deepEqual([outcome.events, outcome.status], [['informational', 'head', 'data', 'end'], 200]);
  assert.equal(upstream.counts().idle, 1);
});

test('exchange() takes a final answer before the body was sent, and closes the connection after it (RFC 9110 section 10.1.1)', async (t) => {
  const refusal = 'HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n';
  const { backend, upstream } = await rig(t, (socket) => void socket.write(refusal));
  const { exchange, done } = call(upstream, backend.origin, { method: 'PUT', body: { length: 5 } });
  assert.equal((await done).status, 417);
  assert.equal(upstream.counts().idle, 0);
  exchange.abort();
  assert.deepEqual(upstream.counts(), { active: 0, idle: 0, waiting: 0 });
});

test('exchange() goes on sending after an early answer if the caller does (RFC 9112 section 9.3)', async (t) => {
  const whole = Promise.withResolvers<void>();
  const { backend, upstream } = await rig(t, (socket) => {
    socket.write(HELLO);
    socket.on('end', () => whole.resolve());
  });
  const { exchange, done } = call(upstream, backend.origin, { method: 'PUT', body: { length: 200_000 } });
  exchange.write(Buffer.alloc(100_000, 'a'));
  assert.equal((await done).body.toString(), 'hello');
  exchange.write(Buffer.alloc(100_000, 'b'));
  exchange.end();
  await whole.promise;
  assert.ok(backend.received[0]?.endsWith('b'.repeat(100_000)));
  assert.equal(upstream.counts().idle, 0);
});

test('exchange() lets the rest of a body leave after an early answer, and keeps no connection that still sends (RFC 9112 section 9.3)', async (t) => {
  const size = 32 * 1024 * 1024;
  const { backend, upstream } = await rig(t, (socket) => {
    socket.write(HELLO);
    socket.pause();
  });
  const { exchange, done } = call(upstream, backend.origin, { method: 'PUT', body: { length: size } });
  exchange.write(Buffer.alloc(size, 'a'));
  exchange.end();
  assert.equal((await done).body.toString(), 'hello');
  assert.deepEqual(upstream.counts(), { active: 1, idle: 0, waiting: 0 });
  const [socket] = backend.sockets;
  assert.ok(socket !== undefined);
  socket.resume();
  await once(socket, 'end');
  assert.ok((backend.received[0]?.length ?? 0) > size);
});

test('exchange() says onDrain, not onError, when the backend leaves after an early answer (RFC 9112 section 9.3)', async (t) => {
  const { backend, upstream } = await rig(t, (socket) => {
    socket.write(HELLO);
    socket.pause();
  });
  const drained = Promise.withResolvers<void>();
  const { exchange, done } = call(upstream, backend.origin, {
    method: 'PUT',
    body: 'chunked',
    on: { onDrain: () => drained.resolve() },
  });
  const { error } = await done;
  // More than the kernel takes from a reader that sleeps.
  assert.equal(exchange.write(Buffer.alloc(64 * 1024 * 1024)), false);
  backend.sockets[0]?.resetAndDestroy();
  await drained.promise;
  assert.equal(error, null);
  assert.equal(exchange.write(Buffer.alloc(10)), true);
});

test('exchange() hands the socket over at 101, with the first bytes, and the bytes that follow (RFC 9110 section 7.8)', async (t) => {
  const { backend, upstream } = await rig(t, (socket) => {
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst',
    );
    socket.on('data', (chunk) => socket.write(chunk));
  });
  const outcome = await call(upstream, backend.origin, {
    upgrade: 'websocket',
    on: { onUpgrade: (_headers, socket) => void socket.on('error', () => {}) },
  }).done;
  assert.deepEqual(outcome.events, ['upgrade']);
  assert.equal(outcome.firstBytes?.toString(), 'first');
  assert.match(backend.received[0] ?? '', /\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n$/);
  assert.deepEqual(upstream.counts(), { active: 0, idle: 0, waiting: 0 });
  const { socket } = outcome;
  assert.ok(socket !== null);
  for (const word of ['ping', 'pong']) {
    socket.write(word);
    const [echo] = (await Promise.all([once(socket, 'data'), Promise.resolve(socket.resume())]))[0] as [
      Buffer,
    ];
    assert.equal(echo.toString(), word);
  }
  socket.destroy();
});

test('exchange() treats another answer to an upgrade as any answer (RFC 9110 section 7.8)', async (t) => {
  const { backend, upstream } = await rig(t, (socket) => void socket.write(HELLO));
  const outcome = await call(upstream, backend.origin, { upgrade: 'websocket' }).done;
  assert.deepEqual([outcome.status, outcome.body.toString()], [200, 'hello']);
  assert.equal(upstream.counts().idle, 0);
});

test('exchange() reads a body that ends with the connection, and tells a broken one from it (RFC 9112 section 6.3)', async (t) => {
  const { backend, upstream } = await rig(t, (socket, _head, nth) => {
    if (nth === 1) socket.end(`${OK}\r\nuntil the end`);
    else if (nth === 2) socket.write(`${OK}\r\nuntil`, () => socket.resetAndDestroy());
    else socket.end(`${OK}Content-Length: 10\r\n\r\nshort`);
  });
  assert.equal((await call(upstream, backend.origin).done).body.toString(), 'until the end');
  assert.equal((await call(upstream, backend.origin).done).error?.code, 'reset');
  const short = await call(upstream, backend.origin).done;
  assert.deepEqual([short.error?.code, short.events.at(-1)], ['reset', 'error']);
  assert.equal(upstream.counts().idle, 0);
});

test('abort() closes the connection within the answer and no handler is called any more', async (t) => {
  const closed = Promise.withResolvers<void>();
  const { backend, upstream } = await rig(t, (socket) => {
    socket.on('close', () => closed.resolve());
    socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(1000)}zz`);
  });
  let calls = 0;
  const { exchange, outcome } = call(upstream, backend.origin, {
    on: {
      onData: () => {
        calls += 1;
        exchange.abort();
        exchange.abort();
        return true;
      },
    },
  });
  await closed.promise;
  assert.deepEqual([calls, outcome.events], [1, ['head', 'data']]);
  assert.equal(exchange.write(Buffer.from('x')), true);
  exchange.end();
  exchange.resume();
});

test('abort() in onHead, before the head and while dialling closes the connection', async (t) => {
  const { backend, upstream } = await rig(t, (socket, _head, nth) => void (nth === 1 && socket.write(HELLO)));
  const first = call(upstream, backend.origin, { on: { onHead: () => first.exchange.abort() } });
  await until(() => upstream.counts().active === 0);
  assert.deepEqual(first.outcome.events, ['head']);
  const second = call(upstream, backend.origin);
  await until(() => backend.received.length >= 2 && backend.received[1] !== '');
  second.exchange.abort();
  const third = call(upstream, backend.origin);
  third.exchange.abort();
  assert.deepEqual(upstream.counts(), { active: 0, idle: 0, waiting: 0 });
  assert.deepEqual([second.outcome.events, third.outcome.events], [[], []]);
});

test('exchange() works over any connected Duplex (DESIGN "Tunnel")', async () => {
  const [ours, theirs] = duplexPair();
  theirs.once('data', () => theirs.write(HELLO));
  const upstream = createUpstream();
  const outcome = await call(upstream, { key: 'pair', dial: () => Promise.resolve(ours) }).done;
  assert.deepEqual([outcome.status, outcome.body.toString()], [200, 'hello']);
  assert.equal(upstream.counts().idle, 1);
  upstream.close();
  assert.ok(ours.destroyed);
});

test('exchange() sends head and first bytes of a body at once, and later pieces without delay (DESIGN 6)', async () => {
  const writes: string[][] = [];
  let undelayed = false;
  const socket = new Duplex({
    read: () => {},
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      writes.push([String(chunk)]);
      done();
    },
    writev: (chunks: { chunk: string | Buffer }[], done) => {
      writes.push(chunks.map(({ chunk }) => String(chunk)));
      done();
    },
  });
  Object.assign(socket, { setNoDelay: (on: boolean) => void (undelayed = on) });
  const upstream = createUpstream();
  const origin = { key: 'counted', dial: () => socket };
  const { exchange, done } = call(upstream, origin, { method: 'POST', body: { length: 4 } });
  exchange.write(Buffer.from('body'));
  exchange.end();
  await new Promise(setImmediate);
  assert.deepEqual(
    writes.map((pieces) => pieces.at(-1)),
    ['body'],
  );
  assert.equal(undelayed, true);
  socket.push(HELLO);
  await done;
  call(upstream, origin, { method: 'POST', body: { length: 4 } }).exchange.write(Buffer.from('more'));
  await new Promise(setImmediate);
  assert.deepEqual(
    writes.map((pieces) => pieces.at(-1)),
    ['body', 'more'],
  );
  upstream.close();
  socket.destroy();
});

test('exchange() gives the receiver bytes that later reads do not change (DESIGN 6)', async (t) => {
  const bodies = [1_000, 50_000, 300_000].map((size) => randomBytes(size));
  const { backend, upstream } = await rig(t, (socket, _head, nth) => {
    const body = bodies[nth - 1] ?? Buffer.alloc(0);
    socket.write(`${OK}Content-Length: ${body.length}\r\n\r\n`);
    socket.write(body);
  });
  const pieces: Buffer[] = [];
  const on = { onData: (chunk: Buffer) => pieces.push(chunk) > 0 };
  for (const _ of bodies) await call(upstream, backend.origin, { on }).done;
  assert.ok(Buffer.concat(pieces).equals(Buffer.concat(bodies)));
  assert.equal(backend.sockets.length, 1);
});

test('exchange() uses a connection again whose last answer was never resumed (DESIGN 6)', async (t) => {
  const { backend, upstream } = await rig(t, (socket) => void socket.write(HELLO));
  for (let nth = 0; nth < 3; nth += 1) {
    const { done, exchange } = call(upstream, backend.origin, { on: { onData: () => false } });
    assert.equal((await done).body.toString(), 'hello');
    exchange.resume();
  }
  assert.equal(backend.sockets.length, 1);
});
