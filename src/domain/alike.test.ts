import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAlike } from './alike.ts';

test('createAlike() answers the same object for the very same values, and those members alone', () => {
  const alikeOf = createAlike(['list', 'on']);
  const list = ['a'];
  const first = alikeOf({ name: 'one', list, on: true });
  assert.deepEqual(first, { list, on: true });
  assert.equal(alikeOf({ name: 'two', on: true, list }), first);
});

test('createAlike() keeps apart what differs, or is only equal', () => {
  const alikeOf = createAlike(['a', 'b']);
  const whole = [
    { a: 1, b: 2 },
    { a: 2, b: 1 },
    { a: '1', b: 2 },
    { a: null, b: undefined },
    { a: undefined, b: null },
    { a: [], b: 2 },
    { a: [], b: 2 },
  ];
  const found = whole.map((each) => alikeOf(each));
  assert.deepEqual(found, whole);
  assert.equal(new Set(found).size, whole.length);
});

test('createAlike() stays right when it was given more than it keeps', () => {
  const alikeOf = createAlike(['n', 'even']);
  for (let n = 0; n < 25_000; n++)
    assert.deepEqual(alikeOf({ n, even: n % 2 === 0 }), { n, even: n % 2 === 0 });
  assert.deepEqual(alikeOf({ n: 1, even: false }), { n: 1, even: false });
});
