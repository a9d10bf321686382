// What each table file works with: committed reads, and write transactions whose changes are numbered for the
// gateways.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Expression, Kysely, Transaction } from 'kysely';
import type { Change } from './change.ts';
import type { ColumnSeal, Sealer } from './sealing/column-seal.ts';
import type { Engine, Locks, WholeTables } from './engine.ts';
import { sealerInForce } from './meta.ts';
import type { Tables } from './tables.ts';
import { recordChanges } from './changes.ts';

export type Records = {
  readonly read: Kysely<Tables>;
  readonly write: <T>(work: (writing: Writing) => Promise<T>) => Promise<T>;
  /** As `Store.together()`. */
  readonly together: <T>(work: () => Promise<T>) => Promise<T>;
  readonly clock: () => Expression<number>;
  readonly locks: Locks;
  readonly wholeTables: WholeTables;
  readonly seal: ColumnSeal;
};

export type Writing = {
  readonly db: Transaction<Tables>;
  /** Seals under the master key in force, which stays so until this transaction ends. */
  readonly sealer: () => Promise<Sealer>;
  /** Tells the gateways, when this transaction commits. */
  readonly note: (change: Change) => void;
};

/** `committed` is called after each commit that changed something the gateways care about. */
export function createRecords(engine: Engine, seal: ColumnSeal, committed: () => void): Records {
  const joined = new AsyncLocalStorage<Open>();

  async function writeAlone<T>(
    work: (writing: Writing) => Promise<T>,
    transact: Engine['transact'] = engine.transact,
  ): Promise<T> {
    const noted: Change[] = [];
    const result = await transact(async (db) => {
      noted.length = 0;
      const answer = await work({
        db,
        sealer: () => sealerInForce(db, engine.locks, seal),
        note: (change) => noted.push(change),
      });
      // Last in the transaction: the counter's row is locked from here to the commit, so number order is
      // commit order.
      if (noted.length > 0) await recordChanges(db, noted, engine.clock());
      return answer;
    });
    if (noted.length > 0) committed();
    return result;
  }

  return {
    read: engine.read,
    clock: engine.clock,
    locks: engine.locks,
    wholeTables: engine.wholeTables,
    seal,
    write: (work) => {
      const open = joined.getStore();
      return open?.isOver === false ? work(open.writing) : writeAlone(work);
    },
    together: (work) => {
      if (joined.getStore()?.isOver === false) return work();
      return writeAlone(async (writing) => {
        const open: Open = { writing, isOver: false };
        try {
          return await joined.run(open, work);
        } finally {
          // What was begun in it and nobody waited for writes by itself.
          open.isOver = true;
        }
      }, engine.transactLong);
    },
  };
}

type Open = { readonly writing: Writing; isOver: boolean };
