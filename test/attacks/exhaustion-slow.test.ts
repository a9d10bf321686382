// THREATS "Exhaustion" by slowness, all at once since each takes its ten seconds: visitors who never finish
// what they say, and providers that never answer or never end, whose other misbehaviour is in
// `protocol.test.ts`.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { after, before, describe, test, type TestContext } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { listen } from '../../src/http/listener.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { makeCertificate } from '../support/certificate.ts';
import { callGate, startTestGate, testShare, type TestGateOptions } from '../support/gate.ts';
import { block, CONTINUATION, frame, HEADERS, openFrames, SETTINGS } from '../support/http2-frames.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';
import { rawBackend } from '../support/raw-backend.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const OPEN = 'open.share.localhost';
const CERTIFICATE = makeCertificate(['*.share.localhost']);
/**
 * The deadline for a head is 10 s; the rest is for a busy machine, and less than the 30 s after which a whole
 * request would end.
 */
const PATIENCE_MS = 28_000;
const ANYWHERE = { host: '127.0.0.1', port: 0 } as const;
const notFound: RequestListener = (_request, response) => response.writeHead(404).end();

/** A call out ends after 10 s, waiting for a place included; and twice as much for a busy machine. */
const ANSWERED_WITHIN_MS = 30_000;
/** Less than one of those calls takes: nobody else waited for any. */
const UNTOUCHED_MS = 8_000;
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** What a provider says to whoever connects. */
const WAYS: Readonly<Record<string, (socket: Socket) => void>> = {
  silent: () => {},
  headless: (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'X: y\r\n'),
  dripping: (socket) => drip(socket, `${HEAD}Content-Length: 1000000\r\n\r\n`, '{'),
  endless: (socket) => {
    socket.write(`${HEAD}\r\n{"issuer":"`);
    const more = () => {
      while (socket.writable && socket.write(Buffer.alloc(65_536, 'a')));
    };
    socket.on('drain', more);
    more();
  },
  chunky: (socket) => drip(socket, `${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n{\r\n'),
};

const providers: Server[] = [];
const sockets = new Set<Socket>();
let service: TestService;

before(async () => {
  const entries: Record<string, unknown>[] = [];
  for (const [name, answer] of Object.entries(WAYS)) {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      socket.once('data', () => answer(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    providers.push(server);
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    entries.push({
      name,
      type: 'oidc',
      client_id: 'x',
      client_secret: 'y',
      issuer,
      scopes: ['openid', 'email'],
      supports_pkce: true,
    });
  }
  service = await startTestService({ providers: () => entries });
});
after(async () => {
  await service.close();
  for (const socket of sockets) socket.destroy();
  for (const server of providers) server.close();
});

/** Opens something at a port and says what it says slowly; it must be ended by the other side. */
type Slow = (t: TestContext, port: number) => Promise<Socket>;

const PLAIN: Readonly<Record<string, Slow>> = {
  'a connection that says nothing': (t, port) => dripping(t, port, '', ''),
  'half a request line': (t, port) => dripping(t, port, 'GET / HT', ''),
  'a request line a letter at a time': (t, port) => dripping(t, port, 'GET /', 'a'),
  'headers without end, a line at a time': (t, port) =>
    dripping(t, port, `GET / HTTP/1.1\r\nHost: ${OPEN}\r\n`, 'x: y\r\n'),
  'empty lines without end': (t, port) => dripping(t, port, '\r\n', '\r\n'),
};
const SECURE: Readonly<Record<string, Slow>> = {
  'a TLS connection without a hello': (t, port) => dripping(t, port, '', ''),
  'a TLS hello a byte at a time': (t, port) =>
    dripping(t, port, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc', '\x03'),
  'HTTP/2 without its preface': async (t, port) => await secureSocket(t, port),
  'HTTP/2 without a request': async (t, port) => (await openFrames(t, port, OPEN)).socket,
  'HTTP/2 with a head that does not end': async (t, port) => {
    const visitor = await openFrames(t, port, OPEN);
    await visitor.wait(({ type }) => type === SETTINGS);
    visitor.send(frame(HEADERS, 0, 1, block([[':method', 'GET']])));
    return visitor.socket;
  },
  'HTTP/2 with a head that goes on and on': async (t, port) => {
    const visitor = await openFrames(t, port, OPEN);
    await visitor.wait(({ type }) => type === SETTINGS);
    visitor.send(frame(HEADERS, 0, 1, block([[':method', 'GET']])));
    const timer = setInterval(() => visitor.send(frame(CONTINUATION, 0, 1, block([['x', 'y']]))), 300);
    t.after(() => clearInterval(timer));
    return visitor.socket;
  },
};

describe('Exhaustion: what is slow is ended', { concurrency: true }, () => {
  describe('slow visitors', { concurrency: true }, () => {
    for (const [name, slow] of Object.entries(PLAIN)) {
      test(`${name}, at the gate`, async (t) => endsInTime(t, await slow(t, (await quietGate(t)).port)));
      test(`${name}, at the service’s own listeners`, async (t) => {
        const door = await listen({ name: 'door', at: ANYWHERE, certificates: null, handle: notFound });
        t.after(() => door.close(0));
        await endsInTime(t, await slow(t, door.port));
      });
    }
    for (const [name, slow] of Object.entries(SECURE))
      test(name, async (t) => {
        const gate = await quietGate(t, { certificates: [CERTIFICATE], settings: secureSettings() });
        await endsInTime(t, await slow(t, gate.port));
      });

    test('a body that stops is 408, whether by length or by chunks, and the backend is let go', async (t) => {
      const backend = await rawBackend(() => {});
      t.after(backend.close);
      const gate = await quietGate(t, {
        shares: [testShare('open', `http://127.0.0.1:${backend.port}`)],
        limits: { bodyStallMs: 1_000 },
      });
      for (const [framing, piece] of [
        ['Content-Length: 100', 'abc'],
        ['Transfer-Encoding: chunked', '3\r\nabc\r\n'],
      ] as const) {
        const answer = await gate.raw(
          `POST / HTTP/1.1\r\nHost: ${OPEN}\r\n${framing}\r\n\r\n${piece}`,
          5_000,
        );
        assert.match(answer, /^HTTP\/1\.1 408 /);
      }
      await Promise.all(
        backend.sockets.map(async (socket) => socket.closed || (await once(socket, 'close'))),
      );
    });
  });

  describe('slow providers', { concurrency: true }, () => {
    for (const name of Object.keys(WAYS))
      test(
        `a provider that is ${name} answers its visitors with 502 or 503 in time, forty at once`,
        { timeout: 2 * ANSWERED_WITHIN_MS },
        async () => {
          const startedAt = performance.now();
          const logins = Array.from({ length: 40 }, () =>
            callGate(service.ports.oauth, { host: 'x', path: `/${name}/login` }),
          );
          const answers = await Promise.all(logins);
          for (const { status } of answers) assert.ok(status === 502 || status === 503, `${status}`);
          assert.ok(performance.now() - startedAt < ANSWERED_WITHIN_MS);
        },
      );

    test('a provider that never answers holds up no other provider’s logins, and nobody who is in', async () => {
      const share = await service.share('demo');
      const browser = service.browser();
      for (let round = 0; round < 10; round++) {
        const startedAt = performance.now();
        const { last } = await walkLogin(round % 2 === 0 ? service.browser() : browser, share.url, {
          email: 'ada@example.com',
        });
        assert.equal(last.status, 200);
        const took = performance.now() - startedAt;
        assert.ok(took < UNTOUCHED_MS, `it took ${took} ms`);
      }
    });

    test('a provider that never answers lets its visitors log out', async () => {
      const share = await service.share('leaving');
      const browser = service.browser();
      await walkLogin(browser, share.url, { email: 'bea@example.com' });
      for (const name of Object.keys(WAYS)) {
        const startedAt = performance.now();
        assert.equal((await browser.open(`${service.endpointUrl}/${name}/logout`)).status, 302);
        assert.ok(performance.now() - startedAt < UNTOUCHED_MS);
      }
      assert.equal((await browser.open(share.url)).status, 200, 'a logout elsewhere ends nothing here');
    });
  });
});

test('Exhaustion: nothing stays open towards providers once their visitors were answered', async () => {
  await until(() => sockets.size === 0, PROMPTLY_MS);
});

function drip(socket: Socket, first: string, piece: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(piece), 200);
  socket.on('close', () => clearInterval(timer));
}

async function quietGate(t: TestContext, options: TestGateOptions = {}) {
  const gate = await startTestGate(options);
  t.after(gate.close);
  return gate;
}

function secureSettings() {
  return { tls: true, publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 } } as const;
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

async function secureSocket(t: TestContext, port: number): Promise<Socket> {
  const socket = connectTls({
    port,
    host: '127.0.0.1',
    servername: OPEN,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  });
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  await once(socket, 'secureConnect');
  return socket;
}

/**
 * Ended means gone: a side that was only half closed would take what is written, and hold its descriptor for
 * ever.
 */
async function endsInTime(t: TestContext, socket: Socket): Promise<void> {
  socket.resume();
  socket.on('end', () => {
    const timer = setInterval(() => socket.write('x'), 100);
    t.after(() => clearInterval(timer));
    socket.on('close', () => clearInterval(timer));
  });
  const gone = Promise.withResolvers<void>();
  const timer = setTimeout(() => gone.reject(new Error('Cannot wait longer: it is still open')), PATIENCE_MS);
  socket.on('close', () => gone.resolve());
  if (socket.closed) gone.resolve();
  await gone.promise.finally(() => clearTimeout(timer));
}
