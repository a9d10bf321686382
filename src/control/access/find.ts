// Finds the request for access that a path names, within the caller's account, while it is open.

import type { AccessRequest } from '../../domain/access-request.ts';
import type { AccessRequestId, AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { AccessRequestTable } from '../../store/access/access-request.ts';

/** Throws `access_request_unknown` and `access_request_decided`. */
export async function findOpenRequest(
  requests: AccessRequestTable,
  accountId: AccountId,
  named: string,
): Promise<AccessRequest> {
  const found = await requests.find(accountId, named as AccessRequestId);
  if (found === null)
    throw new ServiceError('access_request_unknown', `Cannot find request "${named}": none has that id`, {
      hint: 'List them with "doorward access list".',
    });
  if (found.state !== 'open') throw decidedAlready();
  return found;
}

export function decidedAlready(): ServiceError {
  return new ServiceError('access_request_decided', 'Cannot decide on this request: somebody did already');
}
