// Backends by HTTP/2 behind the gate (DESIGN "HTTP/2 to backends"): what goes that way and what does not, and
// that identity and stripping are those of HTTP/1.1.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createSecureServer,
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcpServer, connect, type AddressInfo, type Server } from 'node:net';
import { createServer as createHttp1 } from 'node:http';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { test, type TestContext } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import type { Share } from '../../src/domain/share.ts';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGate, testLogin, testShare } from '../support/gate.ts';
import { openHttp2 } from '../support/http2-visitor.ts';
import { until } from '../support/until.ts';

const HOST = 'demo.share.localhost';
const CERTIFICATE = makeCertificate(['*.share.localhost', 'localhost']);
const SECURE = {
  tls: true,
  publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
  endpointUrl: 'https://auth.share.localhost',
} as const;

type Seen = {
  readonly version: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly url: string;
};
type Answer = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

const ok: Answer = (_request, response) => {
  response.end('ok');
};

async function portOf(t: TestContext, server: Http2Server | Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** An h2c backend, and a gate before it. */
async function gateBefore(t: TestContext, answer: Answer = ok, more: Partial<Share> = {}) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    seen.push({ version: request.httpVersion, headers: request.headers, url: request.url });
    answer(request, response);
  });
  const sessions = new Set<{ destroy: () => void }>();
  server.on('session', (session) => sessions.add(session));
  t.after(() => {
    for (const session of sessions) session.destroy();
  });
  const port = await portOf(t, server);
  const share = testShare('demo', `h2c://127.0.0.1:${port}`, more);
  const gate = await startTestGate({ shares: [share] });
  t.after(gate.close);
  return { gate, share, seen, port, sessions };
}

test('h2c: any request goes by HTTP/2, with the visitor’s host, identity and nothing that a visitor invents', async (t) => {
  const { gate, share, seen } = await gateBefore(t, ok, { login: testLogin() });
  const { cookie } = gate.login(share, { email: 'ada@example.com' });
  const { status, body } = await gate.call({
    host: HOST,
    path: '/a%2Fb?c=d',
    method: 'PUT',
    headers: {
      cookie: `${cookie}; own=1`,
      'svc-auth-email': 'root@example.com',
      'X-Forwarded-For': '203.0.113.9',
      connection: 'x-drop, close',
      'x-drop': 'me',
      'X-Mixed-Case': 'Kept',
    },
    body: 'hello',
  });
  assert.deepEqual([status, body], [200, 'ok']);
  const [{ version, headers, url } = { version: '', headers: {}, url: '' }] = seen;
  assert.deepEqual([version, url], ['2.0', '/a%2Fb?c=d']);
  assert.equal(headers[':authority'], HOST);
  assert.equal(headers[':scheme'], 'http');
  assert.equal(headers['svc-auth-email'], 'ada@example.com');
  assert.equal(headers['x-forwarded-for'], '127.0.0.1');
  assert.equal(headers['x-forwarded-host'], HOST);
  assert.deepEqual([headers['x-drop'], headers['cookie']], [undefined, 'own=1']);
  assert.equal(headers['x-mixed-case'], 'Kept');
  assert.equal(headers['content-length'], '5');
});

test('h2c: --host-header is the authority', async (t) => {
  const { gate, seen, port } = await gateBefore(t, ok, { hostHeader: 'target' });
  await gate.call({ host: HOST });
  assert.equal(seen[0]?.headers[':authority'], `127.0.0.1:${port}`);
});

test('h2c: trailers of the answer reach a visitor by HTTP/1.1, and the rules for answers hold', async (t) => {
  const { gate } = await gateBefore(t, (_request, response) => {
    response.setHeader('set-cookie', ['svc-auth-session=evil', 'x=1; Domain=share.localhost']);
    response.setHeader('alt-svc', 'h3=":443"');
    response.addTrailers({ 'x-tail': 'yes' });
    response.write('body');
    response.end();
  });
  const answer = await gate.call({ host: HOST, headers: { te: 'trailers', connection: 'te' } });
  assert.deepEqual([answer.body, answer.trailers['x-tail']], ['body', 'yes']);
  assert.deepEqual([answer.headers['set-cookie'], answer.headers['alt-svc']], [['x=1'], undefined]);
});

test('h2c: a lost backend is 502, and the next request finds a new one', async (t) => {
  let broken = false;
  const { gate, sessions } = await gateBefore(t, (_request, response) => {
    if (broken) return void response.end('ok');
    broken = true;
    for (const session of sessions) session.destroy();
  });
  assert.equal((await gate.call({ host: HOST })).status, 502);
  assert.equal((await gate.call({ host: HOST })).status, 200);
});

test('h2c: whatever HTTP/1.1 alone can do goes by HTTP/1.1: WebSockets, and logins of a connection', async (t) => {
  const http1: string[] = [];
  const one = createHttp1((request: IncomingMessage, response: ServerResponse) => {
    http1.push(request.headers.authorization ?? '');
    response.end('by 1.1');
  });
  new WebSocketServer({ server: one }).on('connection', (socket) => socket.send('hello'));
  const two = createServer((_request, response) => response.end('by 2'));
  const ports = [await portOf(t, one), await portOf(t, two)];
  // Both at one port, as servers with h2c have it.
  const both = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (first: Buffer) => {
      const inner = connect(
        first.toString('latin1').startsWith('PRI *') ? ports[1]! : ports[0]!,
        '127.0.0.1',
      );
      inner.on('error', () => socket.destroy());
      socket.on('close', () => inner.destroy());
      inner.write(first);
      socket.pipe(inner).pipe(socket);
    });
  });
  const port = await portOf(t, both);
  const gate = await startTestGate({ shares: [testShare('demo', `h2c://127.0.0.1:${port}`)] });
  t.after(gate.close);
  assert.equal((await gate.call({ host: HOST })).body, 'by 2');
  for (const authorization of ['NTLM TlRMTVNTUAABAAAA', 'Negotiate YII='])
    assert.equal((await gate.call({ host: HOST, headers: { authorization } })).body, 'by 1.1');
  assert.equal((await gate.call({ host: HOST, headers: { authorization: 'Basic eA==' } })).body, 'by 2');
  assert.deepEqual(http1, ['NTLM TlRMTVNTUAABAAAA', 'Negotiate YII=']);
  const socket = new WebSocket(`ws://127.0.0.1:${gate.port}/`, { headers: { host: HOST } });
  t.after(() => socket.terminate());
  const [message] = (await once(socket, 'message')) as [Buffer];
  assert.equal(String(message), 'hello');
});

test('https: HTTP/2 for gRPC alone, whatever the backend would choose; one that has none is 502', async (t) => {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, CERTIFICATE.certificate]);
  t.after(() => setDefaultCACertificates(before));
  const versions: string[] = [];
  const options = { key: CERTIFICATE.key, cert: CERTIFICATE.certificate };
  const answer = (request: Http2ServerRequest, response: Http2ServerResponse) => {
    versions.push(`${request.httpVersion} ${request.headers[':scheme'] ?? ''}`);
    response.end('ok');
  };
  const both = await portOf(t, createSecureServer({ ...options, allowHTTP1: true }, answer));
  const { createServer: createTls } = await import('node:https');
  const old = await portOf(
    t,
    createTls(options, (_request, response) => response.end('ok')),
  );
  const share = testShare('demo', `https://localhost:${both}`);
  const plain = testShare('old', `https://localhost:${old}`);
  const gate = await startTestGate({ shares: [share, plain], settings: SECURE, certificates: [CERTIFICATE] });
  t.after(gate.close);
  const visitor = await openHttp2(t, gate.port, HOST);
  const ask = (authority: string, type: string) =>
    visitor.ask({ ':method': 'POST', ':path': '/', ':authority': authority, 'content-type': type }, 'x');
  for (const type of ['text/plain', 'application/grpc', 'application/grpc+proto', 'application/grpc-web'])
    assert.equal((await ask(HOST, type)).status, 200);
  assert.deepEqual(versions, ['1.1 ', '2.0 https', '2.0 https', '1.1 ']);
  const away = await ask('old.share.localhost', 'application/grpc');
  assert.deepEqual([away.status, away.headers['grpc-status']], [200, '14']);
  assert.equal((await ask('old.share.localhost', 'text/plain')).status, 200);
});

test('a visitor who leaves resets the stream at the backend; others on its connection stay', async (t) => {
  let aborted = 0;
  const { gate, sessions } = await gateBefore(t, (request, response) => {
    request.on('aborted', () => aborted++);
    response.stream.on('close', () => {
      if (response.stream.rstCode !== 0) aborted++;
    });
    if (request.url === '/well') response.end('ok');
    else response.write('begun');
  });
  const socket = connect(gate.port, '127.0.0.1');
  socket.write(`GET /long HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  await once(socket, 'data');
  socket.destroy();
  await until(() => aborted > 0);
  assert.equal((await gate.call({ host: HOST, path: '/well' })).body, 'ok');
  assert.equal(sessions.size, 1);
});
