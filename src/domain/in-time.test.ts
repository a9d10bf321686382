import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTime, unlessAborted } from './in-time.ts';

const NEVER = new Promise<never>(() => undefined);

test('inTime() answers what the work does, and what is to be said when it takes too long', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  assert.equal(await inTime(Promise.resolve('done'), 5, assert.fail), 'done');
  await assert.rejects(inTime(Promise.reject(new Error('failed')), 5, assert.fail), { message: 'failed' });
  t.mock.timers.tick(5);
  const waited = inTime(NEVER, 5, () => 'late');
  t.mock.timers.tick(5);
  assert.equal(await waited, 'late');
  const refused = inTime(NEVER, 5, () => {
    throw new Error('too long');
  });
  t.mock.timers.tick(5);
  await assert.rejects(refused, { message: 'too long' });
});

test('inTime() leaves a failure after the limit to nobody', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const work = Promise.withResolvers<string>();
  const waited = inTime(work.promise, 5, () => null);
  t.mock.timers.tick(5);
  assert.equal(await waited, null);
  // An unhandled rejection would fail this test.
  work.reject(new Error('failed late'));
  await new Promise(setImmediate);
});

test('unlessAborted() ends the wait with the reason of the signal, at once where it was aborted before', async () => {
  const reason = new Error('given up');
  const controller = new AbortController();
  const waited = unlessAborted(NEVER, controller.signal);
  controller.abort(reason);
  await assert.rejects(waited, reason);
  await assert.rejects(unlessAborted(NEVER, AbortSignal.abort(reason)), reason);
  assert.equal(await unlessAborted(Promise.resolve(1), undefined), 1);
});
