import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStoreProbe, readinessOf } from './readiness.ts';

test('readinessOf() needs a worker that listens and a store that was there within the grace (DESIGN 2.5, 3)', () => {
  const well = {
    livingWorkers: 1,
    storeAnswers: true,
    storeTrouble: null,
    storeGoodAgoMs: 600,
    outageGraceMs: 30_000,
  };
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

test('readinessOf() says at once that the store is away, and stays ready while known sessions are served (DESIGN 3)', () => {
  const away = {
    livingWorkers: 1,
    storeAnswers: false,
    storeTrouble: null,
    storeGoodAgoMs: 600,
    outageGraceMs: 30_000,
  };
  assert.deepEqual(readinessOf(away), { ready: true, checks: { gateway: 'ok', store: 'away' } });
});

test('readinessOf() says which trouble keeps a store that answers from taking writes, and that one that is away is away', () => {
  const full = { livingWorkers: 1, storeAnswers: true, storeGoodAgoMs: 600, outageGraceMs: 30_000 };
  for (const storeTrouble of ['disk_full', 'read_only'] as const) {
    const checks = { gateway: 'ok', store: storeTrouble };
    assert.deepEqual(readinessOf({ ...full, storeTrouble }), { ready: true, checks });
    const away = readinessOf({ ...full, storeTrouble, storeAnswers: false });
    assert.equal(away.checks['store'], 'away');
  }
});

test('createStoreProbe() is false for a store that fails or stalls, asks once for all who wait, and again later', async () => {
  const store = { asked: 0, answers: [OK, FAILS, STALLS, OK] as const };
  const probe = createStoreProbe(() => store.answers[store.asked++]!(), 20);
  assert.deepEqual(await Promise.all([probe(), probe(), probe()]), [true, true, true]);
  assert.equal(store.asked, 1);
  assert.equal(await probe(), false);
  assert.equal(await probe(), false);
  assert.equal(await probe(), true);
});

const OK = (): Promise<void> => Promise.resolve();
const FAILS = (): Promise<void> => Promise.reject(new Error('away'));
const STALLS = (): Promise<void> => new Promise(() => undefined);
