import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createTlsServer, type Server } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { NO_TRUST } from '../domain/certificate-trust.ts';
import type { AccountId } from '../domain/id.ts';
import { TICKET_KEYS_LAST_MS } from '../http/ticket-keys.ts';
import { makeCertificate } from '../../test/support/certificate.ts';
import { clientTrustOf, createTlsFront } from './tls-front.ts';
import { createTrust } from './trust.ts';

/** Each host is an account of its own. Answers HTTP/1.1 with nothing. */
async function startFront(
  t: TestContext,
  maxServers: number,
  certificates = [makeCertificate(['*.example.com'])],
) {
  const made: Server[] = [];
  const front = createTlsFront({
    server: {},
    handshakeDeadlineMs: 20_000,
    certificates,
    policies: { asked: () => true, nameless: () => 'none', of: (host): AccountId => `acc_${host}` },
    trust: createTrust(NO_TRUST),
    maxServers,
    serveHttp1: (server) => {
      made.push(server);
      server.on('request', (_request, response) => response.writeHead(204).end());
    },
    acceptHttp2: (socket) => socket.destroy(),
    handshakeFailed: () => undefined,
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
  const open = async (servername: string, session?: Buffer) => {
    const socket = connect({ host: '127.0.0.1', port, servername, session, rejectUnauthorized: false });
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
  return { made, front, open, visit };
}

async function ask(socket: TLSSocket): Promise<void> {
  socket.write('GET / HTTP/1.1\r\nHost: a.example.com\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(answer.toString('latin1'), /^HTTP\/1\.1 204 /);
}

test('createTlsFront() keeps so many servers, and always those that have connections (DESIGN "Mutual TLS")', async (t) => {
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

/** Both ways that a certificate is chosen: the first for whoever names no other, and one by name. */
const CERTIFICATES = [['first.example.org'], ['*.example.com']].map(makeCertificate);

test('createTlsFront() rotates ticket keys: a session resumes before, and does a full handshake after (RFC 5077)', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  for (const host of ['a.example.com', 'first.example.org']) {
    const { made, open } = await startFront(t, 3, CERTIFICATES);
    const before = await ticketOf(await open(host));
    assert.equal((await open(host, before)).isSessionReused(), true, host);
    // Those of the server of nobody are new as well.
    const keys = made.map((server) => server.getTicketKeys());
    t.mock.timers.tick(TICKET_KEYS_LAST_MS);
    for (const [index, server] of made.entries())
      assert.notDeepEqual(server.getTicketKeys(), keys[index], `server ${index}`);
    const full = await open(host, before);
    assert.equal(full.isSessionReused(), false, host);
    // What is given out from then on resumes.
    assert.equal((await open(host, await ticketOf(full))).isSessionReused(), true, host);
  }
});

test('createTlsFront() takes no ticket of a stolen key after its rotation, new certificates or not (RFC 5077 5.5)', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { made, front, open } = await startFront(t, 3, CERTIFICATES);
  await ask(await open('a.example.com'));
  const stolen = made[1]!.getTicketKeys();
  const forged = await forgedTicket(t, { keys: stolen, sessionIdContext: contextOf('acc_a.example.com') });
  assert.equal((await open('a.example.com', forged)).isSessionReused(), true, 'the key is worth something');
  t.mock.timers.tick(TICKET_KEYS_LAST_MS);
  assert.equal((await open('a.example.com', forged)).isSessionReused(), false);
  front.replaceCertificates(CERTIFICATES);
  assert.equal((await open('a.example.com', forged)).isSessionReused(), false);
  front.close();
  const last = made.map((server) => server.getTicketKeys());
  t.mock.timers.tick(TICKET_KEYS_LAST_MS);
  assert.deepEqual(
    made.map((server) => server.getTicketKeys()),
    last,
    'a closed front rotates nothing',
  );
});

test('createTlsFront() gives each policy and each worker ticket keys of its own', async (t) => {
  const fronts = [await startFront(t, 3), await startFront(t, 3)];
  for (const { open } of fronts) for (const name of ['a', 'b']) await open(`${name}.example.com`);
  const keys = fronts.flatMap(({ made }) => made.map((server) => server.getTicketKeys().toString('hex')));
  assert.equal(keys.length, 6);
  assert.equal(new Set(keys).size, 6);
});

/** As its server would give it, at a server of the thief's own. */
async function forgedTicket(
  t: TestContext,
  known: { keys: Buffer; sessionIdContext: string },
): Promise<Buffer> {
  const [, material] = CERTIFICATES;
  const thief = createTlsServer({
    cert: material!.certificate,
    key: material!.key,
    ticketKeys: known.keys,
    sessionIdContext: known.sessionIdContext,
    ALPNProtocols: ['h2', 'http/1.1'],
    requestCert: true,
    rejectUnauthorized: false,
  });
  thief.on('request', (_request, response) => response.writeHead(204).end());
  thief.listen(0, '127.0.0.1');
  await once(thief, 'listening');
  t.after(() => thief.close());
  const { port } = thief.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port, servername: 'a.example.com', rejectUnauthorized: false });
  t.after(() => socket.destroy());
  await once(socket, 'secureConnect');
  return ticketOf(socket);
}

function contextOf(policy: AccountId): string {
  return clientTrustOf(policy, [])!.sessionIdContext;
}

/** TLS 1.3 sends it behind the handshake, with the first bytes of the server. */
async function ticketOf(socket: TLSSocket): Promise<Buffer> {
  const tickets = once(socket, 'session');
  await ask(socket);
  const [ticket] = (await tickets) as [Buffer];
  return ticket;
}
