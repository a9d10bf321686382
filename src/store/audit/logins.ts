// Counts logins to shares by their provider, in the audit log itself: an index of its own holds all that is
// asked for, and the figure and the events behind it can never differ.

import { sql } from 'kysely';
import type { AccountId } from '../../domain/id.ts';
import type { Records } from '../records.ts';

export type LoginCounts = {
  readonly provider: string;
  readonly succeeded: number;
  readonly refused: number;
  readonly failed: number;
};

/** Not before `since`; the provider with the most first. Those that came to no provider are left out. */
export async function countLogins(
  { read }: Records,
  accountId: AccountId,
  since: number,
): Promise<readonly LoginCounts[]> {
  const rows = await read
    .selectFrom('audit_events')
    .select([
      'provider',
      countOf('login.succeeded').as('succeeded'),
      countOf('login.refused').as('refused'),
      countOf('login.failed').as('failed'),
    ])
    .where('account_id', '=', accountId)
    .where('at', '>=', since)
    .where('provider', 'is not', null)
    // Word for word the condition of the index.
    .where(sql<boolean>`kind IN ('login.succeeded', 'login.refused', 'login.failed')`)
    .groupBy('provider')
    .execute();
  return rows
    .map(({ provider, succeeded, refused, failed }) => ({
      provider: provider ?? '',
      succeeded: Number(succeeded),
      refused: Number(refused),
      failed: Number(failed),
    }))
    .toSorted((a, b) => b.succeeded - a.succeeded || (a.provider < b.provider ? -1 : 1));
}

function countOf(kind: string) {
  return sql<number>`sum(CASE WHEN kind = ${sql.lit(kind)} THEN 1 ELSE 0 END)`;
}
