// Login attempts that were used. A row in it is the whole of single use: its key is unique (contract 3).

import type { AttemptTable } from './store.ts';
import type { Records } from './records.ts';

export function createAttemptTable({ write }: Records): AttemptTable {
  return {
    claim: (id, expiresAt) =>
      write(async ({ db }) => {
        const inserted = await db
          .insertInto('attempts')
          .values({ id, expires_at: expiresAt })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirst();
        return inserted.numInsertedOrUpdatedRows === 1n;
      }),
  };
}
