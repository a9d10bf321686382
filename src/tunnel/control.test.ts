import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Control } from './control.ts';
import { writeFrame } from './frames.ts';
import { FRAME_MS, MAX_WAITING_BYTES } from './limits.ts';
import { FRAMES } from './wire.ts';

const LIMIT = { timeout: 60_000 };

/** One end, and what comes there; nothing that it writes is ever read. */
function unread(t: TestContext) {
  const socket = new Duplex({ read() {}, write() {} });
  let frames = 0;
  const control = new Control(socket, {
    onFrame: () => {
      frames += 1;
      return true;
    },
    onClosed: () => {},
    pings: { everyMs: 1_000_000 },
  });
  t.after(() => socket.destroy());
  return {
    socket,
    control,
    frames: () => frames,
    hear: async (...pieces: readonly Buffer[]) => {
      socket.push(Buffer.concat(pieces));
      await turn();
    },
  };
}

test('each frame has its own time to become whole, however closely they follow each other', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const { socket, frames, hear } = unread(t);
  const whole = writeFrame(FRAMES.told, Buffer.alloc(100));
  const [begin, rest] = [whole.subarray(0, 50), whole.subarray(50)];
  await hear(begin);
  for (let count = 1; count <= 5; count++) {
    t.mock.timers.tick(FRAME_MS * 0.7);
    await hear(rest, begin);
    assert.deepEqual([frames(), socket.destroyed], [count, false]);
  }
  t.mock.timers.tick(FRAME_MS * 0.7);
  await hear(Buffer.alloc(1));
  t.mock.timers.tick(FRAME_MS * 0.7);
  assert.ok(socket.destroyed);
});

test(
  'a peer that asks without end and reads no answer loses its connection, and takes no memory (THREATS "Tunnel")',
  LIMIT,
  async (t) => {
    const { socket, control, hear } = unread(t);
    const pings = Buffer.concat(Array.from({ length: 1_000 }, () => writeFrame(FRAMES.ping)));
    for (let asked = 0; asked <= MAX_WAITING_BYTES && !socket.destroyed; asked += pings.byteLength) {
      await hear(pings);
      assert.ok(control.waiting <= MAX_WAITING_BYTES + pings.byteLength);
    }
    assert.ok(socket.destroyed);
  },
);
