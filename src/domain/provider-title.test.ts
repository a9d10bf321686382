import assert from 'node:assert/strict';
import { test } from 'node:test';
import { titleOfEach } from './provider-title.ts';

test('titleOfEach() says display names, tells two of the same apart, and leaves what is not known', () => {
  const titleOf = titleOfEach([
    { name: 'corp', displayName: 'Acme' },
    { name: 'partners', displayName: 'Partner Login' },
    { name: 'partners-eu', displayName: 'Partner Login' },
    { name: 'Plain', displayName: 'Plain' },
  ]);
  assert.deepEqual(['corp', 'partners', 'partners-eu', 'Plain', 'gone'].map(titleOf), [
    'Acme',
    'Partner Login (partners)',
    'Partner Login (partners-eu)',
    'Plain',
    'gone',
  ]);
});
