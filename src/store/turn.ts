// Work that one process of many does at a time: whoever takes the turn has it for a while.

import { sql } from 'kysely';
import type { Records } from './records.ts';

/**
 * Whether this process is to do it now. It is the only one for `holdMs` on the store's clock; should it die,
 * another is then. A time further off than that is of a clock that was set back. `name`: of the row that says
 * until when.
 */
export function takeTurn({ write, clock }: Records, name: string, holdMs: number): Promise<boolean> {
  return write(async ({ db }) => {
    await db
      .insertInto('meta')
      .values({ name, value: '0' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const until = sql<number>`cast(value as bigint)`;
    const { numUpdatedRows } = await db
      .updateTable('meta')
      .set({ value: sql<string>`cast(${clock()} + ${sql.lit(holdMs)} as text)` })
      .where('name', '=', name)
      .where((eb) =>
        eb.or([eb(until, '<=', clock()), eb(until, '>', sql<number>`${clock()} + ${sql.lit(holdMs)}`)]),
      )
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  });
}
