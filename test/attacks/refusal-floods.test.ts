// THREATS "Exhaustion" of what is written down: whoever is refused a thousand times at one share hides no
// refusal at another, and what is left out is counted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestGate, testLogin, testShare } from '../support/gate.ts';

test('Exhaustion: a flood of refusals at one share hides none at another, and says how many it left out', async (t) => {
  const login = testLogin({ emailPatterns: ['*@allowed.example'] });
  const flooded = testShare('flooded', 'http://127.0.0.1:9', { login });
  const quiet = testShare('quiet', 'http://127.0.0.1:9', { login });
  const gate = await startTestGate({ shares: [flooded, quiet], settings: { trustedProxies: ['127.0.0.1'] } });
  t.after(gate.close);
  const refusedAt = async (share: typeof flooded, address: string) => {
    const { cookie } = gate.login(share);
    const headers = { cookie, 'x-forwarded-for': address };
    const answer = await gate.call({ host: `${share.name}.share.localhost`, headers });
    assert.equal(answer.status, 403);
  };
  for (let index = 0; index < 300; index++) await refusedAt(flooded, `2001:db8:${index.toString(16)}::1`);
  await refusedAt(quiet, '192.0.2.1');
  await gate.close();
  const told = gate.audits();
  assert.equal(told.filter(({ shareId }) => shareId === quiet.id).length, 1);
  const ofFlooded = told.filter(({ shareId, kind }) => shareId === flooded.id && kind === 'login.refused');
  assert.ok(ofFlooded.length >= 100 && ofFlooded.length < 150, `${ofFlooded.length}`);
  const omitted = told.filter(({ kind }) => kind === 'refusals.omitted');
  assert.deepEqual(
    omitted.map(({ shareId, reason }) => ({ shareId, reason })),
    [{ shareId: flooded.id, reason: `${300 - ofFlooded.length} refusals` }],
  );
});
