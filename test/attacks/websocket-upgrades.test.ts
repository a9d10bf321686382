// THREATS "WebSocket and streams": an upgrade needs the right to it, and is no way around the gate. What ends
// one that is open is in `websocket-and-streams.test.ts`.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import { callGate, startTestGate, testLogin, testShare } from '../support/gate.ts';
import { rawBackend } from '../support/raw-backend.ts';
import { startTestService } from '../support/service.ts';

const HOST = 'demo.share.localhost';
const UPGRADE =
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n';
/** Offers of anything but WebSocket, or not quite. */
const OFFERS: readonly (readonly [upgrade: string, connection: string])[] = [
  ['h2c', 'Upgrade, HTTP2-Settings'],
  ['h2c, websocket', 'Upgrade, HTTP2-Settings'],
  ['HTTP/2.0', 'Upgrade'],
  ['TLS/1.0', 'Upgrade'],
  ['h2', 'upgrade'],
  ['spdy/3.1', 'upgrade'],
  ['doorward-tunnel/1', 'upgrade'],
  ['doorward-tunnel/2', 'upgrade'],
  ['websocket/13', 'upgrade'],
  ['websocket', 'close'],
  ['websocket', 'HTTP2-Settings'],
];

describe('WebSocket and streams: what is opened', () => {
  test('needs a living session of this share, and the share’s own origin', async (t) => {
    const { gate, share, requests } = await plainScenery(t);
    const other = gate.login(share, { shareId: testShare('x', 'http://127.0.0.1').id });
    const good = gate.login(share).cookie;
    const bad: readonly (readonly [why: string, cookie: string, origin: string, status: number])[] = [
      ['no session', '', `http://${HOST}`, 401],
      ['rubbish', 'svc-auth-session=x', `http://${HOST}`, 401],
      ['another share', other.cookie, `http://${HOST}`, 401],
      ['expired', gate.login(share, { expiresAt: 1_000_000 }).cookie, `http://${HOST}`, 401],
      ['ended', gate.login(share, { ended: true }).cookie, `http://${HOST}`, 401],
      ['not checked', gate.login(share, { checkedAt: 0 }).cookie, `http://${HOST}`, 503],
      ['a foreign origin', good, 'http://evil.share.localhost', 403],
      ['no origin', good, '', 403],
    ];
    for (const [why, cookie, origin, status] of bad) {
      const head = `GET / HTTP/1.1\r\nHost: ${HOST}\r\n${UPGRADE}${cookie === '' ? '' : `Cookie: ${cookie}\r\n`}${origin === '' ? '' : `Origin: ${origin}\r\n`}\r\n`;
      assert.match(await gate.raw(head, 3_000), new RegExp(`^HTTP/1\\.1 ${status} `), why);
    }
    assert.equal(requests(), '');
    assert.match(
      await gate.raw(
        `GET / HTTP/1.1\r\nHost: ${HOST}\r\n${UPGRADE}Cookie: ${good}\r\nOrigin: http://${HOST}\r\n\r\n`,
        300,
      ),
      /^HTTP\/1\.1 200 /,
    );
  });

  test('is no tunnel unless the backend switched: what comes behind is not passed on', async (t) => {
    const { gate, requests } = await plainScenery(t);
    const smuggled = `GET /smuggled HTTP/1.1\r\nHost: open.share.localhost\r\n\r\n`;
    for (const version of ['13', '777', ''])
      await gate.raw(
        `GET /chat HTTP/1.1\r\nHost: open.share.localhost\r\nOrigin: http://open.share.localhost\r\n${UPGRADE.replace(': 13', `: ${version}`)}\r\n${smuggled}${smuggled}`,
        300,
      );
    assert.match(requests(), /GET \/chat/);
    assert.doesNotMatch(requests(), /smuggled/);
  });

  test('is WebSocket and nothing else: h2c and unknown protocols are not offered to a backend', async (t) => {
    const { gate, requests } = await plainScenery(t);
    const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
    for (const [upgrade, connection] of OFFERS) {
      const head = `GET /u HTTP/1.1\r\nHost: open.share.localhost\r\nUpgrade: ${upgrade}\r\nConnection: ${connection}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`;
      const answer = await gate.raw(head + preface, 150);
      assert.doesNotMatch(answer, /^HTTP\/1\.1 101/, upgrade);
    }
    assert.doesNotMatch(requests(), /^(?:upgrade|http2-settings):|PRI \*/im);
  });

  test('is nothing at the service’s own hosts', async (t) => {
    const service = await startTestService();
    t.after(() => service.close());
    for (const [port, host] of [
      [service.ports.gateway, 'login.share.localhost'],
      [service.ports.oauth, 'x'],
      [service.ports.control, 'x'],
      [service.ports.metrics, 'x'],
    ] as const)
      for (const path of ['/corp/login', '/', '/v1/shares', '/v1/tunnel', '/metrics']) {
        const call = httpRequest({
          port,
          host: '127.0.0.1',
          path,
          headers: {
            host,
            origin: 'http://evil.example',
            connection: 'Upgrade',
            upgrade: 'websocket',
            'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
            'sec-websocket-version': '13',
          },
          agent: false,
        }).end();
        const outcome = await Promise.race([
          once(call, 'upgrade').then(() => 'upgraded'),
          once(call, 'response').then(() => 'answered'),
        ]);
        call.on('error', () => {}).destroy();
        assert.equal(outcome, 'answered', `${port} ${path}`);
      }
    assert.equal(
      (
        await callGate(service.ports.gateway, {
          host: 'login.share.localhost',
          path: '/.well-known/jwks.json',
        })
      ).status,
      200,
    );
  });
});

/** Over plain HTTP, a backend that answers every upgrade with 200, and what it was sent. */
async function plainScenery(t: TestContext) {
  const backend = await rawBackend((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno'),
  );
  t.after(backend.close);
  const target = `http://127.0.0.1:${backend.port}`;
  const share = testShare('demo', target, { login: testLogin() });
  const gate = await startTestGate({ shares: [share, testShare('open', target)] });
  t.after(gate.close);
  return { gate, share, requests: () => backend.received.join('') };
}
