// How often an account may have a provider or a webhook of its own tried: each time the service calls a
// server that the account chose, and waits for it.

import { type CallBudget, createCallBudget } from './call-budget.ts';

export function createTestBudget(now: () => number): CallBudget {
  return createCallBudget(now, {
    perMinute: () => PER_MINUTE,
    of: 'tests',
    hint: 'Wait a moment. Tests call other servers, so only a few are allowed per minute.',
  });
}

/** Somebody who mends their settings tries every few seconds. */
const PER_MINUTE = 30;
