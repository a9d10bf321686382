// Requests through an edge and an agent on real sockets, to real backends.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startTunnelRig } from '../../test/support/tunnel-rig.ts';
import { valuesIn } from '../../test/support/flat-values.ts';
import { until } from '../../test/support/until.ts';

type Backend = {
  readonly url: string;
  readonly server: Server;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

async function backend(listener: RequestListener): Promise<Backend> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const LIMIT = { timeout: 60_000 };

test(
  'a tunnel carries method, target, headers and a body of known length as they are (3 Tunnel)',
  LIMIT,
  async () => {
    let seen: { method?: string; url?: string; raw: readonly string[]; body: string } | null = null;
    await using app = await backend(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      seen = { method: request.method!, url: request.url!, raw: request.rawHeaders, body };
      response.sendDate = false;
      response.writeHead(203, [
        'Set-Cookie',
        'a=1',
        'Set-Cookie',
        'b=2',
        'X-Text',
        'h\u00e9',
        'Content-Length',
        '5',
      ]);
      response.end(Buffer.from('hello'));
    });
    await using rig = await startTunnelRig();
    await rig.join(app.url);
    const { exchange, done } = rig.call({
      method: 'PUT',
      target: '/a%2Fb//c?q="x"&#'.replace('#', ''),
      headers: ['Host', 'demo.test:81', 'X-Twice', '1', 'x-twice', '2', 'Cookie', 'a=\u00e9'],
      body: { length: 6 },
    });
    exchange.write(Buffer.from('abc'));
    exchange.write(Buffer.from('def'));
    exchange.end();
    const answer = await done;
    assert.equal(answer.error, null);
    assert.deepEqual(answer.events, ['head', 'data', 'end']);
    assert.equal(answer.status, 203);
    assert.equal(answer.body.toString(), 'hello');
    assert.deepEqual(valuesIn(answer.headers, 'set-cookie'), ['a=1', 'b=2']);
    assert.deepEqual(valuesIn(answer.headers, 'x-text'), ['h\u00e9']);
    assert.deepEqual(valuesIn(answer.headers, 'date'), []);
    const { method, url, raw, body } = seen!;
    assert.deepEqual([method, url, body], ['PUT', '/a%2Fb//c?q="x"&', 'abcdef']);
    assert.deepEqual(valuesIn(raw, 'host'), ['demo.test:81']);
    assert.deepEqual(valuesIn(raw, 'x-twice'), ['1', '2']);
    assert.deepEqual(valuesIn(raw, 'content-length'), ['6']);
    assert.deepEqual(valuesIn(raw, 'transfer-encoding'), []);
    assert.deepEqual(valuesIn(raw, 'cookie'), ['a=\u00e9']);
  },
);

test('a tunnel carries trailers both ways, and says TE only when it may (3 Tunnel)', LIMIT, async () => {
  await using app = await backend((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { trailer: 'x-sum', 'x-te': request.headers.te ?? 'none' });
      response.write('body');
      response.addTrailers([['X-Sum', String(request.trailers['x-up'])]]);
      response.end();
    });
  });
  await using rig = await startTunnelRig();
  await rig.join(app.url);
  const { exchange, done } = rig.call({ method: 'POST', body: 'chunked', trailersAllowed: true });
  exchange.write(Buffer.from('up'));
  exchange.end(['X-Up', '42']);
  const answer = await done;
  assert.deepEqual(answer.trailers, ['X-Sum', '42']);
  assert.deepEqual(valuesIn(answer.headers, 'x-te'), ['trailers']);
  const second = await rig.call().done;
  assert.deepEqual(valuesIn(second.headers, 'x-te'), ['none']);
});

test(
  'a request without a body has none at the target, one without a length is chunked, whatever its method (3 Tunnel)',
  LIMIT,
  async () => {
    await using app = await backend(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      response.end(JSON.stringify([...request.rawHeaders, 'body', body]));
    });
    await using rig = await startTunnelRig();
    await rig.join(app.url);
    for (const method of ['GET', 'POST', 'DELETE', 'PROPFIND']) {
      const none = JSON.parse((await rig.call({ method }).done).body.toString()) as string[];
      assert.deepEqual(valuesIn(none, 'transfer-encoding'), [], method);
      assert.deepEqual(valuesIn(none, 'body'), ['']);
      const { exchange, done } = rig.call({ method, body: 'chunked' });
      exchange.write(Buffer.from('body'));
      exchange.end();
      const chunked = JSON.parse((await done).body.toString()) as string[];
      assert.deepEqual(valuesIn(chunked, 'transfer-encoding'), ['chunked'], method);
      assert.deepEqual(valuesIn(chunked, 'body'), ['body']);
    }
  },
);

test('answers without a body end with their head (3 Tunnel)', LIMIT, async () => {
  await using app = await backend((request, response) => {
    if (request.url === '/204') response.writeHead(204).end();
    else if (request.url === '/304') response.writeHead(304, { etag: '"x"' }).end();
    else response.writeHead(200, { 'content-length': 1000 }).end();
  });
  await using rig = await startTunnelRig();
  await rig.join(app.url);
  for (const [method, target, status] of [
    ['HEAD', '/', 200],
    ['GET', '/204', 204],
    ['GET', '/304', 304],
  ] as const) {
    const answer = await rig.call({ method, target }).done;
    assert.deepEqual([answer.status, answer.body.byteLength, answer.error], [status, 0, null], target);
    assert.deepEqual(answer.events, ['head', 'end']);
  }
});

test('informational answers pass, at most eight of them (3 Tunnel)', LIMIT, async () => {
  await using app = await backend((request, response) => {
    response.writeContinue();
    const count = Number(request.url!.slice(1));
    for (let index = 1; index < count; index++)
      response.writeEarlyHints({ link: `</${index}>; rel=preload` });
    response.end('done');
  });
  await using rig = await startTunnelRig();
  await rig.join(app.url);
  const good = await rig.call({ target: '/8' }).done;
  assert.deepEqual(
    good.informational.map(([status]) => status),
    [100, 103, 103, 103, 103, 103, 103, 103],
  );
  assert.equal(good.body.toString(), 'done');
  const flood = await rig.call({ method: 'POST', target: '/9' }).done;
  assert.equal(flood.error?.code, 'protocol');
});

test('a body is held back at its source while nobody reads it, both ways (3 Tunnel)', LIMIT, async () => {
  let sent = 0;
  let received = 0;
  let readOn: (() => void) | null = null;
  await using app = await backend((request, response) => {
    if (request.method === 'POST') {
      request.once('data', (chunk: Buffer) => {
        received += chunk.byteLength;
        request.pause();
        readOn = () => {
          request.on('data', (more: Buffer) => {
            received += more.byteLength;
          });
          request.on('end', () => response.end());
          request.resume();
        };
      });
      return;
    }
    const write = () => {
      while (sent < TOTAL) {
        sent += PIECE.byteLength;
        if (!response.write(PIECE)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  });
  await using rig = await startTunnelRig();
  await rig.join(app.url);

  let got = 0;
  let open = false;
  const down = rig.call({ on: { onData: (chunk) => ((got += chunk.byteLength), open) } });
  await quiet(() => sent);
  assert.ok(sent < TOTAL / 2, `the target could send ${sent}`);
  assert.ok(got < TOTAL / 2, `${got} came without being asked for`);
  open = true;
  down.exchange.resume();
  await down.done;
  assert.equal(got, TOTAL);

  let written = 0;
  let drained: (() => void) | null = null;
  const up = rig.call({ method: 'POST', body: { length: TOTAL }, on: { onDrain: () => drained?.() } });
  const push = () => {
    while (written < TOTAL) {
      written += PIECE.byteLength;
      if (!up.exchange.write(PIECE)) return;
    }
    up.exchange.end();
  };
  drained = push;
  push();
  await quiet(() => written);
  assert.ok(written < TOTAL / 2, `the visitor could send ${written}`);
  readOn!();
  const answer = await up.done;
  assert.equal(answer.status, 200);
  assert.equal(received, TOTAL);
});

test('large bodies arrive byte for byte, many at once (3 Tunnel)', LIMIT, async () => {
  await using app = await backend((request, response) => request.pipe(response));
  await using rig = await startTunnelRig();
  await rig.join(app.url);
  const answers = Array.from({ length: 20 }, async (_none, index) => {
    const bytes = Buffer.alloc(700_001, `${index}-`);
    const { exchange, done } = rig.call({ method: 'POST', body: 'chunked' });
    exchange.write(bytes);
    exchange.end();
    const { body, error } = await done;
    assert.equal(error, null);
    assert.equal(sha(body), sha(bytes));
  });
  await Promise.all(answers);
});

test('a stream that nobody reads does not hold up another (3 Tunnel)', LIMIT, async () => {
  await using app = await backend((request, response) => {
    if (request.url === '/fast') response.end('fast');
    else response.end(Buffer.alloc(4 * 1024 * 1024));
  });
  await using rig = await startTunnelRig();
  await rig.join(app.url);
  const slow = Array.from({ length: 100 }, () => rig.call({ on: { onData: () => false } }));
  await Promise.all(slow.map(async ({ outcome }) => until(() => outcome.events.includes('data'))));
  const { body } = await rig.call({ target: '/fast' }).done;
  assert.equal(body.toString(), 'fast');
  for (const { exchange } of slow) exchange.abort();
});

test(
  'an abort of the visitor reaches the target, before and within the answer (3 Tunnel)',
  LIMIT,
  async () => {
    const closed: string[] = [];
    const opened: string[] = [];
    await using app = await backend((request, response) => {
      opened.push(request.url!);
      if (request.url === '/within') response.write('begun');
      response.on('close', () => closed.push(request.url!));
    });
    await using rig = await startTunnelRig();
    await rig.join(app.url);
    const before = rig.call({ target: '/before' });
    await until(() => opened.includes('/before'));
    before.exchange.abort();
    const within = rig.call({ target: '/within' });
    await until(() => within.outcome.events.includes('data'));
    within.exchange.abort();
    await until(() => closed.length === 2);
    await until(() => rig.active() === 0);
    await until(() => rig.served.length === 2);
    assert.deepEqual(
      rig.served.map(({ outcome }) => outcome.fault),
      ['visitor_left', 'visitor_left'],
    );
  },
);

test('an upload that the visitor breaks off does not end whole at the target (3 Tunnel)', LIMIT, async () => {
  let end = 'open';
  await using app = await backend((request) => {
    request.resume();
    request.on('end', () => {
      end = 'whole';
    });
    request.on('close', () => {
      if (end === 'open') end = 'broken';
    });
  });
  await using rig = await startTunnelRig();
  await rig.join(app.url);
  const { exchange } = rig.call({ method: 'POST', body: 'chunked' });
  exchange.write(Buffer.from('half'));
  await until(() => rig.active() === 1);
  await quiet(() => 0);
  exchange.abort();
  await until(() => end !== 'open');
  assert.equal(end, 'broken');
});

test('an answer that the target breaks off is an error, never a whole answer (3 Tunnel)', LIMIT, async () => {
  await using app = await backend((request, response) => {
    if (request.url === '/none') return void request.socket.destroy();
    const framing = request.url === '/length' ? { 'content-length': 100 } : {};
    response.writeHead(200, framing).write('half', () => setImmediate(() => request.socket.destroy()));
  });
  await using rig = await startTunnelRig();
  await rig.join(app.url);
  for (const target of ['/length', '/chunked']) {
    const { events, error } = await rig.call({ target }).done;
    assert.equal(error?.code, 'reset', target);
    assert.equal(events.includes('end'), false);
  }
  const none = await rig.call({ method: 'POST', target: '/none' }).done;
  assert.equal(none.error?.code, 'reset');
});

test('a target that nobody listens at is a failed connection (2.3)', LIMIT, async () => {
  const gone = await backend(() => undefined);
  await gone[Symbol.asyncDispose]();
  await using rig = await startTunnelRig();
  await rig.join(gone.url);
  const { error } = await rig.call().done;
  assert.equal(error?.code, 'connect_failed');
  await until(() => rig.served.length === 1);
  assert.deepEqual(rig.served.at(-1)?.outcome, { status: 0, fault: 'backend_down' });
});

test('an answer may come before the request is whole (3 Tunnel)', LIMIT, async () => {
  await using app = await backend((request, response) => {
    response.writeHead(413, { connection: 'close' }).end('too much');
    request.resume();
  });
  await using rig = await startTunnelRig();
  await rig.join(app.url);
  const { exchange, done } = rig.call({ method: 'POST', body: 'chunked' });
  exchange.write(Buffer.from('x'));
  const answer = await done;
  assert.deepEqual([answer.status, answer.body.toString()], [413, 'too much']);
  exchange.write(Buffer.from('y'));
  exchange.end();
  await until(() => rig.active() === 0);
});

test('a body that is longer or shorter than announced is refused (3 Tunnel)', LIMIT, async () => {
  await using app = await backend((request, response) => request.pipe(response));
  await using rig = await startTunnelRig();
  await rig.join(app.url);
  const long = rig.call({ method: 'POST', body: { length: 2 } });
  long.exchange.write(Buffer.from('abc'));
  assert.equal((await long.done).error?.code, 'body_mismatch');
  const short = rig.call({ method: 'POST', body: { length: 4 } });
  short.exchange.write(Buffer.from('abc'));
  short.exchange.end();
  assert.equal((await short.done).error?.code, 'body_mismatch');
});

function sha(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Until a count has stopped growing for a while. */
async function quiet(count: () => number): Promise<void> {
  for (let last = -1, still = 0; still < 20;) {
    still = count() === last ? still + 1 : 0;
    last = count();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const PIECE = Buffer.alloc(64 * 1024, 'p');
const TOTAL = 512 * PIECE.byteLength;
