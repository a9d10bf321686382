// Forwarding over HTTP/1.1 to a real backend (contract 2.6, 3, 5.1; DESIGN 3; issue "the gateway").

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import type { RequestListener } from 'node:http';
import { startTestGate, testLogin, testShare, type TestGateOptions } from '../support/gate.ts';
import { echo, echoedValues, startBackend, type Echoed } from '../support/backend.ts';
import { makeCertificate } from '../support/certificate.ts';
import { until } from '../support/until.ts';
import { testDirect } from '../support/way.ts';

const HOST = 'demo.share.localhost';

/** A gate with one open share before a backend. */
async function openGate(t: TestContext, listener: RequestListener, options: TestGateOptions = {}) {
  const backend = await startBackend(t, listener);
  const share = testShare('demo', backend.url);
  const gate = await startTestGate({ shares: [share], ...options });
  t.after(gate.close);
  return { backend, share, gate };
}

async function guardedGate(t: TestContext, listener: RequestListener = echo) {
  const backend = await startBackend(t, listener);
  const share = testShare('demo', backend.url, { login: testLogin() });
  const gate = await startTestGate({ shares: [share] });
  t.after(gate.close);
  return { backend, share, gate };
}

test('the gate forwards a valid session with provider, email, expires and assertion (2.6, 3)', async (t) => {
  const { gate, share } = await guardedGate(t);
  const { cookie, session } = gate.login(share, { email: 'ada@example.com' });
  const { status, body } = await gate.call({ host: HOST, path: '/a?b=c', headers: { cookie } });
  assert.equal(status, 200);
  assert.equal((JSON.parse(body) as Echoed).url, '/a?b=c');
  assert.deepEqual(echoedValues(body, 'svc-auth-provider'), ['corp']);
  assert.deepEqual(echoedValues(body, 'svc-auth-email'), ['ada@example.com']);
  const [expires] = echoedValues(body, 'svc-auth-expires');
  assert.match(expires!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.equal(Date.parse(expires!), session.expiresAt);
  assert.deepEqual(echoedValues(body, 'cookie'), []);
});

test('the gate signs the identity for the share and at most five minutes (DESIGN "Signed identity")', async (t) => {
  const { gate, share } = await guardedGate(t);
  const { cookie, state } = gate.login(share);
  const first = await gate.call({ host: HOST, headers: { cookie } });
  const second = await gate.call({ host: HOST, headers: { cookie } });
  const [token] = echoedValues(first.body, 'svc-auth-assertion');
  assert.deepEqual(echoedValues(second.body, 'svc-auth-assertion'), [token], 'one signature a minute');
  const [header, payload, signature] = token!.split('.');
  const { d: _private, ...jwk } = gate.settings.assertionKey;
  const key = createPublicKey({ key: jwk as never, format: 'jwk' });
  const signed = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature!, 'base64url'),
  );
  assert.ok(signed);
  const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as Record<string, unknown>;
  assert.equal(claims['aud'], 'http://demo.share.localhost');
  assert.equal(claims['iss'], gate.settings.endpointUrl);
  assert.equal(claims['sub'], state.subject);
  assert.equal(claims['email'], 'ada@example.com');
  const lifetime = Number(claims['exp']) - Number(claims['iat']);
  assert.ok(lifetime > 0 && lifetime <= 300);
});

test('the gate adds no identity headers where a share has no login, and strips forged ones (2.6)', async (t) => {
  const { gate } = await openGate(t, echo);
  const { body } = await gate.call({
    host: HOST,
    headers: {
      'svc-auth-email': 'root@example.com',
      svc_auth_provider: 'x',
      'X-Forwarded-User': 'y',
      accept: '*/*',
    },
  });
  const names = (JSON.parse(body) as Echoed).headers.filter((_name, index) => index % 2 === 0);
  assert.ok(
    names.every((name) => !/^svc.auth|user/i.test(name)),
    names.join(),
  );
  assert.deepEqual(echoedValues(body, 'accept'), ['*/*']);
});

test('the gate writes its own forwarding headers and believes no stranger (DESIGN "Stripping")', async (t) => {
  const { gate } = await openGate(t, echo);
  const { body } = await gate.call({
    host: `${HOST}:8443`,
    headers: { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9', forwarded: 'for=203.0.113.9' },
  });
  assert.deepEqual(echoedValues(body, 'x-forwarded-for'), ['127.0.0.1']);
  assert.deepEqual(echoedValues(body, 'x-real-ip'), ['127.0.0.1']);
  assert.deepEqual(echoedValues(body, 'forwarded'), []);
  assert.deepEqual(echoedValues(body, 'x-forwarded-host'), [`${HOST}:8443`]);
  assert.deepEqual(echoedValues(body, 'x-forwarded-proto'), ['http']);
});

test('the gate believes the chain of a trusted proxy up to the first stranger (DESIGN "Stripping")', async (t) => {
  const { gate } = await openGate(t, echo, {
    settings: { trustedProxies: ['127.0.0.1', '10.0.0.0/8'] },
  });
  const { body } = await gate.call({
    host: HOST,
    headers: { 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.0.0.5', 'x-request-id': 'from-the-proxy-1' },
  });
  assert.deepEqual(echoedValues(body, 'x-forwarded-for'), ['203.0.113.9, 10.0.0.5, 127.0.0.1']);
  assert.deepEqual(echoedValues(body, 'x-real-ip'), ['203.0.113.9']);
  assert.deepEqual(echoedValues(body, 'x-request-id'), ['from-the-proxy-1']);
});

test('the gate leaves other cookies byte for byte and takes its own away (DESIGN "Stripping")', async (t) => {
  const { gate, share } = await guardedGate(t);
  const { cookie } = gate.login(share);
  const { body } = await gate.call({
    host: HOST,
    headers: { cookie: `a="x y";  b=; ${cookie}; c==d%; svc-auth-session2=z` },
  });
  assert.deepEqual(echoedValues(body, 'cookie'), ['a="x y";  b=; c==d%; svc-auth-session2=z']);
});

test('the gate forwards the target byte for byte (DESIGN "Ambiguous HTTP")', async (t) => {
  const { gate } = await openGate(t, echo);
  for (const target of ['/a%2Fb/../c//d', '/%00%ff?x=%zz&y[]=1|2', '/?', '/a?b?c=/../', "/'()*;,!$&@:~"]) {
    const answer = await gate.raw(`GET ${target} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
    assert.ok(answer.includes(`"url":${JSON.stringify(target)}`), answer);
  }
});

test('the gate answers HEAD with the headers of GET and no body', async (t) => {
  const { gate } = await openGate(t, (_request, response) => {
    response.setHeader('content-length', '1234');
    response.end();
  });
  const answer = await gate.raw(`HEAD / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
  assert.match(answer, /content-length: 1234/i);
  assert.ok(answer.endsWith('\r\n\r\n'));
});

test('the gate passes ranges, statuses and headers of an answer as they are', async (t) => {
  const { gate } = await openGate(t, (request, response) => {
    if (request.url === '/range') {
      response.writeHead(206, 'Partial', [
        'Content-Range',
        'bytes 0-3/10',
        'ETag',
        '"x"',
        'Content-Length',
        '4',
      ]);
      response.end(request.headers.range === 'bytes=0-3' ? 'abcd' : 'oops');
    } else if (request.url === '/304') response.writeHead(304, { etag: '"x"' }).end();
    else response.writeHead(204).end();
  });
  const range = await gate.call({ host: HOST, path: '/range', headers: { range: 'bytes=0-3' } });
  assert.deepEqual([range.status, range.body, range.headers['content-range']], [206, 'abcd', 'bytes 0-3/10']);
  const unchanged = await gate.call({ host: HOST, path: '/304', headers: { 'if-none-match': '"x"' } });
  assert.deepEqual([unchanged.status, unchanged.headers.etag], [304, '"x"']);
  assert.equal((await gate.call({ host: HOST, path: '/204' })).status, 204);
});

test('the gate passes trailers both ways, but for reserved names', async (t) => {
  const { gate } = await openGate(t, (request, response) => {
    request.resume();
    request.on('end', () => {
      response.setHeader('trailer', 'x-sum');
      response.write(JSON.stringify(request.rawTrailers));
      response.addTrailers({ 'x-sum': 'abc', 'set-cookie': 'svc-auth-session=x' });
      response.end();
    });
  });
  const answer = await gate.raw(
    `POST / HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked\r\nTrailer: x-in\r\nTE: trailers\r\n\r\n` +
      `3\r\nabc\r\n0\r\nx-in: 1\r\nSvc_Auth-Email: root@example.com\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n`,
  );
  assert.ok(answer.includes('["x-in","1"]'), answer);
  assert.match(answer, /x-sum: abc/i);
  assert.doesNotMatch(answer, /set-cookie/i);
});

test('trailers that are too many or too large are left out, and the message before them is whole (RFC 9110 section 6.5)', async (t) => {
  const many = Array.from({ length: 150 }, (_, index): [string, string] => [`x-t${index}`, 'abc']);
  const large: [string, string][] = Array.from({ length: 5 }, (_, index) => [
    `x-t${index}`,
    'a'.repeat(2_900),
  ]);
  const { gate } = await openGate(t, (request, response) => {
    request.resume();
    request.on('end', () => {
      response.write(`whole ${request.rawTrailers.length}`);
      response.addTrailers(request.url === '/many' ? many : large.concat(large, large));
      response.end();
    });
  });
  const sent = many.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  for (const path of ['/many', '/large']) {
    const answer = await gate.raw(
      `POST ${path} HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked\r\nTE: trailers\r\n\r\n` +
        `3\r\nabc\r\n0\r\n${sent}\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 200 [^]*whole 0\r\n0\r\n\r\n$/, path);
  }
});

test('the gate asks for a body only once the backend does (100-continue)', async (t) => {
  const { gate, backend } = await openGate(t, (_request, response) => response.end('no'));
  backend.server.on('checkContinue', (request, response) => {
    if (request.url === '/no') {
      response.writeHead(417).end('unwanted');
      return;
    }
    response.writeContinue();
    request.resume();
    request.on('end', () => response.end('done'));
  });
  const socket = createConnection({ port: gate.port, host: '127.0.0.1' });
  socket.write(expectingHead('/yes'));
  const [first] = (await once(socket, 'data')) as [Buffer];
  assert.match(first.toString(), /^HTTP\/1.1 100 Continue\r\n\r\n$/);
  socket.write('abc');
  const [second] = (await once(socket, 'data')) as [Buffer];
  assert.match(second.toString(), /^HTTP\/1.1 200 OK[^]*done/);
  socket.destroy();
  const refused = await gate.raw(expectingHead('/no'));
  assert.match(refused, /^HTTP\/1.1 417 /);
  assert.doesNotMatch(refused, /100 Continue/);
});

test('the gate never asks for the body of a request that it refuses itself (100-continue)', async (t) => {
  const { gate } = await guardedGate(t);
  const answer = await gate.raw(
    `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n`,
  );
  assert.match(answer, /^HTTP\/1.1 401 /);
});

test('the gate passes early hints', async (t) => {
  const { gate } = await openGate(t, (_request, response) => {
    response.writeEarlyHints({ link: '</a.css>; rel=preload' });
    response.end('x');
  });
  const answer = await gate.raw(`GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
  assert.match(answer, /^HTTP\/1.1 103 Early Hints\r\nlink: <\/a.css>; rel=preload\r\n\r\nHTTP\/1.1 200/i);
});

test('the gate passes events as they come, head first', async (t) => {
  const step = Promise.withResolvers<void>();
  const { gate } = await openGate(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    void step.promise.then(() => response.write('data: 1\n\n'));
  });
  const request = httpRequest({ port: gate.port, host: '127.0.0.1', headers: { host: HOST } }).end();
  const [response] = await once(request, 'response');
  assert.equal(response.headers['content-type'], 'text/event-stream');
  step.resolve();
  const [chunk] = await once(response, 'data');
  assert.equal(String(chunk), 'data: 1\n\n');
  request.on('error', () => {});
  request.destroy();
});

test('the gate streams uploads and downloads with back-pressure, in flat memory', async (t) => {
  const size = 512 * 1024 * 1024;
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const { gate } = await openGate(t, (request, response) => {
    let received = 0;
    request.on('data', (piece: Buffer) => {
      received += piece.length;
    });
    request.on('end', () => {
      if (request.method === 'POST') {
        response.end(String(received));
        return;
      }
      response.setHeader('content-length', String(size));
      let sent = 0;
      const more = () => {
        while (sent < size) {
          sent += chunk.length;
          if (!response.write(chunk)) {
            response.once('drain', more);
            return;
          }
        }
        response.end();
      };
      more();
    });
  });
  const before = process.memoryUsage().rss;
  const upload = httpRequest({ port: gate.port, host: '127.0.0.1', method: 'POST', headers: { host: HOST } });
  for (let sent = 0; sent < size; sent += chunk.length) if (!upload.write(chunk)) await once(upload, 'drain');
  upload.end();
  const [answer] = await once(upload, 'response');
  assert.equal(String((await once(answer, 'data'))[0]), String(size));
  const download = httpRequest({ port: gate.port, host: '127.0.0.1', headers: { host: HOST } }).end();
  const [response] = await once(download, 'response');
  let received = 0;
  for await (const piece of response) received += (piece as Buffer).length;
  assert.equal(received, size);
  const grown = process.memoryUsage().rss - before;
  // Visitor, gate and backend share this process: what awaits collection is theirs too, some 150 MB of it on
  // a bad day.
  assert.ok(grown < size * 0.6, `memory grew by ${grown}`);
});

test('a visitor who does not read stops the backend (back-pressure)', async (t) => {
  let sent = 0;
  let stopped: (() => void) | null = null;
  const stall = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const chunk = Buffer.alloc(64 * 1024);
  const { gate } = await openGate(t, (_request, response) => {
    const more = () => {
      while (sent < 512 * 1024 * 1024) {
        sent += chunk.length;
        if (!response.write(chunk)) {
          const timer = setTimeout(() => stopped?.(), 500);
          response.once('drain', () => {
            clearTimeout(timer);
            more();
          });
          return;
        }
      }
    };
    more();
  });
  const request = httpRequest({ port: gate.port, host: '127.0.0.1', headers: { host: HOST } }).end();
  request.on('error', () => {});
  const [response] = await once(request, 'response');
  response.pause();
  response.on('error', () => {});
  await stall;
  assert.ok(sent < 64 * 1024 * 1024, `the backend could send ${sent}`);
  request.destroy();
});

test('a visitor who leaves aborts the request at the backend', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const { gate } = await openGate(t, (request) => {
    request.on('close', left.resolve);
    arrived.resolve();
  });
  const request = httpRequest({ port: gate.port, host: '127.0.0.1', headers: { host: HOST } }).end();
  request.on('error', () => {});
  await arrived.promise;
  request.destroy();
  await left.promise;
});

test('a visitor who leaves in the middle of a body aborts the request at the backend', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<void>();
  const { gate } = await openGate(t, (request) => {
    request.on('data', () => arrived.resolve());
    request.on('error', () => failed.resolve());
    request.on('end', () => failed.reject(new Error('the body ended as if it were whole')));
  });
  const request = httpRequest({
    port: gate.port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { host: HOST },
  });
  request.on('error', () => {});
  request.write('abc');
  await arrived.promise;
  request.destroy();
  await failed.promise;
});

test('a backend that dies in the middle of an answer is no whole answer to the visitor', async (t) => {
  const { gate } = await openGate(t, (request, response) => {
    const length = request.url === '/length' ? { 'content-length': '100' } : {};
    response.writeHead(200, length);
    response.write('part', () => response.socket?.destroy());
  });
  for (const path of ['/length', '/chunked']) {
    const answer = await gate.raw(`GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`, 5000);
    assert.match(answer, /part/);
    assert.doesNotMatch(answer, /\r\n0\r\n\r\n$/);
  }
  // HTTP/1.0 has no framing but the end of the connection: only a reset tells.
  const socket = createConnection({ port: gate.port, host: '127.0.0.1' });
  socket.write(`GET / HTTP/1.0\r\nHost: ${HOST}\r\n\r\n`);
  socket.resume();
  const [error] = await once(socket, 'error');
  assert.equal((error as NodeJS.ErrnoException).code, 'ECONNRESET');
});

test('a backend that dies in the middle of an answer by HTTP/1.0 over TLS ends the connection unannounced (RFC 8446 6.1)', async (t) => {
  const { gate } = await openGate(
    t,
    (_request, response) => {
      response.write('part', () => response.socket?.destroy());
    },
    {
      certificates: [makeCertificate(['*.share.localhost'])],
      settings: { tls: true, publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 } },
    },
  );
  const visitor = spawn('openssl', ['s_client', '-quiet', '-connect', `127.0.0.1:${gate.port}`]);
  t.after(() => visitor.kill());
  visitor.stdin.write(`GET / HTTP/1.0\r\nHost: ${HOST}\r\n\r\n`);
  const [answer, found] = await Promise.all([text(visitor.stdout), text(visitor.stderr)]);
  assert.match(answer, /part$/);
  assert.match(found, /unexpected eof/);
});

test('a backend that is down is 502, as a page or a problem, with a request id that is in the log (DESIGN 2.3)', async (t) => {
  const backend = await startBackend(t, echo);
  backend.server.close();
  const gate = await startTestGate({ shares: [testShare('demo', backend.url)] });
  t.after(gate.close);
  const problem = await gate.call({ host: HOST });
  assert.equal(problem.status, 502);
  assert.equal(problem.headers['content-type'], 'application/problem+json');
  const document = JSON.parse(problem.body) as Record<string, unknown>;
  assert.equal(document['code'], 'backend_down');
  const page = await gate.call({ host: HOST, headers: { accept: 'text/html' } });
  assert.equal(page.status, 502);
  assert.match(page.headers['content-type'] ?? '', /^text\/html/);
  await gate.close();
  const log = gate.said.flatMap((message) => (message.type === 'log' ? [message.lines] : [])).join('');
  assert.ok(log.includes(String(document['request_id'])));
});

test('a backend that does not answer is 504 (DESIGN 2.3)', async (t) => {
  const { gate } = await openGate(t, () => {}, { limits: { headMs: 10 } });
  const answer = await gate.call({ host: HOST });
  assert.equal(answer.status, 504);
  assert.equal((JSON.parse(answer.body) as { code: string }).code, 'backend_timeout');
});

test('a body that stops coming is 408 (DESIGN "Ambiguous HTTP")', async (t) => {
  const { gate } = await openGate(t, () => {}, { limits: { bodyStallMs: 10 } });
  const answer = await gate.raw(`POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 10\r\n\r\nabc`, 6000);
  assert.match(answer, /^HTTP\/1.1 408 /);
});

test('unknown and disabled shares are 404 (DESIGN 2.3)', async (t) => {
  const off = testShare('off', 'http://127.0.0.1:1', { enabled: false });
  const gate = await startTestGate({ shares: [off] });
  t.after(gate.close);
  for (const host of ['off.share.localhost', 'other.share.localhost', 'share.localhost', '127.0.0.1'])
    assert.equal((await gate.call({ host })).status, 404, host);
});

testDirect('a target that may not be reached is refused (DESIGN "Calls out")', async (t) => {
  const backend = await startBackend(t, echo);
  const shares = [testShare('demo', backend.url), testShare('meta', 'http://169.254.169.254')];
  const gate = await startTestGate({ shares, settings: { directTargets: [] } });
  t.after(gate.close);
  for (const host of [HOST, 'meta.share.localhost']) {
    const answer = await gate.call({ host });
    assert.equal(answer.status, 502);
    assert.equal((JSON.parse(answer.body) as { code: string }).code, 'backend_refused');
  }
  const own = await startTestGate({
    shares: [testShare('demo', backend.url)],
    settings: { ownListeners: [{ host: '0.0.0.0', port: backend.port }] },
  });
  t.after(own.close);
  assert.equal((await own.call({ host: HOST })).status, 502);
});

test('a request that came through this gateway before is a loop: 508 (DESIGN "Calls out")', async (t) => {
  const gate = await startTestGate({ shares: [] });
  t.after(gate.close);
  const loop = testShare('demo', `http://127.0.0.1:${gate.port}`);
  gate.tell({ type: 'shares', upsert: [loop], remove: [] });
  const answer = await gate.call({ host: HOST });
  assert.equal(answer.status, 508);
});

test('a change of a share counts on the next request', async (t) => {
  const { gate, share } = await openGate(t, echo);
  assert.equal((await gate.call({ host: HOST })).status, 200);
  gate.tell({ type: 'shares', upsert: [{ ...share, login: testLogin() }], remove: [] });
  assert.equal((await gate.call({ host: HOST })).status, 302);
  gate.tell({ type: 'shares', upsert: [], remove: [share.id] });
  assert.equal((await gate.call({ host: HOST })).status, 404);
});

test('a backend can set neither the gate’s cookies nor wide ones (DESIGN "From backends")', async (t) => {
  const { gate } = await openGate(t, (_request, response) => {
    response.setHeader('set-cookie', [
      'svc-auth-session=x; Path=/',
      '=svc-auth-session=x',
      'a=1; Domain=share.localhost; Path=/',
      'b=2; HttpOnly',
    ]);
    response.setHeader('clear-site-data', '"cache", "cookies"');
    response.setHeader('alt-svc', 'h3=":443"');
    response.end();
  });
  const { headers } = await gate.call({ host: HOST });
  assert.deepEqual(headers['set-cookie'], ['a=1; Path=/', 'b=2; HttpOnly']);
  assert.equal(headers['clear-site-data'], '"cache"');
  assert.equal(headers['alt-svc'], undefined);
});

function expectingHead(path: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n`;
}

testDirect(
  'draining answers who connected before, and waits for nobody who does not ask (SIGTERM)',
  async (t) => {
    const { gate } = await openGate(t, echo);
    const [asking, quiet] = [
      createConnection(gate.port, '127.0.0.1'),
      createConnection(gate.port, '127.0.0.1'),
    ];
    for (const socket of [asking, quiet]) t.after(() => socket.destroy());
    await Promise.all([asking, quiet].map((socket) => once(socket, 'connect')));
    gate.tell({ type: 'drain', deadlineMs: 10_000 });
    // The gate hears of it first.
    await until(() => refuses(gate.port));
    asking.write(`POST / HTTP/1.1\r\nhost: ${HOST}\r\ncontent-length: 2\r\n\r\nhi`);
    const answer = await text(asking);
    assert.match(answer, /^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n/i);
    const since = performance.now();
    await until(() => gate.said.some(({ type }) => type === 'drained'));
    assert.ok(performance.now() - since < 5_000);
  },
);

/** Whether nothing listens there any more. */
async function refuses(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
  const refused = await promise;
  socket.destroy();
  return refused;
}
