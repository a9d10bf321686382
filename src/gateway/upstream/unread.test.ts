import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Http2Stream } from 'node:http2';
import { test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { STREAM_WINDOW_BYTES } from './http2-limits.ts';
import { UnreadBudget } from './unread.ts';

test('UnreadBudget takes from the owner who holds the most: by many connections, too, nobody has others’ streams reset', async () => {
  const budget = new UnreadBudget({ processBytes: 1_000 * STREAM_WINDOW_BYTES });
  const pausedOf = (owner: string, connections: number, streams: number): FakeStream[] =>
    Array.from({ length: connections }, () => {
      const unread = budget.openConnection(owner);
      return Array.from({ length: streams }, () => {
        const stream = new FakeStream();
        unread.watch(stream as unknown as Http2Stream);
        return stream;
      });
    }).flat();
  // The connections of whoever was there first are the oldest.
  const victims = pausedOf('victim', 1, 20);
  const evil = pausedOf('evil', 9, 250);
  for (const stream of [...victims, ...evil]) stream.emit('pause');
  await until(() => evil.some(isReset));
  assert.equal(victims.filter(isReset).length, 0);
  assert.equal(evil.filter(isReset).length, 20 + 2_250 - 1_000);
});

test('UnreadBudget shares evenly between owners who all hold much', async () => {
  const budget = new UnreadBudget({ processBytes: 100 * STREAM_WINDOW_BYTES });
  const owners = [80, 70, 10].map((count, owner) => {
    const unread = budget.openConnection(`owner ${owner}`);
    return Array.from({ length: count }, () => {
      const stream = new FakeStream();
      unread.watch(stream as unknown as Http2Stream);
      stream.emit('pause');
      return stream;
    });
  });
  await until(() => owners.some((streams) => streams.some(({ destroyed }) => destroyed)));
  assert.deepEqual(
    owners.map((streams) => streams.filter(({ destroyed }) => !destroyed).length),
    [45, 45, 10],
  );
});

function isReset({ destroyed }: FakeStream): boolean {
  return destroyed;
}

/** As full as its window. */
class FakeStream extends EventEmitter {
  readonly readableLength = STREAM_WINDOW_BYTES;
  destroyed = false;
  close(): void {}
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}
