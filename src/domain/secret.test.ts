import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretCheck } from './secret.ts';

test('createSecretCheck() takes that text alone, of the same bytes', () => {
  const isSecret = createSecretCheck('a secret with an é');
  assert.equal(isSecret('a secret with an é'), true);
  for (const other of [
    '',
    'a',
    'a secret with an e',
    'a secret with an é ',
    'A secret with an é',
    'x'.repeat(19),
    'x'.repeat(1_000),
  ])
    assert.equal(isSecret(other), false, other);
  assert.equal(isSecret('a secret with an é'), true);
});
