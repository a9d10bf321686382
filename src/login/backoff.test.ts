import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBackoff, FIRST_PAUSE_MS, JITTER, LONGEST_PAUSE_MS } from './backoff.ts';

test('createBackoff() grants one try a pause, and pauses grow to the longest (3 Check interval)', () => {
  const clock = { now: 0 };
  const backoff = createBackoff(
    () => clock.now,
    () => 0,
  );
  assert.equal(backoff.mayTry('idp'), true);
  for (let round = 0; round < 12; round++) {
    backoff.failed('idp', 0);
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** round, LONGEST_PAUSE_MS);
    clock.now += pauseMs - 1;
    assert.equal(backoff.mayTry('idp'), false, `round ${round}`);
    assert.equal(backoff.mayTry('other'), true);
    clock.now += 1;
    assert.equal(backoff.mayTry('idp'), true, `round ${round}`);
    assert.equal(backoff.mayTry('idp'), false, 'one tries for all');
  }
  backoff.worked('idp');
  assert.equal(backoff.mayTry('idp'), true);
});

test('createBackoff() waits as long as it is asked to, with a jitter, and no longer when the clock is set back', () => {
  const clock = { now: 1_000_000 };
  const backoff = createBackoff(
    () => clock.now,
    () => 1,
  );
  backoff.failed('idp', 60_000);
  clock.now += 60_000 * (1 + JITTER) - 1;
  assert.equal(backoff.mayTry('idp'), false);
  clock.now += 1;
  assert.equal(backoff.mayTry('idp'), true);
  backoff.failed('idp', 60_000);
  clock.now -= 500_000;
  assert.equal(backoff.mayTry('idp'), true);
});
