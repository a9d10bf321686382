// Who answers for shares, and whether they are members still. It grants nothing: whoever may change a share
// may, whoever its owner is. An owner who left stays named, so that somebody can be asked who knew.

import { comparableAddress } from '../../domain/email-address.ts';
import type { NewShare } from '../../wire/share.ts';
import type { MemberTable } from '../../store/people/people.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import { isAllowed } from '../authorize.ts';
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

/**
 * Whether each owner is a member: null for a share of nobody. Undefined for a caller who may not read
 * members: they could ask that of any address by naming it the owner.
 */
export async function ownershipOf(
  members: Pick<MemberTable, 'among'>,
  caller: Caller,
  rows: readonly Pick<ShareRow, 'owner'>[],
): Promise<(share: Pick<ShareRow, 'owner'>) => boolean | null | undefined> {
  if (!isAllowed(caller, 'members.read')) return () => undefined;
  const named = new Set(rows.flatMap(({ owner }) => (owner === null ? [] : [comparableAddress(owner)])));
  const owners = new Set(named.size === 0 ? [] : await members.among(caller.accountId, [...named]));
  return ({ owner }) => (owner === null ? null : owners.has(comparableAddress(owner)));
}
