// THREATS "Certificates" (malformed keys, trailing bytes, deep nesting, fragmented ClientHello): some
// thousands of broken requests, hellos and tokens. `node scripts/soak.ts malformed` reads 100,000 of each,
// and times them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMalformedHellos, readMalformedTokens } from '../soak/malformed-hellos.ts';
import { readMalformedRequests } from '../soak/malformed-requests.ts';

test('Certificates: of 2,000 broken requests none is taken that is malformed, and none throws anything but a refusal', () => {
  const { inputs, accepted } = readMalformedRequests(2_000, SEED);
  assert.equal(inputs, 2_000);
  assert.ok(accepted > 50 && accepted < 600, `${accepted}: they are near enough to good ones`);
});

test('Certificates: of 2,000 broken ClientHellos none names one server here and another to OpenSSL', async () => {
  const { named, beside } = await readMalformedHellos(2_000, SEED);
  assert.ok(named > beside && beside > 100, `${beside}: OpenSSL reads enough of them`);
});

test('Certificates: of 2,000 broken tokens only those are read that are written as tokens are', () => {
  assert.equal(readMalformedTokens(2_000, SEED).inputs, 2_000);
});

/** The same in each run: what fails here fails again. */
const SEED = 20_260_101;
