// Finds shares by a text that somebody typed, by provider or by state. How many one page looks at is bounded,
// since on SQLite everything waits for it.

import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { AccountId } from '../../domain/id.ts';
import { likePart } from '../like-part.ts';
import { isWaiting, failures } from './states.ts';
import type { Records } from '../records.ts';
import type { ShareFilter } from './share.ts';
import { namesProvider } from './names-provider.ts';
import { isOpenRow } from './open-rows.ts';
import type { Tables } from '../tables.ts';
import type { SharesTable } from './tables.ts';

type Search = { readonly after: string | null; readonly limit: number; readonly filter?: ShareFilter };

export async function findShares(
  records: Records,
  accountId: AccountId,
  { after, limit, filter }: Search,
): Promise<{ readonly rows: readonly SharesTable[]; readonly next: string | null }> {
  // Without a filter whatever is looked at is found.
  const isSearch =
    filter !== undefined && [filter.text, filter.provider, filter.state].some((value) => value !== null);
  const last = isSearch ? await lastLookedAt(records, accountId, after) : undefined;
  const failing = filter === undefined ? [] : await failingIds(records, accountId, filter);
  const rows = await sharesAfter(records, accountId, after)
    .selectAll()
    .$if(last !== undefined, (query) => query.where('name', '<=', last?.name ?? ''))
    .$if(filter !== undefined, (query) =>
      query.where((eb) => eb.and(filter === undefined ? [] : conditions(eb, filter, failing))),
    )
    .limit(limit + 1)
    .execute();
  const found = rows.slice(0, limit);
  const next = rows.length > limit ? found.at(-1)?.name : last?.name;
  return { rows: found, next: next ?? null };
}

/** Undefined when a page can look at all that there is. */
function lastLookedAt(
  records: Records,
  accountId: AccountId,
  after: string | null,
): Promise<{ readonly name: string } | undefined> {
  return sharesAfter(records, accountId, after)
    .select('name')
    .offset(MOST_LOOKED_AT - 1)
    .limit(1)
    .executeTakeFirst();
}

function sharesAfter({ read }: Records, accountId: AccountId, after: string | null) {
  return read
    .selectFrom('shares')
    .where('account_id', '=', accountId)
    .where('name', '>', after ?? '')
    .orderBy('name');
}

/** Ids of shares whose target does not answer, at most so many as are counted. */
async function failingIds(
  records: Records,
  accountId: AccountId,
  { state, now }: ShareFilter,
): Promise<readonly string[]> {
  if (state !== 'failing' && state !== 'down') return [];
  return [...(await failures(records, accountId, now)).keys()];
}

function conditions(
  eb: ExpressionBuilder<Tables, 'shares'>,
  { text, provider, state, now }: ShareFilter,
  failing: readonly string[],
): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = [];
  if (text !== null) {
    const part = likePart(text);
    all.push(sql<SqlBool>`(
      name LIKE ${part} ESCAPE '!'
      OR lower(target) LIKE ${part} ESCAPE '!'
      OR oauth_provider LIKE ${part} ESCAPE '!'
      OR rule_providers LIKE ${part} ESCAPE '!'
    )`);
  }
  if (provider !== null) all.push(namesProvider(eb, provider));
  if (state !== null) all.push(eb('enabled', '=', state === 'off' ? 0 : 1));
  if (state === 'open') all.push(isOpenRow(eb));
  const isFailing = failing.length === 0 ? sql<SqlBool>`1 = 0` : eb('id', 'in', failing);
  if (state === 'waiting') all.push(isWaiting(eb, now));
  if (state === 'failing') all.push(isFailing, eb.not(isWaiting(eb, now)));
  if (state === 'down') all.push(eb.or([isFailing, isWaiting(eb, now)]));
  return all;
}

/** Some tens of milliseconds on SQLite. */
const MOST_LOOKED_AT = 5_000;
