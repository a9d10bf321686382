import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import type { Span } from '../../domain/span.ts';
import { createSpanQueue, type SpanQueue } from './span-queue.ts';

const SPAN: Span = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentId: null,
  isParentRemote: false,
  name: 'GET demo',
  kind: 'server',
  startedAt: 1,
  endedAt: 2,
  attributes: {},
  isError: false,
};

test('createSpanQueue() sends in batches, one at a time, and drops and counts what does not fit', async () => {
  const sent: number[] = [];
  const go = Promise.withResolvers<void>();
  let atOnce = 0;
  const send = async (batch: readonly Span[]) => {
    assert.equal(++atOnce, 1);
    sent.push(batch.length);
    await go.promise;
    atOnce--;
  };
  const queue = createSpanQueue({ send, log: SILENT });
  queue.add(spans(600), 7);
  queue.add(spans(9_000), 0);
  assert.deepEqual(sent, [512]);
  // 512 are under way, and 8,192 may wait.
  assert.deepEqual(counts(queue), { exported: 0, dropped: 7 + 9_600 - 512 - 8_192 });
  go.resolve();
  await until(() => counts(queue)['exported'] === 512 + 8_192);
  assert.ok(sent.every((length) => length <= 512));
});

test('createSpanQueue() drops what the collector does not take, and tells when it is away and back', async () => {
  const lines: string[] = [];
  const note = (_fields: object, message: string) => void lines.push(message);
  const state = { isAway: true, tries: 0 };
  const send = async () => {
    state.tries++;
    if (state.isAway) throw new Error('away');
  };
  const queue = createSpanQueue({ send, log: { warn: note, info: note }, retryMs: 1 });
  queue.add(spans(3), 0);
  await until(() => state.tries === 1);
  queue.add(spans(2), 0);
  await until(() => counts(queue)['dropped'] === 5);
  state.isAway = false;
  queue.add(spans(4), 0);
  await until(() => counts(queue)['exported'] === 4);
  assert.deepEqual(lines, [
    'Cannot send traces: the collector does not take them',
    'The collector of traces answers again',
  ]);
});

test('createSpanQueue() gives a batch up that the collector neither takes nor refuses, and sends the next', async () => {
  const lines: string[] = [];
  let tries = 0;
  const queue = createSpanQueue({
    send: () => (++tries === 1 ? new Promise(() => undefined) : Promise.resolve()),
    log: { warn: (_fields: object, message: string) => void lines.push(message), info: () => undefined },
    retryMs: 1,
    sendMs: 5,
  });
  queue.add(spans(3), 0);
  queue.add(spans(2), 0);
  await until(() => counts(queue)['exported'] === 2);
  assert.equal(counts(queue)['dropped'], 3);
  assert.deepEqual(lines, ['Cannot send traces: the collector does not take them']);
});

test('createSpanQueue() does not wait for a collector that hangs when the service stops', async () => {
  const queue = createSpanQueue({ send: () => new Promise(() => undefined), log: SILENT });
  queue.add(spans(1), 0);
  const startedAt = performance.now();
  // Its own timer keeps no process: this one does.
  const alive = setInterval(() => undefined, 1_000);
  await queue.close();
  clearInterval(alive);
  assert.ok(performance.now() - startedAt < 10_000);
});

function spans(count: number): readonly Span[] {
  return Array.from({ length: count }, () => SPAN);
}

function counts(queue: SpanQueue): Readonly<Record<string, number>> {
  const [metric] = queue.collect();
  return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [labels['result'], value]));
}

const SILENT = { warn: () => undefined, info: () => undefined };
