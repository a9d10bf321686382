// THREATS "Exhaustion" by visitors over HTTP/1.1 and on bare connections: what is huge or many ends by
// itself, and others are served meanwhile. What is slow is in `exhaustion-slow.test.ts`, what HTTP/2 adds in
// `exhaustion-http2.test.ts`.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { listen } from '../../src/http/listener.ts';
import { startBackend } from '../support/backend.ts';
import { startTestGate, testLogin, testShare, type TestGateOptions } from '../support/gate.ts';
import { rawBackend } from '../support/raw-backend.ts';
import { until } from '../support/until.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const HOST = 'demo.share.localhost';
const OPEN = 'open.share.localhost';

const ANYWHERE = { host: '127.0.0.1', port: 0 } as const;
const notFound: RequestListener = (_request, response) => response.writeHead(404).end();

test('Exhaustion: huge heads are 431, whichever part is huge, and nothing is forwarded', async (t) => {
  let forwarded = 0;
  const backend = await startBackend(t, (_request, response) => {
    forwarded++;
    response.end();
  });
  const gate = await quietGate(t, { shares: [testShare('open', backend.url)] });
  const fine = `GET / HTTP/1.1\r\nHost: ${OPEN}\r\n`;
  const huge: Readonly<Record<string, string>> = {
    'a target of 1 MB': `GET /${'a'.repeat(1_048_576)} HTTP/1.1\r\n`,
    'a header of 1 MB': `${fine}X: ${'y'.repeat(1_048_576)}\r\n`,
    'a header name of 1 MB': `${fine}${'x'.repeat(1_048_576)}: y\r\n`,
    '100,000 headers': `${fine}${'x: y\r\n'.repeat(100_000)}`,
    '101 headers': `${fine}${'x: y\r\n'.repeat(101)}`,
    'a jar of 40 KB': `${fine}Cookie: ${'a=b; '.repeat(8_000)}c=d\r\n`,
    'a jar in crumbs': `${fine}${`Cookie: ${'a=b; '.repeat(60)}c=d\r\n`.repeat(120)}`,
  };
  for (const [name, head] of Object.entries(huge)) {
    const answer = await gate.raw(`${head}\r\n`, 3_000);
    assert.match(answer, /^HTTP\/1\.1 431 [^]*"headers_too_large"/, `${name}: ${answer.slice(0, 200)}`);
  }
  assert.equal(forwarded, 0);
});

test('Exhaustion: trailers and chunk extensions are bounded like heads', async (t) => {
  const backend = await startBackend(t, (request, response) =>
    request.resume().on('end', () => response.end('whole')),
  );
  const gate = await quietGate(t, { shares: [testShare('open', backend.url)] });
  const head = `POST / HTTP/1.1\r\nHost: ${OPEN}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  for (const body of [
    `0\r\n${'x: y\r\n'.repeat(100_000)}\r\n`,
    `3;${'a'.repeat(1_048_576)}\r\nabc\r\n0\r\n\r\n`,
    '1;a\r\nx\r\n'.repeat(100_000),
  ])
    assert.doesNotMatch(await gate.raw(head + body), /whole/);
});

test('Exhaustion: request trailers above what the parser reads end their request with 431 and the connection with it (DESIGN 3, "Ambiguous HTTP")', async (t) => {
  const backend = await startBackend(t, (request, response) =>
    request.resume().on('end', () => response.end('whole')),
  );
  const gate = await quietGate(t, { shares: [testShare('open', backend.url)] });
  const post = `POST / HTTP/1.1\r\nHost: ${OPEN}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n`;
  const next = `GET /next HTTP/1.1\r\nHost: ${OPEN}\r\nConnection: close\r\n\r\n`;
  const fine = await gate.raw(`${post}x: ${'a'.repeat(12_000)}\r\n\r\n${next}`);
  assert.equal(fine.match(/HTTP\/1\.1 200 /g)?.length, 2, fine.slice(0, 300));
  const refused = await gate.raw(`${post}x: ${'a'.repeat(40_000)}\r\n\r\n${next}`, 3_000);
  assert.match(refused, /^HTTP\/1\.1 431 [^]*"headers_too_large"/, refused.slice(0, 300));
  assert.doesNotMatch(refused, /whole|HTTP\/1\.1 200/);
});

test('Exhaustion: a jar of hundreds of cookies of our names costs little and hides nobody’s session that stands among the first', async (t) => {
  const backend = await startBackend(t, (_request, response) => response.end('in'));
  const share = testShare('demo', backend.url, { login: testLogin() });
  const gate = await quietGate(t, { shares: [share] });
  const { cookie } = gate.login(share);
  const value = cookie.slice(cookie.indexOf('=') + 1);
  const garbled = `${value.slice(0, -4)}AAAA`;
  const jar = `${cookie}; ${`svc-auth-session=${garbled}; `.repeat(60)}x=y`;
  const startedAt = performance.now();
  for (let round = 0; round < 200; round++)
    assert.equal((await gate.call({ host: HOST, headers: { cookie: jar } })).body, 'in');
  assert.ok(performance.now() - startedAt < 10_000);
  const many = Array.from({ length: 4_000 }, (_, index) => `c${index}=v`).join('; ');
  assert.equal((await gate.call({ host: HOST, headers: { cookie: many } })).status, 431);
});

test('Exhaustion: a thousand idle connections do not keep others out, and close with the gate', async (t) => {
  const backend = await startBackend(t, (_request, response) => response.end('in'));
  const gate = await quietGate(t, { shares: [testShare('open', backend.url)] });
  const sockets = Array.from({ length: 1_000 }, () => connect({ port: gate.port, host: '127.0.0.1' }));
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  for (const socket of sockets) socket.on('error', () => {});
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const startedAt = performance.now();
  assert.equal((await gate.call({ host: OPEN })).body, 'in');
  assert.ok(performance.now() - startedAt < PROMPTLY_MS);
});

test('Exhaustion: visitors who keep their side open after a refusal hold no descriptor', async (t) => {
  const share = testShare('demo', 'http://127.0.0.1:9', { login: testLogin() });
  const gate = await quietGate(t, { shares: [share] });
  const door = await listen({ name: 'door', at: ANYWHERE, certificates: null, handle: notFound });
  t.after(() => door.close(0));
  const upgrade = `GET / HTTP/1.1\r\nHost: ${HOST}\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n`;
  const said = [
    [gate.port, upgrade],
    [gate.port, 'rubbish\r\n\r\n'],
    [gate.port, `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 9999999\r\n\r\n`],
    [door.port, 'rubbish\r\n\r\n'],
    [door.port, 'GET / HTTP/1.0\r\n\r\n'],
  ] as const;
  const before = openSockets();
  for (const [port, bytes] of said) {
    const visitors = await Promise.all(Array.from({ length: 20 }, () => dripping(t, port, bytes, '')));
    await Promise.all(visitors.map((visitor) => once(visitor.resume(), 'end')));
    await until(() => openSockets() - before <= 20);
    for (const visitor of visitors) visitor.destroy();
    await until(() => openSockets() - before <= 0);
  }
});

test('Exhaustion: visitors who leave at any point leave nothing behind', async (t) => {
  const backend = await rawBackend((socket, head) => {
    if (!head.includes('/never')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  });
  t.after(backend.close);
  const gate = await quietGate(t, { shares: [testShare('open', `http://127.0.0.1:${backend.port}`)] });
  const heads = [
    `GET /never HTTP/1.1\r\nHost: ${OPEN}\r\n\r\n`,
    `POST /never HTTP/1.1\r\nHost: ${OPEN}\r\nContent-Length: 1000\r\n\r\nabc`,
    `POST / HTTP/1.1\r\nHost: ${OPEN}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab`,
    `GET /never HTTP/1.1\r\nHost: ${OPEN}\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: ${OPEN}\r\n\r\n`.repeat(50),
  ];
  const left: Promise<unknown>[] = [];
  for (let round = 0; round < 40; round++)
    for (const head of heads) {
      const socket = connect({ port: gate.port, host: '127.0.0.1' });
      socket.on('error', () => {});
      left.push(once(socket, 'close'));
      socket.write(head, () =>
        setImmediate(() => (round % 2 === 0 ? socket.destroy() : socket.resetAndDestroy())),
      );
    }
  await Promise.all(left);
  assert.equal((await gate.call({ host: OPEN })).body, 'ok');
  await until(() => backend.sockets.filter((socket) => !socket.destroyed).length <= 1);
});

async function quietGate(t: TestContext, options: TestGateOptions = {}) {
  const gate = await startTestGate(options);
  t.after(gate.close);
  return gate;
}

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
}

/** A connection that says `first`, then `piece` again and again. */
async function dripping(t: TestContext, port: number, first: string, piece: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  if (first !== '') socket.write(first, 'latin1');
  if (piece !== '') {
    const timer = setInterval(() => socket.writable && socket.write(piece, 'latin1'), 300);
    t.after(() => clearInterval(timer));
  }
  return socket;
}
