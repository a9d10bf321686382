// Finds the share that a path names, by name or id, within the caller's account. What belongs to another
// account is unknown here, in the same words as what was never there.

import type { AccountId, ShareId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ShareRow, ShareTable } from '../../store/shares/share.ts';

/** Throws `share_unknown`. */
export async function findShare(shares: ShareTable, accountId: AccountId, named: string): Promise<ShareRow> {
  const row = isId(named) ? await shares.findById(named) : await shares.find(accountId, named);
  if (row === null || row.accountId !== accountId) throw unknownShare(named);
  return row;
}

/**
 * The id that is meant. One that is given is believed, since what was of a share that is gone can still be
 * looked at.
 */
export async function shareIdNamed(
  shares: ShareTable,
  accountId: AccountId,
  named: string,
): Promise<ShareId> {
  return isId(named) ? named : (await findShare(shares, accountId, named)).id;
}

export function unknownShare(named: string): ServiceError {
  return new ServiceError('share_unknown', `Cannot find share "${named}": no share has that name or id`, {
    hint: 'List them with "doorward share list".',
  });
}

/** No name holds an underscore, so the two cannot be mixed up. */
function isId(named: string): named is ShareId {
  return named.startsWith('shr_');
}
