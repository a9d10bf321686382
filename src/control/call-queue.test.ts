import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallQueue } from './call-queue.ts';

const nextTurn = () => new Promise(setImmediate);

test('createCallQueue() runs so many of one caller at once, and others in order', async () => {
  const queue = createCallQueue(() => ({ callsAtOnce: 2, callsWaiting: 10 }));
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const calls = Array.from({ length: 5 }, async (_, number) => {
    ends[number] = await queue.enter('acme');
    begun.push(number);
  });
  await nextTurn();
  assert.deepEqual(begun, [0, 1]);
  ends[1]?.();
  ends[1]?.();
  await nextTurn();
  assert.deepEqual(begun, [0, 1, 2]);
  for (const number of [0, 2, 3, 4]) {
    ends[number]?.();
    await nextTurn();
  }
  await Promise.all(calls);
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
});

test('createCallQueue() never has one caller wait for another', async () => {
  const queue = createCallQueue(() => ({ callsAtOnce: 1, callsWaiting: 1 }));
  await queue.enter('greedy');
  void queue.enter('greedy').catch(() => undefined);
  await assert.rejects(queue.enter('greedy'), { code: 'rate_limited' });
  const end = await queue.enter('modest');
  end();
  (await queue.enter('modest'))();
});

test('createCallQueue() lets the thread do something else before the next call runs', async () => {
  const queue = createCallQueue(() => ({ callsAtOnce: 1, callsWaiting: 100 }));
  const order: string[] = [];
  const calls = Array.from({ length: 3 }, async (_, number) => {
    const end = await queue.enter('acme');
    order.push(`call ${number}`);
    if (number === 0) setImmediate(() => order.push('somebody else'));
    end();
  });
  await Promise.all(calls);
  assert.ok(order.indexOf('somebody else') < order.indexOf('call 2'), order.join());
});

test('createCallQueue() never runs what nobody waits for any more, and gives their place to the next', async () => {
  const queue = createCallQueue(() => ({ callsAtOnce: 1, callsWaiting: 2 }));
  const end = await queue.enter('acme');
  const leaving = new AbortController();
  const left = queue.enter('acme', true, leaving.signal);
  const next = queue.enter('acme', true, new AbortController().signal);
  leaving.abort();
  await assert.rejects(left, { code: 'bad_request' });
  const last = queue.enter('acme');
  end();
  (await next)();
  (await last)();
  await assert.rejects(queue.enter('acme', true, leaving.signal), { code: 'bad_request' }, 'left before');
  (await queue.enter('acme'))();
});

test('createCallQueue() refuses who waited too long, and gives their place to the next', async () => {
  const queue = createCallQueue(() => ({ callsAtOnce: 1, callsWaiting: 100 }), 20);
  const end = await queue.enter('acme');
  await assert.rejects(queue.enter('acme'), { code: 'rate_limited' });
  end();
  (await queue.enter('acme'))();
});
