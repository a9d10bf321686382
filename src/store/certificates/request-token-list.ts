// Certificate request tokens of an account, in an order that somebody chose. How many one page of those in a
// state looks at is bounded, since on SQLite everything waits for it.

import { type Expression, sql, type SqlBool } from 'kysely';
import type { AccountId } from '../../domain/id.ts';
import { REQUEST_TOKEN_ORDERS, type RequestTokenOrder } from '../../domain/list-orders.ts';
import type { CertificateRequestToken, RequestTokenPage, TokenState } from './certificate.ts';
import { toToken } from './row.ts';
import type { Records } from '../records.ts';
import {
  countUpTo,
  numberColumn,
  numberColumnOr,
  orderedBy,
  pageInOrder,
  type Place,
  placeOfLast,
  type RowsInOrder,
  type SortColumns,
  textColumn,
} from '../sorting.ts';

export async function listRequestTokens(
  { read }: Records,
  accountId: AccountId,
  { state = null, ...page }: RequestTokenPage,
): Promise<RowsInOrder<CertificateRequestToken>> {
  const ordered = orderedBy(REQUEST_TOKEN_ORDERS, ORDERS, page);
  const last = state === null ? null : await lastLookedAt(read, accountId, page);
  const chosen = tokensIn(read, accountId, state).selectAll();
  const { rows, next } = await pageInOrder(chosen, ordered, { ...page, last });
  return { rows: rows.map(toToken), next };
}

/** As `CertificateRequestTokenTable.countFound`. */
export async function countRequestTokens(
  { read }: Records,
  accountId: AccountId,
  { state, most }: { readonly state: TokenState | null; readonly most: number },
): Promise<number | null> {
  if (state !== null && (await lastLookedAt(read, accountId, { after: null })) !== null) return null;
  return countUpTo(read, tokensIn(read, accountId, state), most);
}

function tokensOf(read: Records['read'], accountId: AccountId) {
  return read.selectFrom('certificate_request_tokens').where('account_id', '=', accountId);
}

function tokensIn(read: Records['read'], accountId: AccountId, state: TokenState | null) {
  return tokensOf(read, accountId).where((eb) => eb.and(state === null ? [] : isIn(state)));
}

/** Null when a page can look at all that there is. */
function lastLookedAt(
  read: Records['read'],
  accountId: AccountId,
  page: Pick<RequestTokenPage, 'after' | 'sort'>,
): Promise<Place | null> {
  const ordered = orderedBy(REQUEST_TOKEN_ORDERS, ORDERS, page);
  return placeOfLast(tokensOf(read, accountId), ordered, { after: page.after, most: MOST_LOOKED_AT });
}

/** In words that no index has, so that the index of the order is walked. */
function isIn({ is, now }: TokenState): Expression<SqlBool>[] {
  if (is === 'used') return [sql<SqlBool>`used_at + 0 IS NOT NULL`];
  const end = is === 'open' ? sql<SqlBool>`expires_at + 0 > ${now}` : sql<SqlBool>`expires_at + 0 <= ${now}`;
  return [sql<SqlBool>`used_at + 0 IS NULL`, end];
}

const ID = textColumn('certificate_request_tokens.id');
const ORDERS: Readonly<Record<RequestTokenOrder, SortColumns>> = {
  created: [numberColumn('certificate_request_tokens.created_at'), ID],
  expires: [numberColumn('certificate_request_tokens.expires_at'), ID],
  used: [numberColumnOr('certificate_request_tokens.used_at', 0), ID],
};
/** Some milliseconds on SQLite, where everything waits for it. */
const MOST_LOOKED_AT = 2_000;
