// THREATS "Connections and fairness": requests that a visitor sends before the answers to those ahead of them
// (RFC 9112 section 9.3.2). One is forwarded at a time and in order, over plain connections and TLS; what it
// may hold is bounded, and gone with it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGate, testShare } from '../support/gate.ts';
import { rawBackend } from '../support/raw-backend.ts';

const HOST = 'open.share.localhost';
const TIMED = { timeout: 60_000 };
const CERTIFICATE = makeCertificate(['*.share.localhost']);
const HTTPS = {
  tls: true,
  publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
} as const;

for (const way of ['plain', 'TLS'] as const)
  describe(`Pipelining, ${way}`, () => {
    test(
      'of 6,000 requests to a backend that hangs one is forwarded, others are served, and all is gone with the visitor',
      TIMED,
      async (t) => {
        const { visit, backend, others } = await hangingGate(t, way);
        const { socket } = await visit();
        socket.write(get('/hang').repeat(6_000));
        await backend.came(1);
        await others();
        assert.equal(backend.hung(), 1);
        socket.destroy();
        await backend.idle();
        await others();
        assert.equal(backend.hung(), 1, 'none of those that waited was forwarded');
      },
    );

    test(
      'of as many as may wait one is forwarded, and a visitor who leaves takes the waiting along',
      TIMED,
      async (t) => {
        const { visit, backend, others } = await hangingGate(t, way);
        const { socket } = await visit();
        socket.write(get('/hang').repeat(100));
        await backend.came(1);
        await others();
        assert.equal(backend.hanging(), 1);
        socket.end();
        await backend.idle();
        await others();
        assert.equal(backend.hung(), 1, 'none of those that waited was forwarded');
      },
    );

    test('a visitor who leaves in the middle of a head behind a request frees it', TIMED, async (t) => {
      const { visit, backend } = await hangingGate(t, way);
      const { socket } = await visit();
      socket.write(`${get('/hang')}GET /next HTTP/1.1\r\nHo`);
      await backend.came(1);
      socket.end();
      await backend.idle();
    });

    test(
      'a visitor who sends on behind a request that hangs is let go of, and held to a bound',
      TIMED,
      async (t) => {
        const { visit, backend, others } = await hangingGate(t, way);
        const { socket, closed } = await visit();
        socket.write(get('/hang'));
        await backend.came(1);
        const memory = process.memoryUsage().rss;
        const more = get('/hang').repeat(1_000);
        const send = () => {
          while (socket.writable && socket.write(more));
        };
        socket.on('drain', send);
        send();
        await closed;
        assert.ok(process.memoryUsage().rss - memory < 64 * 1024 * 1024);
        await backend.idle();
        await others();
      },
    );

    test(
      '3,000 requests are answered in order, bodies among them, however the bytes are cut',
      TIMED,
      async (t) => {
        const { visit, backend } = await hangingGate(t, way);
        const { socket, heard } = await visit();
        const count = 3_000;
        const bytes = Buffer.from(
          Array.from({ length: count }, (_, index) =>
            index % 7 === 3 ? post(`/echo-${index}`, `body-${index}`) : get(`/echo-${index}`),
          ).join(''),
        );
        for (let at = 0; at < bytes.length;) {
          const to = at + 1 + ((at * 7_919) % 4_000);
          socket.write(bytes.subarray(at, to));
          at = to;
          if (at % 3 === 0) await new Promise(setImmediate);
        }
        // To look for it in all that has come, with each piece that comes, takes seconds.
        const text = await heard((so) => so.endsWith(`[/echo-${count - 1}]`));
        assert.deepEqual(
          [...text.matchAll(/\[\/echo-(\d+)\]/g)].map(([, index]) => Number(index)),
          Array.from({ length: count }, (_, index) => index),
        );
        assert.equal(backend.most(), 1, 'one at a time');
      },
    );

    test('a body longer than what may wait arrives whole behind a request', TIMED, async (t) => {
      const { visit } = await hangingGate(t, way);
      const { socket, heard } = await visit();
      socket.write(get('/slow') + post('/length', 'x'.repeat(3_000_000)) + get('/echo-last'));
      const text = await heard((so) => so.includes('[/echo-last]'));
      assert.match(text, /\[\/slow\][^]*\[3000000\][^]*\[\/echo-last\]/);
    });

    for (const [what, bad] of [
      ['a malformed head', 'GET / HTTP/1.1\r\nbad header\r\n\r\n'],
      ['no HTTP', 'rubbish\r\n\r\n'],
      [
        'a chunk that is none',
        `POST / HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      ],
    ] as const)
      test(`a good request is answered before ${what} behind it`, TIMED, async (t) => {
        const { visit, backend } = await hangingGate(t, way);
        for (const good of [get('/slow'), get('/slow') + get('/echo-2')]) {
          const { socket, heard, closed } = await visit();
          socket.write(good + bad + get('/echo-behind'));
          await closed;
          const text = await heard(() => true);
          assert.match(text, /^HTTP\/1\.1 200 [^]*\[\/slow\]/);
          if (good.includes('/echo-2')) assert.match(text, /\[\/slow\][^]*\[\/echo-2\]/);
          assert.match(text, /\][^]*HTTP\/1\.1 400 [^]*"bad_request"/);
          assert.doesNotMatch(text, /behind/);
        }
        assert.equal(backend.most(), 1);
      });

    for (const [what, upgrade, said] of [
      [
        'an upgrade',
        `GET /ws HTTP/1.1\r\nHost: ${HOST}\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n`,
        /^HTTP\/1\.1 200 (?:(?!HTTP\/1)[^])*\[\/slow\]$/,
      ],
      [
        'CONNECT',
        `CONNECT ${HOST}:80 HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
        /^HTTP\/1\.1 200 (?:(?!HTTP\/1)[^])*\[\/slow\]HTTP\/1\.1 405 (?:(?!HTTP\/1)[^])*$/,
      ],
    ] as const)
      test(`${what} behind a request does not get between its answer`, TIMED, async (t) => {
        const { visit, backend } = await hangingGate(t, way);
        const { socket, heard, closed } = await visit();
        socket.write(get('/slow') + upgrade);
        await closed;
        assert.match(await heard(() => true), said);
        const hung = await visit();
        hung.socket.write(get('/hang') + upgrade);
        await backend.came(1);
        hung.socket.end();
        await backend.idle();
      });

    test(
      'what follows a switch of protocols reaches nobody but the backend, also behind requests that waited',
      TIMED,
      async (t) => {
        const { visit, backend } = await hangingGate(t, way);
        const { socket, heard } = await visit();
        socket.write(get('/1') + get('/2'));
        await heard((text) => text.endsWith('[/2]'));
        socket.write(WEB_SOCKET);
        await heard((text) => text.includes('101 Switching'));
        // Each takes a parser that Node has to spare.
        const others = await Promise.all(Array.from({ length: 20 }, visit));
        socket.write(get('/frames'));
        await backend.received('GET /frames');
        for (const [index, other] of others.entries()) {
          other.socket.write(get(`/other${index}`));
          const text = await other.heard((said) => said.endsWith(']'));
          assert.ok(text.endsWith(`[/other${index}]`), text);
          assert.ok(!text.includes('frames'), text);
        }
        assert.equal(backend.timesReceived('GET /frames'), 1);
      },
    );

    test('what was read behind a switch of protocols that waited arrives whole', TIMED, async (t) => {
      const { visit, backend } = await hangingGate(t, way);
      const { socket, heard } = await visit();
      socket.write(get('/slow') + get('/slow'));
      await backend.received('GET /slow');
      const frames = Array.from({ length: 1_000 }, (_, index) => `<${index}>`).join('');
      socket.write(WEB_SOCKET + frames);
      await heard((text) => text.includes('101 Switching'));
      await backend.received(frames);
      socket.write('<later>');
      await backend.received(`${frames}<later>`);
    });

    test('answers that nobody reads stop the forwarding', TIMED, async (t) => {
      const { visit, backend } = await hangingGate(t, way);
      const { socket } = await visit();
      socket.pause();
      socket.write(get('/big').repeat(100));
      await backend.quiet();
      assert.ok(backend.requests() < 100, `${backend.requests()} were forwarded`);
      socket.destroy();
      await backend.idle();
    });
  });

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
}

const WEB_SOCKET = [
  `GET /socket HTTP/1.1\r\nHost: ${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`,
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
].join('');
const SWITCHED = [
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n',
  'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n',
].join('');

function post(path: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** A gate before a backend that says the path in brackets, late for `/slow`, never for `/hang`. */
async function hangingGate(t: TestContext, way: 'plain' | 'TLS') {
  const hanging = new Set<Socket>();
  let hung = 0;
  let busy = 0;
  let most = 0;
  let requests = 0;
  let moved: () => void = nothing;
  const answer = (socket: Socket, text: string) => {
    busy--;
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
  };
  const bodies = new Map<Socket, number>();
  const server = await rawBackend((socket, head) => {
    const path = head.split(' ')[1]!;
    if (path === '/well') return void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    if (path === '/socket') return void socket.write(SWITCHED);
    requests++;
    busy++;
    most = Math.max(most, busy);
    if (path === '/hang') {
      hung++;
      hanging.add(socket);
      socket.on('close', () => {
        busy--;
        hanging.delete(socket);
        moved();
      });
      moved();
    } else if (path === '/slow') setTimeout(() => answer(socket, `[${path}]`), 100);
    else if (path === '/big') answer(socket, 'x'.repeat(1_000_000));
    else if (path === '/length') {
      const total = Number(/content-length: (\d+)/i.exec(head)![1]);
      const timer = setInterval(() => {
        const at = server.sockets.indexOf(socket);
        const all = server.received[at]!;
        if (all.length - all.lastIndexOf('\r\n\r\n') - 4 < total) return;
        clearInterval(timer);
        answer(socket, `[${total}]`);
      }, 20);
      bodies.set(socket, total);
    } else answer(socket, `[${path}]`);
  });
  t.after(server.close);
  const gate = await startTestGate({
    shares: [testShare('open', `http://127.0.0.1:${server.port}`)],
    ...(way === 'TLS' ? { certificates: [CERTIFICATE], settings: HTTPS } : {}),
  });
  t.after(gate.close);
  const visit = async () => {
    const at = { port: gate.port, host: '127.0.0.1' };
    const socket =
      way === 'TLS' ? connectTls({ ...at, servername: HOST, rejectUnauthorized: false }) : connect(at);
    socket.on('error', () => {});
    t.after(() => socket.destroy());
    await once(socket, way === 'TLS' ? 'secureConnect' : 'connect');
    let text = '';
    let look: () => void = nothing;
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      look();
    });
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    const heard = (holds: (text: string) => boolean) =>
      new Promise<string>((resolve) => {
        look = () => void ((holds(text) || socket.closed) && resolve(text));
        socket.on('close', () => look());
        look();
      });
    return { socket, heard, closed };
  };
  const come = async (holds: () => boolean) => {
    while (!holds())
      await new Promise<void>((resolve) => {
        moved = resolve;
      });
  };
  return {
    visit,
    others: async () => {
      const { socket, heard } = await visit();
      socket.write(get('/well'));
      await heard((text) => text.endsWith('ok'));
      socket.destroy();
    },
    backend: {
      came: (count: number) => come(() => hanging.size >= count),
      idle: () => come(() => hanging.size === 0),
      hanging: () => hanging.size,
      hung: () => hung,
      most: () => most,
      requests: () => requests,
      timesReceived: (what: string) => server.received.join('').split(what).length - 1,
      received: async (what: string) => {
        while (!server.received.some((text) => text.includes(what)))
          await new Promise((resolve) => setTimeout(resolve, 20));
      },
      quiet: async () => {
        for (let before = -1; before !== requests;) {
          before = requests;
          await new Promise((resolve) => setTimeout(resolve, 500));
        }
      },
    },
  };
}

function nothing(): void {}
