// An account by its name, for the operator's commands, and what they did to it in the audit.

import { OPERATOR } from '../../domain/actor.ts';
import { auditEvent, type KindAndChanges } from '../../domain/audit-event.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Store } from '../../store/store.ts';
import type { Account } from '../../store/people/account.ts';

/** Throws `account_unknown`. */
export async function findAccount({ accounts }: Store, name: string): Promise<Account> {
  const account = (await accounts.list()).find((known) => known.name === name);
  if (account === undefined)
    throw new ServiceError('account_unknown', `Cannot find account "${name}": no account has this name`, {
      hint: 'To see all accounts, run "doorward account list".',
    });
  return account;
}

/**
 * Makes a change, and writes down that the operator did: both are kept, or neither. Nothing is written where
 * `isMade` says so.
 */
export function recordedByOperator<Made>(
  store: Store,
  { account, ...happened }: OperatorChange,
  change: () => Promise<Made>,
  isMade: (made: Made) => boolean = () => true,
): Promise<Made> {
  return store.together(async () => {
    const made = await change();
    if (isMade(made))
      await store.audit.append([auditEvent({ ...happened, accountId: account.id, actor: OPERATOR })]);
    return made;
  });
}

type OperatorChange = {
  readonly account: Account;
  readonly reason?: string | null;
  readonly at: number;
} & KindAndChanges;
