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
  countUpTo,
  numberColumn,
  type Ordered,
  pageInOrder,
  type Place,
  placeOfLast,
  type RowsInOrder,
  type SortColumns,
  textColumn,
} from '../sorting.ts';
import type { Tables } from '../tables.ts';
import type { SharesTable } from './tables.ts';

export async function findShares(
  records: Records,
  accountId: AccountId,
  page: ShareListPage,
): Promise<RowsInOrder<SharesTable>> {
  const { after, limit, filter } = page;
  const ordered = orderedBy(page);
  const last = await lastLookedAt(records, accountId, page);
  const failing = filter === undefined ? [] : await failingIds(records, accountId, filter);
  const chosen = sharesOf(records, accountId)
    .selectAll()
    .where((eb) => eb.and(filter === undefined ? [] : conditions(eb, filter, failing)));
  return pageInOrder(chosen, ordered, { after, limit, last });
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
  const found = sharesOf(records, accountId).where((eb) => eb.and(conditions(eb, filter, failing)));
  return countUpTo(records.read, found, most);
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
  const { after } = page;
  return placeOfLast(sharesOf(records, accountId), orderedBy(page), { after, most: MOST_LOOKED_AT });
}

function sharesOf({ read }: Records, accountId: AccountId) {
  return read.selectFrom('shares').where('account_id', '=', accountId);
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
