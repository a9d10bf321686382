import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { breakOff } from './break-off.ts';

const TIMED = { timeout: 20_000 };

test('breakOff() resets a connection, whatever waits to be written', TIMED, async (t) => {
  const moments = [
    () => {},
    (socket: Socket) => void socket.write(MUCH),
    (socket: Socket) => void socket.end(MUCH),
  ];
  for (const before of moments) {
    const [near, far] = await pair(t);
    const closed = closeOf(near);
    const fault = faultOf(far);
    before(near);
    breakOff(near);
    await closed;
    assert.equal(await fault, 'ECONNRESET');
  }
});

test('breakOff() closes a connection whose end is on its way', TIMED, async (t) => {
  for (const later of [null, process.nextTick, queueMicrotask, setImmediate]) {
    const [near, far] = await pair(t);
    const closed = closeOf(near);
    far.resume();
    near.end();
    if (later === null) breakOff(near);
    else later(() => breakOff(near));
    await closed;
    await closeOf(far);
  }
});

test('breakOff() closes a Unix socket, which knows no reset', TIMED, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'break-off-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [near, far] = await pair(t, join(folder, 'socket'));
  const closed = closeOf(near);
  far.resume();
  breakOff(near);
  await closed;
  await closeOf(far);
});

async function pair(t: TestContext, path?: string): Promise<readonly [Socket, Socket]> {
  const { promise, resolve } = Promise.withResolvers<Socket>();
  const server = createServer(resolve);
  await new Promise<void>((done) =>
    path === undefined ? server.listen(0, '127.0.0.1', done) : server.listen(path, done),
  );
  const far =
    path === undefined ? connect((server.address() as AddressInfo).port, '127.0.0.1') : connect(path);
  const near = await promise;
  t.after(() => {
    near.destroy();
    far.destroy();
    server.close();
  });
  return [near, far];
}

function closeOf(socket: Socket): Promise<void> {
  if (socket.closed) return Promise.resolve();
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function faultOf(socket: Socket): Promise<string | undefined> {
  socket.resume();
  return new Promise((resolve) =>
    socket
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      .once('close', () => resolve(undefined)),
  );
}

/** More than the network takes from one who sends while nobody reads. */
const MUCH = Buffer.alloc(32 * 1024 * 1024);
