import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { readWithin } from './read-within.ts';

test('readWithin() reads what is as long as it may be, and not a byte more', async () => {
  assert.equal((await readWithin(bodyOf(), 3))?.byteLength, 0);
  assert.equal(String(await readWithin(bodyOf(1, 2), 3)), 'aaa');
  assert.equal(await readWithin(bodyOf(1, 2, 1), 3), null);
});

function bodyOf(...sizes: readonly number[]): Readable {
  return Readable.from(sizes.map((size) => Buffer.alloc(size, 'a')));
}
