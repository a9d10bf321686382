import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { NO_TRUST } from '../domain/certificate-trust.ts';
import type { AccountId } from '../domain/id.ts';
import { makeCertificate } from '../../test/support/certificate.ts';
import { createTlsFront } from './tls-front.ts';
import { createTrust } from './trust.ts';

/** Each host is an account of its own. Answers HTTP/1.1 with nothing. */
async function startFront(t: TestContext, maxServers: number) {
  const made: Server[] = [];
  const front = createTlsFront({
    server: {},
    handshakeDeadlineMs: 20_000,
    certificates: [makeCertificate(['*.example.com'])],
    policies: { asked: () => true, of: (host): AccountId => `acc_${host}` },
    trust: createTrust(NO_TRUST),
    maxServers,
    serveHttp1: (server) => {
      made.push(server);
      server.on('request', (_request, response) => response.writeHead(204).end());
    },
    acceptHttp2: (socket) => socket.destroy(),
  });
  const accepted: Socket[] = [];
  const listener = createServer((socket) => {
    accepted.push(socket);
    front.accept(socket);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.after(() => {
    front.close();
    listener.close();
  });
  const { port } = listener.address() as AddressInfo;
  const open = async (servername: string) => {
    const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false });
    t.after(() => socket.destroy());
    await once(socket, 'secureConnect');
    return socket;
  };
  /** Opens one, asks, and waits until the server sees its end. */
  const visit = async (servername: string) => {
    const socket = await open(servername);
    await ask(socket);
    const closed = once(accepted.at(-1)!, 'close');
    socket.destroy();
    await closed;
  };
  return { made, open, visit };
}

async function ask(socket: TLSSocket): Promise<void> {
  socket.write('GET / HTTP/1.1\r\nHost: a.example.com\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(answer.toString('latin1'), /^HTTP\/1\.1 204 /);
}

test('createTlsFront() keeps so many servers, and always those that have connections (DESIGN Mutual TLS)', async (t) => {
  const { made, open, visit } = await startFront(t, 3);
  const held = await open('a.example.com');
  // That of nobody is there from the begin.
  assert.equal(made.length, 2);
  for (const name of ['b', 'b', 'c', 'd']) await visit(`${name}.example.com`);
  assert.equal(made.length, 5);
  // It went for the next one that was needed.
  await visit('b.example.com');
  assert.equal(made.length, 6);
  await ask(held);
  await visit('a.example.com');
  assert.equal(made.length, 6);
});
