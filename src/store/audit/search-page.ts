// A page of those audit events that have some text. Where few have it, the index names them; where many do,
// reading the log finds enough of them soon, and no list of them is made. How many events one page looks at
// is bounded, since on SQLite everything waits for it.

import { sql } from 'kysely';
import { inBatches } from '../columns.ts';
import type { Records } from '../records.ts';
import { hasParts } from './event-words.ts';
import type { AuditPage, AuditQuery } from './query.ts';
import { hidesChanges, toAskedEvent } from './row.ts';
import { findParts, type FoundPart } from './search.ts';
import type { AuditEventsTable } from './tables.ts';
import { boundsOf, conditions } from './within.ts';

export async function searchPage(
  records: Records,
  query: AuditQuery,
  parts: readonly string[],
): Promise<AuditPage> {
  // First: what is committed from here on is behind it, and so in a page that follows.
  const highest = await highestOf(records, query);
  const found = await findParts(records, query.accountId, parts);
  const named = found === null ? null : await namedBy(records, { query, found, highest });
  const page =
    named === null
      ? await readThrough(records, query, parts)
      : await readNamed(records, { query, parts }, named);
  const { rows, next, end } = page;
  const follow = query.order === 'newest' ? highest : (next ?? end ?? highest);
  return { events: rows.map((row) => toAskedEvent(row, query)), next, follow };
}

type Row = AuditEventsTable & { readonly number: number; readonly share_name: string | null };
type Rows = {
  readonly rows: readonly Row[];
  readonly next: number | null;
  /** The number up to which it looked; null for all there are. */
  readonly end: number | null;
};

async function highestOf({ read }: Records, { accountId, from }: AuditQuery): Promise<number> {
  const row = await read
    .selectFrom('audit_order')
    .select((eb) => eb.fn.max<number | null>('number').as('highest'))
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .executeTakeFirstOrThrow();
  return Math.max(Number(row.highest ?? 0), from ?? 0);
}

type Wanted = {
  readonly query: AuditQuery;
  readonly found: readonly FoundPart[];
  readonly highest: number;
};

type Named = {
  /** Of events that have one of the parts, in the order of the page. */
  readonly numbers: readonly number[];
  /** The other parts. */
  readonly rest: readonly FoundPart[];
};

/** By the part that the fewest words have; null where very many events have each. */
async function namedBy(
  { read }: Records,
  { query: { order, from }, found, highest }: Wanted,
): Promise<Named | null> {
  const fewest = found.toSorted((one, other) => sizeOf(one) - sizeOf(other));
  for (const each of fewest) {
    if (each.words === null) continue;
    const rest = found.filter((other) => other !== each);
    if (each.words.length === 0) return { numbers: [], rest };
    const rows = await read
      .selectFrom('audit_words')
      .select('number')
      .where('word_id', 'in', each.words)
      .where(NUMBER, '<=', highest)
      .$if(from !== null, (select) => select.where(NUMBER, order === 'oldest' ? '>' : '<', from ?? 0))
      // Each may come once for each of its words: to drop those, a database would read all there are.
      .limit(MOST_PAIRS)
      .execute();
    const numbers = [...new Set(rows.map(({ number }) => Number(number)))];
    if (rows.length === MOST_PAIRS || numbers.length > MOST_LOOKED_AT) continue;
    return { numbers: numbers.toSorted((a, b) => (order === 'oldest' ? a - b : b - a)), rest };
  }
  return null;
}

function sizeOf({ words }: FoundPart): number {
  return words === null ? Infinity : words.length;
}

type Asked = { readonly query: AuditQuery; readonly parts: readonly string[] };

async function readNamed(records: Records, asked: Asked, { numbers, rest }: Named): Promise<Rows> {
  const { query } = asked;
  const unknown = rest.flatMap(({ part, words }) => (words === null ? [part] : []));
  const rows: Row[] = [];
  for (const many of inBatches(numbers, MOST_AT_ONCE)) {
    for (const batch of inBatches(await withAll(records, many, rest), query.limit * 2)) {
      const some = await rowsOf(records, query).where('audit_order.number', 'in', batch).execute();
      rows.push(...some.filter((row) => isFound(row, unknown, asked)));
      if (rows.length >= query.limit) return full(rows, query);
    }
  }
  return { rows, next: null, end: null };
}

/** Those of the events that the index knows to have each part, as far as it knows, in their order. */
async function withAll(
  { read }: Records,
  numbers: readonly number[],
  parts: readonly FoundPart[],
): Promise<readonly number[]> {
  let left = numbers;
  for (const { words } of parts) {
    if (words === null || left.length === 0) continue;
    if (words.length === 0) return [];
    const rows = await read
      .selectFrom('audit_words')
      .select('number')
      .distinct()
      .where('number', 'in', left)
      .where(WORD, 'in', words)
      .execute();
    const having = new Set(rows.map(({ number }) => Number(number)));
    left = left.filter((number) => having.has(number));
  }
  return left;
}

/** In the order of the log, as far as a page looks. */
async function readThrough(records: Records, query: AuditQuery, parts: readonly string[]): Promise<Rows> {
  const bounds = await boundsOf(records, query);
  if (bounds === null) return { rows: [], next: null, end: null };
  const isOldest = query.order === 'oldest';
  const end = isOldest ? bounds.highest : bounds.lowest;
  const rows: Row[] = [];
  let looked = 0;
  for (let place: number | null = null; ;) {
    const from: number | null = place;
    const chunk = chunkFor(query.limit - rows.length, rows.length, looked);
    const some: readonly Row[] = await rowsOf(records, query)
      .where('audit_order.number', '>=', bounds.lowest)
      .where('audit_order.number', '<=', bounds.highest)
      .$if(from !== null, (select) => select.where('audit_order.number', isOldest ? '>' : '<', from ?? 0))
      .limit(chunk)
      .execute();
    rows.push(...some.filter((row) => isFound(row, parts, { query, parts })));
    if (rows.length >= query.limit) return full(rows, query);
    place = some.at(-1)?.number ?? null;
    looked += some.length;
    if (some.length < chunk) return { rows, next: bounds.isAll ? null : end, end };
  }
}

/** As many as have what is left to find, if they are like those before. */
function chunkFor(left: number, found: number, looked: number): number {
  const likely = looked === 0 ? left * 2 : (left * looked) / Math.max(found, 1);
  return Math.ceil(Math.min(Math.max(likely, LEAST_IN_CHUNK), MOST_IN_CHUNK));
}

function full(rows: readonly Row[], { limit }: AuditQuery): Rows {
  const kept = rows.slice(0, limit);
  const next = kept.at(-1)?.number ?? null;
  return { rows: kept, next, end: next };
}

function rowsOf({ read }: Records, { accountId, filter, order }: AuditQuery) {
  return read
    .selectFrom('audit_order')
    .innerJoin('audit_events as event', 'event.id', 'audit_order.event_id')
    .leftJoin('shares as share', 'share.id', 'event.share_id')
    .selectAll('event')
    .select(['audit_order.number', 'share.name as share_name'])
    .where('audit_order.account_id', accountId === null ? 'is' : '=', accountId)
    .where((eb) => eb.and(conditions(eb, filter)))
    .orderBy('audit_order.number', order === 'oldest' ? 'asc' : 'desc');
}

/** `unknown`: those of the parts that the index did not find. It knows the words of hidden changes, too. */
function isFound(row: Row, unknown: readonly string[], { query, parts }: Asked): boolean {
  const left = hidesChanges(row.kind, query.hidesChangesOf) ? parts : unknown;
  return left.length === 0 || hasParts(toAskedEvent(row, query), row.share_name, left);
}

/** No database looks for the words by the numbers, of which there are as many as events. */
const NUMBER = sql<number>`(number + 0)`;
/** Nor each pair of an event and a word: an event has few words. */
const WORD = sql<number>`(word_id + 0)`;
/** Numbers are small; their events are read as many as a page may need. */
const MOST_AT_ONCE = 2_000;
/** Of the index or of the log: some milliseconds, and some tens of them where nothing is found. */
const MOST_LOOKED_AT = 5_000;
/** Events with a word: most events have a part in one of their words alone. */
const MOST_PAIRS = 6_000;
/** Each reading costs a way to the database. */
const LEAST_IN_CHUNK = 100;
const MOST_IN_CHUNK = 800;
