import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { nativeOf } from './session-outlives.ts';

// What becomes of a process that does not keep the order: test/attacks/exhaustion-by-http2-backends.test.ts.
test('what Node takes apart of a session and of a stream is found', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  t.after(() => session.destroy());
  await once(session, 'connect');
  const stream = session.request().on('error', () => {});
  const found = [nativeOf(session), nativeOf(stream)];
  assert.deepEqual(
    found.map((native) => native?.constructor.name),
    ['Http2Session', 'Http2Stream'],
  );
});
