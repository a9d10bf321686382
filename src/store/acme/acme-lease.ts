// One gateway orders at a time. Who holds the lease is written in one row; each write of the holder keeps
// that row as it is until its commit, so that one that was stopped for long and goes on changes nothing.

import { sql } from 'kysely';
import type { Records, Writing } from '../records.ts';
import { LeaseLost } from './acme.ts';

/** Runs a write of the holder. Rejects with `LeaseLost` when another one has the lease. */
export type Fenced = (holder: string, work: (writing: Writing) => Promise<void>) => Promise<void>;

export function fencedBy({ write, locks }: Records): Fenced {
  return (holder, work) =>
    write(async (writing) => {
      const row = await writing.db
        .selectFrom('acme_leases')
        .select('holder')
        .where('name', '=', ORDERS)
        .modifyEnd(locks.unchanged)
        .executeTakeFirst();
      if (row?.holder !== holder) throw new LeaseLost();
      await work(writing);
    });
}

/** A time further off than the hold is of a clock that was set back. */
export function takeLease({ write, clock }: Records, holder: string, holdMs: number): Promise<boolean> {
  return write(async ({ db }) => {
    await db
      .insertInto('acme_leases')
      .values({ name: ORDERS, holder: '', until: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const end = sql<number>`${clock()} + ${sql.lit(holdMs)}`;
    const { numUpdatedRows } = await db
      .updateTable('acme_leases')
      .set({ holder, until: end })
      .where('name', '=', ORDERS)
      .where((eb) => eb.or([eb('holder', '=', holder), eb('until', '<=', clock()), eb('until', '>', end)]))
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  });
}

export function releaseLease({ write }: Records, holder: string): Promise<void> {
  return write(async ({ db }) => {
    await db
      .updateTable('acme_leases')
      .set({ holder: '', until: 0 })
      .where('name', '=', ORDERS)
      .where('holder', '=', holder)
      .execute();
  });
}

const ORDERS = 'orders';
