// HTTP/2 and TLS at the gate (RFC 9113, RFC 8441; DESIGN 3; issue "the gateway").

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, constants, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { get as httpsGet } from 'node:https';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { connect as tlsConnect, type TLSSocket } from 'node:tls';
import type { RequestListener } from 'node:http';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGate, testLogin, testShare, type TestGateOptions } from '../support/gate.ts';
import { echo, echoedValues, startBackend } from '../support/backend.ts';
import { until } from '../support/until.ts';

const HOST = 'demo.share.localhost';
const CERTIFICATE = makeCertificate(['*.share.localhost']);
const SECURE = {
  tls: true,
  publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
  endpointUrl: 'https://auth.share.localhost',
} as const;

async function secureGate(t: TestContext, listener: RequestListener, options: TestGateOptions = {}) {
  const backend = await startBackend(t, listener);
  const open = testShare('open', backend.url);
  const share = testShare('demo', backend.url, { login: testLogin() });
  const gate = await startTestGate({
    shares: [share, open],
    settings: SECURE,
    certificates: [CERTIFICATE],
    ...options,
  });
  t.after(gate.close);
  return { backend, share, open, gate };
}

async function openSession(t: TestContext, port: number): Promise<ClientHttp2Session> {
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, servername: HOST });
  session.on('error', () => {});
  t.after(() => session.destroy());
  await once(session, 'connect');
  return session;
}

/** `once()` would reject on the error that comes first. */
function closed(stream: NodeJS.EventEmitter): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.on('close', () => resolve());
  return promise;
}

async function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string) {
  const stream = session.request(headers, { endStream: body === undefined });
  let trailers: Record<string, unknown> = {};
  stream.on('trailers', (given) => {
    trailers = given;
  });
  const head = once(stream, 'response');
  if (body !== undefined) stream.end(body);
  const [answer] = (await head) as [Record<string, string>];
  return { status: Number(answer[':status']), headers: answer, body: await text(stream), trailers };
}

test('HTTP/2 is forwarded with identity headers, cookies in crumbs joined (2.6, RFC 9113)', async (t) => {
  const { gate, share } = await secureGate(t, echo);
  const { cookie } = gate.login(share);
  const session = await openSession(t, gate.port);
  const answer = await ask(session, {
    ':path': '/a?b',
    ':authority': HOST,
    cookie: ['a=1', ...cookie.split('; '), 'b=2'],
    svc_auth_email: 'root@example.com',
  });
  assert.equal(answer.status, 200);
  assert.deepEqual(echoedValues(answer.body, 'svc-auth-email'), ['ada@example.com']);
  assert.deepEqual(echoedValues(answer.body, 'svc_auth_email'), []);
  assert.deepEqual(echoedValues(answer.body, 'cookie'), ['a=1; b=2']);
  assert.deepEqual(echoedValues(answer.body, 'host'), [HOST]);
  assert.deepEqual(echoedValues(answer.body, 'x-forwarded-proto'), ['https']);
});

test('HTTP/2 answers a browser full of cookies, with what it asked for or with 431 (RFC 9113 8.2.3)', async (t) => {
  const { gate } = await secureGate(t, echo);
  const session = await openSession(t, gate.port);
  const asked = { ':authority': 'open.share.localhost', ':path': '/' };
  const small = Array.from({ length: 400 }, (_, index) => `c${index}=1`);
  const crowd = await ask(session, { ...asked, cookie: small });
  assert.equal(crowd.status, 200);
  assert.deepEqual(echoedValues(crowd.body, 'cookie'), [small.join('; ')]);
  const large = Array.from({ length: 14 }, (_, index) => `c${index}=${'x'.repeat(4_000)}`);
  assert.equal((await ask(session, { ...asked, cookie: large })).status, 431);
});

test('HTTP/2 carries bodies, trailers, HEAD and many streams at once', async (t) => {
  const { gate } = await secureGate(t, (request, response) => {
    request.resume();
    request.on('end', () => {
      if (request.method === 'HEAD') {
        response.setHeader('content-length', '77');
        response.end();
        return;
      }
      response.setHeader('trailer', 'x-sum');
      response.write(`${request.method} ${request.url} ${JSON.stringify(request.rawTrailers)}`);
      response.addTrailers({ 'x-sum': 'abc' });
      response.end();
    });
  });
  const session = await openSession(t, gate.port);
  const open = { ':authority': 'open.share.localhost' };
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      ask(session, { ...open, ':path': `/${index}`, ':method': 'POST' }, 'x'),
    ),
  );
  for (const [index, answer] of answers.entries()) {
    assert.equal(answer.body, `POST /${index} []`);
    assert.equal(answer.trailers['x-sum'], 'abc');
  }
  const head = await ask(session, { ...open, ':method': 'HEAD' });
  assert.deepEqual([head.status, head.headers['content-length'], head.body], [200, '77', '']);
  const stream = session.request({ ...open, ':method': 'POST' }, { waitForTrailers: true } as never);
  stream.on('wantTrailers', () => stream.sendTrailers({ 'x-in': '1', 'svc-auth-email': 'root@example.com' }));
  stream.end('abc');
  assert.equal(await text(stream), 'POST / ["x-in","1"]');
});

test('an HTTP/2 visitor who resets a stream aborts the request at the backend, and the reverse', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const { gate } = await secureGate(t, (request, response) => {
    if (request.url === '/die') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('part', () => response.socket?.destroy());
      return;
    }
    request.on('data', () => arrived.resolve());
    request.on('error', () => left.resolve());
    request.on('end', () => left.reject(new Error('the body ended as if it were whole')));
  });
  const session = await openSession(t, gate.port);
  const open = { ':authority': 'open.share.localhost' };
  const leaving = session.request({ ...open, ':method': 'POST' });
  leaving.on('error', () => {});
  leaving.write('abc');
  await arrived.promise;
  leaving.close(constants.NGHTTP2_CANCEL);
  await left.promise;
  const dying = session.request({ ...open, ':path': '/die' });
  dying.on('error', () => {});
  dying.resume();
  await closed(dying);
  assert.notEqual(dying.rstCode, constants.NGHTTP2_NO_ERROR);
});

test('a POST that the gate refuses over HTTP/2 is answered whole, and its body not waited for', async (t) => {
  const { gate } = await secureGate(t, echo);
  const session = await openSession(t, gate.port);
  const stream = session.request({
    ':authority': HOST,
    ':method': 'POST',
    'content-type': 'application/json',
  });
  stream.on('error', () => {});
  stream.write('{');
  const [head] = await once(stream, 'response');
  assert.equal(head[':status'], 401);
  assert.match(await text(stream), /login_required/);
});

test('HTTP/2 requests that mean two things are 400 (DESIGN "Ambiguous HTTP")', async (t) => {
  const { gate } = await secureGate(t, echo);
  for (const headers of [
    { ':authority': HOST, host: 'open.share.localhost' },
    { ':authority': `user@${HOST}` },
    { ':authority': HOST, ':path': '/a#b' },
    { ':authority': HOST, ':path': '/a b' },
    { ':authority': HOST, ':path': 'http://open.share.localhost/' },
  ]) {
    const session = await openSession(t, gate.port);
    // Some are refused by the HTTP/2 library below, which resets the stream.
    const outcome = await ask(session, headers).then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code,
    );
    assert.ok(
      outcome === 400 || outcome === 'ERR_HTTP2_STREAM_ERROR',
      `${JSON.stringify(headers)} ${outcome}`,
    );
  }
});

test('expect: 100-continue over HTTP/2 asks the backend first', async (t) => {
  const { gate, backend } = await secureGate(t, echo);
  backend.server.on('checkContinue', (request, response) => {
    response.writeContinue();
    request.resume();
    request.on('end', () => response.end('done'));
  });
  const session = await openSession(t, gate.port);
  const stream = session.request({
    ':authority': 'open.share.localhost',
    ':method': 'POST',
    expect: '100-continue',
  });
  await once(stream, 'continue');
  stream.end('abc');
  assert.equal(await text(stream), 'done');
});

test('an upload over HTTP/2 that the backend does not read is stopped (back-pressure)', async (t) => {
  const { gate } = await secureGate(t, (request) => {
    request.pause();
  });
  const session = await openSession(t, gate.port);
  const stream = session.request({ ':authority': 'open.share.localhost', ':method': 'POST' });
  stream.on('error', () => {});
  const chunk = Buffer.alloc(64 * 1024);
  let sent = 0;
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const more = () => {
    while (sent < 256 * 1024 * 1024) {
      sent += chunk.length;
      if (!stream.write(chunk)) break;
    }
    const timer = setTimeout(resolve, 500);
    stream.once('drain', () => {
      clearTimeout(timer);
      more();
    });
  };
  more();
  await stopped;
  assert.ok(sent < 32 * 1024 * 1024, `the visitor could send ${sent}`);
  stream.close();
});

test('rapid resets end the connection, not the service (THREATS "Exhaustion")', async (t) => {
  const { gate } = await secureGate(t, () => {});
  const session = await openSession(t, gate.port);
  const ended = closed(session);
  for (let round = 0; round < 60 && !session.destroyed; round++) {
    for (let index = 0; index < 50 && !session.destroyed; index++) {
      const stream = session.request({ ':authority': 'open.share.localhost' });
      stream.on('error', () => {});
      stream.close(constants.NGHTTP2_CANCEL);
    }
    await new Promise(setImmediate);
  }
  await ended;
  const again = await openSession(t, gate.port);
  assert.equal((await ask(again, { ':authority': 'none.share.localhost' })).status, 404);
});

test('HTTP/1.1 over TLS works beside HTTP/2, and an unknown host is 404', async (t) => {
  const { gate } = await secureGate(t, echo);
  const request = httpsGet({
    port: gate.port,
    host: '127.0.0.1',
    servername: HOST,
    rejectUnauthorized: false,
    headers: { host: 'open.share.localhost' },
  });
  const [response] = await once(request, 'response');
  assert.equal(response.statusCode, 200);
  assert.match(await text(response), /x-forwarded-proto/i);
});

test('certificates are chosen by SNI and replaced without a restart (issue, TLS certificates reload)', async (t) => {
  const second = makeCertificate(['other.example.com']);
  const third = makeCertificate(['third.example.com']);
  const { gate } = await secureGate(t, echo, { certificates: [CERTIFICATE, second] });
  const namesFor = async (servername: string) => {
    const socket: TLSSocket = tlsConnect({
      port: gate.port,
      host: '127.0.0.1',
      servername,
      rejectUnauthorized: false,
    });
    await once(socket, 'secureConnect');
    const names = socket.getPeerCertificate().subjectaltname;
    socket.destroy();
    return names;
  };
  assert.equal(await namesFor('OTHER.example.com'), 'DNS:other.example.com');
  assert.equal(await namesFor(HOST), 'DNS:*.share.localhost');
  assert.equal(
    await namesFor('a.b.share.localhost'),
    'DNS:*.share.localhost',
    'the first serves who names none',
  );
  gate.tell({ type: 'certificates', certificates: [third] });
  assert.equal(await namesFor(HOST), 'DNS:third.example.com');
});

test('draining says goodbye, finishes what runs, and cuts the rest at the deadline (SIGTERM)', async (t) => {
  const go = Promise.withResolvers<void>();
  const { gate } = await secureGate(t, (request, response) => {
    if (request.url === '/quick') void go.promise.then(() => response.end('done'));
    else response.writeHead(200).write('x');
  });
  const session = await openSession(t, gate.port);
  const goaway = once(session, 'goaway');
  const quick = ask(session, { ':authority': 'open.share.localhost', ':path': '/quick' });
  const slow = session.request({ ':authority': 'open.share.localhost', ':path': '/slow' });
  slow.on('error', () => {});
  slow.resume();
  await once(slow, 'response');
  const cut = closed(slow);
  gate.tell({ type: 'drain', deadlineMs: 300 });
  await goaway;
  go.resolve();
  assert.equal((await quick).body, 'done');
  await cut;
  await until(() => gate.said.some((message) => message.type === 'drained'));
});

test('CONNECT over HTTP/2 is 405, and its connection stays (RFC 9113 section 8.5)', async (t) => {
  const { gate } = await secureGate(t, (_request, response) => response.end('there'));
  const session = await openSession(t, gate.port);
  const stream = session.request({ ':method': 'CONNECT', ':authority': `${HOST}:80` });
  const [head] = (await once(stream, 'response')) as [OutgoingHttpHeaders];
  assert.deepEqual([head[':status'], String(head['allow']).slice(0, 4)], [405, 'GET,']);
  stream.close();
  const answer = await ask(session, { ':path': '/', ':authority': 'open.share.localhost' });
  assert.equal(answer.status, 200);
});
