// Finds shares by a text that somebody typed, by provider or by state. How many one page looks at is bounded,
// since on SQLite everything waits for it.

import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import { comparableAddress } from '../../domain/email-address.ts';
import type { AccountId } from '../../domain/id.ts';
import type { ShareOrder } from '../../domain/list-orders.ts';
import { likePart } from '../like-part.ts';
import { isWaiting, failures } from './states.ts';
import { hasUnanswered } from './figures.ts';
import type { Records } from '../records.ts';
import type { ShareFilter, ShareListPage } from './share.ts';
import { namesProvider } from './names-provider.ts';
import { isOpenRow } from './open-rows.ts';
import {
  isBehind,
  isUpTo,
  numberColumn,
  type Ordered,
  orderOf,
  type Place,
  placeAt,
  placeColumns,
  type SortColumns,
  textColumn,
} from '../sorting.ts';
import type { Tables } from '../tables.ts';
import type { SharesTable } from './tables.ts';

type Found = { readonly rows: readonly SharesTable[]; readonly next: Place | null };

export async function findShares(
  records: Records,
  accountId: AccountId,
  page: ShareListPage,
): Promise<Found> {
  const { limit, filter } = page;
  const ordered = orderedBy(page);
  const last = await lastLookedAt(records, accountId, page);
  const failing = filter === undefined ? [] : await failingIds(records, accountId, filter);
  const rows = await sharesAfter(records, accountId, page)
    .selectAll()
    .select(placeColumns(ordered))
    .$if(last !== null, (query) => query.where(isUpTo(ordered, last ?? [])))
    .$if(filter !== undefined, (query) =>
      query.where((eb) => eb.and(filter === undefined ? [] : conditions(eb, filter, failing))),
    )
    .limit(limit + 1)
    .execute();
  const found = rows.slice(0, limit);
  const end = found.at(-1);
  return { rows: found, next: rows.length > limit && end !== undefined ? placeAt(ordered, end) : last };
}

/** As `ShareTable.countFound`. */
export async function countFoundShares(
  records: Records,
  accountId: AccountId,
  { filter, most }: { readonly filter: ShareFilter; readonly most: number },
): Promise<number | null> {
  const page = { after: null, limit: most, filter };
  if ((await lastLookedAt(records, accountId, page)) !== null) return null;
  const failing = await failingIds(records, accountId, filter);
  const found = records.read
    .selectFrom('shares')
    .select('id')
    .where('account_id', '=', accountId)
    .where((eb) => eb.and(conditions(eb, filter, failing)))
    .limit(most)
    .as('found');
  const row = await records.read
    .selectFrom(found)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Null when a page can look at all that there is. */
async function lastLookedAt(
  records: Records,
  accountId: AccountId,
  page: ShareListPage,
): Promise<Place | null> {
  const { text = null, provider = null, state = null, owner = null } = page.filter ?? {};
  // Without a filter whatever is looked at is found.
  if ([text, provider, state, owner].every((value) => value === null)) return null;
  const ordered = orderedBy(page);
  const row = await sharesAfter(records, accountId, page)
    .select(placeColumns(ordered))
    .offset(MOST_LOOKED_AT - 1)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : placeAt(ordered, row);
}

function sharesAfter({ read }: Records, accountId: AccountId, page: ShareListPage) {
  const ordered = orderedBy(page);
  return read
    .selectFrom('shares')
    .where('account_id', '=', accountId)
    .$if(page.after !== null, (query) => query.where(isBehind(ordered, page.after ?? [])))
    .orderBy(orderOf(ordered));
}

function orderedBy({ sort = { by: 'name', descending: false } }: ShareListPage): Ordered {
  return { columns: ORDERS[sort.by], descending: sort.descending };
}

/** Ids of shares whose target does not answer, at most so many as are counted. */
async function failingIds(
  records: Records,
  accountId: AccountId,
  { state, now }: ShareFilter,
): Promise<readonly string[]> {
  if (state !== 'failing' && state !== 'down' && state !== 'up') return [];
  return [...(await failures(records, accountId, now)).keys()];
}

function conditions(
  eb: ExpressionBuilder<Tables, 'shares'>,
  { text, provider, state, owner = null, now }: ShareFilter,
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
  if (owner !== null) all.push(eb(sql`lower(owner)`, '=', comparableAddress(owner)));
  if (state === 'unanswered') all.push(hasUnanswered(eb, now));
  else if (state !== null) all.push(eb('enabled', '=', state === 'off' ? 0 : 1));
  if (state === 'open') all.push(isOpenRow(eb));
  const isFailing = failing.length === 0 ? sql<SqlBool>`1 = 0` : eb('id', 'in', failing);
  if (state === 'waiting') all.push(isWaiting(eb, now));
  if (state === 'failing') all.push(isFailing, eb.not(isWaiting(eb, now)));
  if (state === 'down') all.push(eb.or([isFailing, isWaiting(eb, now)]));
  if (state === 'up') all.push(eb.not(eb.or([isFailing, isWaiting(eb, now)])));
  return all;
}

const ORDERS: Readonly<Record<ShareOrder, SortColumns>> = {
  // No two shares have one name.
  name: [textColumn('shares.name')],
  created: [numberColumn('shares.created_at'), textColumn('shares.id')],
  changed: [numberColumn('shares.updated_at'), textColumn('shares.id')],
};
/** Some tens of milliseconds on SQLite. */
const MOST_LOOKED_AT = 5_000;
