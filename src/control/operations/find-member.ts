// Finds the member that a path names, by id or address, within the caller's account. Another account's are unknown here.

import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { MemberRow, MemberTable } from '../../store/people.ts';

/** Throws `member_unknown`. */
export async function findMember(
  members: MemberTable,
  accountId: AccountId,
  named: string,
): Promise<MemberRow> {
  const row = await members.find(accountId, named);
  if (row === null) throw unknownMember(named);
  return row;
}

export function unknownMember(named: string): ServiceError {
  return new ServiceError(
    'member_unknown',
    `Cannot find member "${named}": there is none of that address or id`,
    { hint: 'List them with "doorward member list".' },
  );
}
