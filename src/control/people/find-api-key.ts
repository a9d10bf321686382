// Finds the API key that a path names, by name or id, within the caller's account. Another account's is
// unknown here.

import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ApiKeyRow, ApiKeyTable } from '../../store/people/people.ts';

/** Throws `api_key_unknown`. */
export async function findApiKey(keys: ApiKeyTable, accountId: AccountId, named: string): Promise<ApiKeyRow> {
  const row = await keys.find(accountId, named);
  if (row === null) throw unknownApiKey(named);
  return row;
}

export function unknownApiKey(named: string): ServiceError {
  return new ServiceError(
    'api_key_unknown',
    `Cannot find API key "${named}": no API key has that name or id`,
    { hint: 'List them with "doorward api-key list".' },
  );
}
