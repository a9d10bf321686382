import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Check, fails, passes } from '../../domain/check.ts';
import { clockCheck } from '../../providers/examine-clock.ts';
import { clockChecks } from './report.ts';

const now = Date.UTC(2030, 0, 1);

test('clockChecks() calls the clock of this machine ok only when another clock agrees (DESIGN 2.4)', () => {
  const state = (others: readonly Check[], mtimeMs = now) => clockChecks(now, { mtimeMs }, others)[0]?.state;
  assert.equal(state([]), 'warn');
  assert.equal(state([passes('keys', 'fine'), clockCheck(new Headers(), now, now)]), 'warn');
  assert.equal(state([passes('clock', 'the clocks of this machine and the provider agree')]), 'ok');
  assert.equal(state([fails('clock', 'ours is 60 s ahead', 'x')]), 'warn');
  assert.equal(state([passes('clock', 'agrees')], now + 60_000), 'warn');
});

test('clockCheck() calls no clock ok that an answer without Date does not show (DESIGN 2.4)', () => {
  const { state, found } = clockCheck(new Headers(), now, now);
  assert.equal(state, 'warn');
  assert.match(found, /^unknown/);
});
