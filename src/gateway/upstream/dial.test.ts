// From origins to connections: failures with their cause, the time limit, TLS.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { test, type TestContext } from 'node:test';
import { listen, rawBackend } from '../../../test/support/raw-backend.ts';
import { call } from '../../../test/support/upstream-call.ts';
import { CONNECT_TIMEOUT_MS } from './dial.ts';
import { createUpstream } from './upstream.ts';

const HELLO = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const NONE = { active: 0, idle: 0, waiting: 0 };

test('exchange() gives connect_failed with the cause, however the dial fails (DESIGN "Calls out")', async () => {
  const closed = createServer();
  const port = await listen(closed);
  closed.close();
  const why = new Error('not allowed');
  const dials: readonly (() => Duplex | Promise<Duplex>)[] = [
    () => connect({ host: '127.0.0.1', port }),
    () => {
      throw why;
    },
    () => Promise.reject(why),
    () => Promise.resolve(connect({ host: '127.0.0.1', port })),
    () => new Socket().destroy(),
    () => new Socket().destroy(why),
  ];
  const upstream = createUpstream();
  for (const dial of dials) {
    const { exchange, done } = call(upstream, { key: '', dial }, { method: 'POST', body: 'chunked' });
    assert.equal(exchange.write(Buffer.from('kept')), false);
    const { error, events } = await done;
    assert.deepEqual([error?.code, events], ['connect_failed', ['error']]);
    const { cause } = error ?? {};
    assert.ok(
      cause === undefined || cause === why || (cause as NodeJS.ErrnoException).code === 'ECONNREFUSED',
    );
    assert.deepEqual(upstream.counts(), NONE);
  }
});

test('exchange() gives up a connection that does not stand in time (DESIGN 6)', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const late = Promise.withResolvers<Duplex>();
  const hanging = Object.defineProperty(new Socket(), 'connecting', { value: true });
  const upstream = createUpstream();
  for (const dial of [() => hanging, () => late.promise]) {
    const { done } = call(upstream, { key: '', dial });
    await new Promise(setImmediate);
    t.mock.timers.tick(CONNECT_TIMEOUT_MS - 1);
    assert.equal(upstream.counts().active, 1);
    t.mock.timers.tick(1);
    assert.equal((await done).error?.code, 'connect_timeout');
    assert.deepEqual(upstream.counts(), NONE);
  }
  assert.ok(hanging.destroyed);
  const tooLate = new Socket();
  late.resolve(tooLate);
  await new Promise(setImmediate);
  assert.ok(tooLate.destroyed);
});

test('exchange() keeps body and end until the connection stands, then sends them in order (DESIGN 6)', async (t) => {
  const backend = await rawBackend((socket) => void socket.write(HELLO));
  const upstream = createUpstream();
  t.after(async () => {
    upstream.close();
    await backend.close();
  });
  const drained: string[] = [];
  const slow = {
    ...backend.origin,
    dial: async (options: object) => backend.origin.dial(options, () => true),
  };
  const ended = call(upstream, slow, {
    method: 'POST',
    body: 'chunked',
    on: { onDrain: () => drained.push('ended') },
  });
  ended.exchange.write(Buffer.from('ab'));
  ended.exchange.write(Buffer.from('c'));
  ended.exchange.end(['X-T', '1']);
  await ended.done;
  assert.ok(backend.received[0]?.endsWith('\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\nX-T: 1\r\n\r\n'));
  const other = { ...slow, key: 'other' };
  const open = call(upstream, other, {
    method: 'POST',
    body: { length: 4 },
    on: {
      onDrain: () => {
        drained.push('open');
        open.exchange.write(Buffer.from('cd'));
        open.exchange.end();
      },
    },
  });
  open.exchange.write(Buffer.from('ab'));
  await open.done;
  assert.deepEqual(drained, ['open']);
  assert.ok(backend.received[1]?.endsWith('\r\n\r\nabcd'));
});

function certificate(t: TestContext): { readonly key: Buffer; readonly cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'upstream-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=backend.test', '-addext', 'subjectAltName=DNS:backend.test'];
  const made = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    key,
    '-out',
    cert,
  ];
  execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'pipe' });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

test('exchange() works over TLS, and writes nothing before the certificate is checked (DESIGN 6)', async (t) => {
  const { key, cert } = certificate(t);
  const size = 1_000_000;
  let received = '';
  const server = createTlsServer({ key, cert }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (!received.endsWith('\r\n\r\n')) return;
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
      socket.write(Buffer.alloc(size, 'x'));
    });
  });
  const port = await listen(server);
  const upstream = createUpstream();
  t.after(() => {
    upstream.close();
    server.close();
  });
  const dial = (servername: string) => (options: object) =>
    connectTls({ host: '127.0.0.1', port, servername, ca: cert, ...options });
  const wrong = await call(upstream, { key: 'wrong', dial: dial('other.test') }).done;
  assert.ok(wrong.error?.code === 'connect_failed');
  assert.equal((wrong.error.cause as NodeJS.ErrnoException).code, 'ERR_TLS_CERT_ALTNAME_INVALID');
  assert.equal(received, '');
  for (let nth = 1; nth <= 3; nth += 1) {
    const outcome = await call(upstream, { key: 'right', dial: dial('backend.test') }).done;
    assert.ok(outcome.body.equals(Buffer.alloc(size, 'x')));
    assert.equal(received.match(/GET/g)?.length, nth);
    assert.equal(upstream.counts().idle, 1);
  }
});
