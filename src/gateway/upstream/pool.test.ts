// Which connections are used again, which requests are sent again, who waits.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { listen, rawBackend, type OnRawRequest, type RawBackend } from '../../../test/support/raw-backend.ts';
import { call, type CallPlan } from '../../../test/support/upstream-call.ts';
import { createUpstream, type Upstream, type UpstreamOptions } from './upstream.ts';
import { until } from '../../../test/support/until.ts';

type Rig = { readonly backend: RawBackend; readonly upstream: Upstream };

async function rig(t: TestContext, onRequest: OnRawRequest, options?: UpstreamOptions): Promise<Rig> {
  const backend = await rawBackend(onRequest);
  const upstream = createUpstream(options);
  t.after(async () => {
    upstream.close();
    await backend.close();
  });
  return { backend, upstream };
}

const HELLO = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const HOST = ['Host', 'here'];
const NONE = { active: 0, idle: 0, waiting: 0 };

test('exchange() sends a hundred requests in turn over one connection (DESIGN 6)', async (t) => {
  const { backend, upstream } = await rig(t, (socket) => void socket.write(HELLO));
  for (let nth = 0; nth < 100; nth += 1) {
    assert.equal((await call(upstream, backend.origin).done).body.toString(), 'hello');
  }
  assert.equal(backend.sockets.length, 1);
  assert.deepEqual(upstream.counts(), { active: 0, idle: 1, waiting: 0 });
});

test('exchange() finds its own connection free when it is called from onEnd (DESIGN 6)', async (t) => {
  const { backend, upstream } = await rig(t, (socket) => void socket.write(HELLO));
  const second = Promise.withResolvers<number>();
  call(upstream, backend.origin, {
    on: {
      onEnd: () => void call(upstream, backend.origin).done.then(({ status }) => second.resolve(status)),
    },
  });
  assert.equal(await second.promise, 200);
  assert.equal(backend.sockets.length, 1);
});

test('exchange() uses the connection that was used last (DESIGN 6)', async (t) => {
  const open: Socket[] = [];
  const { backend, upstream } = await rig(t, (socket, _head, nth) => {
    if (nth <= 3) open.push(socket);
    else socket.write(HELLO);
  });
  const calls = [1, 2, 3].map(() => call(upstream, backend.origin));
  await until(() => open.length >= 3);
  for (const index of [0, 1, 2]) {
    open[index]?.write(HELLO);
    await until(() => upstream.counts().idle > index);
  }
  await Promise.all(calls.map(({ done }) => done));
  await call(upstream, backend.origin).done;
  const used = backend.sockets.indexOf(open[2] as Socket);
  assert.equal(backend.received[used]?.match(/GET/g)?.length, 2);
});

test('exchange() shares no connection between origins of different keys (DESIGN 3)', async (t) => {
  const { backend, upstream } = await rig(t, (socket) => void socket.write(HELLO));
  for (const key of ['a', 'b', 'a', 'b']) await call(upstream, { ...backend.origin, key }).done;
  assert.equal(backend.sockets.length, 2);
});

const NOT_KEPT: Readonly<Record<string, string>> = {
  'Connection: close': 'HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.0': 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.0 with keep-alive': 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n',
  '204 that announces a body': 'HTTP/1.1 204 X\r\nContent-Length: 5\r\n\r\n',
  '304 that announces chunks': 'HTTP/1.1 304 X\r\nTransfer-Encoding: chunked\r\n\r\n',
  'Keep-Alive: timeout=0': 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=0, max=5\r\nContent-Length: 0\r\n\r\n',
};

for (const [name, answer] of Object.entries(NOT_KEPT)) {
  test(`exchange() does not use a connection again after ${name} (RFC 9112 section 9.3)`, async (t) => {
    const { backend, upstream } = await rig(t, (socket) => void socket.write(answer));
    for (let nth = 1; nth <= 2; nth += 1) {
      assert.equal((await call(upstream, backend.origin).done).error, null);
      assert.deepEqual(upstream.counts(), NONE);
    }
    assert.equal(backend.sockets.length, 2);
  });
}

test('exchange() honours a shorter Keep-Alive timeout, and closes what was idle for too long (RFC 9112 section 9.3)', async (t) => {
  const answer = 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 0\r\n\r\n';
  const { backend, upstream } = await rig(
    t,
    (socket, _head, nth) => void socket.write(nth === 1 ? answer : HELLO),
    {
      limits: { idleMs: 60_000 },
    },
  );
  const before = performance.now();
  await call(upstream, backend.origin).done;
  assert.equal(upstream.counts().idle, 1);
  await once(backend.sockets[0] as Socket, 'close');
  const tookMs = performance.now() - before;
  assert.ok(tookMs > 400 && tookMs < 30_000, `${tookMs}`);
  assert.deepEqual(upstream.counts(), NONE);
});

test('exchange() uses no connection that is past its idle time, even before it is swept (DESIGN 6)', async (t) => {
  const { backend, upstream } = await rig(t, (socket) => void socket.write(HELLO), { limits: { idleMs: 1 } });
  await call(upstream, backend.origin).done;
  const end = performance.now() + 2;
  while (performance.now() < end);
  await call(upstream, backend.origin).done;
  assert.equal(backend.sockets.length, 2);
});

/** Answers the first request of each connection; the second one meets `onSecond`. */
async function dyingRig(t: TestContext, onSecond: (socket: Socket) => void): Promise<Rig> {
  const seen = new WeakSet<Socket>();
  return rig(t, (socket) => {
    if (seen.has(socket)) return onSecond(socket);
    seen.add(socket);
    socket.write(HELLO);
  });
}

const DEATHS: Readonly<Record<string, (socket: Socket) => void>> = {
  closed: (socket) => void socket.end(),
  reset: (socket) => void socket.resetAndDestroy(),
};

for (const [death, kill] of Object.entries(DEATHS)) {
  test(`exchange() sends a bodiless safe request again when a used connection is ${death} (DESIGN 6)`, async (t) => {
    const { backend, upstream } = await dyingRig(t, kill);
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      await call(upstream, backend.origin).done;
      const outcome = await call(upstream, backend.origin, { method }).done;
      assert.deepEqual([outcome.status, outcome.error], [200, null], method);
    }
  });

  test(`exchange() sends nothing else again when a used connection is ${death} (DESIGN 6)`, async (t) => {
    const { backend, upstream } = await dyingRig(t, kill);
    const plans: CallPlan[] = [
      { method: 'POST' },
      { method: 'DELETE' },
      { method: 'GET', body: { length: 0 } },
      { method: 'GET', body: 'chunked' },
    ];
    for (const plan of plans) {
      await call(upstream, backend.origin).done;
      const before = backend.sockets.length;
      const { exchange, done } = call(upstream, backend.origin, plan);
      exchange.end();
      assert.equal((await done).error?.code, 'reset');
      assert.equal(backend.sockets.length, before);
    }
  });
}

test('exchange() does not send again what failed on a new connection, or after a byte of an answer (DESIGN 6)', async (t) => {
  const fresh = await rig(t, (socket) => void socket.end());
  assert.equal((await call(fresh.upstream, fresh.backend.origin).done).error?.code, 'reset');
  assert.equal(fresh.backend.sockets.length, 1);
  const begun = await dyingRig(t, (socket) => void socket.end('H'));
  await call(begun.upstream, begun.backend.origin).done;
  assert.equal((await call(begun.upstream, begun.backend.origin).done).error?.code, 'reset');
  assert.equal(begun.backend.sockets.length, 1);
});

test('exchange() sends a request again once, no more (DESIGN 6)', async (t) => {
  const { backend, upstream } = await rig(
    t,
    (socket, _head, nth) => void (nth === 1 ? socket.write(HELLO) : socket.end()),
  );
  await call(upstream, backend.origin).done;
  assert.equal((await call(upstream, backend.origin).done).error?.code, 'reset');
  assert.equal(backend.sockets.length, 2);
});

test('exchange() keeps to the limit of connections and serves all who wait, in order (DESIGN 6)', async (t) => {
  let now = 0;
  let most = 0;
  const { backend, upstream } = await rig(
    t,
    (socket, _head, nth) => {
      now += 1;
      most = Math.max(most, now);
      setImmediate(() => {
        now -= 1;
        socket.write(nth % 3 === 0 ? HELLO.replace('\r\n', '\r\nConnection: close\r\n') : HELLO);
      });
    },
    { limits: { connectionsPerBackend: 2 } },
  );
  const order: number[] = [];
  const calls = Array.from({ length: 40 }, (_, nth) =>
    call(upstream, backend.origin, { on: { onHead: () => void order.push(nth) } }),
  );
  assert.equal(upstream.counts().waiting, 38);
  for (const { done } of calls) assert.equal((await done).status, 200);
  assert.ok(most <= 2, `${most}`);
  assert.equal(order.length, 40);
  assert.ok(
    order.every((nth, at) => Math.abs(nth - at) <= 2),
    order.join(' '),
  );
});

test('exchange() gives an upgrade the place of an idle connection, and frees it at the hand-over (DESIGN 6)', async (t) => {
  const SWITCH = 'HTTP/1.1 101 X\r\nUpgrade: websocket\r\n\r\n';
  const { backend, upstream } = await rig(
    t,
    (socket, head) => void socket.write(head.includes('Upgrade') ? SWITCH : HELLO),
    {
      limits: { connectionsPerBackend: 1 },
    },
  );
  await call(upstream, backend.origin).done;
  for (let nth = 0; nth < 3; nth += 1) {
    const outcome = await call(upstream, backend.origin, {
      upgrade: 'websocket',
      on: { onUpgrade: (_headers, socket) => void socket.on('error', () => {}) },
    }).done;
    assert.equal(outcome.status, 101);
    t.after(() => outcome.socket?.destroy());
  }
  assert.equal((await call(upstream, backend.origin).done).status, 200);
});

test('exchange() fails at once when the queue is full; abort() leaves the queue (DESIGN 6)', async (t) => {
  const limits = { connectionsPerBackend: 1, waitingPerBackend: 2 };
  const { backend, upstream } = await rig(t, (socket) => void socket.write(HELLO), { limits });
  const [first, waits, leaves, refused] = Array.from({ length: 4 }, () => call(upstream, backend.origin));
  assert.deepEqual(upstream.counts(), { active: 1, idle: 0, waiting: 2 });
  leaves?.exchange.abort();
  assert.deepEqual(upstream.counts(), { active: 1, idle: 0, waiting: 1 });
  const error = (await refused?.done)?.error;
  assert.equal(error?.code, 'busy');
  assert.match(error.message, /queue is full/);
  assert.equal((await first?.done)?.status, 200);
  assert.equal((await waits?.done)?.status, 200);
  assert.deepEqual(leaves?.outcome.events, []);
});

test('exchange() fails when the wait for a connection takes too long (DESIGN 6)', async (t) => {
  const limits = { connectionsPerBackend: 1, waitMs: 1 };
  const { backend, upstream } = await rig(t, () => {}, { limits });
  const taken = call(upstream, backend.origin);
  assert.equal((await call(upstream, backend.origin).done).error?.code, 'busy');
  taken.exchange.abort();
  assert.deepEqual(upstream.counts(), NONE);
});

test('connections that serve one visitor each take nothing from others: they have limits of their own, and leave whose visitor has the most', async (t) => {
  const limits = { idleInAll: 4, heldPerBackend: 3, heldInAll: 4 };
  const { backend, upstream } = await rig(t, (socket) => void socket.write(HELLO), { limits });
  const other = await rawBackend((socket) => void socket.write(HELLO));
  t.after(() => other.close());
  const logIn = async (visitorName: string, origin = backend.origin): Promise<EventEmitter> => {
    const visitor = new EventEmitter();
    await call(upstream, origin, { visitor, visitorName, headers: [...HOST, 'Authorization', 'Negotiate x'] })
      .done;
    return visitor;
  };
  const ada = await logIn('ada');
  for (let nth = 0; nth < 20; nth++) await logIn('eve');
  await until(() => upstream.counts().idle === 3);
  // Hers stayed, and another backend keeps as many as before.
  const before = backend.sockets.length;
  await call(upstream, backend.origin, { visitor: ada, visitorName: 'ada' }).done;
  assert.equal(backend.sockets.length, before);
  for (let nth = 0; nth < 5; nth++) await call(upstream, other.origin).done;
  assert.equal(other.sockets.length, 1);
  // Of all, too, those of the backend with the most leave.
  const [bob, dan] = [await logIn('bob', other.origin), await logIn('dan', other.origin)];
  const kept = other.sockets.length;
  for (const [visitor, visitorName] of [
    [bob, 'bob'],
    [dan, 'dan'],
  ] as const)
    await call(upstream, other.origin, { visitor, visitorName }).done;
  assert.equal(other.sockets.length, kept);
});

test('close() ends idle connections and keeps none from then on', async (t) => {
  const { backend, upstream } = await rig(t, (socket) => void socket.write(HELLO));
  await call(upstream, backend.origin).done;
  const closed = once(backend.sockets[0] as Socket, 'close');
  upstream.close();
  await closed;
  assert.equal((await call(upstream, backend.origin).done).status, 200);
  assert.deepEqual(upstream.counts(), NONE);
});

test('exchange() carries thousands of requests at once to a real server without mixing them up (DESIGN 6)', async (t) => {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    response.setHeader('x-echo', request.url ?? '');
    response.end(`${request.method} ${request.url} ${body}`);
  });
  const port = await listen(server);
  const upstream = createUpstream({ limits: { connectionsPerBackend: 20 } });
  t.after(() => {
    upstream.close();
    server.close();
    server.closeAllConnections();
  });
  const origin = {
    key: 'server',
    dial: (options: object) => connect({ host: '127.0.0.1', port, ...options }),
  };
  const one = async (nth: number): Promise<void> => {
    const body = nth % 3 === 0 ? 'chunked' : nth % 3 === 1 ? { length: 4 } : 'none';
    const { exchange, done } = call(upstream, origin, { method: 'POST', target: `/${nth}`, body });
    if (body !== 'none') exchange.write(Buffer.from(String(nth % 1000).padStart(4, '0')));
    exchange.end();
    const outcome = await done;
    const sent = body === 'none' ? '' : String(nth % 1000).padStart(4, '0');
    assert.equal(outcome.body.toString(), `POST /${nth} ${sent}`);
    assert.equal(outcome.headers[outcome.headers.indexOf('x-echo') + 1], `/${nth}`);
  };
  for (let round = 0; round < 4; round += 1) {
    await Promise.all(Array.from({ length: 500 }, (_, nth) => one(round * 500 + nth)));
  }
  assert.ok(upstream.counts().idle <= 20);
});

test('an idle connection does not keep the process running (DESIGN 6)', async (t) => {
  const { backend } = await rig(t, (socket) => void socket.write(HELLO));
  const script = `
    import { connect } from 'node:net';
    import { createUpstream } from ${JSON.stringify(new URL('upstream.ts', import.meta.url).href)};
    const never = () => {};
    const origin = { key: '', dial: (options) => connect({ port: ${backend.port}, host: '127.0.0.1', ...options }) };
    const request = { method: 'GET', target: '/', headers: ['Host', 'a'], body: 'none', trailersAllowed: false, upgrade: null };
    createUpstream({ limits: { idleMs: 3600000 } }).exchange(origin, request, {
      onInformational: never, onHead: never, onData: () => true, onDrain: never, onError: console.error,
      onEnd: () => console.log('end'),
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  assert.deepEqual([output.trim(), code], ['end', 0]);
});
