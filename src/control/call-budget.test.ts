import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallBudget } from './call-budget.ts';

test('createCallBudget() lets a minute’s worth through at once, and then as it comes back', () => {
  let now = 1_000_000;
  const count = createCallBudget(() => now, { perMinute: () => 60, of: 'changes', hint: 'Fewer.' });
  for (let call = 0; call < 60; call++) count('greedy');
  assert.throws(() => count('greedy'), { code: 'rate_limited', extra: { retryAfterSeconds: 1 } });
  count('modest');
  now += 2000;
  count('greedy');
  count('greedy');
  assert.throws(() => count('greedy'), { code: 'rate_limited' });
  // A clock that was set back gives nothing back, and takes nothing for ever.
  now -= 3_600_000;
  assert.throws(() => count('greedy'), { code: 'rate_limited' });
  now += 7_200_000;
  for (let call = 0; call < 60; call++) count('greedy');
});

test('createCallBudget() lets one call overdraw it, which is paid back before the next', () => {
  let now = 1_000_000;
  const count = createCallBudget(() => now, { perMinute: () => 60, of: 'changes', hint: 'Fewer.' });
  count('large');
  count.charge('large', 119);
  assert.throws(() => count('large'), { code: 'rate_limited', extra: { retryAfterSeconds: 61 } });
  count('small');
  now += 60_000;
  assert.throws(() => count('large'), { code: 'rate_limited', extra: { retryAfterSeconds: 1 } });
  now += 1_000;
  count('large');
});
