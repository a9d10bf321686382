import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from './until.ts';

test('until() gives up, and quotes what it waited for', async () => {
  let looked = 0;
  await assert.rejects(
    until(() => ++looked < 0, 60),
    /waited for 0\.06 s until \(\) => \+\+looked < 0/,
  );
  assert.ok(looked > 1);
});

test('until() goes on once it holds', async () => {
  let looked = 0;
  await until(() => Promise.resolve(++looked === 3));
  assert.equal(looked, 3);
});
