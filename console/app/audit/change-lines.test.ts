import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeLines } from './change-lines.ts';

const PLAIN = { secrets: [], omitted: 0 };

test('changeLines() tells what is gone and what is new of each field, value by value', () => {
  const before = { role: 'member', rules: ['allow a', 'deny b'], target: null, allowGroups: [] };
  const after = {
    role: 'admin',
    rules: ['deny b', 'allow c'],
    target: 'http://127.0.0.1:1',
    allowGroups: ['x'],
  };
  assert.deepEqual(changeLines({ before, after, ...PLAIN }), [
    { name: 'role', removed: ['member'], added: ['admin'], kept: 0 },
    { name: 'rules', removed: ['allow a'], added: ['allow c'], kept: 1 },
    { name: 'target', removed: ['none'], added: ['http://127.0.0.1:1'], kept: 0 },
    { name: 'allowGroups', removed: ['none'], added: ['x'], kept: 0 },
  ]);
});

test('changeLines() of what is new or deleted has one side', () => {
  const thing = { name: 'ci', enabled: false };
  assert.deepEqual(changeLines({ before: null, after: thing, ...PLAIN }), [
    { name: 'name', removed: [], added: ['ci'], kept: 0 },
    { name: 'enabled', removed: [], added: ['false'], kept: 0 },
  ]);
  assert.deepEqual(
    changeLines({ before: thing, after: null, ...PLAIN }).map(({ removed }) => removed),
    [['ci'], ['false']],
  );
});
