// Sessions while the process and its workers are killed (contract 2.5, 4.2; DESIGN "Ended sessions"): the
// short form of `npm run soak`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { churn } from '../soak/churn.ts';

test('sessions outlive kills of workers and of the process, and those that were ended stay ended (2.5, 4.2)', async () => {
  const { logins, visits, logouts, processKills, workerKills } = await churn({ people: 2, kills: 3 });
  assert.ok(logins > 0 && visits > 0 && logouts > 0);
  assert.equal(processKills + workerKills, 3);
});
