// The client for backends by HTTP/2, against frames that no library would send (DESIGN "HTTP/2 to backends";
// RFC 9113; THREATS "Exhaustion").

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttp1 } from 'node:http';
import { createServer as createHttp2, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import {
  ACK,
  DATA,
  END_STREAM,
  frame,
  GOAWAY,
  HEADERS,
  number32,
  PING,
  RST_STREAM,
  SETTINGS,
} from '../../../test/support/http2-frames.ts';
import { EVIL_ANSWERS, head, OK, reset } from '../../../test/support/evil-http2-answers.ts';
import {
  INITIAL_WINDOW_SIZE,
  MAX_CONCURRENT_STREAMS,
  rawHttp2Backend,
  setting,
  type Http2Talk,
} from '../../../test/support/raw-http2-backend.ts';
import { until } from '../../../test/support/until.ts';
import { call, type CallPlan } from '../../../test/support/upstream-call.ts';
import { createUpstream, type UpstreamOptions } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';
import type { UpstreamOrigin } from './upstream-request.ts';

const TIMED = { timeout: 20_000 };

function goaway(lastStream: number, code = 0): Buffer {
  return frame(GOAWAY, 0, 0, Buffer.concat([number32(lastStream), number32(code)]));
}

function answer(talk: Http2Talk, stream: number, text = 'ok'): void {
  talk.send(head(stream), frame(DATA, END_STREAM, stream, Buffer.from(text)));
}

function client(t: TestContext, options: UpstreamOptions = {}) {
  const upstream = createUpstream(options);
  t.after(() => upstream.close());
  return {
    upstream,
    ask: (origin: UpstreamOrigin, plan: CallPlan = {}) => call(upstream, origin, plan),
  };
}

test('one connection carries many exchanges, each with its own answer', TIMED, async (t) => {
  const backend = await rawHttp2Backend(t, {
    onHead: (talk, stream, nth) => {
      if (nth === 3) for (const each of [5, 1, 3]) answer(talk, each, `to ${each}`);
      else if (nth === 4) answer(talk, stream, 'later');
    },
  });
  const { upstream, ask } = client(t);
  const all = await Promise.all([1, 2, 3].map(() => ask(backend.origin).done));
  assert.deepEqual(
    all.map(({ status, body }) => [status, String(body)]),
    [1, 3, 5].map((stream) => [200, `to ${stream}`]),
  );
  assert.equal(String((await ask(backend.origin).done).body), 'later');
  assert.equal(backend.talks.length, 1);
  assert.deepEqual(upstream.counts(), { active: 0, idle: 1, waiting: 0 });
});

test('informational answers, head, data and trailers come in their order', TIMED, async (t) => {
  const backend = await rawHttp2Backend(t, {
    onHead: (talk, stream) =>
      talk.send(
        head(stream, [
          [':status', '103'],
          ['link', '</a>; rel=preload'],
        ]),
        head(stream, [...OK, ['x-one', 'a'], ['x-one', 'b']]),
        frame(DATA, 0, stream, Buffer.from('body')),
        head(stream, [['grpc-status', '0']], false),
      ),
  });
  const outcome = await client(t).ask(backend.origin, { trailersAllowed: true }).done;
  assert.deepEqual(outcome.events, ['informational', 'head', 'data', 'end']);
  assert.deepEqual(outcome.informational, [[103, ['link', '</a>; rel=preload']]]);
  assert.deepEqual(outcome.headers, ['x-one', 'a', 'x-one', 'b']);
  assert.deepEqual(outcome.trailers, ['grpc-status', '0']);
});

describe('what a backend did not act on', () => {
  test('is asked again, once, behind GOAWAY, while what it acts on is answered', TIMED, async (t) => {
    const backend = await rawHttp2Backend(t, {
      onHead: (talk, stream, nth) => {
        if (nth === 2) {
          talk.send(goaway(1));
          answer(talk, 1, 'first');
        } else if (nth > 2) answer(talk, stream, 'second');
      },
    });
    const { ask } = client(t);
    const all = await Promise.all([ask(backend.origin).done, ask(backend.origin).done]);
    assert.deepEqual(
      all.map(({ body }) => String(body)),
      ['first', 'second'],
    );
    assert.equal(backend.talks.length, 2);
  });

  test('is asked again behind a GOAWAY with an error, too', TIMED, async (t) => {
    const backend = await rawHttp2Backend(t, {
      onHead: (talk, stream, nth) => {
        if (nth === 1) talk.send(goaway(0, 11));
        else answer(talk, stream);
      },
    });
    assert.equal((await client(t).ask(backend.origin).done).status, 200);
  });

  test('is asked again when the stream was refused, and no more than once', TIMED, async (t) => {
    const backend = await rawHttp2Backend(t, { onHead: (talk, stream) => talk.send(reset(stream, 7)) });
    const { error } = await client(t).ask(backend.origin, { method: 'POST' }).done;
    assert.equal(error?.code, 'reset');
    assert.equal(backend.talks[0]?.heard.filter(({ type }) => type === HEADERS).length, 2);
  });

  test('is not asked again once some of its body left', TIMED, async (t) => {
    const backend = await rawHttp2Backend(t, { onHead: () => {} });
    const { exchange, done } = client(t).ask(backend.origin, { method: 'POST', body: 'chunked' });
    exchange.write(Buffer.from('half'));
    await until(() => backend.talks[0]?.heard.some(({ type }) => type === DATA) === true);
    backend.talks[0]!.send(reset(1, 7));
    assert.equal((await done).error?.code, 'reset');
    assert.equal(backend.talks[0]?.heard.filter(({ type }) => type === HEADERS).length, 1);
  });

  test(
    'is told from what it may have acted on: that is asked once, whatever its method',
    TIMED,
    async (t) => {
      for (const end of [reset(1, 8), reset(1, 2), goaway(1, 2)]) {
        const backend = await rawHttp2Backend(t, { onHead: (talk) => talk.send(end) });
        assert.equal((await client(t).ask(backend.origin).done).error?.code, 'reset');
        assert.equal(backend.talks.length, 1);
      }
      const backend = await rawHttp2Backend(t, { onHead: (talk) => talk.socket.destroy() });
      assert.equal((await client(t).ask(backend.origin).done).error?.code, 'reset');
      assert.equal(backend.talks.length, 1, 'a connection that is lost says nothing');
    },
  );
});

describe('as many at once as the backend takes', () => {
  test('the others wait on, in their order', TIMED, async (t) => {
    let [open, most] = [0, 0];
    const order: number[] = [];
    const backend = await rawHttp2Backend(t, {
      settings: setting(MAX_CONCURRENT_STREAMS, 2),
      onHead: (talk, stream) => {
        open += 1;
        most = Math.max(most, open);
        setTimeout(() => {
          open -= 1;
          answer(talk, stream);
        }, 5);
      },
    });
    const { ask } = client(t, { http2Limits: { connectionsPerBackend: 1 } });
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => ask(backend.origin).done.then(() => order.push(at))),
    );
    assert.equal(most, 2);
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('another connection is opened when one is full, up to the bound', TIMED, async (t) => {
    const backend = await rawHttp2Backend(t, { settings: setting(MAX_CONCURRENT_STREAMS, 1) });
    const { upstream, ask } = client(t, { http2Limits: { connectionsPerBackend: 3 } });
    const calls = Array.from({ length: 5 }, () => ask(backend.origin));
    await until(() => upstream.counts().waiting === 2);
    assert.equal(backend.talks.length, 3);
    for (const { exchange } of calls) exchange.abort();
    assert.equal(upstream.counts().waiting, 0);
  });

  test('the queue is bounded, in number and in time', TIMED, async (t) => {
    const backend = await rawHttp2Backend(t, { settings: setting(MAX_CONCURRENT_STREAMS, 0) });
    const { ask } = client(t, { http2Limits: { waitingPerBackend: 2, waitMs: 100 } });
    const [first, second, third] = [ask(backend.origin), ask(backend.origin), ask(backend.origin)];
    const over = await third.done;
    assert.deepEqual([over.error?.code, over.error?.message.includes('full')], ['busy', true]);
    for (const { done } of [first, second]) assert.equal((await done).error?.code, 'busy');
    assert.equal(backend.talks.length, 1, 'a backend that takes nothing is not dialled again');
  });

  test('room that comes later is used', TIMED, async (t) => {
    const backend = await rawHttp2Backend(t, {
      settings: setting(MAX_CONCURRENT_STREAMS, 0),
      onHead: (talk, stream) => answer(talk, stream),
    });
    const { done } = client(t).ask(backend.origin);
    await until(
      () => backend.talks[0]?.heard.some(({ type, flags }) => type === SETTINGS && flags === ACK) === true,
    );
    backend.talks[0]!.send(frame(SETTINGS, 0, 0, setting(MAX_CONCURRENT_STREAMS, 1)));
    assert.equal((await done).status, 200);
  });
});

describe('no connection', () => {
  test('to a backend of HTTP/1.1 alone', TIMED, async (t) => {
    const server = createHttp1((_request, response) => response.end());
    const { error } = await client(t).ask(await originOf(t, server)).done;
    assert.equal(error?.code, 'connect_failed');
  });

  test('to a backend that says nothing', TIMED, async (t) => {
    const backend = await rawHttp2Backend(t, { settings: null });
    const { error } = await client(t, { http2Limits: { readyMs: 50 } }).ask(backend.origin).done;
    assert.equal(error?.code, 'connect_failed');
  });

  test('to nobody, for all who wait', TIMED, async (t) => {
    const server = createServer();
    const origin = await originOf(t, server);
    server.close();
    const { ask, upstream } = client(t);
    const errors = await Promise.all([ask(origin), ask(origin)].map(({ done }) => done));
    assert.deepEqual(
      errors.map(({ error }) => error?.code),
      ['connect_failed', 'connect_failed'],
    );
    assert.deepEqual(upstream.counts(), { active: 0, idle: 0, waiting: 0 });
  });

  test('to a backend that ends each at once, and one dial for it', TIMED, async (t) => {
    const backend = await rawHttp2Backend(t, {
      settings: setting(MAX_CONCURRENT_STREAMS, 0),
      onConnection: (talk) => talk.send(goaway(0)),
    });
    const { error } = await client(t).ask(backend.origin).done;
    assert.equal(error?.code, 'reset');
    assert.equal(backend.talks.length, 1);
  });
});

test('what HTTP/1.1 would not write is refused before anything is sent', async (t) => {
  const backend = await rawHttp2Backend(t, {});
  const { ask } = client(t);
  const plans: readonly CallPlan[] = [
    { headers: ['Host', 'a', 'x-evil', 'a\r\nb: c'] },
    { headers: ['Host', 'a', 'x-evil', 'a\0b'] },
    { headers: ['Host', 'a', 'Transfer-Encoding', 'chunked'] },
    { headers: ['Host', 'a', 'Host', 'b'] },
    { headers: ['Host', 'a', ':path', '/other'] },
    { headers: [] },
    { method: 'CONNECT' },
    { target: '/a b' },
  ];
  for (const plan of plans)
    assert.throws(
      () => ask(backend.origin, plan),
      (error) => error instanceof UpstreamError && error.code === 'request_refused',
    );
  assert.equal(backend.talks.length, 0);
});

test('a body of another length than announced is no whole request', TIMED, async (t) => {
  const backend = await rawHttp2Backend(t, { onHead: () => {} });
  const { ask } = client(t);
  for (const text of ['more than that', 'less']) {
    const { exchange, done } = ask(backend.origin, { method: 'PUT', body: { length: 10 } });
    exchange.write(Buffer.from(text));
    exchange.end();
    assert.equal((await done).error?.code, 'body_mismatch');
  }
  const [talk] = backend.talks;
  assert.ok(!talk!.heard.some(({ type, flags }) => type === DATA && (flags & END_STREAM) !== 0));
});

describe('what a backend says breaks its own exchange, or its own connection', () => {
  for (const [name, frames, code] of EVIL_ANSWERS)
    test(name, TIMED, async (t) => {
      const backend = await rawHttp2Backend(t, {
        onHead: (talk, stream, nth) => {
          if (nth === 1) talk.send(...frames(stream));
          else answer(talk, stream, 'well');
        },
      });
      const { ask } = client(t);
      const evil = await ask(backend.origin).done;
      assert.equal(evil.error?.code, code);
      assert.ok(!evil.events.includes('end'));
      const next = await ask(backend.origin).done;
      assert.equal(String(next.body), 'well', 'the next one is served');
      assert.ok(backend.talks.length <= 2);
    });

  for (const [name, each] of [
    ['settings', frame(SETTINGS, 0, 0)],
    ['pings', frame(PING, 0, 0, Buffer.alloc(8))],
    ['goodbyes', goaway(1)],
  ] as const)
    test(`${name} without end, at a pace that is answered`, TIMED, async (t) => {
      const backend = await rawHttp2Backend(t, {
        onHead: (talk) => {
          const timer = setInterval(() => talk.send(...Array.from({ length: 10 }, () => each)), 2);
          t.after(() => clearInterval(timer));
        },
      });
      assert.equal((await client(t).ask(backend.origin).done).error?.code, 'reset');
    });

  test('a value with a line break is dropped, and what is around it is the answer', TIMED, async (t) => {
    const backend = await rawHttp2Backend(t, {
      onHead: (talk, stream) =>
        talk.send(head(stream, [...OK, ['x-a', 'a\r\nb: c'], ['x-b', 'a\0'], ['x-c', 'well']], false)),
    });
    const { headers, status } = await client(t).ask(backend.origin).done;
    assert.deepEqual([status, headers], [200, ['x-c', 'well']]);
  });

  test('data on a stream that is over: dropped, and the connection serves on', TIMED, async (t) => {
    const backend = await rawHttp2Backend(t, {
      onHead: (talk, stream) => {
        answer(talk, stream, 'well');
        talk.send(...Array.from({ length: 100 }, () => frame(DATA, 0, stream, Buffer.alloc(1_000))));
      },
    });
    const { ask } = client(t);
    for (let nth = 0; nth < 3; nth += 1) assert.equal(String((await ask(backend.origin).done).body), 'well');
  });
});

test('a backend that answered early may reset what is left of the request', TIMED, async (t) => {
  for (const code of [0, 8]) {
    const backend = await rawHttp2Backend(t, {
      onHead: (talk, stream) => {
        answer(talk, stream, 'enough');
        talk.send(reset(stream, code));
      },
    });
    const { exchange, done } = client(t).ask(backend.origin, { method: 'POST', body: 'chunked' });
    exchange.write(Buffer.from('more'));
    const { status, body } = await done;
    assert.deepEqual([status, String(body)], [200, 'enough']);
    assert.equal(exchange.write(Buffer.from('and more')), true);
    exchange.end();
  }
});

test('an abort resets its own stream, and the connection serves on', TIMED, async (t) => {
  const backend = await rawHttp2Backend(t, {
    onHead: (talk, stream, nth) => {
      if (nth === 2) answer(talk, stream);
    },
  });
  const { ask } = client(t);
  const { exchange } = ask(backend.origin);
  await until(() => backend.talks[0]?.heard.some(({ type }) => type === HEADERS) === true);
  exchange.abort();
  assert.notEqual(
    await backend.talks[0]!.wait(({ type, stream }) => type === RST_STREAM && stream === 1),
    null,
  );
  assert.equal((await ask(backend.origin).done).status, 200);
  assert.equal(backend.talks.length, 1);
});

test('a backend that opens no window: the caller is held back, within a bound', TIMED, async (t) => {
  const backend = await rawHttp2Backend(t, { settings: setting(INITIAL_WINDOW_SIZE, 0), onHead: () => {} });
  const { exchange } = client(t).ask(backend.origin, { method: 'PUT', body: 'chunked' });
  await until(() => backend.talks[0]?.heard.some(({ type }) => type === HEADERS) === true);
  let [taken, room] = [0, true];
  while (room && taken < 1_000) {
    room = exchange.write(Buffer.alloc(16 * 1024));
    taken += 1;
  }
  assert.ok(!room && taken <= 4, `${taken} pieces of 16 KiB`);
  assert.ok(!backend.talks[0]!.heard.some(({ type, payload }) => type === DATA && payload.length > 0));
  exchange.abort();
});

test('an answer that nobody reads stops at its window; others on the connection go on', TIMED, async (t) => {
  const server: Http2Server = createHttp2();
  let written = 0;
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => {});
    stream.respond({ ':status': 200 });
    if (headers[':path'] === '/small') return void stream.end('ok');
    const pump = (): void => {
      while (stream.write(Buffer.alloc(64 * 1024))) written += 64 * 1024;
      written += 64 * 1024;
    };
    stream.on('drain', pump);
    pump();
  });
  const origin = await originOf(t, server);
  const { ask } = client(t);
  let read = 0;
  const { exchange } = ask(origin, {
    target: '/large',
    on: {
      onData: (chunk) => {
        read += chunk.length;
        return false;
      },
    },
  });
  await until(() => read > 0);
  for (let nth = 0; nth < 20; nth += 1)
    assert.equal(String((await ask(origin, { target: '/small' }).done).body), 'ok');
  assert.ok(read <= 64 * 1024, `${read} bytes delivered`);
  assert.ok(written <= 4 * 1024 * 1024, `${written} bytes written`);
  exchange.abort();
});

test('16 MB each way arrive whole, by a reader that pauses', TIMED, async (t) => {
  const size = 16 * 1024 * 1024;
  const server: Http2Server = createHttp2();
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': 200 });
    stream.pipe(stream);
  });
  const origin = await originOf(t, server);
  let [sent, read] = [0, 0];
  const piece = Buffer.alloc(64 * 1024, 'x');
  const pump = (): void => {
    while (sent < size) {
      sent += piece.length;
      if (!exchange.write(piece)) return;
    }
    exchange.end();
  };
  const { exchange, done } = client(t).ask(origin, {
    method: 'POST',
    body: { length: size },
    on: {
      onDrain: pump,
      onData: (chunk) => {
        read += chunk.length;
        setImmediate(() => exchange.resume());
        return false;
      },
    },
  });
  pump();
  assert.equal((await done).error, null);
  assert.equal(read, size);
});

test('an idle connection is closed in time, and holds no process', TIMED, async (t) => {
  const backend = await rawHttp2Backend(t, { onHead: (talk, stream) => answer(talk, stream) });
  const { upstream, ask } = client(t, { http2Limits: { idleMs: 10 } });
  await ask(backend.origin).done;
  await backend.talks[0]!.closed;
  assert.deepEqual(upstream.counts(), { active: 0, idle: 0, waiting: 0 });
});

test(
  'a backend that says nothing while somebody waits is asked; one that does not answer that is given up',
  TIMED,
  async (t) => {
    const answers = [true, false];
    const limits = { silentMs: 50, askEveryMs: 10_000, answerMs: 100 };
    for (const answersPings of answers) {
      const backend = await rawHttp2Backend(t, { onHead: () => {} });
      const { exchange, done, outcome } = client(t, { http2Limits: limits }).ask(backend.origin);
      await until(() => backend.talks.length === 1);
      const [talk] = backend.talks;
      const ping = await talk!.wait(({ type, flags }) => type === PING && flags === 0);
      assert.notEqual(ping, null);
      if (answersPings) {
        talk!.send(frame(PING, ACK, 0, ping!.payload));
        await new Promise((resolve) => setTimeout(resolve, 200));
        assert.equal(outcome.error, null);
        answer(talk!, 1);
        assert.equal((await done).status, 200);
      } else assert.equal((await done).error?.code, 'reset');
      exchange.abort();
    }
  },
);

test('close(): what runs is answered, what is idle ends', TIMED, async (t) => {
  const backend = await rawHttp2Backend(t, {});
  const { upstream, ask } = client(t);
  const { done } = ask(backend.origin);
  await until(() => backend.talks[0]?.heard.some(({ type }) => type === HEADERS) === true);
  upstream.close();
  answer(backend.talks[0]!, 1);
  assert.equal((await done).status, 200);
  await backend.talks[0]!.closed;
});

async function originOf(t: TestContext, server: Server | Http2Server): Promise<UpstreamOrigin> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return {
    key: `HTTP/2 ${port}`,
    http2: 'http',
    dial: (options) => connect({ host: '127.0.0.1', port, ...options }),
  };
}
