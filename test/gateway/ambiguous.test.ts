// Requests that two readers could take apart differently (DESIGN "Ambiguous HTTP"): 400, connection closed,
// nothing forwarded.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { test } from 'node:test';
import { startTestGate, testShare } from '../support/gate.ts';
import { startBackend } from '../support/backend.ts';

const HOST = 'demo.share.localhost';
const END = '\r\n\r\n';

const REFUSED: readonly (readonly [name: string, request: string])[] = [
  [
    'CL and TE',
    `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked${END}0${END}`,
  ],
  [
    'TE and CL',
    `POST / HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked\r\nContent-Length: 3${END}0${END}`,
  ],
  ['HTTP/1.0 with TE', `POST / HTTP/1.0\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked${END}0${END}`],
  [
    'TE that is not chunked',
    `POST / HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: gzip, chunked${END}0${END}`,
  ],
  [
    'TE twice',
    `POST / HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked${END}0${END}`,
  ],
  ['TE misspelt', `POST / HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: xchunked${END}0${END}`],
  ['CL twice', `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 1\r\nContent-Length: 1${END}a`],
  ['CL as a list', `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 1, 1${END}a`],
  ['CL with a sign', `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: +1${END}a`],
  ['a folded header', `GET / HTTP/1.1\r\nHost: ${HOST}\r\nX: a\r\n b${END}`],
  ['bare CR', `GET / HTTP/1.1\r\nHost: ${HOST}\r\nX: a\rb${END}`],
  ['bare LF', `GET / HTTP/1.1\nHost: ${HOST}\n\n`],
  ['bare LF in the head', `GET / HTTP/1.1\r\nHost: ${HOST}\r\nX: a\nY: b${END}`],
  ['NUL', `GET / HTTP/1.1\r\nHost: ${HOST}\r\nX: a\0b${END}`],
  ['a space before the colon', `GET / HTTP/1.1\r\nHost: ${HOST}\r\nX : a${END}`],
  ['two hosts', `GET / HTTP/1.1\r\nHost: ${HOST}\r\nHost: other.share.localhost${END}`],
  ['two equal hosts', `GET / HTTP/1.1\r\nHost: ${HOST}\r\nhost: ${HOST}${END}`],
  ['no host', `GET / HTTP/1.1\r\nX: y${END}`],
  ['an empty host', `GET / HTTP/1.1\r\nHost:${END}`],
  ['userinfo in the host', `GET / HTTP/1.1\r\nHost: user@${HOST}${END}`],
  ['a path in the host', `GET / HTTP/1.1\r\nHost: ${HOST}/x${END}`],
  ['two hosts in one', `GET / HTTP/1.1\r\nHost: ${HOST}, other${END}`],
  ['a port that is none', `GET / HTTP/1.1\r\nHost: ${HOST}:99999${END}`],
  ['absolute form of another host', `GET http://other.share.localhost/ HTTP/1.1\r\nHost: ${HOST}${END}`],
  ['absolute form with userinfo', `GET http://a@${HOST}/ HTTP/1.1\r\nHost: ${HOST}${END}`],
  ['absolute form of another scheme', `GET ftp://${HOST}/ HTTP/1.1\r\nHost: ${HOST}${END}`],
  ['a fragment', `GET /a#b HTTP/1.1\r\nHost: ${HOST}${END}`],
  ['a relative target', `GET a HTTP/1.1\r\nHost: ${HOST}${END}`],
  ['an asterisk with GET', `GET * HTTP/1.1\r\nHost: ${HOST}${END}`],
  ['a space in the target', `GET /a b HTTP/1.1\r\nHost: ${HOST}${END}`],
  ['a raw byte in the target', `GET /\xe9 HTTP/1.1\r\nHost: ${HOST}${END}`],
  ['HTTP/0.9', `GET /${END}`],
  ['HTTP/1.2', `GET / HTTP/1.2\r\nHost: ${HOST}${END}`],
  ['an HTTP/2 preface', `PRI * HTTP/2.0${END}SM${END}`],
  ['HTTP/2.0 in the request line', `GET / HTTP/2.0\r\nHost: ${HOST}${END}`],
  ['a method that is none', `G\x01T / HTTP/1.1\r\nHost: ${HOST}${END}`],
  ['a POST upgrade', upgrade('POST', 'Content-Length: 0')],
  ['an upgrade with a body', upgrade('GET', 'Content-Length: 3')],
  ['an upgrade with chunks', upgrade('GET', 'Transfer-Encoding: chunked')],
];

function upgrade(method: string, header: string): string {
  return `${method} / HTTP/1.1\r\nHost: ${HOST}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n${header}${END}`;
}

test('guard() refuses ambiguous requests with 400, closes, and forwards nothing (DESIGN "Ambiguous HTTP")', async (t) => {
  let forwarded = 0;
  const backend = await startBackend(t, (_request, response) => {
    forwarded++;
    response.end();
  });
  const gate = await startTestGate({ shares: [testShare('demo', backend.url)] });
  t.after(gate.close);
  // An idle connection to the backend: a request that slips through would be on it at once.
  assert.equal((await gate.call({ host: HOST })).status, 200);
  forwarded = 0;
  for (const [name, request] of REFUSED) {
    const smuggled = `GET /smuggled HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close${END}`;
    const answer = await gate.raw(request + smuggled);
    assert.match(answer, /^HTTP\/1.1 400 Bad Request\r\n/, `${name}: ${answer}`);
    assert.match(answer, /\r\nconnection: close\r\n/i, name);
    assert.match(answer, /"code":"bad_request"/, name);
    assert.equal(answer.match(/HTTP\/1.1 \d/g)?.length, 1, `${name}: ${answer}`);
    assert.equal(forwarded, 0, name);
  }
  assert.equal(forwarded, 0);
});

test('guard() takes hosts with port, trailing dot and in any case, and absolute form of the same host (DESIGN 3)', async (t) => {
  const backend = await startBackend(t, (request, response) => response.end(request.url));
  const gate = await startTestGate({ shares: [testShare('demo', backend.url)] });
  t.after(gate.close);
  for (const host of [`${HOST}:1`, `${HOST}.`, `${HOST}.:8080`, HOST.toUpperCase()])
    assert.match(
      await gate.raw(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close${END}`),
      /^HTTP\/1.1 200 /,
      host,
    );
  const absolute = await gate.raw(
    `GET http://${HOST}/a?b HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close${END}`,
  );
  assert.match(absolute, /\/a\?b$/);
  for (const host of [
    `x.${HOST}`,
    `${HOST}.evil.org`,
    `demo.share.localhost.localhost`,
    'xdemo.share.localhost',
  ])
    assert.match(
      await gate.raw(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close${END}`),
      /^HTTP\/1.1 404 /,
      host,
    );
});

test('an upgrade to anything but WebSocket is an ordinary request without it (DESIGN "Ambiguous HTTP")', async (t) => {
  const backend = await startBackend(t, (request, response) =>
    response.end(JSON.stringify(request.rawHeaders)),
  );
  backend.server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  const gate = await startTestGate({ shares: [testShare('demo', backend.url)] });
  t.after(gate.close);
  const answer = await gate.raw(
    `GET / HTTP/1.1\r\nHost: ${HOST}\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nConnection: Upgrade, HTTP2-Settings${END}`,
  );
  assert.match(answer, /^HTTP\/1.1 200 /);
  assert.doesNotMatch(answer, /h2c|HTTP2-Settings/i);
});

test('too many and too large headers are 431 (DESIGN 3)', async (t) => {
  const gate = await startTestGate({ shares: [] });
  t.after(gate.close);
  const many = Array.from({ length: 101 }, (_, index) => `x-${index}: y`).join('\r\n');
  assert.match(await gate.raw(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n${many}${END}`), /^HTTP\/1.1 431 /);
  const large = `x: ${'y'.repeat(40_000)}`;
  assert.match(await gate.raw(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n${large}${END}`), /^HTTP\/1.1 431 /);
  const cookies = `cookie: ${'y'.repeat(20_000)}`;
  assert.match(await gate.raw(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n${cookies}${END}`), /^HTTP\/1.1 404 /);
});

test('CONNECT is 405, with the methods that are allowed, and opens nothing (RFC 9110 section 15.5.6)', async (t) => {
  const gate = await startTestGate({ shares: [] });
  t.after(gate.close);
  for (const target of [`${HOST}:80`, '127.0.0.1:22', 'x'])
    assert.match(
      await gate.raw(`CONNECT ${target} HTTP/1.1\r\nHost: ${HOST}${END}`),
      /^HTTP\/1.1 405 Method Not Allowed\r\n[^]*\r\nallow: GET, [^]*\r\nconnection: close\r\n[^]*"code":"method_not_allowed"/,
    );
});

test('a head that does not arrive within 10 s is 408 (DESIGN 3)', async (t) => {
  const gate = await startTestGate({ shares: [] });
  t.after(gate.close);
  const socket = createConnection({ port: gate.port, host: '127.0.0.1' });
  const startedAt = Date.now();
  socket.write('GET / HTTP/1.1\r\nHost: ');
  const drip = setInterval(() => socket.write('a'), 500);
  t.after(() => clearInterval(drip));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1.1 408 /);
  assert.ok(Date.now() - startedAt < 15_000);
  socket.destroy();
});
