// Who answers for shares, and whether they are members still. It grants nothing: whoever may change a share
// may, whoever its owner is. An owner who left stays named, so that somebody can be asked who knew.

import { comparableAddress } from '../../domain/email-address.ts';
import type { AccountId } from '../../domain/id.ts';
import type { NewShare } from '../../wire/share.ts';
import type { MemberTable } from '../../store/people/people.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import type { Caller } from '../control-deps.ts';

/** The member who creates it, unless it is said; what a key of no member creates has none. */
export async function withOwner(
  members: Pick<MemberTable, 'find'>,
  { accountId, memberId }: Pick<Caller, 'accountId' | 'memberId'>,
  input: NewShare,
): Promise<NewShare> {
  if (input.owner !== undefined || memberId === null) return input;
  const member = await members.find(accountId, memberId);
  return member === null ? input : { ...input, owner: member.email };
}

/** Owners of these shares that are members, as they compare. */
export async function ownersAmong(
  members: Pick<MemberTable, 'among'>,
  accountId: AccountId,
  rows: readonly Pick<ShareRow, 'owner'>[],
): Promise<ReadonlySet<string>> {
  const named = new Set(rows.flatMap(({ owner }) => (owner === null ? [] : [comparableAddress(owner)])));
  return named.size === 0 ? named : new Set(await members.among(accountId, [...named]));
}

/** Null for a share of nobody. */
export function isOwned({ owner }: Pick<ShareRow, 'owner'>, owners: ReadonlySet<string>): boolean | null {
  return owner === null ? null : owners.has(comparableAddress(owner));
}
