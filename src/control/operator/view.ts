// An account as operators see it: figures and limits, and nothing of what they are figures of.

import type { AccountLimits } from '../../domain/account-limits.ts';
import type { Account, AccountUsage } from '../../store/people/account.ts';
import type { Store } from '../../store/store.ts';
import type { OperatedAccount } from '../../wire/operator.ts';
import { limitObjects } from '../records/limit-objects.ts';
import { timeOrNull, timeText } from '../time-text.ts';

export async function accountObject(
  { accounts, activity }: Pick<Store, 'accounts' | 'activity'>,
  { id, name, createdAt, suspended }: Account,
  limits: AccountLimits,
): Promise<OperatedAccount> {
  const [usage, lastAt]: [AccountUsage, number | null] = await Promise.all([
    accounts.usage(id),
    activity.lastAt(id),
  ]);
  return {
    id,
    name,
    state: suspended ? 'suspended' : 'active',
    createdAt: timeText(createdAt),
    lastRequestAt: timeOrNull(lastAt),
    limits: limitObjects(limits, usage),
  };
}
