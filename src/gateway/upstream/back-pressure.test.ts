// 64 MiB either way in flat memory: the slow side sets the pace.

import assert from 'node:assert/strict';
import { createHash, randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { listen } from '../../../test/support/raw-backend.ts';
import { call } from '../../../test/support/upstream-call.ts';
import { createUpstream } from './upstream.ts';
import type { UpstreamExchange, UpstreamOrigin } from './upstream-request.ts';

const PIECE = randomFillSync(Buffer.alloc(64 * 1024));
const PIECES = 1_024;
const TOTAL = PIECE.length * PIECES;
/** Held by both ends, which live in this process, and by the kernel between them. */
const FLAT_BYTES = 16 * 1024 * 1024;
const COLLECT_BYTES = 4 * 1024 * 1024;

async function origin(
  t: TestContext,
  onSocket: (socket: Socket) => void,
  lends: boolean,
): Promise<UpstreamOrigin> {
  const server: Server = createServer(onSocket);
  const port = await listen(server);
  t.after(() => server.close());
  return {
    key: String(port),
    dial: (options) => connect({ host: '127.0.0.1', port, ...(lends ? options : {}) }),
  };
}

function expected(): string {
  const hash = createHash('sha256');
  for (let nth = 0; nth < PIECES; nth += 1) hash.update(PIECE);
  return hash.digest('hex');
}

/** Watches the memory that buffers hold after garbage is collected, which is after every few MiB. */
function watchMemory(): { readonly sample: (bytes: number) => void; readonly grown: () => number } {
  collect();
  const before = process.memoryUsage().arrayBuffers;
  let most = before;
  let passed = 0;
  return {
    sample: (bytes) => {
      passed += bytes;
      if (passed < COLLECT_BYTES) return;
      passed = 0;
      collect();
      most = Math.max(most, process.memoryUsage().arrayBuffers);
    },
    grown: () => most - before,
  };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

for (const lends of [true, false]) {
  const how = lends ? 'a lent read buffer' : 'ordinary reads';
  test(`onData() returning false holds back the backend, with ${how}`, async (t) => {
    let written = 0;
    const from = await origin(
      t,
      async (socket) => {
        await once(socket, 'data');
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${TOTAL}\r\n\r\n`);
        for (let nth = 0; nth < PIECES; nth += 1) {
          written += PIECE.length;
          if (!socket.write(PIECE)) await once(socket, 'drain');
        }
      },
      lends,
    );
    const memory = watchMemory();
    const hash = createHash('sha256');
    const upstream = createUpstream();
    t.after(() => upstream.close());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let read = 0;
    let ahead = 0;
    const exchange: UpstreamExchange = upstream.exchange(from, GET, {
      onInformational: () => {},
      onHead: () => {},
      onData: (chunk) => {
        hash.update(chunk);
        read += chunk.length;
        ahead = Math.max(ahead, written - read);
        memory.sample(chunk.length);
        setImmediate(() => setImmediate(() => exchange.resume()));
        return false;
      },
      onEnd: () => resolve(),
      onError: reject,
      onDrain: () => {},
    });
    await promise;
    assert.equal(read, TOTAL);
    assert.equal(hash.digest('hex'), expected());
    assert.ok(memory.grown() < FLAT_BYTES, `${memory.grown()} bytes`);
    assert.ok(ahead < FLAT_BYTES, `${ahead} bytes ahead`);
    assert.equal(upstream.counts().idle, 1);
  });
}

test('onData() returning false for good stops the backend altogether', async (t) => {
  const stopped = Promise.withResolvers<number>();
  const from = await origin(
    t,
    async (socket) => {
      socket.on('error', () => {});
      await once(socket, 'data');
      socket.write(`HTTP/1.1 200 OK\r\n\r\n`);
      let written = 0;
      while (socket.write(PIECE)) written += PIECE.length;
      // The kernel takes what fits into its buffers; a writer that is never asked for more proves the stop.
      const timer = setTimeout(() => stopped.resolve(written), 300);
      socket.on('drain', () => {
        timer.refresh();
        while (socket.write(PIECE)) written += PIECE.length;
        written += PIECE.length;
      });
    },
    true,
  );
  const upstream = createUpstream();
  let read = 0;
  const { exchange } = call(upstream, from, {
    on: {
      onData: (chunk) => {
        read += chunk.length;
        return false;
      },
    },
  });
  const written = await stopped.promise;
  assert.ok(read <= 64 * 1024, `${read} bytes read`);
  assert.ok(written < TOTAL, `${written} bytes written`);
  exchange.abort();
});

test('write() giving false and onDrain hold back the caller', async (t) => {
  const hash = createHash('sha256');
  let received = 0;
  const from = await origin(
    t,
    (socket) => {
      let body = -1;
      socket.on('data', (chunk: Buffer) => {
        let part = chunk;
        if (body === -1) {
          body = 0;
          part = chunk.subarray(chunk.indexOf('\r\n\r\n') + 4);
        }
        hash.update(part);
        received += part.length;
        if (received === TOTAL)
          socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        socket.pause();
        setImmediate(() => socket.resume());
      });
    },
    true,
  );
  const memory = watchMemory();
  let sent = 0;
  let waits = 0;
  const pump = (): void => {
    while (sent < TOTAL) {
      sent += PIECE.length;
      memory.sample(PIECE.length);
      // A copy, so that what piles up can be seen.
      if (!exchange.write(Buffer.from(PIECE))) {
        waits += 1;
        assert.ok(sent - received < FLAT_BYTES, `${sent - received} bytes ahead`);
        return;
      }
    }
    exchange.end();
  };
  const upstream = createUpstream();
  const { exchange, done } = call(upstream, from, {
    method: 'PUT',
    body: { length: TOTAL },
    on: { onDrain: pump },
  });
  pump();
  assert.equal((await done).status, 200);
  assert.equal(hash.digest('hex'), expected());
  assert.ok(waits > 10, `${waits} waits`);
  assert.ok(memory.grown() < FLAT_BYTES, `${memory.grown()} bytes`);
});

const GET = {
  method: 'GET',
  target: '/',
  headers: ['Host', 'backend.test'],
  body: 'none',
  trailersAllowed: false,
  upgrade: null,
} as const;
