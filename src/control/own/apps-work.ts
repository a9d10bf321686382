// What looking through an account's shares may cost: so much work a minute, whoever looks, and of that one
// person a part, so that nobody hides the account's apps from everybody else.

import { type CallBudget, createCallBudget } from '../call-budget.ts';
import type { Me } from '../control-deps.ts';

/** In milliseconds, by the account whose shares they are. */
export type AppsWork = Pick<CallBudget, 'isUsedUp' | 'charge'>;

/**
 * Answers the work that is left to somebody; colleagues at an account's own provider have a part each, since
 * all that they are shown is that account's. `perMinute`: of an account, in milliseconds.
 */
export function createAppsWork(
  now: () => number,
  perMinute = WORK_MS_PER_MINUTE,
): (me: Pick<Me, 'person'>) => AppsWork {
  const ofAll = createCallBudget(now, { ...SAID, perMinute: () => perMinute });
  const ofOne = createCallBudget(now, { ...SAID, perMinute: () => perMinute / PARTS });
  return ({ person: { provider, subject } }) => {
    const partOf = (account: string) => `${account} ${provider} ${subject}`;
    return {
      isUsedUp: (account) => ofAll.isUsedUp(account) || ofOne.isUsedUp(partOf(account)),
      charge: (account, ms) => {
        ofAll.charge(account, ms);
        ofOne.charge(partOf(account), ms);
      },
    };
  };
}

const SAID = { of: 'lists of apps', hint: 'Read fewer pages per minute.' };
/** A third of the thread, where many people look at shares with as many patterns as there may be. */
const WORK_MS_PER_MINUTE = 20_000;
/** Of which a person has one. */
const PARTS = 5;
