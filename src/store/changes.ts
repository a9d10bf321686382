// The change feed: each write that the gateways care about takes a number from a one-row counter that is
// locked until the commit, so number order is commit order (DESIGN "Gateways and store"). Old rows are swept;
// a reader that is further behind than what is kept is told to read everything again.

import type { Expression, Kysely, Transaction } from 'kysely';
import type { Change, ChangeFeed } from './change.ts';
import { inBatches } from './columns.ts';
import type { Engine } from './engine.ts';
import type { Tables } from './tables.ts';

/** The feed, and the call that wakes its listeners after a commit. Other processes' commits wake them too. */
export function createChangeFeed({ read, onOtherCommit }: Pick<Engine, 'read' | 'onOtherCommit'>): {
  readonly feed: ChangeFeed;
  wake(): void;
} {
  const listeners = new Set<() => void>();
  const wake = (): void => {
    for (const listener of listeners) call(listener);
  };
  let following = false;
  return {
    feed: {
      latest: () => latestNumber(read),
      since: (number) => changesSince(read, number),
      onCommit: (listener) => {
        // A wrapper, so that one function registered twice is two listeners.
        const entry = (): void => listener();
        listeners.add(entry);
        // Not before: a command that is over in a moment follows nobody.
        if (!following) onOtherCommit(wake);
        following = true;
        return () => listeners.delete(entry);
      },
    },
    wake,
  };
}

/** Numbers and writes changes. The caller's transaction must commit right after. */
export async function recordChanges(
  db: Transaction<Tables>,
  changes: readonly Change[],
  clock: Expression<number>,
): Promise<void> {
  const counter = await db
    .updateTable('change_counter')
    .set((eb) => ({ number: eb('number', '+', changes.length) }))
    .where('id', '=', COUNTER_ROW)
    .returning('number')
    .executeTakeFirstOrThrow();
  let number = counter.number - changes.length;
  for (const batch of inBatches(changes)) {
    const rows = batch.map(({ kind, id }) => ({ number: ++number, at: clock, kind, subject_id: id }));
    await db.insertInto('changes').values(rows).execute();
  }
}

/** Deletes at most `limit` changes older than each of `before`, lowest numbers first; answers how many. */
export async function sweepChanges(
  db: Transaction<Tables>,
  before: readonly (number | Expression<number>)[],
  limit: number,
): Promise<number> {
  const old = await db
    .selectFrom('changes')
    .select('number')
    .where((eb) => eb.and(before.map((time) => eb('at', '<', time))))
    .orderBy('number')
    .limit(limit)
    .execute();
  const last = old.at(-1);
  if (last === undefined) return 0;
  // Up to the highest of them, whatever its time: a clock that was set back leaves no hole below `swept_to`.
  await db.deleteFrom('changes').where('number', '<=', last.number).execute();
  await db
    .updateTable('change_counter')
    .set({ swept_to: last.number })
    .where('id', '=', COUNTER_ROW)
    // Another sweep at the same time may be further.
    .where('swept_to', '<', last.number)
    .execute();
  return old.length;
}

async function latestNumber(read: Kysely<Tables>): Promise<number> {
  const row = await read
    .selectFrom('change_counter')
    .select('number')
    .where('id', '=', COUNTER_ROW)
    .executeTakeFirstOrThrow();
  return row.number;
}

async function changesSince(
  read: Kysely<Tables>,
  number: number,
): Promise<{ readonly upTo: number; readonly changes: readonly Change[]; readonly gap: boolean }> {
  // One statement, so that counter and rows are of one moment.
  const rows = await read
    .selectFrom('change_counter as counter')
    .leftJoin('changes as change', (join) => join.on('change.number', '>', number))
    .select([
      'counter.number as upTo',
      'counter.swept_to as sweptTo',
      'change.kind',
      'change.subject_id as id',
    ])
    .where('counter.id', '=', COUNTER_ROW)
    .orderBy('change.number')
    .limit(MOST_CHANGES + 1)
    .execute();
  const first = rows[0];
  if (first === undefined) throw new Error('Cannot read changes: the counter row is missing');
  // A number above the counter's comes from another store, or from before a backup was restored.
  const gap = number < first.sweptTo || number > first.upTo || rows.length > MOST_CHANGES;
  const changes = gap ? [] : rows.flatMap(({ kind, id }) => toChange(kind, id));
  return { upTo: first.upTo, changes, gap };
}

function toChange(kind: string | null, id: string | null): readonly Change[] {
  if (kind === null || id === null) return [];
  return [{ kind, id } as Change];
}

/** A listener's fault is its own: the write is committed and must be answered as such. */
function call(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}

const COUNTER_ROW = 1;
/** Beyond this, reading everything again costs a reader less than walking the changes. */
const MOST_CHANGES = 5_000;
