// Request bodies that nobody wants (any more): the backend is down, takes nothing, or has answered already.
// The visitor is answered, and no connection and no stream is held for what may never come (DESIGN "Ambiguous
// HTTP"; RFC 9112 section 9.6, RFC 9113 section 8.1).

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ClientHttp2Stream } from 'node:http2';
import { connect, createServer, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGate, testLogin, testShare, type TestGateOptions } from '../support/gate.ts';
import { openHttp2 } from '../support/http2-visitor.ts';
import { listen } from '../support/raw-backend.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const HOST = 'demo.share.localhost';
const TIMED = { timeout: 60_000 };
const CERTIFICATE = makeCertificate(['*.share.localhost']);
const SECURE: TestGateOptions = {
  certificates: [CERTIFICATE],
  settings: { tls: true, publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 } },
};
const LENGTH = 20_000_000;

test('HTTP/1.1: an upload to a backend that is down is 502 and the connection ends', TIMED, async (t) => {
  const gate = await gateBefore(t, await closedPort());
  for (const framing of [`Content-Length: ${LENGTH}`, 'Transfer-Encoding: chunked']) {
    const startedAt = performance.now();
    const answer = await upload(t, gate.port, framing);
    assert.match(answer, /^HTTP\/1\.1 502 [^]*\r\nConnection: close\r\n[^]*backend_down/);
    assert.ok(performance.now() - startedAt < PROMPTLY_MS);
  }
});

test('HTTP/1.1: an upload that the backend breaks off is 502 and the connection ends', TIMED, async (t) => {
  const gate = await gateBefore(t, await backend(t, (socket) => socket.resetAndDestroy()));
  const answer = await upload(t, gate.port, `Content-Length: ${LENGTH}`);
  assert.match(answer, /^HTTP\/1\.1 502 [^]*\r\nConnection: close\r\n[^]*backend_down/);
});

test(
  'HTTP/1.1: a body that is there when its backend turns out to be down leaves the connection of use',
  TIMED,
  async (t) => {
    const gate = await gateBefore(t, await closedPort());
    const { socket, heard } = await visitor(t, gate.port);
    for (let count = 1; count <= 3; count++) {
      socket.write(`POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 3\r\n\r\nabc`);
      while (heard().split('backend_down').length <= count) await once(socket, 'data');
    }
    assert.doesNotMatch(heard(), /Connection: close/i);
  },
);

test('HTTP/1.1: an upload to a backend that takes nothing is 504 (progress limits)', TIMED, async (t) => {
  const gate = await gateBefore(t, await backend(t, () => {}), { limits: { headMs: 1_000 } });
  const answer = await upload(t, gate.port, `Content-Length: ${LENGTH}`);
  assert.match(answer, /^HTTP\/1\.1 504 [^]*backend_timeout/);
});

test(
  'HTTP/1.1: an early answer leaves no backend waiting for a body that stops, or whose visitor leaves',
  TIMED,
  async (t) => {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    let open = 0;
    const early = await backend(t, (socket) => {
      open += 1;
      socket.on('close', () => {
        open -= 1;
        if (open === 0) resolve();
      });
      socket.resume();
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const gate = await gateBefore(t, early, { limits: { bodyStallMs: 1_000 } });
    const visitors = await Promise.all([visitor(t, gate.port), visitor(t, gate.port)]);
    for (const { socket, heard } of visitors) {
      socket.write(`POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: ${LENGTH}\r\n\r\nabc`);
      while (!heard().endsWith('ok')) await once(socket, 'data');
    }
    assert.equal(open, 2);
    visitors[0]?.socket.destroy();
    await left;
  },
);

test('HTTP/2: uploads to a backend that is down are 502 and their streams end', TIMED, async (t) => {
  const gate = await gateBefore(t, await closedPort(), SECURE);
  const { session } = await openHttp2(t, gate.port, HOST);
  const answers = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const stream = session.request(post());
      stream.write(Buffer.alloc(1_000));
      return await answerOf(stream);
    }),
  );
  for (const answer of answers) assert.deepEqual(answer, { status: 502, code: 0 });
});

test('HTTP/2: an upload to a backend that takes nothing is 504 and its stream ends', TIMED, async (t) => {
  const gate = await gateBefore(t, await backend(t, () => {}), { ...SECURE, limits: { headMs: 1_000 } });
  const { session } = await openHttp2(t, gate.port, HOST);
  const stream = session.request(post());
  pump(stream);
  assert.deepEqual(await answerOf(stream), { status: 504, code: 0 });
});

test('HTTP/2: an answer that is all head reaches whoever still sends a body', TIMED, async (t) => {
  const share = testShare('demo', 'http://127.0.0.1:1', { login: testLogin() });
  const gate = await startTestGate({ shares: [share], ...SECURE });
  t.after(gate.close);
  const { session } = await openHttp2(t, gate.port, HOST);
  for (let nth = 0; nth < 3; nth += 1) {
    const stream = session.request({ ...post(), 'sec-fetch-mode': 'navigate', accept: 'text/html' });
    const answer = answerOf(stream);
    stream.write('a form, half of it');
    assert.deepEqual(await answer, { status: 303, code: 0 });
  }
});

test('HTTP/2: an upload that stops once it was answered holds no stream', TIMED, async (t) => {
  const early = await backend(t, (socket) => {
    socket.resume();
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  });
  const gate = await gateBefore(t, early, { ...SECURE, limits: { bodyStallMs: 1_000 } });
  const { session } = await openHttp2(t, gate.port, HOST);
  const stream = session.request(post());
  stream.write(Buffer.alloc(1_000));
  assert.deepEqual(await answerOf(stream), { status: 200, code: 0 });
});

test(
  'HTTP/2: an upload that a backend takes no more of once it has answered holds no stream',
  TIMED,
  async (t) => {
    const early = await backend(t, (socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    );
    const gate = await gateBefore(t, early, { ...SECURE, limits: { headMs: 1_000 } });
    const { session } = await openHttp2(t, gate.port, HOST);
    const stream = session.request(post());
    pump(stream);
    assert.deepEqual(await answerOf(stream), { status: 200, code: 0 });
  },
);

async function gateBefore(t: TestContext, port: number, options: TestGateOptions = {}) {
  const gate = await startTestGate({ shares: [testShare('demo', `http://127.0.0.1:${port}`)], ...options });
  t.after(gate.close);
  return gate;
}

/** A backend that reads the first piece of a request, and no more unless it is told to. */
async function backend(t: TestContext, onFirst: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.pause();
      onFirst(socket);
    });
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return await listen(server);
}

async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

async function visitor(t: TestContext, port: number) {
  const socket = connect({ port, host: '127.0.0.1' });
  t.after(() => socket.destroy());
  let heard = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1');
  });
  await once(socket, 'connect');
  return { socket, heard: () => heard };
}

/** Sends a body of `LENGTH` as fast as it goes; answers all that came back once the connection closed. */
async function upload(t: TestContext, port: number, framing: string): Promise<string> {
  const { socket, heard } = await visitor(t, port);
  const piece = Buffer.alloc(100_000);
  const chunk = framing.includes('chunked')
    ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
    : piece;
  socket.write(`POST / HTTP/1.1\r\nHost: ${HOST}\r\n${framing}\r\n\r\n`);
  for (let sent = 0; sent < LENGTH; sent += piece.length) socket.write(chunk);
  await new Promise((resolve) => socket.on('close', resolve));
  return heard();
}

function post() {
  return { ':authority': HOST, ':method': 'POST', ':path': '/', 'content-length': String(2 * LENGTH) };
}

/** Sends as much as the stream takes. */
function pump(stream: ClientHttp2Stream): void {
  const more = () => {
    while (!stream.destroyed && stream.write(Buffer.alloc(64 * 1024)));
  };
  stream.on('drain', more);
  more();
}

/** Resolves once the stream is closed. */
async function answerOf(stream: ClientHttp2Stream) {
  let status = 0;
  stream.on('error', () => {});
  stream.on('response', (head) => {
    status = Number(head[':status']);
  });
  stream.resume();
  await new Promise<void>((resolve) => stream.on('close', () => resolve()));
  return { status, code: stream.rstCode };
}
