import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hideKnownWarnings } from './known-warnings.js';

test('hideKnownWarnings() leaves out that SQLite is experimental, and nothing else', () => {
  const told: unknown[][] = [];
  const host = { emitWarning: (...given: unknown[]) => void told.push(given) };
  hideKnownWarnings(host);
  host.emitWarning(SQLITE, 'ExperimentalWarning');
  host.emitWarning(SQLITE, 'Warning');
  host.emitWarning(SQLITE);
  host.emitWarning('WASI is an experimental feature', 'ExperimentalWarning');
  host.emitWarning('Buffer() is deprecated', 'DeprecationWarning', 'DEP0005');
  assert.deepEqual(told, [
    [SQLITE, 'Warning'],
    [SQLITE],
    ['WASI is an experimental feature', 'ExperimentalWarning'],
    ['Buffer() is deprecated', 'DeprecationWarning', 'DEP0005'],
  ]);
});

const SQLITE = 'SQLite is an experimental feature and might change at any time';
