// Sessions of an account, in an order that somebody chose, for those who look after them. No secret column is
// read. How many one page of a search looks at is bounded, since on SQLite everything waits for it.

import { comparableAddress } from '../../domain/email-address.ts';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { AccountId } from '../../domain/id.ts';
import type { SessionOrder } from '../../domain/list-orders.ts';
import type { SessionListPage, SessionQuery } from './choice.ts';
import { likePart } from '../like-part.ts';
import type { Records } from '../records.ts';
import { toSession } from './row.ts';
import { emailsWith } from './search.ts';
import {
  countUpTo,
  numberColumn,
  type Ordered,
  pageInOrder,
  type Place,
  placeOfLast,
  type SortColumns,
  textColumn,
} from '../sorting.ts';
import type { Tables } from '../tables.ts';

export async function listSessions(records: Records, query: SessionQuery): Promise<SessionListPage> {
  const { read, clock } = records;
  const way = await wayTo(records, query);
  if (way.emails?.length === 0) return { sessions: [], next: null };
  const { after, limit } = query;
  const last = await lastLookedAt(read, query, way);
  const all = chosen(read, query, way)
    .leftJoin('shares', 'shares.id', 'sessions.share_id')
    .selectAll('sessions')
    .select(['shares.name as share_name', sql<number>`${clock()}`.as('now')])
    .where((eb) => eb.and(conditions(eb, { query, way, now: clock() })));
  const { rows, next } = await pageInOrder(all, orderedBy(query, way), { after, limit, last });
  const sessions = rows.map(({ share_name: shareName, now, ...columns }) => ({
    row: toSession(columns),
    shareName,
    active: columns.ended_at === null && columns.expires_at > now,
  }));
  return { sessions, next };
}

/** As `SessionTable.countFound`. */
export async function countFound(
  records: Records,
  query: SessionQuery,
  most: number,
): Promise<number | null> {
  const { read, clock } = records;
  const way = await wayTo(records, query);
  if (way.emails?.length === 0) return 0;
  if ((await lastLookedAt(read, { ...query, after: null }, way)) !== null) return isMany(query) ? most : null;
  const found = chosen(read, query, way).where((eb) => eb.and(conditions(eb, { query, way, now: clock() })));
  return countUpTo(read, found, most);
}

/** Whether only that is asked for by which they were found to be many, which is more than anybody counts. */
function isMany({ text, email, shareId, providerName, ip, state }: SessionQuery): boolean {
  const asked = [text, email, shareId, providerName, ip, state].filter((value) => value !== null);
  return asked.length === 1 && (email !== null || shareId !== null || state === 'active');
}

/** How rows are come by. */
type Way = {
  /**
   * By what few have: they are found, and put in order then. Else the index of the order is walked, and
   * whatever is asked for takes looking at each.
   */
  readonly by: 'emails' | 'email' | 'share' | 'active' | 'order';
  /** Addresses that contain the text, where an index tells them. */
  readonly emails: readonly string[] | null;
};

async function wayTo({ read, clock }: Records, query: SessionQuery): Promise<Way> {
  const { accountId, text, email, shareId, state } = query;
  const emails = text === null ? null : await emailsWith(read, { accountId, text });
  if (emails !== null) return { by: 'emails', emails };
  const one = read.selectFrom('sessions').select('sessions.id').limit(1).offset(MOST_LOOKED_AT);
  const ofAccount = one.where('sessions.account_id', '=', accountId);
  const narrow = {
    email: email === null ? null : ofAccount.where(isEmail(email)),
    share: shareId === null ? null : one.where('sessions.share_id', '=', shareId),
    active: state === 'active' ? ofAccount.where((eb) => eb.and(isActive(eb, clock()))) : null,
  };
  for (const by of ['email', 'share', 'active'] as const) {
    const among = narrow[by];
    if (among !== null && (await among.executeTakeFirst()) === undefined) return { by, emails };
  }
  return { by: 'order', emails };
}

function chosen(read: Records['read'], { accountId, email, shareId }: SessionQuery, { by, emails }: Way) {
  return read
    .selectFrom('sessions')
    .where('sessions.account_id', '=', accountId)
    .$if(by === 'email', (select) => select.where(isEmail(email ?? '')))
    .$if(by === 'emails', (select) => select.where(sql<string>`lower(sessions.email)`, 'in', emails ?? []))
    .$if(by === 'share', (select) => select.where('sessions.share_id', '=', shareId ?? ''));
}

function orderedBy({ sort = { by: 'created', descending: true } }: SessionQuery, { by }: Way): Ordered {
  return { columns: ORDERS[sort.by], descending: sort.descending, areFew: by !== 'order' };
}

/** Null when a page can look at all that there is, as where there are few by what was counted. */
async function lastLookedAt(read: Records['read'], query: SessionQuery, way: Way): Promise<Place | null> {
  const { text, email, shareId, providerName, ip, state } = query;
  // Without a filter whatever is looked at is found.
  const isSearch = [text, email, shareId, providerName, ip, state].some((value) => value !== null);
  if (!isSearch || (way.by !== 'order' && way.by !== 'emails')) return null;
  const { after } = query;
  const ordered = orderedBy(query, way);
  return placeOfLast(chosen(read, query, way), ordered, { after, most: MOST_LOOKED_AT });
}

/** Neither ended nor expired. */
export async function countActiveSessions({ read, clock }: Records, accountId: AccountId): Promise<number> {
  const row = await read
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll().as('active'))
    .where('account_id', '=', accountId)
    .where((eb) => eb.and(isActive(eb, clock())))
    .executeTakeFirstOrThrow();
  return Number(row.active);
}

type Builder = ExpressionBuilder<Tables, 'sessions'>;

type Asked = { readonly query: SessionQuery; readonly way: Way; readonly now: Expression<number> };

/** In words that no index has, so that the way stays the way. */
function conditions(eb: Builder, { query, way, now }: Asked): Expression<SqlBool>[] {
  const { text, email, shareId, providerName, ip, state } = query;
  const all: Expression<SqlBool>[] = [];
  if (text !== null) all.push(sql<SqlBool>`lower(sessions.email) LIKE ${likePart(text)} ESCAPE '!'`);
  if (email !== null && way.by !== 'email')
    all.push(sql<SqlBool>`lower(sessions.email) || '' = ${comparableAddress(email)}`);
  if (shareId !== null && way.by !== 'share') all.push(sql<SqlBool>`sessions.share_id || '' = ${shareId}`);
  if (providerName !== null) all.push(eb('sessions.provider_name', '=', providerName));
  if (ip !== null) all.push(eb('sessions.ip', '=', ip));
  if (state === 'active' && way.by === 'active') all.push(...isActive(eb, now));
  if (state === 'active' && way.by !== 'active')
    all.push(eb('sessions.ended_at', 'is', null), sql<SqlBool>`sessions.expires_at + 0 > ${now}`);
  if (state === 'ended')
    all.push(eb.or([eb('sessions.ended_at', 'is not', null), eb('sessions.expires_at', '<=', now)]));
  return all;
}

function isActive(eb: Builder, now: Expression<number>): Expression<SqlBool>[] {
  return [eb('sessions.ended_at', 'is', null), eb('sessions.expires_at', '>', now)];
}

/**
 * As the index has it. Beyond ASCII addresses are kept in lower case, so both databases agree on what that
 * is.
 */
export function isEmail(email: string): Expression<SqlBool> {
  return sql<SqlBool>`lower(sessions.email) = ${comparableAddress(email)}`;
}

const ORDERS: Readonly<Record<SessionOrder, SortColumns>> = {
  created: [numberColumn('sessions.created_at'), textColumn('sessions.id')],
  last_seen: [numberColumn('sessions.last_seen_at'), textColumn('sessions.id')],
  email: [
    { sql: sql<string>`lower(sessions.email)`, is: 'text' },
    numberColumn('sessions.created_at'),
    textColumn('sessions.id'),
  ],
};
/** Some milliseconds on SQLite; more than anybody counts. */
const MOST_LOOKED_AT = 2_000;
