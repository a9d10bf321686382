import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONGEST_ASKED_MS } from '../domain/provider-trouble.ts';
import { ServiceError } from '../domain/service-error.ts';
import { createMetadataCache, FIRST_PAUSE_MS, FRESH_MS, LONGEST_PAUSE_MS } from './metadata-cache.ts';

function rig() {
  const state = { now: 0, loads: 0, failing: false };
  const load = async () => {
    state.loads++;
    if (state.failing) throw new Error('away');
    return state.loads;
  };
  return { state, ask: createMetadataCache(load, () => state.now) };
}

test('createMetadataCache() loads once for all who ask, and again after an hour', async () => {
  const { state, ask } = rig();
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1]);
  state.now += FRESH_MS - 1;
  assert.equal(await ask(), 1);
  state.now += 1;
  assert.equal(await ask(), 2);
});

test('createMetadataCache() tries again after a failure, with pauses that grow to 10 s', async () => {
  const { state, ask } = rig();
  state.failing = true;
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 8; attempt++) {
    await assert.rejects(ask(), /away/);
    assert.equal(state.loads, attempt);
    let pause = 0;
    while (state.loads === attempt && pause <= LONGEST_PAUSE_MS * 2) {
      pause += FIRST_PAUSE_MS;
      state.now += FIRST_PAUSE_MS - 1;
      await assert.rejects(ask(), /away/);
      assert.equal(state.loads, attempt, 'not asked within the pause');
      state.now += 1;
      if (pause === Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS)) break;
    }
    pauses.push(pause);
  }
  assert.deepEqual(pauses, [500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
  state.failing = false;
  assert.equal(await ask(), 9);
});

test('createMetadataCache() believes a Retry-After for minutes at most', async () => {
  const state = { now: 0, loads: 0 };
  const ask = createMetadataCache(
    async () => {
      state.loads++;
      const extra = { retryAfterSeconds: 3600 };
      throw new ServiceError('provider_rate_limited', 'Cannot read: limited', { extra });
    },
    () => state.now,
  );
  await assert.rejects(ask());
  state.now += LONGEST_ASKED_MS - 1;
  await assert.rejects(ask());
  assert.equal(state.loads, 1);
  state.now += 1;
  await assert.rejects(ask());
  assert.equal(state.loads, 2);
});

test('createMetadataCache() keeps what it has while the provider is away', async () => {
  const { state, ask } = rig();
  assert.equal(await ask(), 1);
  state.failing = true;
  state.now += FRESH_MS;
  assert.equal(await ask(), 1);
  assert.equal(await ask(), 1);
  assert.equal(state.loads, 2, 'one try, then a pause');
  state.failing = false;
  state.now += FIRST_PAUSE_MS;
  assert.equal(await ask(), 3);
});
