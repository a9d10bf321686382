// The service killed at random moments while people log in and out: the short form of
// `node scripts/soak.ts logins`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashLoginsOnPostgres, crashLoginsOnSqlite } from '../soak/crash-logins.ts';

test('kill -9 of the service at random moments loses no login or logout of the audit, on SQLite', async () => {
  const { logins } = await crashLoginsOnSqlite(KILLS);
  assert.ok(logins >= KILLS);
});

test('kill -9 of the service at random moments loses no login or logout of the audit, on PostgreSQL', async () => {
  const { logins } = await crashLoginsOnPostgres(KILLS);
  assert.ok(logins >= KILLS);
});

const KILLS = 4;
