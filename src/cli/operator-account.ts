// An account by its name, for the operator's commands, and what they did to it in the audit.

import type { AuditKind } from '../domain/audit-kind.ts';
import { newId } from '../domain/id.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Account, Store } from '../store/store.ts';

/** Throws `account_unknown`. */
export async function findAccount({ accounts }: Store, name: string): Promise<Account> {
  const account = (await accounts.list()).find((known) => known.name === name);
  if (account === undefined)
    throw new ServiceError('account_unknown', `Cannot find account "${name}": there is none of that name`, {
      hint: 'doorward account list shows them',
    });
  return account;
}

export async function noteOperator(
  { audit }: Store,
  account: Account,
  happened: { readonly kind: AuditKind; readonly reason: string; readonly at: number },
): Promise<void> {
  await audit.append([
    {
      ...happened,
      id: newId('evt'),
      accountId: account.id,
      shareId: null,
      sessionId: null,
      provider: null,
      email: null,
      actor: 'operator',
      ip: null,
      requestId: null,
    },
  ]);
}
