import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateWindow } from './rate-window.ts';

const SIZE = { most: 2, windowMs: 60_000, maxNames: 3 };

test('createRateWindow() allows so many in a window, each name by itself, and says how long it lasts', () => {
  let now = 0;
  const window = createRateWindow(SIZE, () => now);
  assert.deepEqual([window.count('a'), window.count('a'), window.count('b')], [null, null, null]);
  now = 15_500;
  assert.equal(window.count('a'), 45);
  now = 59_999;
  assert.deepEqual(
    [window.count('a'), window.count('b')],
    [1, null],
    'it ends when it was to end, and never at 0 seconds',
  );
  now = 60_000;
  assert.deepEqual([window.count('a'), window.count('a'), window.count('a')], [null, null, 60]);
});

test('blockedSeconds() says whether one more would be too many, and counts nothing', () => {
  let now = 0;
  const window = createRateWindow(SIZE, () => now);
  for (const _look of [1, 2, 3]) assert.equal(window.blockedSeconds('a'), null);
  window.count('a');
  assert.equal(window.blockedSeconds('a'), null);
  now = 1_000;
  window.count('a');
  assert.equal(window.blockedSeconds('a'), 59);
  assert.equal(window.blockedSeconds('b'), null);
  now = 60_000;
  assert.equal(window.blockedSeconds('a'), null);
});

test('giveBack() makes room for one, of that name and that window alone', () => {
  let now = 0;
  const window = createRateWindow(SIZE, () => now);
  for (const name of ['a', 'a', 'b', 'b']) window.count(name);
  window.giveBack('a');
  window.giveBack('unknown');
  assert.deepEqual([window.count('a'), window.count('a'), window.count('b')], [null, 60, 60]);
  now = 60_000;
  window.giveBack('b');
  assert.deepEqual([window.count('b'), window.count('b'), window.count('b')], [null, null, 60]);
});

test('createRateWindow() remembers so many names, and forgets the one that was not seen for longest', () => {
  const window = createRateWindow(SIZE, () => 0);
  for (const name of ['a', 'a', 'b', 'b', 'c', 'c']) window.count(name);
  assert.equal(window.blockedSeconds('a'), 60);
  window.count('d');
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => window.blockedSeconds(name)),
    [60, null, 60],
  );
});
