// Reads a page of the audit log. How many events one page looks at is bounded, since on SQLite everything
// waits for it.

import type { AuditPage, AuditQuery } from './query.ts';
import { toAskedEvent } from './row.ts';
import type { Records } from '../records.ts';
import { wordsOf } from '../search/words.ts';
import { searchPage } from './search-page.ts';
import type { AuditEventsTable } from './tables.ts';
import { type Bounds, boundsOf, conditions } from './within.ts';

export async function auditPage(records: Records, query: AuditQuery): Promise<AuditPage> {
  const parts = wordsOf(query.filter.text ?? '', MOST_PARTS);
  if (parts.length > 0) return searchPage(records, query, parts);
  // The bounds first: what is committed from here on is behind them, and so in a page that follows.
  const bounds = await boundsOf(records, query);
  const start = query.from ?? 0;
  if (bounds === null) return { events: [], next: null, follow: start };
  const rows = await rowsWithin(records, query, bounds);
  const events = rows.map((row) => toAskedEvent(row, query));
  const last = rows.length === query.limit ? rows.at(-1)?.number : undefined;
  const end = query.order === 'oldest' ? bounds.highest : bounds.lowest;
  const next = last ?? (bounds.isAll ? null : end);
  return { events, next, follow: query.order === 'newest' ? bounds.highest : (last ?? end) };
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

/** Words that somebody types. */
const MOST_PARTS = 8;
