// What goes on at some shares, as a list of them shows it: each number is found by an index, and none costs
// more at a share with very many sessions.

import { type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { AccountId, ShareId } from '../../domain/id.ts';
import { MOST_COUNTED } from '../../domain/list-orders.ts';
import { inBatches } from '../columns.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';
import type { ShareFigures } from './share.ts';

type Asked = { readonly ids: readonly ShareId[]; readonly now: number };

export async function shareFigures(
  { read, clock }: Records,
  accountId: AccountId,
  { ids, now }: Asked,
): Promise<ReadonlyMap<string, ShareFigures>> {
  const since = dayOf(now);
  const found = new Map<string, ShareFigures>();
  for (const batch of inBatches(ids)) {
    const rows = await read
      .selectFrom('shares')
      .select((eb) => [
        'shares.id',
        eb
          .selectFrom('share_hours as hour')
          .select(sql<number>`coalesce(sum(hour.requests), 0)`.as('requests'))
          .whereRef('hour.share_id', '=', 'shares.id')
          .where('hour.at', '>=', since)
          .as('requests'),
        eb
          .selectFrom('share_hours as last')
          .select((max) => max.fn.max('last.at').as('at'))
          .whereRef('last.share_id', '=', 'shares.id')
          .as('hour'),
        eb
          .selectFrom('share_activity as minute')
          .select((max) => max.fn.max('minute.at').as('at'))
          .whereRef('minute.share_id', '=', 'shares.id')
          .as('minute'),
        eb
          .selectFrom((from) =>
            from
              .selectFrom('sessions')
              // The index alone is read for it.
              .select(sql.lit(1).as('one'))
              .whereRef('sessions.share_id', '=', 'shares.id')
              .where('sessions.ended_at', 'is', null)
              .where('sessions.expires_at', '>', clock())
              .limit(MOST_COUNTED + 1)
              .as('living'),
          )
          .select((count) => count.fn.countAll().as('count'))
          .as('sessions'),
      ])
      .where('shares.account_id', '=', accountId)
      .where('shares.id', 'in', batch)
      .execute();
    // Sums and counts are texts on PostgreSQL.
    for (const { id, requests, hour, minute, sessions } of rows)
      found.set(id, {
        requests: Number(requests),
        sessions: Number(sessions),
        lastRequestAt: hour === null && minute === null ? null : Math.max(Number(hour), Number(minute)),
      });
  }
  return found;
}

/** Whether a backend left requests unanswered, in the hours of which the figures are. */
export function hasUnanswered(eb: ExpressionBuilder<Tables, 'shares'>, now: number) {
  return eb.exists(
    eb
      .selectFrom('share_hours as hour')
      .select('hour.at')
      .whereRef('hour.account_id', '=', 'shares.account_id')
      .whereRef('hour.share_id', '=', 'shares.id')
      .where('hour.at', '>=', dayOf(now))
      // Word for word the condition of the index.
      .where(sql<SqlBool>`faulted > 0`),
  );
}

/** The first of the last 24 hours, of which the last is not over. */
function dayOf(now: number): number {
  return now - (now % HOUR_MS) - DAY_MS + HOUR_MS;
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
