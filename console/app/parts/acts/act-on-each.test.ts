import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actOnEach } from './act-on-each.ts';

test('actOnEach() gives each its turn, few at once, and tells which failed', async () => {
  const items = Array.from({ length: 23 }, (_, n) => n);
  const [seen, told]: [number[], number[]] = [[], []];
  let [running, most] = [0, 0];
  const failures = await actOnEach(
    items,
    async (item) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
      seen.push(item);
      if (item % 10 === 3) throw new Error(`no ${item}`);
    },
    (done) => told.push(done),
  );
  assert.deepEqual(
    seen.toSorted((a, b) => a - b),
    items,
  );
  assert.deepEqual(
    failures.map(({ item, error }) => [item, String(error)]),
    [
      [3, 'Error: no 3'],
      [13, 'Error: no 13'],
    ],
  );
  assert.equal(most, 4);
  assert.equal(told.at(-1), 23);
  assert.deepEqual(await actOnEach([], () => Promise.reject(new Error('never'))), []);
});
