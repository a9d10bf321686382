// Counts what shares get. Rows are there only for minutes and hours in which something came. An account's
// hours are counted as they pass rather than made of its minutes later, so that nothing has to be rolled up,
// and a week is read in 168 rows.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Transaction, sql } from 'kysely';
import { type ActivityCounts, type ShareActivity, sumOf } from '../../domain/activity.ts';
import type { AccountId } from '../../domain/id.ts';
import { added } from './added.ts';
import type { ActivityQuery, ActivityStep, ActivityTable } from './query.ts';
import { addToShares, forgetShares, stepsOfShare } from './share-steps.ts';
import { BATCH_ROWS, inBatches } from '../columns.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';

export function createActivityTable(records: Records): ActivityTable {
  return {
    add: (at, shares) =>
      records.write(async ({ db }) => {
        await addToShares(db, at, shares);
        await addToAccounts(db, at, shares);
      }),
    ofAccount: (query) => stepsOf(records, query),
    ofShare: (query) => stepsOfShare(records, query),
    lastAt: (accountId) => lastAt(records, accountId),
    forget: (now) => forget(records, now),
  };
}

async function addToAccounts(
  db: Transaction<Tables>,
  at: number,
  shares: readonly ShareActivity[],
): Promise<void> {
  const rows = Array.from(totalsOf(shares))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([accountId, { requests, answered, refused, faulted }]) =>
      KEPT.map(({ stepMs }) => ({
        account_id: accountId,
        step_ms: stepMs,
        at: startOf(at, stepMs),
        requests,
        answered,
        refused,
        faulted,
      })),
    );
  for (const batch of inBatches(rows))
    await db
      .insertInto('activity')
      .values(batch)
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'step_ms', 'at']).doUpdateSet(added('activity', COUNTS)),
      )
      .execute();
}

function totalsOf(shares: readonly ShareActivity[]): ReadonlyMap<AccountId, ActivityCounts> {
  const totals = new Map<AccountId, ActivityCounts>();
  for (const share of shares) {
    const former = totals.get(share.accountId);
    totals.set(share.accountId, former === undefined ? share : sumOf(former, share));
  }
  return totals;
}

async function stepsOf(
  { read }: Records,
  { accountId, from, stepMs }: ActivityQuery,
): Promise<readonly ActivityStep[]> {
  const rows = await read
    .selectFrom('activity')
    .select((eb) => [
      sql<number>`at - at % ${sql.lit(stepMs)}`.as('step'),
      ...COUNTS.map((name) => eb.fn.sum<number>(name).as(name)),
    ])
    .where('account_id', '=', accountId)
    .where('step_ms', '=', stepMs < HOUR_MS ? MINUTE_MS : HOUR_MS)
    .where('at', '>=', from)
    .groupBy('step')
    .orderBy('step')
    .execute();
  // Sums are texts on PostgreSQL.
  return rows.map(({ step: at, requests, answered, refused, faulted }) => ({
    at: Number(at),
    requests: Number(requests),
    answered: Number(answered),
    refused: Number(refused),
    faulted: Number(faulted),
  }));
}

async function lastAt({ read }: Records, accountId: AccountId): Promise<number | null> {
  const lasts = await Promise.all(
    KEPT.map(({ stepMs }) =>
      read
        .selectFrom('activity')
        .select('at')
        .where('account_id', '=', accountId)
        .where('step_ms', '=', stepMs)
        .orderBy('at', 'desc')
        .limit(1)
        .executeTakeFirst(),
    ),
  );
  const times = lasts.flatMap((row) => (row === undefined ? [] : [row.at]));
  return times.length === 0 ? null : Math.max(...times);
}

async function forget({ write }: Records, now: number): Promise<void> {
  const steps: readonly ((db: Transaction<Tables>) => Promise<number>)[] = [
    ...KEPT.map(
      ({ stepMs, keptMs }) =>
        (db: Transaction<Tables>) =>
          forgetSteps(db, stepMs, now - keptMs),
    ),
    ...forgetShares(now),
  ];
  for (const step of steps) {
    let forgotten: number;
    do {
      forgotten = await write(({ db }) => step(db));
      // SQLite answers without leaving this turn of the event loop; others get theirs here.
      await nextTurn();
    } while (forgotten >= BATCH_ROWS);
  }
}

async function forgetSteps(db: Transaction<Tables>, stepMs: number, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('activity')
    .where((eb) =>
      eb(
        eb.refTuple('account_id', 'step_ms', 'at'),
        'in',
        eb
          .selectFrom('activity')
          .select(['account_id', 'step_ms', 'at'])
          .where('step_ms', '=', stepMs)
          .where('at', '<', before)
          .limit(BATCH_ROWS)
          .$asTuple('account_id', 'step_ms', 'at'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function startOf(at: number, stepMs: number): number {
  return at - (at % stepMs);
}

const COUNTS = ['requests', 'answered', 'refused', 'faulted'] as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A step more than is shown: the last two days by minutes, the last week by hours. */
const KEPT = [
  { stepMs: MINUTE_MS, keptMs: 2 * DAY_MS + HOUR_MS },
  { stepMs: HOUR_MS, keptMs: 8 * DAY_MS },
] as const;
