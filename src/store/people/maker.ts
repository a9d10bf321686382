// Who makes a key or a token must still be there: who is deleted at the same moment leaves none behind, since
// one of the two waits for the other.

import type { Transaction } from 'kysely';
import type { AccountId, ApiKeyId, MemberId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';

export type MakerNow = {
  readonly accountId: AccountId;
  readonly memberId: MemberId | null;
  readonly keyId: ApiKeyId | null;
  /** What is made: "API key". */
  readonly made: string;
};

/** Throws `not_allowed` when the member or the key is gone by now. */
export async function requireMaker(
  { locks }: Pick<Records, 'locks'>,
  db: Transaction<Tables>,
  { accountId, memberId, keyId, made }: MakerNow,
): Promise<void> {
  const ids = [memberId, keyId];
  for (const [index, table] of (['members', 'api_keys'] as const).entries()) {
    const id = ids[index] ?? null;
    if (id === null) continue;
    const found = await db
      .selectFrom(table)
      .select('id')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .modifyEnd(locks.unchanged)
      .executeTakeFirst();
    if (found === undefined)
      throw new ServiceError('not_allowed', `Cannot create the ${made}: its creator was deleted`);
  }
}
