// Which shares can be reached now, as far as anybody knows, on whichever gateway: from the switch of the
// share, from when an agent was last seen, from what became of the last requests, and from whether its target
// took a connection when a gateway last looked.

import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { AccountId } from '../../domain/id.ts';
import { inBatches } from '../columns.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';
import { silentShares } from './target-looks.ts';

export type ShareStates = {
  readonly total: number;
  readonly off: number;
  /** Of those that are on: no agent serves it. */
  readonly waiting: number;
  /**
   * Of those that are on and do not wait: no request of the last minute in which any was passed on got an
   * answer, or the target took no connection.
   */
  readonly failing: number;
  /** Of those that wait or fail, at most `MOST_NAMED` of each. */
  readonly down: readonly DownShare[];
};

export type DownShare = {
  readonly name: string;
  readonly why: 'failing' | 'waiting';
  /** When its agent was last seen, null for never; or the minute of the last fault. */
  readonly at: number | null;
};

export async function shareStates(records: Records, accountId: AccountId, now: number): Promise<ShareStates> {
  const [counts, waiting, failing] = await Promise.all([
    countStates(records, accountId, now),
    waitingShares(records, accountId, now),
    failingShares(records, accountId, now),
  ]);
  return {
    ...counts,
    failing: failing.length,
    down: [...failing.slice(0, MOST_NAMED), ...waiting].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

async function countStates({ read }: Records, accountId: AccountId, now: number) {
  const row = await read
    .selectFrom('shares')
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      sql<number>`sum(CASE WHEN enabled = 0 THEN 1 ELSE 0 END)`.as('off'),
      sql<number>`sum(CASE WHEN ${isWaiting(eb, now)} THEN 1 ELSE 0 END)`.as('waiting'),
    ])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  // Sums of nothing are null, and texts on PostgreSQL.
  return { total: Number(row.total), off: Number(row.off ?? 0), waiting: Number(row.waiting ?? 0) };
}

async function waitingShares({ read }: Records, accountId: AccountId, now: number): Promise<DownShare[]> {
  const rows = await read
    .selectFrom('shares')
    .select(['name', 'agent_seen_at'])
    .where('account_id', '=', accountId)
    .where((eb) => isWaiting(eb, now))
    // The order of the index: nothing is sorted to name a few.
    .orderBy('tunnel')
    .orderBy('agent_seen_at')
    .limit(MOST_NAMED)
    .execute();
  return rows.map(({ name, agent_seen_at: at }) => ({ name, why: 'waiting', at }));
}

async function failingShares(records: Records, accountId: AccountId, now: number): Promise<DownShare[]> {
  const lastFaults = await failures(records, accountId, now);
  const found: DownShare[] = [];
  for (const batch of inBatches([...lastFaults.keys()])) {
    const rows = await records.read
      .selectFrom('shares')
      .select(['id', 'name'])
      .where('id', 'in', batch)
      .where('account_id', '=', accountId)
      .where('enabled', '=', 1)
      .where((eb) => eb.not(isWaiting(eb, now)))
      .execute();
    for (const { id, name } of rows) found.push({ name, why: 'failing', at: lastFaults.get(id) ?? null });
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Shares whose target does not answer, as requests or looks found, with when that was found last. */
export async function failures(
  records: Records,
  accountId: AccountId,
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const [requests, looks] = await Promise.all([
    unanswered(records, accountId, now),
    silentShares(records, accountId, now),
  ]);
  return new Map([...requests, ...looks]);
}

/**
 * Shares whose last request that was passed on found no backend, with its minute. Apart from `shares`, so
 * that these few lead to them.
 */
async function unanswered(
  { read }: Records,
  accountId: AccountId,
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const lastFaults = read
    .selectFrom('share_activity')
    .select((eb) => ['share_id', eb.fn.max('at').as('at')])
    .where('account_id', '=', accountId)
    .where('at', '>=', now - FAILING_MS)
    // Word for word the condition of the index.
    .where(sql<SqlBool>`faulted > 0`)
    .groupBy('share_id')
    .as('last');
  const rows = await read
    .selectFrom(lastFaults)
    .select(['last.share_id', 'last.at'])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('share_activity as since')
            .select('since.at')
            .whereRef('since.share_id', '=', 'last.share_id')
            .whereRef('since.at', '>=', 'last.at')
            .where('since.answered', '>', sql.lit(0)),
        ),
      ),
    )
    .limit(MOST_COUNTED)
    .execute();
  return new Map(rows.map(({ share_id: id, at }) => [id, Number(at)]));
}

/** Switched on, served by agents, and none has been seen for too long. */
export function isWaiting(eb: ExpressionBuilder<Tables, 'shares'>, now: number) {
  return eb.and([
    eb('shares.enabled', '=', 1),
    eb('shares.tunnel', 'is not', null),
    sql<SqlBool>`coalesce(shares.agent_seen_at, 0) < ${now - AGENT_SILENT_MS}`,
  ]);
}

/** Gateways note each minute that an agent is there, at most half a minute late. */
const AGENT_SILENT_MS = 120_000;
/** What failed before may have been mended without anybody having asked since. */
const FAILING_MS = 15 * 60_000;
/** As many as a page shows. */
const MOST_NAMED = 20;
/** Beyond that a larger number tells nobody more. */
const MOST_COUNTED = 1_000;
