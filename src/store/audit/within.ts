// Which events a page of the audit log looks at, and which of those are on it.

import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import { kindsWith } from '../../domain/audit-kind.ts';
import { comparableAddress } from '../../domain/email-address.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';
import type { AuditFilter, AuditQuery } from './query.ts';
import type { AuditEventsTable } from './tables.ts';

export type Bounds = { readonly lowest: number; readonly highest: number; readonly isAll: boolean };

/** The numbers of the events that this page looks at; null when there are none. */
export async function boundsOf({ read }: Records, query: AuditQuery): Promise<Bounds | null> {
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

type Builder = ExpressionBuilder<Tables & { event: AuditEventsTable }, 'event'>;

export function conditions(eb: Builder, filter: AuditFilter): Expression<SqlBool>[] {
  const { kinds, email, shareId, provider, actor, since, until, result } = filter;
  const all: Expression<SqlBool>[] = [];
  if (kinds.length > 0) all.push(eb('event.kind', 'in', kinds));
  if (result !== null) all.push(eb('event.kind', 'in', kindsWith(result)));
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
