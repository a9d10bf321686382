import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../../domain/id.ts';
import { createWatchLimit, MOST_OF_ACCOUNT, MOST_OF_ONE, MOST_OF_PROCESS } from './watch-limit.ts';

function callerOf(account: number, who = 0) {
  const accountId: AccountId = `acc_${account}`;
  return { accountId, memberId: null, actor: `api-key:key_${account}_${who}` };
}

const TOO_MANY = { code: 'rate_limited' };

test('createWatchLimit() gives the places of those who have most to those who have fewer', () => {
  const limit = createWatchLimit();
  const greedy = Array.from({ length: MOST_OF_PROCESS }, (_, number) =>
    limit.take(callerOf(Math.floor(number / MOST_OF_ACCOUNT), Math.floor(number / MOST_OF_ONE))),
  );
  // All places are taken, by four accounts; a fifth still gets its part.
  const modest = Array.from({ length: 30 }, (_, number) => limit.take(callerOf(9, Math.floor(number / 10))));
  for (const place of modest) place.requireHeld();
  const lost = greedy.filter((place) => {
    try {
      place.requireHeld();
      return false;
    } catch {
      return true;
    }
  });
  assert.equal(lost.length, 30);
  // Each of the four gave some, and those who have no more than others get nothing more.
  assert.throws(() => limit.take(callerOf(0, 77)), TOO_MANY);
  // A place that was lost is not given back twice.
  for (const place of lost) place.leave();
  assert.throws(() => limit.take(callerOf(0, 77)), TOO_MANY);
  modest[0]?.leave();
  limit.take(callerOf(0, 77)).requireHeld();
});

test('createWatchLimit() bounds one caller and one account', () => {
  const limit = createWatchLimit();
  for (let count = 0; count < MOST_OF_ONE; count++) limit.take(callerOf(1));
  assert.throws(() => limit.take(callerOf(1)), TOO_MANY);
  for (let who = 1; who < MOST_OF_ACCOUNT / MOST_OF_ONE; who++)
    for (let count = 0; count < MOST_OF_ONE; count++) limit.take(callerOf(1, who));
  assert.throws(() => limit.take(callerOf(1, 99)), TOO_MANY);
  limit.take(callerOf(2));
});
