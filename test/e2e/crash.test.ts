// The service killed at random moments while its API is written to, on SQLite: the short form of
// `node scripts/soak.ts crash`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashOnSqlite } from '../soak/crash-service.ts';

test('kill -9 of the service at random moments loses no change that its API acknowledged, on SQLite', async () => {
  const { kills, acknowledged } = await crashOnSqlite(KILLS);
  assert.equal(kills, KILLS);
  assert.ok(acknowledged >= KILLS);
});

const KILLS = 5;
