import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import type { Span } from '../../domain/span.ts';
import { createDoorSpans } from './door-spans.ts';

const TRACE_ID = 'a'.repeat(32);
const REQUEST = `GET /google/login HTTP/1.1\r\nHost: auth.example\r\ntraceparent: 00-${TRACE_ID}-${'b'.repeat(16)}-01\r\n\r\n`;

for (const isInside of [true, false])
  test(`createDoorSpans(): a traceparent counts only through the gateway, also of a connection that was reset (inside: ${isInside})`, async (t) => {
    const spans: Span[] = [];
    const door = createDoorSpans({ spans: { add: (more) => void spans.push(...more) }, sampleRatio: 0 });
    const handled = Promise.withResolvers<string | undefined>();
    const handle = door('oauth', () => (request, response) => {
      response.once('close', () => handled.resolve(request.socket.remoteAddress));
      response.end();
    });
    const server = createServer((request, response) => {
      // As it is when the client has reset the connection by now.
      Object.defineProperty(request.socket, 'remoteAddress', { value: undefined });
      handle({ ip: '', requestId: 'req_1', certificate: null, isInside })(request, response);
    });
    t.after(() => server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    t.after(() => socket.destroy());
    socket.write(REQUEST);
    assert.equal(await handled.promise, undefined);
    assert.deepEqual(
      spans.map(({ traceId }) => traceId),
      isInside ? [TRACE_ID] : [],
    );
  });
