import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../../../domain/id.ts';
import { partForOthers } from '../../../domain/account-limits.ts';
import {
  createWatchLimit,
  MOST_OF_ACCOUNT,
  MOST_OF_ONE,
  MOST_OF_PROCESS,
  type WatchPlace,
} from './watch-limit.ts';

function callerOf(account: number, who = 0, role: 'admin' | 'member' = 'admin') {
  const accountId: AccountId = `acc_${account}`;
  const actor = { kind: 'key', id: `key_${account}_${who}` } as const;
  return { accountId, memberId: null, actor, role };
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
  const lost = greedy.filter(isLost);
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
  for (let who = 1; who <= MOST_OF_ACCOUNT - MOST_OF_ONE; who++) limit.take(callerOf(1, who));
  // The first has ten and gives eight of them away; nobody else has one to spare.
  for (let who = 0; who < MOST_OF_ONE - 1; who++) limit.take(callerOf(1, 100 + who)).requireHeld();
  assert.throws(() => limit.take(callerOf(1, 199)), TOO_MANY);
  limit.take(callerOf(2));
});

test('createWatchLimit() lets no few people or keys of an account keep its others out, nor others than admins its admins', () => {
  const limit = createWatchLimit();
  const few = Array.from({ length: MOST_OF_ACCOUNT }, (_, number) =>
    limit.take(callerOf(1, Math.floor(number / MOST_OF_ONE))),
  );
  const modest = Array.from({ length: 5 }, () => limit.take(callerOf(1, 99)));
  for (const place of modest) place.requireHeld();
  assert.equal(few.filter(isLost).length, 5);
  // Each has one, of many keys: nobody has one to spare, but for an admin.
  const many = createWatchLimit();
  const part = partForOthers(MOST_OF_ACCOUNT);
  const crowd = Array.from({ length: part }, (_, who) => many.take(callerOf(1, who, 'member')));
  assert.throws(() => many.take(callerOf(1, part, 'member')), TOO_MANY);
  many.take(callerOf(1, part)).requireHeld();
  assert.deepEqual(crowd.filter(isLost), []);
});

function isLost(place: WatchPlace): boolean {
  try {
    place.requireHeld();
    return false;
  } catch {
    return true;
  }
}
