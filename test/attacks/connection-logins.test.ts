// A backend that logs in connections (NTLM, Negotiate: RFC 4559 section 6) takes whatever comes on one for
// the doing of whoever logged in there. Nobody's request may come on a connection that somebody else logged
// in.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGate, testLogin, testShare } from '../support/gate.ts';
import { openHttp2 } from '../support/http2-visitor.ts';
import { listen } from '../support/raw-backend.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const HOST = 'demo.share.localhost';
const OPEN = 'open.share.localhost';
const CERTIFICATE = makeCertificate(['*.share.localhost']);

for (const scheme of ['NTLM', 'Negotiate', 'Kerberos'])
  test(`Connection logins: a ${scheme} login of one visitor is nobody else’s, by HTTP/1.1 and HTTP/2`, async (t) => {
    const { plain, secure } = await gates(t, scheme);
    const keeps = new Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => keeps.destroy());
    const eve = await openHttp2(t, secure.port, OPEN);
    const dan = await openHttp2(t, secure.port, OPEN);
    const authority = { ':authority': OPEN, ':path': '/' };
    for (let round = 0; round < 5; round++) {
      const login = `${scheme} ada-${round}`;
      assert.equal(await ask(plain.port, { host: OPEN, authorization: login }, keeps), `ada-${round}`);
      assert.equal((await eve.ask({ ...authority, authorization: `${scheme} eve` })).body, 'eve');
      // With and without what the first one did, on new connections and kept ones.
      const others = await Promise.all(Array.from({ length: 10 }, () => ask(plain.port, { host: OPEN })));
      assert.deepEqual(new Set(others), new Set(['nobody']));
      assert.equal((await dan.ask(authority)).body, 'nobody');
      assert.equal((await eve.ask(authority)).body, 'nobody', 'many may share a connection by HTTP/2');
    }
  });

test('Connection logins: a connection that was challenged is nobody else’s either', async (t) => {
  const { plain, connections } = await gates(t, 'Negotiate');
  const keeps = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => keeps.destroy());
  assert.equal(await ask(plain.port, { host: OPEN }, keeps, '/private'), '401');
  const [challenged] = connections();
  for (let round = 0; round < 5; round++) await ask(plain.port, { host: OPEN });
  assert.equal(connections().filter((socket) => socket === challenged).length, 1);
});

test('Connection logins: a visitor’s own connection stays logged in, and whoever comes on it by another session is nobody', async (t) => {
  const { plain, demo } = await gates(t, 'NTLM');
  const ada = plain.login(demo).cookie;
  const bob = plain.login(demo, { email: 'bob@example.com' }).cookie;
  const shared = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => shared.destroy());
  const asAda = { host: HOST, cookie: ada };
  assert.equal(await ask(plain.port, asAda, shared, '/private'), '401');
  assert.equal(await ask(plain.port, { ...asAda, authorization: 'NTLM ada' }, shared), 'ada');
  for (let round = 0; round < 3; round++)
    assert.equal(await ask(plain.port, asAda, shared, '/private'), 'ada');
  assert.equal(await ask(plain.port, { host: HOST, cookie: bob }, shared), 'nobody');
  assert.equal(await ask(plain.port, asAda, shared), 'nobody', 'that connection is gone');
});

test('Connection logins: behind a proxy, where a connection is anybody’s, none stays logged in', async (t) => {
  const { plain } = await gates(t, 'NTLM');
  const proxy = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => proxy.destroy());
  const from = { host: OPEN, 'x-forwarded-for': '192.0.2.1' };
  assert.equal(await ask(plain.port, { ...from, authorization: 'NTLM ada' }, proxy), 'ada');
  assert.equal(await ask(plain.port, from, proxy), 'nobody');
});

test('Connection logins: what a visitor has logged in is closed as soon as the visitor leaves', async (t) => {
  const { plain, connections } = await gates(t, 'NTLM');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  assert.equal(await ask(plain.port, { host: OPEN, authorization: 'NTLM ada' }, agent), 'ada');
  const [held] = connections() as [Socket];
  const closed = once(held, 'close', { signal: AbortSignal.timeout(PROMPTLY_MS) });
  assert.equal(held.destroyed, false);
  // An idle connection is closed after a while anyway: no time passes for the pool.
  const leftAt = performance.now();
  t.mock.method(performance, 'now', () => leftAt);
  agent.destroy();
  await closed;
});

async function ask(
  port: number,
  headers: Readonly<Record<string, string>>,
  agent: Agent | false = false,
  path = '/',
): Promise<string> {
  const call = httpRequest({ port, host: '127.0.0.1', agent, path, headers }).end();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  return text(answer);
}

/** Before a backend that says who its connection is logged in as; `/private` asks nobody to log in. */
async function gates(t: TestContext, scheme: string) {
  const users = new WeakMap<Socket, string>();
  const sockets: Socket[] = [];
  const backend = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const { socket } = request;
    sockets.push(socket);
    const [given, user] = (request.headers.authorization ?? '').split(' ');
    if (given === scheme && user !== undefined) users.set(socket, user);
    if (request.url === '/private' && !users.has(socket))
      response.writeHead(401, { 'WWW-Authenticate': [`Basic realm="x, y"`, scheme] }).end('401');
    else response.end(users.get(socket) ?? 'nobody');
  });
  const target = `http://127.0.0.1:${await listen(backend)}`;
  t.after(() => {
    backend.close();
    backend.closeAllConnections();
  });
  const demo = testShare('demo', target, { login: testLogin() });
  const shares = [demo, testShare('open', target)];
  const plain = await startTestGate({ shares });
  t.after(plain.close);
  const secure = await startTestGate({
    shares,
    certificates: [CERTIFICATE],
    settings: { tls: true, publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 } },
  });
  t.after(secure.close);
  return { plain, secure, demo, connections: (): readonly Socket[] => sockets };
}
