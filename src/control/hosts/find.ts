// Finds the host that a path names, by host or id, within the caller's account. Another account's is unknown
// here.

import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ShareHostRow, ShareHostTable } from '../../store/shares/host.ts';

/** Throws `host_unknown`. */
export async function findHost(
  hosts: ShareHostTable,
  accountId: AccountId,
  named: string,
): Promise<ShareHostRow> {
  const row = await hosts.find(accountId, named);
  if (row === null) throw unknownHost(named);
  return row;
}

export function unknownHost(named: string): ServiceError {
  return new ServiceError('host_unknown', `Cannot find host "${named}": no host has that name or id`, {
    hint: 'List them with "doorward host list".',
  });
}
