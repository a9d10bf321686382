// The service killed at random moments while tokens are redeemed: the short form of
// `node scripts/soak.ts redeem`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashRedeemOnSqlite } from '../soak/crash-redeem.ts';

test('kill -9 while tokens are redeemed: never two certificates, never a token burnt whose certificate cannot be fetched (2.7)', async () => {
  const { kills, tokens } = await crashRedeemOnSqlite(KILLS);
  assert.equal(kills, KILLS);
  assert.ok(tokens >= KILLS);
});

const KILLS = 5;
