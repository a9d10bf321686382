import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as http from 'node:http';
import * as net from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { createAddressList } from '../domain/address-list.ts';
import { CALLS_AT_ONCE, CALL_LIMIT_MS, createDialler } from './dialler.ts';
import type { DiallerOptions } from './dialler.ts';
import { MAX_ANSWER_BYTES } from './outbound-exchange.ts';
import { until } from '../../test/support/until.ts';

const get = { method: 'GET', headers: {} };
const lookupPublic = async () => [{ address: '93.184.216.34' }];
const refused = { name: 'ServiceError', code: 'provider_error' };
const unreachable = { name: 'ServiceError', code: 'provider_unreachable' };

function dialler(options: Partial<DiallerOptions> = {}) {
  const faults = { refused: 'provider_error', unreachable: 'provider_unreachable' } as const;
  return createDialler({ allow: 'operator', ownListeners: [], ...faults, ...options });
}

async function serve(context: TestContext, handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function serveRaw(context: TestContext, onSocket: (socket: net.Socket) => void): Promise<string> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('Dialler.fetch() sends method, headers and form, and answers a Response', async (context) => {
  const origin = await serve(context, async (request, response) => {
    const chunks: string[] = await request.setEncoding('utf8').toArray();
    response.writeHead(201, {
      'content-type': 'application/json',
      'x-seen': request.headers['x-mine'] ?? '',
    });
    response.end(JSON.stringify([request.method, chunks.join(''), request.headers['content-length']]));
  });
  const body = new URLSearchParams({ a: '1', b: '&' });
  const answer = await dialler().fetch(origin, { method: 'POST', headers: { 'x-mine': 'yes' }, body });
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get('x-seen'), 'yes');
  assert.deepEqual(await answer.json(), ['POST', 'a=1&b=%26', '9']);
});

test('Dialler.fetch() follows no redirect (DESIGN "Calls out")', async (context) => {
  let reached = false;
  const inner = await serve(context, (_request, response) => {
    reached = true;
    response.end();
  });
  const origin = await serve(context, (_request, response) =>
    response.writeHead(302, { location: inner }).end(),
  );
  const answer = await dialler().fetch(origin, get);
  assert.equal(answer.status, 302);
  assert.equal(reached, false);
});

test('Dialler.fetch() reads at most 1 MiB, with or without a declared length (DESIGN 3)', async (context) => {
  const origin = await serve(context, (request, response) => {
    const size = Number(request.url?.slice(1));
    if (request.method === 'PUT') response.setHeader('content-length', size);
    response.end(Buffer.alloc(size, 32));
  });
  const exact = await dialler().fetch(`${origin}/${MAX_ANSWER_BYTES}`, get);
  assert.equal((await exact.arrayBuffer()).byteLength, MAX_ANSWER_BYTES);
  await assert.rejects(dialler().fetch(`${origin}/${MAX_ANSWER_BYTES + 1}`, get), refused);
  await assert.rejects(
    dialler().fetch(`${origin}/${MAX_ANSWER_BYTES + 1}`, { ...get, method: 'PUT' }),
    refused,
  );
});

test('Dialler.fetch() refuses compressed answers, which would be larger than they look', async (context) => {
  const origin = await serve(context, (request, response) => {
    assert.equal(request.headers['accept-encoding'], 'identity');
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
  });
  await assert.rejects(dialler().fetch(origin, get), refused);
});

test('Dialler.fetch() gives no place to a call that was over before it came (DESIGN 3: 16 at once)', async (context) => {
  const held: { end: () => void }[] = [];
  const origin = await serve(context, (_request, response) => void held.push(response));
  const calls = dialler();
  const running = Array.from({ length: CALLS_AT_ONCE }, () => calls.fetch(origin, get));
  await until(() => held.length >= CALLS_AT_ONCE);
  const over = Array.from({ length: CALLS_AT_ONCE }, () =>
    assert.rejects(calls.fetch(origin, { ...get, signal: AbortSignal.abort() }), unreachable),
  );
  await Promise.all(over);
  for (const response of held.splice(0)) response.end();
  await Promise.all(running);
  const again = calls.fetch(origin, get);
  await until(() => held.length > 0);
  held[0]?.end();
  assert.equal((await again).status, 200);
});

test('Dialler.fetch() gives up on servers that never answer, never end, or send without end (DESIGN 3: 10 s)', async (context) => {
  assert.equal(CALL_LIMIT_MS, 10_000);
  const impatient = dialler({ callLimitMs: 200 });
  const silent = await serveRaw(context, () => undefined);
  await assert.rejects(impatient.fetch(silent, get), unreachable);
  const dripping = await serve(context, (_request, response) => {
    response.writeHead(200).write('{');
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  });
  await assert.rejects(impatient.fetch(dripping, get), unreachable);
  const informing = await serveRaw(context, (socket) => {
    const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
    socket.on('close', () => clearInterval(drip));
  });
  await assert.rejects(impatient.fetch(informing, get), unreachable);
});

test('Dialler.fetch() respects the signal of its caller', async (context) => {
  const silent = await serveRaw(context, () => undefined);
  const signal = AbortSignal.timeout(50);
  const started = performance.now();
  await assert.rejects(dialler().fetch(silent, { ...get, signal }), unreachable);
  assert.ok(performance.now() - started < CALL_LIMIT_MS);
});

test('Dialler.fetch() lets 16 calls out at once; the next waits its turn within its own limit (DESIGN 3)', async (context) => {
  const open = new Set<http.ServerResponse>();
  let peak = 0;
  const arrived = Promise.withResolvers<void>();
  const origin = await serve(context, (_request, response) => {
    open.add(response);
    peak = Math.max(peak, open.size);
    if (open.size === CALLS_AT_ONCE) arrived.resolve();
    response.on('close', () => open.delete(response));
    if (peak === CALLS_AT_ONCE && open.size < CALLS_AT_ONCE) response.end('later');
  });
  const busy = dialler();
  const calls = Array.from({ length: CALLS_AT_ONCE }, () => busy.fetch(origin, get));
  await arrived.promise;
  await assert.rejects(busy.fetch(origin, { ...get, signal: AbortSignal.timeout(50) }), unreachable);
  const waiting = Array.from({ length: 20 }, () => busy.fetch(origin, get));
  for (const response of open) response.end('first');
  const done = [...calls, ...waiting].map(async (call) => (await call).text());
  const drain = setInterval(() => {
    for (const response of open) response.end('drained');
  }, 5);
  context.after(() => clearInterval(drain));
  assert.equal((await Promise.all(done)).length, CALLS_AT_ONCE + 20);
  assert.equal(peak, CALLS_AT_ONCE);
});

test('Dialler.fetch() says what is worth trying again and what is not', async (context) => {
  const garbage = await serveRaw(context, (socket) => socket.end('not http at all\r\n\r\n'));
  await assert.rejects(dialler().fetch(garbage, get), refused);
  const breaking = await serve(context, (_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    setImmediate(() => response.destroy());
  });
  await assert.rejects(dialler().fetch(breaking, get), unreachable);
  await assert.rejects(dialler().fetch('http://127.0.0.1:1/', get), unreachable);
  const upgrading = await serveRaw(context, (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  );
  await assert.rejects(dialler({ callLimitMs: 2000 }).fetch(upgrading, get), refused);
});

test('Dialler.fetch() speaks https, and http to this machine alone (DESIGN 3)', async () => {
  const lookup = lookupPublic;
  await assert.rejects(dialler({ lookup }).fetch('http://idp.example/', get), refused);
  for (const url of ['ftp://idp.example/', 'file:///etc/passwd', 'https://user:pw@idp.example/', 'nonsense'])
    await assert.rejects(dialler({ lookup }).fetch(url, get), refused, url);
});

test('Dialler.fetch() dials the address that was checked, whatever the resolver says later (rebinding)', async (context) => {
  let asked = 0;
  const hosts: (string | undefined)[] = [];
  const origin = await serve(context, (request, response) => {
    hosts.push(request.headers.host);
    response.end('{}');
  });
  const { port } = new URL(origin);
  const lookup = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '169.254.169.254' }];
  const calls = dialler({ allow: createAddressList([`127.0.0.1:${port}`]), lookup });
  await calls.fetch(`http://rebinding.example:${port}/`, get);
  assert.equal(asked, 1);
  assert.deepEqual(hosts, [`rebinding.example:${port}`]);
  await assert.rejects(calls.fetch(`http://rebinding.example:${port}/`, get), refused);
  assert.equal(asked, 2);
});

test('Dialler.fetch() refuses addresses that an account may not have dialled, in any notation', async () => {
  const calls = dialler({ allow: createAddressList([]) });
  for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:7f00:1]', 'localhost', '169.254.169.254', '10.1.1.1'])
    await assert.rejects(calls.fetch(`https://${host}/`, get), refused, host);
});

test('Dialler.fetch() answers names below .localhost from this machine (RFC 6761)', async (context) => {
  const origin = await serve(context, (_request, response) => response.end('here'));
  const answer = await dialler().fetch(origin.replace('127.0.0.1', 'idp.share.localhost'), get);
  assert.equal(await answer.text(), 'here');
});
