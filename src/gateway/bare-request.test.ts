import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { BareRequest } from './bare-request.ts';

/** What servers with Node's own requests, and with ours, are told of one head; each `event: headers`. */
async function heard(t: TestContext, head: string): Promise<readonly (readonly string[])[]> {
  return Promise.all([hear(t, head), hear(t, head, BareRequest)]);
}

async function hear(t: TestContext, head: string, Request?: typeof BareRequest): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const events: string[] = [];
  const server = createServer({
    ...(Request === undefined ? {} : { IncomingMessage: Request }),
    requireHostHeader: false,
    optimizeEmptyRequests: true,
    shouldUpgradeCallback: ({ headers }) => headers.upgrade === 'websocket',
  });
  const note = (event: string, request: IncomingMessage) => {
    const { expect, upgrade, connection } = request.headers;
    const length = request.headers['content-length'];
    const coding = request.headers['transfer-encoding'];
    events.push(`${event}: ${JSON.stringify({ expect, upgrade, connection, length, coding })}`);
    request.on('end', () => events.push('end'));
    request.resume();
  };
  server.on('request', (request, response) => {
    note('request', request);
    response.end();
  });
  server.on('checkContinue', (request, response) => {
    note('checkContinue', request);
    response.end();
  });
  server.on('upgrade', (request, socket) => {
    note('upgrade', request);
    socket.end();
  });
  server.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('data', (piece: Buffer) => (answer += piece.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => resolve());
  socket.end(head);
  await promise;
  return [...events, answer.split('\r\n', 1)[0] ?? ''];
}

const HEADS: Readonly<Record<string, string>> = {
  plain: 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: b=c\r\n\r\n',
  'without any of them': 'GET / HTTP/1.0\r\nAccept: */*\r\nConten-Length: 3\r\n\r\n',
  'a length': 'POST / HTTP/1.1\r\nHost: a\r\nCONTENT-LENGTH: 3\r\nConnection: close\r\n\r\nabc',
  chunks:
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-encoding: chunked\r\nConnection: close\r\n\r\n1\r\na\r\n0\r\n\r\n',
  'an expectation':
    'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\nConnection: close\r\n\r\na',
  'two expectations':
    'POST / HTTP/1.1\r\nHost: a\r\nexpect: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\nConnection: close\r\n\r\na',
  'an expectation that nobody meets': 'GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n',
  'an upgrade':
    'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: keep-alive\r\nConnection: Upgrade\r\n\r\n',
  'another upgrade': 'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n',
};

for (const [name, head] of Object.entries(HEADS))
  test(`BareRequest is the same to a server as Node's own request: ${name} (RFC 9110 section 5.3)`, async (t) => {
    const [nodes, ours] = await heard(t, head);
    assert.deepEqual(ours, nodes);
  });

test('BareRequest keeps every header, and gives those alone that a server asks for (RFC 9110 section 5.3)', () => {
  const request = new BareRequest(new Socket());
  request.rawHeaders = ['Host', 'a', 'Cookie', 'b=c', 'CONNECTION', 'close', 'connection', 'd'];
  assert.deepEqual({ ...request.headers }, { connection: 'close, d' });
});
