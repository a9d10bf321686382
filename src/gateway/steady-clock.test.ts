import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { steadyNow } from './steady-clock.ts';

test('steadyNow() is one clock in all threads, whatever happens to the time of day (DESIGN "Gateways and store")', async (t) => {
  const real = Date.now;
  t.mock.method(Date, 'now', () => real() - 3_600_000);
  const before = steadyNow();
  const clock = JSON.stringify(new URL('./steady-clock.ts', import.meta.url).href);
  const code = `import(${clock}).then(({ steadyNow }) => require('node:worker_threads').parentPort.postMessage(steadyNow()))`;
  const worker = new Worker(code, { eval: true });
  const [there] = (await once(worker, 'message')) as [number];
  assert.ok(before < there && there < steadyNow(), `${before} ${there} ${steadyNow()}`);
  await worker.terminate();
});
