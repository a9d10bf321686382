import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasRepeatedParameter, requireSingleParameters } from './single-parameters.ts';

test('hasRepeatedParameter() finds a name that comes twice, however it is written', () => {
  for (const query of ['', 'a=1', 'a=1&b=1', 'a=1&A=1'])
    assert.equal(hasRepeatedParameter(new URLSearchParams(query)), false, query);
  for (const query of ['a=1&a=1', 'a&b&%61=2'])
    assert.equal(hasRepeatedParameter(new URLSearchParams(query)), true, query);
  assert.throws(() => requireSingleParameters(new URLSearchParams('a&a')), { code: 'bad_request' });
});
