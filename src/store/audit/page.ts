// Reads a page of the audit log. How many events one page looks at is bounded, since on SQLite everything
// waits for it.

import { comparableAddress } from '../../domain/email-address.ts';
import type { Expression, SqlBool } from 'kysely';
import { type ExpressionBuilder, sql } from 'kysely';
import type { AuditFilter, AuditPage, AuditQuery } from './query.ts';
import { toEvent } from './row.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';
import type { AuditEventsTable } from './tables.ts';

export async function auditPage(records: Records, query: AuditQuery): Promise<AuditPage> {
  // The bounds first: what is committed from here on is behind them, and so in a page that follows.
  const bounds = await boundsOf(records, query);
  const start = query.from ?? 0;
  if (bounds === null) return { events: [], next: null, follow: start };
  const rows = await rowsWithin(records, query, bounds);
  const events = rows.map(toEvent);
  const last = rows.length === query.limit ? rows.at(-1)?.number : undefined;
  const end = query.order === 'oldest' ? bounds.highest : bounds.lowest;
  const next = last ?? (bounds.isAll ? null : end);
  return { events, next, follow: query.order === 'newest' ? bounds.highest : (last ?? end) };
}

type Bounds = { readonly lowest: number; readonly highest: number; readonly isAll: boolean };

/** The numbers of the events that this page looks at; null when there are none. */
async function boundsOf({ read }: Records, query: AuditQuery): Promise<Bounds | null> {
  const { accountId, order, from, limit } = query;
  const most = isEmpty(query.filter) ? limit : MOST_LOOKED_AT;
  const looked = read
    .selectFrom('audit_order')
    .select('number')
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .$if(from !== null, (select) => select.where('number', order === 'oldest' ? '>' : '<', from ?? 0))
    .orderBy('number', order === 'oldest' ? 'asc' : 'desc')
    .limit(most)
    .as('looked');
  const row = await read
    .selectFrom(looked)
    .select((eb) => [
      eb.fn.min<number | null>('number').as('lowest'),
      eb.fn.max<number | null>('number').as('highest'),
      eb.fn.countAll<number>().as('count'),
    ])
    .executeTakeFirstOrThrow();
  if (row.lowest === null || row.highest === null) return null;
  return { lowest: row.lowest, highest: row.highest, isAll: Number(row.count) < most };
}

type NumberedRow = AuditEventsTable & { readonly number: number };

function rowsWithin(
  { read }: Records,
  query: AuditQuery,
  { lowest, highest }: Bounds,
): Promise<readonly NumberedRow[]> {
  const direction = query.order === 'oldest' ? 'asc' : 'desc';
  return read
    .selectFrom('audit_order')
    .innerJoin('audit_events as event', 'event.id', 'audit_order.event_id')
    .selectAll('event')
    .select('audit_order.number')
    .where('audit_order.account_id', query.accountId === null ? 'is' : '=', query.accountId)
    .where('audit_order.number', '>=', lowest)
    .where('audit_order.number', '<=', highest)
    .where((eb) => eb.and(conditions(eb, query.filter)))
    .orderBy('audit_order.number', direction)
    .limit(query.limit)
    .execute();
}

type Builder = ExpressionBuilder<Tables & { event: AuditEventsTable }, 'event'>;

function conditions(eb: Builder, filter: AuditFilter): Expression<SqlBool>[] {
  const { kinds, email, shareId, provider, actor, since, until } = filter;
  const all: Expression<SqlBool>[] = [];
  if (kinds.length > 0) all.push(eb('event.kind', 'in', kinds));
  if (email !== null) all.push(sql<SqlBool>`lower(event.email) = ${comparableAddress(email)}`);
  if (shareId !== null) all.push(eb('event.share_id', '=', shareId));
  if (provider !== null) all.push(eb('event.provider', '=', provider));
  if (actor !== null) all.push(eb('event.actor', '=', actor));
  if (since !== null) all.push(eb('event.at', '>=', since));
  if (until !== null) all.push(eb('event.at', '<', until));
  return all;
}

function isEmpty({ kinds, ...others }: AuditFilter): boolean {
  return kinds.length === 0 && Object.values(others).every((value) => value === null);
}

/** Some tens of milliseconds on SQLite. */
const MOST_LOOKED_AT = 5_000;
