import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sha256Chain } from './sha256-chain.ts';

test('sha256Chain() hashes as often as it is told, as Node does (FIPS 180-4)', async () => {
  for (const seed of ['', 'a', 'ff'.repeat(40)]) {
    const start = Uint8Array.from(sha256(Buffer.from(seed)));
    assert.deepEqual(await sha256Chain(start, 0), start);
    let expected: Uint8Array = start;
    for (let round = 0; round < 1_000; round++) expected = sha256(expected);
    assert.deepEqual(await sha256Chain(start, 1_000), Uint8Array.from(expected));
  }
});

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}
