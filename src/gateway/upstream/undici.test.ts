// A short run of the comparison with undici; `npm run soak` runs a long one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzUpstream } from '../../../test/soak/upstream-fuzz.ts';

test('exchange() reads valid answers as undici does and takes nothing that undici refuses (DESIGN 6)', async () => {
  const counts = await fuzzUpstream(1_000);
  assert.equal(counts.valid, 500);
  assert.ok(counts.bothTook > 50 && counts.bothRefused > 50, JSON.stringify(counts));
});
