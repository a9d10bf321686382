// THREATS "Connections and fairness": whoever opens as many requests as they can, by however many
// connections, leaves the other visitors of a share, and other shares, their backends.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { PORTION, SOCKET_PORTION, TUNNEL_PORTION } from '../../src/gateway/seats.ts';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGate, testLogin, testShare } from '../support/gate.ts';
import { openHttp2 } from '../support/http2-visitor.ts';
import { rawBackend } from '../support/raw-backend.ts';
import { until } from '../support/until.ts';
import { testDirect, usesTunnels } from '../support/way.ts';

const HOST = 'open.share.localhost';
const TIMED = { timeout: 60_000 };
const MOST = usesTunnels() ? TUNNEL_PORTION : PORTION;

test(
  'Fair use: one address holds its portion of a share, others and other shares are served, and all is given back',
  TIMED,
  async (t) => {
    const { gate, hanging, come } = await start(t);
    const visitors = Array.from({ length: MOST + 50 }, () => hang(t, gate.port, HOST));
    await come(() => hanging() >= MOST);
    const refused = await ask(gate.port, { host: HOST });
    assert.deepEqual([refused.status, JSON.parse(refused.body).code], [429, 'rate_limited']);
    assert.match(refused.retryAfter, /^\d+$/);
    assert.equal((await ask(gate.port, { host: HOST, from: '127.0.0.2' })).body, 'ok');
    assert.equal((await ask(gate.port, { host: 'other.share.localhost' })).body, 'ok');
    assert.equal(hanging(), MOST);
    for (const socket of visitors) socket.destroy();
    await come(() => hanging() === 0);
    assert.equal((await ask(gate.port, { host: HOST })).body, 'ok');
  },
);

test(
  'Fair use: a person counts from wherever and by however many sessions they come, by HTTP/2 too, and beside them another of the same address is served',
  TIMED,
  async (t) => {
    const { gate, secure, demo, hanging, come } = await start(t);
    const [eve, eveAgain] = [secure.login(demo).cookie, secure.login(demo).cookie];
    const ada = secure.login(demo, { email: 'bea@example.com' }).cookie;
    const authority = { ':authority': 'demo.share.localhost' };
    const visitors = await Promise.all(
      Array.from({ length: Math.ceil((MOST + 50) / 100) }, () =>
        openHttp2(t, secure.port, 'demo.share.localhost'),
      ),
    );
    for (const [index, { session }] of visitors.entries())
      for (let count = 0; count < 100 && index * 100 + count < MOST + 50; count++)
        session
          .request({ ...authority, ':path': '/hang', cookie: count % 2 === 0 ? eve : eveAgain })
          .on('error', () => {});
    await come(() => hanging() >= MOST);
    const [first] = visitors as [(typeof visitors)[0]];
    assert.equal((await first.ask({ ...authority, ':path': '/', cookie: eve })).status, 429);
    assert.equal((await first.ask({ ...authority, ':path': '/', cookie: ada })).body, 'ok');
    assert.equal((await ask(gate.port, { host: HOST })).body, 'ok');
    assert.equal(hanging(), MOST);
    for (const { session } of visitors) session.destroy();
    await come(() => hanging() === 0);
  },
);

testDirect(
  'Fair use: one visitor holds a portion of a share’s WebSockets, and gives it back',
  TIMED,
  async (t) => {
    const { secure, ask: askOpen } = await startSockets(t);
    const visitors: Awaited<ReturnType<typeof openHttp2>>[] = [];
    const open = (visitor: (typeof visitors)[0]): Promise<number> => {
      const stream = visitor.session.request(WEB_SOCKET).on('error', () => {});
      return once(stream, 'response').then(([head]) => Number((head as Record<string, unknown>)[':status']));
    };
    const statuses: number[] = [];
    // On their way to the backend they are requests like others.
    for (let index = 0; index < 18; index++) {
      // In its turn: a connection on which nothing happens for a while is closed.
      const visitor = await openHttp2(t, secure.port, HOST);
      visitors.push(visitor);
      statuses.push(...(await Promise.all(Array.from({ length: 120 }, () => open(visitor)))));
    }
    assert.equal(statuses.filter((status) => status === 200).length, SOCKET_PORTION);
    assert.deepEqual(new Set(statuses), new Set([200, 429]));
    assert.equal(await askOpen(), 'ok', 'requests have seats of their own');
    for (const { session } of visitors.slice(1)) session.destroy();
    await until(async () => (await open(visitors[0]!)) === 200);
  },
);

test('Fair use: requests that fail give their place back', TIMED, async (t) => {
  const gate = await startTestGate({ shares: [testShare('open', 'http://127.0.0.1:9')] });
  t.after(gate.close);
  for (let count = 0; count < 2 * MOST; count += 100) {
    const all = await Promise.all(Array.from({ length: 100 }, () => ask(gate.port, { host: HOST })));
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([502]));
  }
});

function hang(t: TestContext, port: number, host: string): Socket {
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  socket.write(`GET /hang HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  return socket;
}

type Ask = { readonly host: string; readonly from?: string };

async function ask(port: number, { host, from = '127.0.0.1' }: Ask) {
  const call = httpRequest({
    port,
    host: '127.0.0.1',
    localAddress: from,
    agent: false,
    headers: { host, accept: 'application/json' },
  }).end();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  const body = await text(answer);
  return { status: answer.statusCode, body, retryAfter: answer.headers['retry-after'] ?? '' };
}

/** Gates before a backend that never answers `/hang`. */
async function start(t: TestContext) {
  let hanging = 0;
  let moved: () => void = nothing;
  const backend = await rawBackend((socket, head) => {
    if (!head.startsWith('GET /hang ')) {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      return;
    }
    hanging++;
    moved();
    socket.on('close', () => {
      hanging--;
      moved();
    });
  });
  t.after(backend.close);
  const target = `http://127.0.0.1:${backend.port}`;
  const demo = testShare('demo', target, { login: testLogin() });
  const shares = [testShare('open', target), testShare('other', target), demo];
  const gate = await startTestGate({ shares });
  t.after(gate.close);
  const secure = await startTestGate({
    shares,
    certificates: [makeCertificate(['*.share.localhost'])],
    settings: { tls: true, publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 } },
  });
  t.after(secure.close);
  const come = async (holds: () => boolean) => {
    while (!holds())
      await new Promise<void>((resolve) => {
        moved = resolve;
      });
  };
  return { gate, secure, demo, hanging: () => hanging, come };
}

/** Before a backend that takes every WebSocket. */
async function startSockets(t: TestContext) {
  const backend = await rawBackend((socket, head) => {
    const key = /^sec-websocket-key: (\S+)/im.exec(head)?.[1];
    socket.write(
      key === undefined
        ? 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
        : `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${acceptOf(key)}\r\n\r\n`,
    );
  });
  t.after(backend.close);
  const secure = await startTestGate({
    shares: [testShare('open', `http://127.0.0.1:${backend.port}`)],
    certificates: [makeCertificate(['*.share.localhost'])],
    settings: { tls: true, publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 } },
  });
  t.after(secure.close);
  const visitor = await openHttp2(t, secure.port, HOST);
  return { secure, ask: async () => (await visitor.ask({ ':authority': HOST, ':path': '/' })).body };
}

/** RFC 6455 section 4.2.2. */
function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}

/** RFC 8441. */
const WEB_SOCKET = {
  ':method': 'CONNECT',
  ':protocol': 'websocket',
  ':scheme': 'https',
  ':authority': HOST,
  ':path': '/',
  'sec-websocket-version': '13',
  origin: `https://${HOST}`,
};

function nothing(): void {}
