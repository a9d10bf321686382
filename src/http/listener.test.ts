import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { makeCertificate } from '../../test/support/certificate.ts';
import { listen } from './listener.ts';
import { TICKET_KEYS_LAST_MS } from './ticket-keys.ts';

const handle: Parameters<typeof listen>[0]['handle'] = (_request, response) => response.end('ok');

test('listen() serves, and close() ends it', async () => {
  const listener = await listen({
    name: 'test',
    at: { host: '127.0.0.1', port: 0 },
    certificates: null,
    handle,
  });
  const response = await fetch(`http://127.0.0.1:${listener.port}/`);
  assert.equal(await response.text(), 'ok');
  await listener.close(0);
  await assert.rejects(fetch(`http://127.0.0.1:${listener.port}/`));
});

test('listen() names the address that is taken', async () => {
  const first = await listen({
    name: 'first',
    at: { host: '127.0.0.1', port: 0 },
    certificates: null,
    handle,
  });
  const at = { host: '127.0.0.1', port: first.port };
  await assert.rejects(listen({ name: 'second', at, certificates: null, handle }), {
    code: 'address_in_use',
    message: `Cannot listen for second on 127.0.0.1:${first.port}: another program uses the address`,
  });
  await first.close(0);
});

test('listen() answers an unreadable request with 400 and lives on', async () => {
  const listener = await listen({
    name: 'test',
    at: { host: '127.0.0.1', port: 0 },
    certificates: null,
    handle,
  });
  const socket = connect(listener.port, '127.0.0.1');
  socket.write('NOT HTTP\r\n\r\n');
  const [first] = await Array.fromAsync(socket);
  assert.match(String(first), /^HTTP\/1\.1 400 /);
  assert.equal((await fetch(`http://127.0.0.1:${listener.port}/`)).status, 200);
  await listener.close(0);
});

test('listen() answers CONNECT with 405, and ends the connection (RFC 9110 section 15.5.6)', async () => {
  const listener = await listen({
    name: 'test',
    at: { host: '127.0.0.1', port: 0 },
    certificates: null,
    handle,
  });
  const socket = connect(listener.port, '127.0.0.1');
  socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
  const text = Buffer.concat(await Array.fromAsync(socket)).toString();
  assert.match(text, /^HTTP\/1\.1 405 Method Not Allowed\r\n[^]*\r\nallow: GET, [^]*"method_not_allowed"/);
  await listener.close(0);
});

test('useCertificates() leaves a plain listener as it is, also with no certificate at all', async (t) => {
  const listener = await listen({
    name: 'test',
    at: { host: '127.0.0.1', port: 0 },
    certificates: null,
    handle,
  });
  t.after(() => listener.close(0));
  listener.useCertificates([]);
  assert.equal((await fetch(`http://127.0.0.1:${listener.port}/`)).status, 200);
});

test('listen() handles one request of a connection at a time, and in order (RFC 9112 section 9.3.2)', async (t) => {
  let running = 0;
  let most = 0;
  const listener = await listen({
    name: 'test',
    at: { host: '127.0.0.1', port: 0 },
    certificates: null,
    handle: (request, response) => {
      running++;
      most = Math.max(most, running);
      setTimeout(() => {
        running--;
        response.end(`[${request.url}]`);
      }, 5);
    },
  });
  t.after(() => listener.close(0));
  const socket = connect(listener.port, '127.0.0.1');
  socket.write(
    `${Array.from({ length: 20 }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')}rubbish\r\n\r\n`,
  );
  const text = String(Buffer.concat(await Array.fromAsync(socket)));
  assert.deepEqual(
    [...text.matchAll(/\[\/(\d+)\]/g)].map(([, index]) => Number(index)),
    Array.from({ length: 20 }, (_, index) => index),
  );
  assert.equal(most, 1);
  assert.match(text, /HTTP\/1\.1 400 /);
});

test('listen() rotates the ticket keys of TLS: a session of before does a full handshake (RFC 5077)', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const listener = await listen({
    name: 'test',
    at: { host: '127.0.0.1', port: 0 },
    certificates: [makeCertificate(['auth.localhost'])],
    handle,
  });
  t.after(() => listener.close(0));
  const visit = async (session?: Buffer) => {
    const socket = connectTls({ host: '127.0.0.1', port: listener.port, session, rejectUnauthorized: false });
    const tickets: Buffer[] = [];
    socket.on('session', (ticket) => tickets.push(ticket));
    await once(socket, 'secureConnect');
    // TLS 1.3 sends tickets behind the handshake, ahead of what the server says.
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    const reused = socket.isSessionReused();
    socket.destroy();
    return { ticket: tickets[0], reused };
  };
  const { ticket } = await visit();
  assert.equal((await visit(ticket)).reused, true);
  t.mock.timers.tick(TICKET_KEYS_LAST_MS);
  assert.equal((await visit(ticket)).reused, false);
});
