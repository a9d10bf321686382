// THREATS "Exhaustion" where a backend does it: the owner of one share must not be able to stop the gate for
// the others, whatever their backend answers, or does not.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { makeCertificate } from '../support/certificate.ts';
import { usesTunnels } from '../support/way.ts';
import { startTestGate, testShare, type TestGate, type TestGateOptions } from '../support/gate.ts';
import { openHttp2 } from '../support/http2-visitor.ts';
import { rawBackend, type OnRawRequest } from '../support/raw-backend.ts';

const HOST = 'demo.share.localhost';
/** What should end and does not must not hold up the run. */
const TIMED = { timeout: 60_000 };
const CERTIFICATE = makeCertificate(['*.share.localhost']);
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n';
/** A link that takes Node's own check of links a time that doubles with each parameter. */
const SLOW_LINK = `<x>${';a=a'.repeat(200)}"`;

/** What a backend says, and the status that a visitor gets of it (0: no whole answer). */
const ANSWERS: readonly (readonly [name: string, answer: string, statuses: readonly number[]])[] = [
  ['an early hint without a link', `HTTP/1.1 103 Early Hints\r\nLink: rubbish\r\n\r\n${OK}`, [200]],
  ['an early hint with an empty link', `HTTP/1.1 103 Early Hints\r\nLink:\r\n\r\n${OK}`, [200]],
  ['an early hint of bytes beyond ASCII', `HTTP/1.1 103 Early Hints\r\nLink: <\xe9\xff>\r\n\r\n${OK}`, [200]],
  [
    'an early hint that is slow to check',
    `HTTP/1.1 103 Early Hints\r\nLink: ${SLOW_LINK}\r\n\r\n${OK}`,
    [200],
  ],
  ['a hundred links in one hint', `HTTP/1.1 103 E\r\n${'Link: <a>; rel=b\r\n'.repeat(100)}\r\n${OK}`, [200]],
  ['hints without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(5_000), [502]],
  ['100 without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(5_000), [502]],
  ['a trailer __proto__', `${CHUNKED}__proto__: x\r\n\r\n`, [200]],
  ['a trailer constructor', `${CHUNKED}constructor: x\r\n\r\n`, [200]],
  ['a trailer that HTTP/2 forbids', `${CHUNKED}http2-settings: x\r\n\r\n`, [200, 0]],
  ['a trailer twice that may come once', `${CHUNKED}etag: x\r\netag: y\r\n\r\n`, [200, 0]],
  [
    'trailers that end nothing',
    `${CHUNKED}connection: close\r\nkeep-alive: x\r\nupgrade: h2c\r\n\r\n`,
    [200],
  ],
  [
    'headers named like parts of objects',
    OK.replace('\r\n', '\r\n__proto__: x\r\nconstructor: y\r\n'),
    [200],
  ],
  ['a header that HTTP/2 forbids', OK.replace('\r\n', '\r\nhttp2-settings: x\r\n'), [200, 502]],
  ['a header twice that may come once', OK.replace('\r\n', '\r\netag: x\r\netag: y\r\n'), [200, 502]],
  ['a name for a pseudo header', OK.replace('\r\n', '\r\n:status: 500\r\n'), [502]],
  [
    'a switch of protocols that nobody asked for',
    'HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    [502],
  ],
  ['a status of 999', 'HTTP/1.1 999 x\r\nContent-Length: 0\r\n\r\n', [502]],
  ['a status of 99', 'HTTP/1.1 099 x\r\nContent-Length: 0\r\n\r\n', [502]],
  ['a reason of 60 KB', `HTTP/1.1 200 ${'x'.repeat(60_000)}\r\nContent-Length: 0\r\n\r\n`, [200]],
  ['1 MB of headers', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(1_048_576)}`, [502]],
  [
    'a chunk extension of 1 MB',
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(1_048_576)}`,
    [200, 0],
  ],
  ['a length of 400 digits', `HTTP/1.1 200 OK\r\nContent-Length: ${'9'.repeat(400)}\r\n\r\nx`, [502]],
  ['no HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n', [502]],
  ['HTTP/2 frames', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [502]],
  ['more than the answer', `${OK}${OK}`, [200]],
];

/** Endless, and of few bytes: an agent waits for more of them, and the limits in time are what ends them. */
const DIRECT_ANSWERS: typeof ANSWERS = [
  ['10,000 headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}`, [502]],
  [
    'a chunk size of 1 MB of digits',
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'0'.repeat(1_048_576)}`,
    [200, 0],
  ],
];

describe('Exhaustion: what a backend answers breaks its own exchange alone', () => {
  for (const [name, answer, statuses] of [...ANSWERS, ...(usesTunnels() ? [] : DIRECT_ANSWERS)])
    test(name, TIMED, async (t) => {
      const { plain, secure } = await gatesBefore(t, (socket, head) => {
        socket.write(Buffer.from(head.includes('GET /well') ? OK : answer, 'latin1'));
      });
      const visitor = await openHttp2(t, secure.port, HOST);
      const got = [
        statusOf(
          await plain.raw(
            `GET / HTTP/1.1\r\nHost: ${HOST}\r\nTE: trailers\r\nConnection: close\r\n\r\n`,
            1_000,
          ),
        ),
        (await visitor.ask({ ':path': '/', ':authority': HOST, te: 'trailers' })).status,
      ];
      for (const status of got) assert.ok(statuses.includes(status), `${status}`);
      assert.equal((await plain.call({ host: HOST, path: '/well' })).body, 'ok');
      assert.equal(
        (await visitor.ask({ ':path': '/well', ':authority': HOST })).body,
        'ok',
        'on the same connection',
      );
    });
});

test('Exhaustion: early hints that are some still pass, one by one or as a list', async (t) => {
  const links = '</a.css>; rel=preload; as=style, <https://x.example/b?c,d>; rel="preconnect"';
  const { plain, secure } = await gatesBefore(t, (socket) => {
    socket.write(`HTTP/1.1 103 Early Hints\r\nLink: ${links}\r\nLink: rubbish\r\nLink: </c.js>\r\n\r\n${OK}`);
  });
  const answer = await plain.raw(`GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
  assert.match(
    answer,
    /^HTTP\/1\.1 103 .*\r\nLink: <\/a\.css>; rel=preload; as=style, <https:\/\/x\.example\/b\?c,d>; rel="preconnect", <\/c\.js>\r\n\r\nHTTP\/1\.1 200/i,
  );
  const visitor = await openHttp2(t, secure.port, HOST);
  assert.equal((await visitor.ask({ ':authority': HOST })).body, 'ok');
});

test(
  'Exhaustion: a backend that never answers, or never ends its head, is 504 and let go',
  TIMED,
  async (t) => {
    const never: Record<string, (socket: Socket) => void> = {
      '/silent': () => {},
      '/half': (socket) => socket.write('HTTP/1.1 200 OK\r\nX: '),
      '/drip': (socket) => drip(t, socket, 'x'),
      '/lines': (socket) => drip(t, socket, 'x: y\r\n'),
      '/hints': (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'),
    };
    const { plain, backend } = await gatesBefore(
      t,
      (socket, head) => {
        const path = /^GET (\S+)/.exec(head)?.[1] ?? '';
        if (path === '/drip' || path === '/lines') socket.write('HTTP/1.1 200 OK\r\n');
        never[path]?.(socket);
      },
      { limits: { headMs: 1_000 } },
    );
    const paths = Object.keys(never);
    const answers = await Promise.all(paths.map((path) => plain.call({ host: HOST, path })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      paths.map(() => 504),
    );
    await Promise.all(backend.sockets.map(async (socket) => socket.closed || (await once(socket, 'close'))));
  },
);

test(
  'Exhaustion: a backend that answers without end is stopped as soon as nobody reads',
  TIMED,
  async (t) => {
    let sent = 0;
    const stopped = Promise.withResolvers<void>();
    const { plain } = await gatesBefore(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const block = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')]);
      const more = () => {
        while (!socket.destroyed) {
          sent += block.byteLength;
          if (!socket.write(block)) return;
        }
      };
      socket.on('drain', more);
      socket.on('close', () => stopped.resolve());
      more();
    });
    const visitor = httpRequest({ port: plain.port, host: '127.0.0.1', headers: { host: HOST } }).end();
    visitor.on('error', () => {});
    const [answer] = (await once(visitor, 'response')) as [IncomingMessage];
    answer.on('error', () => {});
    let before = -1;
    // Nobody reads: what can be sent is what the buffers on the way hold.
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    assert.ok(sent < 32 * 1024 * 1024, `the backend could send ${sent}`);
    visitor.destroy();
    await stopped.promise;
  },
);

async function gatesBefore(t: TestContext, onRequest: OnRawRequest, options: TestGateOptions = {}) {
  const backend = await rawBackend(onRequest);
  t.after(backend.close);
  const shares = [testShare('demo', `http://127.0.0.1:${backend.port}`)];
  const plain = await startTestGate({ shares, ...options });
  t.after(plain.close);
  const secure = await startTestGate({
    shares,
    certificates: [CERTIFICATE],
    ...options,
    settings: { tls: true, publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 } },
  });
  t.after(secure.close);
  return { plain, secure, backend } satisfies { plain: TestGate; secure: TestGate; backend: unknown };
}

/** The status of the final answer; 0 when there is none. */
function statusOf(answer: string): number {
  const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
  return statuses.find((status) => status >= 200) ?? 0;
}

function drip(t: TestContext, socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 100);
  t.after(() => clearInterval(timer));
  socket.on('close', () => clearInterval(timer));
}
