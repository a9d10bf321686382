// Login attempts and other messages that were used. A row in it is the whole of single use: its key is unique
// (contract 3).

import type { Transaction } from 'kysely';
import type { AttemptId } from '../../domain/id.ts';
import type { AttemptTable } from './attempt.ts';
import type { Records } from '../records.ts';
import { isFromBeforeRestore } from '../restores.ts';
import type { Tables } from '../tables.ts';

export function createAttemptTable({ write }: Records): AttemptTable {
  return {
    claim: (id, expiresAt, madeAt = expiresAt - GRANT_LIFETIME_MS) =>
      write(async ({ db }) => {
        if (await isFromBeforeRestore(db, madeAt)) return false;
        return claimAttempt(db, id, expiresAt);
      }),
  };
}

/** False when it was used before. */
export async function claimAttempt(
  db: Transaction<Tables>,
  id: AttemptId,
  expiresAt: number,
): Promise<boolean> {
  const inserted = await db
    .insertInto('attempts')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Of whatever is passed on in one redirect. */
const GRANT_LIFETIME_MS = 60_000;
