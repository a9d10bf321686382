// Who makes a key or a token must still be there: who is deleted at the same moment leaves none behind, since
// one of the two waits for the other.

import type { Transaction } from 'kysely';
import type { AccountId, ApiKeyId, MemberId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';

/** With what a key or a token is made: a key, a member's session at the control plane, or neither. */
export type Maker = { readonly keyId: ApiKeyId | null; readonly sessionHash?: string | null | undefined };

export type MakerNow = Maker & {
  readonly accountId: AccountId;
  readonly memberId: MemberId | null;
  /** What is made: "API key". */
  readonly made: string;
};

/** Throws `not_allowed` when the member, the key or the session is gone by now. */
export async function requireMaker(
  { locks }: Pick<Records, 'locks'>,
  db: Transaction<Tables>,
  { accountId, memberId, keyId, sessionHash = null, made }: MakerNow,
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
  if (sessionHash === null) return;
  // After the member's row: whoever ends the member's sessions changes that first, and is done by now.
  const session = await db
    .selectFrom('console_sessions')
    .select('hash')
    .where('hash', '=', sessionHash)
    .modifyEnd(locks.unchanged)
    .executeTakeFirst();
  if (session === undefined)
    throw new ServiceError('not_allowed', `Cannot create the ${made}: the login of its creator has ended`);
}
