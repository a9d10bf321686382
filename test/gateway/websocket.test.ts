// WebSocket through the gate: HTTP/1.1 upgrades and extended CONNECT (RFC 6455, RFC 8441; DESIGN 3).

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as http2Connect } from 'node:http2';
import { createConnection } from 'node:net';
import { test, type TestContext } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGate, testLogin, testShare, type TestGate, type TestGateOptions } from '../support/gate.ts';
import { startBackend } from '../support/backend.ts';

const HOST = 'demo.share.localhost';
const ORIGIN = `http://${HOST}`;

async function socketGate(t: TestContext, options: TestGateOptions = {}) {
  const backend = await startBackend(t, (_request, response) => response.writeHead(426).end('upgrade'));
  const sockets = new WebSocketServer({ noServer: true });
  const heads: string[][] = [];
  backend.server.on('upgrade', (request, socket, head) => {
    heads.push(request.rawHeaders);
    if (request.url === '/refuse') {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', () => {});
      webSocket.on('message', (data, isBinary) => webSocket.send(data, { binary: isBinary }));
      if (request.url?.startsWith('/greet') === true) webSocket.send('hello');
    });
  });
  t.after(() => {
    for (const client of sockets.clients) client.terminate();
    sockets.close();
  });
  const share = testShare('demo', backend.url, { login: testLogin() });
  const gate = await startTestGate({ shares: [share], ...options });
  t.after(gate.close);
  return { backend, share, gate, sockets, heads };
}

function open(gate: TestGate, path: string, headers: Record<string, string>): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${gate.port}${path}`, { headers: { host: HOST, ...headers } });
  socket.on('error', () => {});
  return socket;
}

async function refusal(socket: WebSocket): Promise<number> {
  const [request, response] = await once(socket, 'unexpected-response');
  request.destroy();
  return response.statusCode;
}

test('a WebSocket passes both ways with the identity of its session (2.6)', async (t) => {
  const { gate, share, heads } = await socketGate(t);
  const { cookie } = gate.login(share);
  const socket = open(gate, '/greet?x=1', { cookie, origin: ORIGIN });
  const [greeting] = await once(socket, 'message');
  assert.equal(String(greeting), 'hello');
  const big = Buffer.alloc(4 * 1024 * 1024, 'y');
  socket.send(big);
  const [back] = await once(socket, 'message');
  assert.ok(big.equals(back as Buffer));
  const head = heads[0]!;
  assert.equal(head[head.indexOf('svc-auth-email') + 1], 'ada@example.com');
  assert.ok(!head.some((value) => value.includes('svc-auth-session=')));
  socket.close(1000);
  const [code] = await once(socket, 'close');
  assert.equal(code, 1000);
});

test('upgrades without a session, with another share’s, or from another origin are refused (THREATS "WebSocket and streams")', async (t) => {
  const { gate, share, heads } = await socketGate(t);
  const { cookie } = gate.login(share);
  const other = gate.login(testShare('other', share.target ?? ''));
  const ended = gate.login(share, { ended: true });
  assert.equal(await refusal(open(gate, '/', { origin: ORIGIN })), 401);
  assert.equal(await refusal(open(gate, '/', { cookie: other.cookie, origin: ORIGIN })), 401);
  assert.equal(await refusal(open(gate, '/', { cookie: ended.cookie, origin: ORIGIN })), 401);
  assert.equal(await refusal(open(gate, '/', { cookie })), 403);
  assert.equal(await refusal(open(gate, '/', { cookie, origin: 'http://evil.share.localhost' })), 403);
  assert.equal(heads.length, 0);
});

test('what a backend answers instead of switching reaches the visitor', async (t) => {
  const { gate, share } = await socketGate(t);
  const { cookie } = gate.login(share);
  assert.equal(await refusal(open(gate, '/refuse', { cookie, origin: ORIGIN })), 403);
});

test('a WebSocket ends with its session, and when either side leaves (DESIGN "Ended sessions")', async (t) => {
  const { gate, share, sockets } = await socketGate(t);
  const login = gate.login(share);
  const headers = { cookie: login.cookie, origin: ORIGIN };
  const ended = open(gate, '/', headers);
  await once(ended, 'open');
  const cut = once(ended, 'close');
  gate.end(login);
  await cut;
  const fresh = gate.login(share);
  const leaving = open(gate, '/', { ...headers, cookie: fresh.cookie });
  await once(leaving, 'open');
  const [atBackend] = sockets.clients;
  const left = once(atBackend!, 'close');
  leaving.terminate();
  await left;
  const left2 = open(gate, '/', { ...headers, cookie: fresh.cookie });
  await once(left2, 'open');
  const gone = once(left2, 'close');
  for (const client of sockets.clients) client.terminate();
  await gone;
});

test('bytes that a visitor sends right behind the upgrade are not lost', async (t) => {
  const { gate, share } = await socketGate(t);
  const { cookie } = gate.login(share);
  const socket = createConnection({ port: gate.port, host: '127.0.0.1' });
  // A masked text frame "hi" (RFC 6455 section 5.2) in the same packet as the head.
  const frame = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]);
  const head = `GET / HTTP/1.1\r\nHost: ${HOST}\r\nOrigin: ${ORIGIN}\r\nCookie: ${cookie}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
  socket.write(Buffer.concat([Buffer.from(head), frame]));
  let heard = Buffer.alloc(0);
  for await (const chunk of socket) {
    heard = Buffer.concat([heard, chunk as Buffer]);
    if (heard.includes(Buffer.from([0x81, 2, 0x68, 0x69]))) break;
  }
  assert.match(heard.toString('latin1'), /^HTTP\/1.1 101 [^]*s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/);
});

test('a WebSocket over HTTP/2 reaches the backend as an upgrade (RFC 8441)', async (t) => {
  const certificate = makeCertificate(['*.share.localhost']);
  const { gate, share, heads } = await socketGate(t, {
    certificates: [certificate],
    settings: {
      tls: true,
      publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
      endpointUrl: 'https://auth.share.localhost',
    },
  });
  const login = gate.login(share);
  const session = http2Connect(`https://127.0.0.1:${gate.port}`, {
    rejectUnauthorized: false,
    servername: HOST,
  });
  session.on('error', () => {});
  t.after(() => session.destroy());
  await once(session, 'remoteSettings');
  const connectStream = (headers: Record<string, string>) => {
    const stream = session.request(
      {
        ':method': 'CONNECT',
        ':protocol': 'websocket',
        ':scheme': 'https',
        ':path': '/greet',
        ':authority': HOST,
        origin: `https://${HOST}`,
        'sec-websocket-version': '13',
        ...headers,
      },
      { endStream: false },
    );
    stream.on('error', () => {});
    return stream;
  };
  const refused = connectStream({});
  const [refusedHead] = await once(refused, 'response');
  assert.equal(refusedHead[':status'], 401);
  refused.close();
  const stream = connectStream({ cookie: login.cookie });
  const [head] = await once(stream, 'response');
  assert.equal(head[':status'], 200);
  assert.equal(head['sec-websocket-accept'], undefined);
  const [greeting] = await once(stream, 'data');
  assert.deepEqual([...(greeting as Buffer)], [0x81, 5, ...Buffer.from('hello')]);
  stream.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]));
  const [echoed] = await once(stream, 'data');
  assert.deepEqual([...(echoed as Buffer)], [0x81, 2, 0x68, 0x69]);
  assert.equal(heads[0]![heads[0]!.indexOf('svc-auth-email') + 1], 'ada@example.com');
  const { promise: cut, resolve } = Promise.withResolvers<void>();
  stream.on('close', () => resolve());
  gate.end(login);
  await cut;
});

test('rules judge a WebSocket over HTTP/2 as the GET that the backend sees (THREATS "WebSocket and streams")', async (t) => {
  const certificate = makeCertificate(['*.share.localhost']);
  const { gate, share, heads } = await socketGate(t, {
    certificates: [certificate],
    settings: {
      tls: true,
      publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
      endpointUrl: 'https://auth.share.localhost',
    },
  });
  const session = http2Connect(`https://127.0.0.1:${gate.port}`, {
    rejectUnauthorized: false,
    servername: HOST,
  });
  session.on('error', () => {});
  t.after(() => session.destroy());
  await once(session, 'remoteSettings');
  const answerTo = async (rules: typeof share.rules) => {
    gate.tell({ type: 'shares', upsert: [{ ...share, login: null, rules }], remove: [] });
    const stream = session.request(
      {
        ':method': 'CONNECT',
        ':protocol': 'websocket',
        ':scheme': 'https',
        ':path': '/greet',
        ':authority': HOST,
        origin: `https://${HOST}`,
        'sec-websocket-version': '13',
      },
      { endStream: false },
    );
    stream.on('error', () => {});
    const [head] = await once(stream, 'response');
    stream.close();
    return head[':status'];
  };
  const everyone = { allow: { everyone: true } } as const;
  assert.equal(await answerTo([everyone, { deny: { methods: ['GET'] } }]), 403);
  assert.equal(heads.length, 0);
  assert.equal(await answerTo([everyone, { deny: { methods: ['CONNECT'] } }]), 200);
  assert.equal(await answerTo([{ allow: { everyone: true, methods: ['GET'] } }]), 200);
});
