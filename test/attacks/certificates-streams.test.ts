// Certificates: what was let in by one ends with it, WebSockets and streams by HTTP/1.1 and HTTP/2 alike:
// revoked, expired, its authority gone, the share's rule changed. What goes by another stays.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { test, type TestContext } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import type { Share } from '../../src/domain/share.ts';
import type { ClientPair } from '../support/client-authority.ts';
import { testLogin } from '../support/gate.ts';
import { revocationOf, startMutualTlsGate, type MutualTlsGate } from '../support/mutual-tls.ts';

const STRICT = 'strict.share.localhost';
const ORIGIN = `https://${STRICT}`;
const ENDS_IN_TIME_MS = 30_000;

type Open = { readonly what: string; readonly closed: Promise<unknown>; readonly isClosed: () => boolean };

async function startGate(t: TestContext, more: Partial<Share> = {}): Promise<MutualTlsGate> {
  const started = await startMutualTlsGate(t, {
    more,
    listener: (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: open\n\n');
    },
  });
  const sockets = new WebSocketServer({ server: started.backend.server });
  t.after(() => {
    for (const client of sockets.clients) client.terminate();
    sockets.close();
  });
  return started;
}

/** One of each kind, all open. */
function openAll(t: TestContext, port: number, pair: ClientPair, cookie = ''): Promise<readonly Open[]> {
  const to = { t, port, pair, cookie };
  return Promise.all([openSocket(to), openSocketByHttp2(to), openStream(to), openStreamByHttp2(to)]);
}

type To = {
  readonly t: TestContext;
  readonly port: number;
  readonly pair: ClientPair;
  readonly cookie: string;
};

async function openSocket({ t, port, pair, cookie }: To): Promise<Open> {
  const options = { headers: { host: STRICT, origin: ORIGIN, cookie }, ...tlsOptions(pair) };
  const socket = new WebSocket(`wss://127.0.0.1:${port}/`, options);
  socket.on('error', () => {});
  t.after(() => socket.terminate());
  const closed = closing(socket);
  await once(socket, 'open');
  return { what: 'WebSocket', ...closed };
}

async function openStream({ t, port, pair, cookie }: To): Promise<Open> {
  const headers = { host: STRICT, cookie };
  const request = httpsRequest({ host: '127.0.0.1', port, agent: false, headers, ...tlsOptions(pair) });
  t.after(() => request.destroy());
  request.on('error', () => {});
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  response.on('error', () => {});
  return { what: 'stream', ...closing(response.resume()) };
}

function openStreamByHttp2(to: To): Promise<Open> {
  return openByHttp2(to, 'HTTP/2 stream', { ':path': '/' });
}

function openSocketByHttp2(to: To): Promise<Open> {
  const connect = { ':method': 'CONNECT', ':protocol': 'websocket', ':path': '/', ':scheme': 'https' };
  return openByHttp2(to, 'HTTP/2 WebSocket', { ...connect, origin: ORIGIN, 'sec-websocket-version': '13' });
}

async function openByHttp2(
  { t, port, pair, cookie }: To,
  what: string,
  headers: Readonly<Record<string, string>>,
): Promise<Open> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, tlsOptions(pair));
  t.after(() => session.destroy());
  session.on('error', () => {});
  await once(session, 'remoteSettings');
  const stream = session.request(
    { ':authority': STRICT, cookie, ...headers },
    { endStream: ':path' in headers && !(':protocol' in headers) },
  );
  stream.on('error', () => {});
  const [head] = (await once(stream, 'response')) as [Record<string, unknown>];
  assert.equal(head[':status'], 200, what);
  return { what, ...closing(stream.resume()) };
}

function tlsOptions({ certificate, key }: ClientPair) {
  return { servername: STRICT, cert: certificate, key, rejectUnauthorized: false };
}

function closing(emitter: NodeJS.EventEmitter): Pick<Open, 'closed' | 'isClosed'> {
  let over = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  emitter.on('close', () => {
    over = true;
    resolve();
  });
  return { closed: promise, isClosed: () => over };
}

async function requireClosed(open: readonly Open[]): Promise<void> {
  const timer = setTimeout(() => {
    const left = open.filter(({ isClosed }) => !isClosed()).map(({ what }) => what);
    throw new Error(`still open: ${left.join(', ')}`);
  }, ENDS_IN_TIME_MS);
  await Promise.all(open.map(({ closed }) => closed));
  clearTimeout(timer);
}

/**
 * Everything that is open has been judged once and found good: another's end shows that the gate looked at
 * all.
 */
async function lookedAt(
  t: TestContext,
  { gate, authority, tell }: Pick<MutualTlsGate, 'gate' | 'authority' | 'tell'>,
): Promise<void> {
  const carol = authority.leaf({ commonName: 'carol' });
  const open = await openSocket({ t, port: gate.port, pair: carol, cookie: '' });
  tell(revocationOf(authority, carol));
  await requireClosed([open]);
}

test('a revoked certificate ends what it opened, and nothing else', async (t) => {
  const { gate, authority, tell } = await startGate(t);
  const [ann, bob] = [authority.leaf(), authority.leaf({ commonName: 'bob' })];
  const anns = await openAll(t, gate.port, ann);
  const bobs = await openAll(t, gate.port, bob);
  await lookedAt(t, { gate, authority, tell });
  tell(revocationOf(authority, ann));
  await requireClosed(anns);
  assert.deepEqual(
    bobs.map(({ isClosed }) => isClosed()),
    [false, false, false, false],
  );
});

test('an authority that is trusted no more ends what its certificates opened', async (t) => {
  const { gate, authority, tell } = await startGate(t);
  const open = await openAll(t, gate.port, authority.leaf());
  await lookedAt(t, { gate, authority, tell });
  tell({ gone: [authority.trusted.id] });
  await requireClosed(open);
});

test('a time that is over ends what was open, without anybody telling so', async (t) => {
  const { gate, authority, tell } = await startGate(t);
  const open = await openAll(t, gate.port, authority.leaf());
  // As for a certificate that expires: what counts is whichever of the two is over first.
  const notAfter = Date.now() + 1_500;
  tell({ authorities: [{ ...authority.trusted, notAfter }] });
  await requireClosed(open);
  assert.ok(Date.now() >= notAfter);
});

test('a rule that the certificate does not match ends what it opened, and so does a login that is needed now', async (t) => {
  const { gate, strict, authority } = await startGate(t);
  const pair = authority.leaf();
  const change = (more: Partial<Share>) =>
    gate.tell({ type: 'shares', upsert: [{ ...strict, ...more }], remove: [] });
  const before = await openAll(t, gate.port, pair);
  change({ clientCertificate: { subject: 'bob', unit: null } });
  await requireClosed(before);
  change({});
  const again = await openAll(t, gate.port, pair);
  change({ login: testLogin() });
  await requireClosed(again);
});

test('where both are needed, either that goes ends it; where one is enough, the one that let in', async (t) => {
  const { gate, strict, authority, tell } = await startGate(t, { login: testLogin() });
  const ann = gate.login(strict);
  const bothThenLogout = await openAll(t, gate.port, authority.leaf(), ann.cookie);
  gate.end(ann);
  await requireClosed(bothThenLogout);
  const bob = gate.login(strict);
  const pair = authority.leaf();
  const bothThenRevoked = await openAll(t, gate.port, pair, bob.cookie);
  tell(revocationOf(authority, pair));
  await requireClosed(bothThenRevoked);
  gate.tell({ type: 'shares', upsert: [{ ...strict, access: 'either' }], remove: [] });
  const other = authority.leaf();
  // Whoever came by certificate does not stay for a login that is there, too.
  const byCertificate = await openAll(t, gate.port, other, bob.cookie);
  tell(revocationOf(authority, other));
  await requireClosed(byCertificate);
});

test('where a rule asks for both and a later one for the certificate alone, a logout ends what both opened', async (t) => {
  const { gate, strict, authority } = await startGate(t, {
    login: testLogin(),
    access: 'all',
    rules: [{ allow: { certificate: { subject: null, unit: null } } }],
  });
  const ann = gate.login(strict);
  const pair = authority.leaf();
  const both = await openAll(t, gate.port, pair, ann.cookie);
  const certificateAlone = await openAll(t, gate.port, pair);
  gate.end(ann);
  await requireClosed(both);
  assert.deepEqual(
    certificateAlone.map(({ isClosed }) => isClosed()),
    [false, false, false, false],
  );
});

test('with the store away for too long, what a certificate opened ends, and nobody gets in (DESIGN 3, store outage)', async (t) => {
  const { gate, authority } = await startGate(t);
  const open = await openAll(t, gate.port, authority.leaf());
  gate.tell({ type: 'settings', settings: { ...gate.settings, outageGraceMs: 0 } });
  gate.storeGood(-1_000_000);
  await requireClosed(open);
});
