import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANY_STRENGTH, boundedStrength, strengthFault, strongerOf } from './login-strength.ts';

const GOLD = { acrValues: ['gold', 'platinum'], maxAgeMs: null };
const AT = 1_000_000;

test('strengthFault() takes only what the provider says for shown (5.5)', () => {
  const said = { acr: 'gold', authTime: AT };
  assert.equal(strengthFault(ANY_STRENGTH, undefined, AT), null);
  assert.equal(strengthFault(GOLD, said, AT), null);
  for (const acr of [null, '', 'Gold', 'gold ', 'silver', '0'])
    assert.equal(strengthFault(GOLD, { ...said, acr }, AT), 'acr_unmet', String(acr));
  assert.equal(strengthFault(GOLD, undefined, AT), 'acr_unmet');
});

test('strengthFault() asks how long ago the person proved who they are, seen from the start of the login, clocks ten seconds apart (5.5)', () => {
  const within = { acrValues: [], maxAgeMs: 60_000 };
  const at = (authTime: number | null) => strengthFault(within, { acr: null, authTime }, AT);
  assert.deepEqual([at(AT), at(AT + 30_000), at(AT - 70_000)], [null, null, null]);
  assert.deepEqual([at(AT - 70_001), at(null)], ['login_too_old', 'login_too_old']);
  const now = { acrValues: [], maxAgeMs: 0 };
  assert.equal(strengthFault(now, { acr: null, authTime: AT - 10_001 }, AT), 'login_too_old');
});

test('strongerOf() asks for classes of both, and for the shorter time (5.5)', () => {
  const other = { acrValues: ['silver', 'gold'], maxAgeMs: 5 };
  assert.deepEqual(strongerOf(GOLD, other), { acrValues: ['gold'], maxAgeMs: 5 });
  assert.deepEqual(strongerOf(ANY_STRENGTH, GOLD), GOLD);
  assert.deepEqual(strongerOf({ acrValues: ['a'], maxAgeMs: 3 }, other), { acrValues: ['a'], maxAgeMs: 3 });
});

test('boundedStrength() leaves out classes that no login request has room for', () => {
  const acrValues = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(99, 'x'));
  assert.deepEqual(boundedStrength({ acrValues, maxAgeMs: 1 }), {
    acrValues: acrValues.slice(0, 10),
    maxAgeMs: 1,
  });
});
