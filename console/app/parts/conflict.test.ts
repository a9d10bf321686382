// Conflicts of two administrators in words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clashesOf } from './conflict.ts';

const BEFORE = { Target: 'http://a', State: 'on', Provider: 'none', Origins: 'none' };

test('clashesOf() names each field that somebody changed, and whose change it is', () => {
  const theirs = { ...BEFORE, Target: 'http://b', State: 'off' };
  const mine = { ...BEFORE, Target: 'http://c', Provider: 'google' };
  assert.deepEqual(clashesOf(BEFORE, theirs, mine), [
    { field: 'Target', before: 'http://a', theirs: 'http://b', mine: 'http://c', by: 'both' },
    { field: 'State', before: 'on', theirs: 'off', mine: 'on', by: 'them' },
    { field: 'Provider', before: 'none', theirs: 'none', mine: 'google', by: 'me' },
  ]);
});

test('clashesOf() sees no clash where both did the same, and nothing where nobody did anything', () => {
  const both = { ...BEFORE, Target: 'http://b' };
  assert.deepEqual(
    clashesOf(BEFORE, both, both).map(({ by }) => by),
    ['them'],
  );
  assert.deepEqual(clashesOf(BEFORE, BEFORE, BEFORE), []);
});

test('clashesOf() counts a field that came or went as changed', () => {
  const { Provider: _gone, ...theirs } = BEFORE;
  assert.deepEqual(clashesOf(BEFORE, theirs, { ...BEFORE, Interval: '1h' }), [
    { field: 'Provider', before: 'none', theirs: '', mine: 'none', by: 'them' },
    { field: 'Interval', before: '', theirs: '', mine: '1h', by: 'me' },
  ]);
});
