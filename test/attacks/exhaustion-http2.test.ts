// THREATS "Exhaustion" by HTTP/2 frames (RFC 9113 section 10.5): floods end their connection, and cost
// backends nothing.

import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGate, testShare, type TestGateOptions } from '../support/gate.ts';
import { openHttp2 } from '../support/http2-visitor.ts';
import {
  block,
  CONTINUATION,
  DATA,
  frame,
  GOAWAY,
  HEADERS,
  headersFrame,
  number32,
  openFrames,
  PING,
  RST_STREAM,
  SETTINGS,
  WINDOW_UPDATE,
  type Field,
  type FrameVisitor,
} from '../support/http2-frames.ts';
import { rawBackend, type OnRawRequest } from '../support/raw-backend.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const OPEN = 'open.share.localhost';
/** What should end and does not must not hold up the run. */
const TIMED = { timeout: 60_000 };
/** Long before its request would be too slow. */
const PROMPT = { timeout: 15_000 };
const CERTIFICATE = makeCertificate(['*.share.localhost']);
const GET: readonly Field[] = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/'],
  [':authority', OPEN],
];
/** Streams that one connection may have open at once (DESIGN 3). */
const MAX_STREAMS = 128;
/** Few enough that the streams that were reset last do not count any more. */
const BATCH = 50;
/** What a connection may reset for as long as it likes, beyond what it may reset at once. */
const RESETS_PER_SECOND = 33;

test(
  'Exhaustion: rapid resets end their connection, and never ask more of a backend than one connection may',
  TIMED,
  async (t) => {
    const { visitor, stillServes, most } = await attack(t);
    const cancel = number32(8);
    for (let stream = 1; stream < 8_000 && !visitor.socket.destroyed; stream += 2) {
      visitor.send(headersFrame(stream, GET), frame(RST_STREAM, 0, stream, cancel));
      if (stream % 100 === 1) await new Promise(setImmediate);
    }
    await visitor.closed;
    assert.ok(most() <= MAX_STREAMS + 8, `${most()} at once`);
    await stillServes();
  },
);

test(
  'Exhaustion: resets of requests that a backend works at end their connection before it worked at many',
  TIMED,
  async (t) => {
    const moved = new EventEmitter();
    const { visitor, stillServes, requests, open } = await attack(t, {
      onRequest: (socket) => {
        moved.emit('moved');
        socket.on('close', () => moved.emit('moved'));
      },
    });
    const come = async (holds: () => boolean) => {
      while (!holds() && !visitor.socket.destroyed)
        await Promise.race([once(moved, 'moved'), visitor.closed]);
    };
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1_000;
    let sent = 0;
    for (; sent < 2_000 && seconds() < 30 && !visitor.socket.destroyed; sent += BATCH) {
      const streams = Array.from({ length: BATCH }, (_, index) => 2 * (sent + index) + 1);
      const wanted = requests() + BATCH;
      visitor.send(...streams.map((stream) => headersFrame(stream, GET)));
      await come(() => requests() >= wanted);
      visitor.send(...streams.map((stream) => frame(RST_STREAM, 0, stream, number32(8))));
      await come(() => open() === 0);
    }
    const allowed = 1_000 + RESETS_PER_SECOND * seconds();
    // Whoever breaks off no more than the machine lets them is no attacker.
    if (sent > allowed + BATCH) await visitor.closed;
    assert.ok(requests() <= allowed, `${requests()} reached the backend in ${seconds()} s`);
    await stillServes();
  },
);

/** Frames that make the service itself reset the stream they are for (CVE-2025-8671). */
const PROVOKING: Readonly<Record<string, (stream: number) => Buffer>> = {
  'a window update of nothing': (stream) => frame(WINDOW_UPDATE, 0, stream, number32(0)),
  'a window beyond its limit': (stream) => frame(WINDOW_UPDATE, 0, stream, number32(0x7fff_ffff)),
  'data on a stream that ended': (stream) => frame(DATA, 0, stream, Buffer.from('x')),
};
for (const [what, provoke] of Object.entries(PROVOKING))
  test(
    `Exhaustion: a visitor who has the service reset streams is no better off: ${what}`,
    TIMED,
    async (t) => {
      const { visitor, stillServes, most, requests } = await attack(t);
      for (let stream = 1; stream < 8_000 && !visitor.socket.destroyed; stream += 2) {
        visitor.send(headersFrame(stream, GET), provoke(stream));
        if (stream % 100 === 1) await new Promise(setImmediate);
      }
      visitor.send(frame(PING, 0, 0, Buffer.alloc(8)));
      await visitor.wait(({ type, flags }) => type === GOAWAY || (type === PING && flags === 1));
      assert.ok(most() <= MAX_STREAMS + 8, `${most()} at once of ${requests()}`);
      await stillServes();
    },
  );

test('Exhaustion: a head of continuation frames without end is ended', TIMED, async (t) => {
  const { visitor, stillServes, requests } = await attack(t);
  await visitor.wait(({ type }) => type === SETTINGS);
  visitor.send(frame(HEADERS, 0, 1, block(GET)));
  for (let count = 0; count < 10_000 && !visitor.socket.destroyed; count++) {
    visitor.send(
      frame(CONTINUATION, 0, 1, count % 2 === 0 ? Buffer.alloc(0) : block([['x', 'y'.repeat(500)]])),
    );
    if (count % 100 === 0) await new Promise(setImmediate);
  }
  await visitor.closed;
  assert.equal(requests(), 0);
  await stillServes();
});

test('Exhaustion: a head that grows when it is decompressed is refused (HPACK bomb)', TIMED, async (t) => {
  const { visitor, stillServes, requests } = await attack(t);
  // One entry of 4 KB in the dynamic table, then ten thousand references to it, a byte each.
  const entry = Buffer.concat([Buffer.from([0x40]), block([['x', 'y'.repeat(3_900)]]).subarray(1)]);
  const bomb = Buffer.concat([block(GET), entry, Buffer.alloc(10_000, 0xbe)]);
  visitor.send(frame(HEADERS, 4 | 1, 1, bomb));
  const answer = await visitor.wait(
    ({ type, stream }) => type === GOAWAY || (stream === 1 && (type === RST_STREAM || type === HEADERS)),
  );
  assert.notEqual(answer?.type === HEADERS ? answer.payload[0] : null, 0x88);
  assert.equal(requests(), 0);
  await stillServes();
});

const FLOODS: Readonly<Record<string, (visitor: FrameVisitor) => Buffer>> = {
  pings: () => frame(PING, 0, 0, Buffer.alloc(8)),
  settings: () => frame(SETTINGS, 0, 0),
  'empty data': () => frame(DATA, 0, 1),
  'window updates': () => frame(WINDOW_UPDATE, 0, 0, number32(1)),
  'frames of kinds that nobody knows': () => frame(0x7f, 0, 0, Buffer.alloc(64)),
  'priorities of streams that never come': () => frame(2, 0, 101, Buffer.from([0, 0, 0, 0, 1])),
};
for (const [what, make] of Object.entries(FLOODS))
  test(`Exhaustion: a flood of ${what} that reads nothing back holds up nobody`, TIMED, async (t) => {
    const { visitor, stillServes } = await attack(t);
    visitor.send(headersFrame(1, [[':method', 'POST'], ...GET.slice(1)], true));
    visitor.socket.pause();
    const flood = Buffer.concat(Array.from({ length: 1_000 }, () => make(visitor)));
    const memory = process.memoryUsage().rss;
    for (let round = 0; round < 100 && !visitor.socket.destroyed; round++) {
      if (visitor.socket.writableLength < 4 * 1024 * 1024) visitor.send(flood);
      await new Promise(setImmediate);
    }
    await stillServes();
    assert.ok(process.memoryUsage().rss - memory < 128 * 1024 * 1024);
  });

test(
  'Exhaustion: a visitor who says goodbye without end, and stays, is let go at once',
  PROMPT,
  async (t) => {
    const { visitor, stillServes } = await attack(t);
    visitor.send(headersFrame(1, [[':method', 'POST'], ...GET.slice(1)], true));
    const goodbyes = Buffer.concat(Array.from({ length: 1_000 }, () => frame(GOAWAY, 0, 0, Buffer.alloc(8))));
    for (let round = 0; round < 20 && !visitor.socket.destroyed; round++) {
      visitor.send(goodbyes);
      await new Promise(setImmediate);
    }
    await visitor.closed;
    await stillServes();
  },
);

test('Exhaustion: a visitor who opens no window gets no answer into memory', TIMED, async (t) => {
  let sent = 0;
  const nothing = Buffer.from([0, 4, 0, 0, 0, 0]);
  const { visitor, stillServes } = await attack(t, {
    announced: nothing,
    onRequest: (socket, head) => {
      if (head.includes(' /big ')) {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n');
        const more = () => {
          while (!socket.destroyed) {
            sent += 65_536;
            if (!socket.write(Buffer.alloc(65_536))) return;
          }
        };
        socket.on('drain', more);
        more();
      } else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    },
  });
  await visitor.wait(({ type }) => type === SETTINGS);
  for (let stream = 1; stream < 33; stream += 2)
    visitor.send(headersFrame(stream, [GET[0]!, GET[1]!, [':path', '/big'], GET[3]!]));
  await visitor.wait(({ type, stream }) => type === HEADERS && stream === 31);
  await stillServes();
  assert.ok(sent < 16 * 8 * 1024 * 1024, `${sent} bytes for 16 streams`);
});

test('Exhaustion: more streams than are allowed are refused, or end the connection', TIMED, async (t) => {
  const { visitor, stillServes, most } = await attack(t);
  await visitor.wait(({ type }) => type === SETTINGS);
  for (let stream = 1; stream < 2 * 300; stream += 2) visitor.send(headersFrame(stream, GET));
  await visitor.wait(({ type }) => type === RST_STREAM || type === GOAWAY);
  assert.ok(most() <= MAX_STREAMS, `${most()} at once`);
  await stillServes();
});

type Attack = { readonly announced?: Buffer; readonly onRequest?: OnRawRequest } & TestGateOptions;

/**
 * A gate before a backend that does not answer but for `/well`, one hostile connection, and what the backend
 * sees of it.
 */
async function attack(t: TestContext, { announced, onRequest, ...options }: Attack = {}) {
  let requests = 0;
  let most = 0;
  const open = new Set<unknown>();
  const backend = await rawBackend((socket, head, nth) => {
    if (head.includes(' /well ')) {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      return;
    }
    requests++;
    open.add(socket);
    most = Math.max(most, open.size);
    socket.on('close', () => open.delete(socket));
    onRequest?.(socket, head, nth);
  });
  t.after(backend.close);
  const gate = await startTestGate({
    shares: [testShare('open', `http://127.0.0.1:${backend.port}`)],
    certificates: [CERTIFICATE],
    settings: { tls: true, publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 } },
    ...options,
  });
  t.after(gate.close);
  const visitor = await openFrames(t, gate.port, OPEN, { settings: announced });
  const stillServes = async () => {
    const startedAt = performance.now();
    const good = await openHttp2(t, gate.port, OPEN);
    assert.equal((await good.ask({ ':authority': OPEN, ':path': '/well' })).body, 'ok');
    assert.ok(performance.now() - startedAt < PROMPTLY_MS, 'others wait');
  };
  return { visitor, stillServes, requests: () => requests, most: () => most, open: () => open.size };
}
