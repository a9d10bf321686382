// ATTACKS.md "Exhaustion" where a provider does it: one that never answers, or answers without end, keeps its own logins
// waiting for a bounded time, and nobody else. Its every other misbehaviour is in `protocol.test.ts`.

import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { walkLogin } from '../support/browser-by-hand.ts';
import { callGate } from '../support/gate.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** A call out ends after 10 s, waiting for a place included; and twice as much for a busy machine. */
const ANSWERED_WITHIN_MS = 30_000;
/** What others may notice of it. */
const UNTOUCHED_MS = 2_500;
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

function drip(socket: Socket, first: string, piece: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(piece), 200);
  socket.on('close', () => clearInterval(timer));
}

describe('Exhaustion: a provider that', { concurrency: true }, () => {
  for (const name of Object.keys(WAYS))
    test(
      `is ${name} answers its visitors with 502 or 503 in time, forty at once`,
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

  test('never answers holds up no other provider’s logins, and nobody who is in', async () => {
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

  test('does not answer a revocation lets its visitors leave', async () => {
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

test('Exhaustion: nothing stays open towards providers once their visitors were answered', async () => {
  const deadline = Date.now() + 3_000;
  while (sockets.size > 0) {
    assert.ok(Date.now() < deadline, `${sockets.size} connections are open`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});
