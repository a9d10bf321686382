import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasTag } from './if-none-match.ts';

test('hasTag() finds a tag in a list or in several fields, weak or strong (RFC 9110 section 13.1.2)', () => {
  for (const known of [['"a"'], ['W/"a"'], ['"b" , "a"'], ['"b"', 'W/"a"']])
    assert.equal(hasTag(known, '"a"'), true);
  for (const known of [[], [''], ['a'], ['"b"'], ['"ab"']]) assert.equal(hasTag(known, '"a"'), false);
});
