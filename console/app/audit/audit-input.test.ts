// What an address of the audit page asks the service for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFiltered, inputOf } from './audit-input.ts';

const NOW = Date.UTC(2030, 0, 31, 9);
const input = (query: string) =>
  Object.fromEntries(
    Object.entries(inputOf(new URLSearchParams(query), NOW)).filter(([, value]) => value !== undefined),
  );

test('inputOf() reads filters, and leaves out what is none', () => {
  assert.deepEqual(input(''), {});
  assert.deepEqual(
    input('kind=login.refused&email=%20a@b.c%20&share=wiki&actor=member:mem_1&provider=corp'),
    {
      kind: ['login.refused'],
      email: 'a@b.c',
      share: 'wiki',
      provider: 'corp',
      actor: 'member:mem_1',
    },
  );
  assert.deepEqual(input('kind=nothing&within=ever&email=%20'), {});
  assert.deepEqual(input('kind=all-console')['kind'], ['console.login', 'console.refused', 'console.logout']);
});

test('inputOf() reads ranges of time', () => {
  assert.deepEqual(input('within=hour'), { since: '2030-01-31T08:00:00.000Z' });
  assert.deepEqual(input('within=between&since=2030-01-01T00:00Z&until=soon'), {
    since: '2030-01-01T00:00:00.000Z',
  });
  // Times without "between" are left over from another filter.
  assert.deepEqual(input('since=2030-01-01T00:00Z'), {});
});

test('isFiltered() is about filters alone', () => {
  assert.equal(isFiltered(new URLSearchParams('follow=1&email=')), false);
  assert.equal(isFiltered(new URLSearchParams('within=day')), true);
});
