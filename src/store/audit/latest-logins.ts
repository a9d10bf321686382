// Who tried to log in to an account's shares lately, whether or not they got in. How many events are looked
// at is bounded, since on SQLite everything waits for it.

import { sql } from 'kysely';
import type { AccountId } from '../../domain/id.ts';
import type { Records } from '../records.ts';

/** Somebody who came back from a provider. */
export type LatestLogin = { readonly email: string; readonly provider: string; readonly at: number };

export async function latestLogins({ read }: Records, accountId: AccountId): Promise<readonly LatestLogin[]> {
  const latest = read
    .selectFrom('audit_events')
    .select(['email', 'provider', 'at'])
    .where('account_id', '=', accountId)
    // Word for word the condition of the index.
    .where(sql<boolean>`kind IN ('login.succeeded', 'login.refused', 'login.failed')`)
    .orderBy('at', 'desc')
    .limit(MOST_LOOKED_AT)
    .as('latest');
  const rows = await read
    .selectFrom(latest)
    .select((eb) => ['email', 'provider', eb.fn.max('at').as('at')])
    .where('email', 'is not', null)
    .where('provider', 'is not', null)
    .groupBy(['email', 'provider'])
    .execute();
  return rows.map(({ email, provider, at }) => ({
    email: email ?? '',
    provider: provider ?? '',
    at: Number(at),
  }));
}

/** Some milliseconds on SQLite. */
const MOST_LOOKED_AT = 2_000;
