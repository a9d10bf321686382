// Finds the service token that a path names, by name or id, within the caller's account. Another account's is
// unknown here.

import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ServiceTokenRow, ServiceTokenTable } from '../../store/tokens/service-token.ts';

/** Throws `service_token_unknown`. */
export async function findServiceToken(
  tokens: ServiceTokenTable,
  accountId: AccountId,
  named: string,
): Promise<ServiceTokenRow> {
  const row = await tokens.find(accountId, named);
  if (row === null) throw unknownServiceToken(named);
  return row;
}

export function unknownServiceToken(named: string): ServiceError {
  return new ServiceError(
    'service_token_unknown',
    `Cannot find token "${named}": no token has that name or id`,
    { hint: 'List them with "doorward token list".' },
  );
}
