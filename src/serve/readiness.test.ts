import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readinessOf } from './readiness.ts';

test('readinessOf() needs a worker that listens and a store that was there within the grace (DESIGN 2.5, 3)', () => {
  const well = { livingWorkers: 1, storeGoodAgoMs: 600, outageGraceMs: 30_000 };
  assert.deepEqual(readinessOf(well), { ready: true, checks: { gateway: 'ok', store: 'ok' } });
  assert.deepEqual(readinessOf({ ...well, livingWorkers: 0 }), {
    ready: false,
    checks: { gateway: 'down', store: 'ok' },
  });
  assert.deepEqual(readinessOf({ ...well, storeGoodAgoMs: 30_000 }), {
    ready: false,
    checks: { gateway: 'ok', store: 'away' },
  });
});
