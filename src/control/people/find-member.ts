// Finds the member that a path names, by id or address, within the caller's account. Another account's are
// unknown here.

import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { MemberJudge, MemberRow, MemberTable } from '../../store/people/people.ts';
import { checkIfMatch } from '../etag.ts';
import { memberVersion } from './member-schema.ts';

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

/** If-Match, held against the member at the moment of the change. */
export function judgeOf(ifMatch: string | undefined): MemberJudge {
  return (member) => checkIfMatch(ifMatch, memberVersion(member));
}

export function unknownMember(named: string): ServiceError {
  return new ServiceError(
    'member_unknown',
    `Cannot find member "${named}": no member has that email address or id`,
    { hint: 'List them with "doorward member list".' },
  );
}
