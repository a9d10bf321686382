// What single shares get, by the minute and by the hour: a table for each, of the same columns.

import { type Selectable, type Transaction, sql } from 'kysely';
import type { ShareActivity } from '../../domain/activity.ts';
import { BATCH_ROWS, inBatches } from '../columns.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';
import { added } from './added.ts';
import type { ShareActivityQuery, ShareActivityStep } from './query.ts';
import { type FigureColumn, STATUS_COLUMNS, TOOK_COLUMNS } from './tables.ts';

/** The table whose steps these make, and how long it keeps them. */
const TABLES = [
  // Three hours are shown by minutes; whether a share fails now is read there, too.
  { table: 'share_activity', stepMs: 60_000, keptMs: 4 * 60 * 60_000 },
  { table: 'share_hours', stepMs: 60 * 60_000, keptMs: 8 * 24 * 60 * 60_000 },
] as const;
type Table = (typeof TABLES)[number]['table'];

export async function addToShares(
  db: Transaction<Tables>,
  at: number,
  shares: readonly ShareActivity[],
): Promise<void> {
  // In one order, so that two gateways never wait for each other in a circle.
  const sorted = shares.toSorted((a, b) => (a.shareId < b.shareId ? -1 : 1));
  for (const { table, stepMs } of TABLES)
    for (const batch of inBatches(sorted))
      await db
        .insertInto(table)
        .values(batch.map((share) => rowOf(share, at - (at % stepMs))))
        .onConflict((conflict) =>
          conflict.columns(['share_id', 'at']).doUpdateSet(added(table, [...COUNTS, ...FIGURES])),
        )
        .execute();
}

function rowOf(share: ShareActivity, at: number): Tables['share_activity'] {
  const { shareId, accountId, requests, answered, refused, faulted, statuses, durations } = share;
  const statusValues = STATUS_COLUMNS.map((column, index) => [column, statuses[index + 1] ?? 0]);
  const tookValues = TOOK_COLUMNS.map((column, bucket) => [column, durations[bucket] ?? 0]);
  const figures = Object.fromEntries([...statusValues, ...tookValues]) as Record<FigureColumn, number>;
  return { share_id: shareId, account_id: accountId, at, requests, answered, refused, faulted, ...figures };
}

export async function stepsOfShare(
  { read }: Records,
  { accountId, shareId, from, stepMs }: ShareActivityQuery,
): Promise<readonly ShareActivityStep[]> {
  const { table } = TABLES.findLast((each) => each.stepMs <= stepMs) ?? TABLES[0];
  const rows = await read
    .selectFrom(table)
    .select((eb) => [
      sql<number>`at - at % ${sql.lit(stepMs)}`.as('step'),
      ...[...COUNTS, ...FIGURES].map((name) => eb.fn.sum<number>(name).as(name)),
    ])
    .where('share_id', '=', shareId)
    .where('account_id', '=', accountId)
    .where('at', '>=', from)
    .groupBy('step')
    .orderBy('step')
    .execute();
  return rows.map(stepOf);
}

type SumRow = Readonly<Record<'step' | (typeof COUNTS)[number] | FigureColumn, number>>;

/** Sums are texts on PostgreSQL. */
function stepOf(row: Selectable<SumRow>): ShareActivityStep {
  const requests = Number(row.requests);
  const answers = STATUS_COLUMNS.map((column) => Number(row[column]));
  const cut = answers.reduce((left, count) => left - count, requests);
  return {
    at: Number(row.step),
    requests,
    answered: Number(row.answered),
    refused: Number(row.refused),
    faulted: Number(row.faulted),
    // A version that counts no classes may have written some of it.
    statuses: Float64Array.from([Math.max(0, cut), ...answers]),
    durations: Float64Array.from(TOOK_COLUMNS, (column) => Number(row[column])),
  };
}

/** For each table: deletes a batch of what is too old by `now`, and answers how many rows that were. */
export function forgetShares(now: number): readonly ((db: Transaction<Tables>) => Promise<number>)[] {
  return TABLES.map(
    ({ table, keptMs }) =>
      (db) =>
        forgetBefore(db, table, now - keptMs),
  );
}

async function forgetBefore(db: Transaction<Tables>, table: Table, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where((eb) =>
      eb(
        eb.refTuple('share_id', 'at'),
        'in',
        eb
          .selectFrom(table)
          .select(['share_id', 'at'])
          .where('at', '<', before)
          .limit(BATCH_ROWS)
          .$asTuple('share_id', 'at'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

const COUNTS = ['requests', 'answered', 'refused', 'faulted'] as const;
const FIGURES: readonly FigureColumn[] = [...STATUS_COLUMNS, ...TOOK_COLUMNS];
