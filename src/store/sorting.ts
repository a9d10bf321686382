// Lists in an order that somebody chose, a page at a time: each page begins behind the place where the one
// before ended, which is found by an index, whatever came and went in between.

import {
  type Expression,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
} from 'kysely';
import { type Orders, type Sort, sortNamed } from '../domain/list-orders.ts';
import type { Tables } from './tables.ts';

/** What the order goes by of one row; the last of it is no other row's. */
export type Place = readonly (string | number)[];

/** The columns of an order, as an index has them. */
export type SortColumns = readonly SortColumn[];

export type SortColumn = {
  readonly sql: RawBuilder<string | number>;
  readonly is: 'text' | 'number';
};

export type Ordered = {
  readonly columns: SortColumns;
  readonly descending: boolean;
  /**
   * The index of the order is walked, unless these are few rows that something else finds: they are put in
   * order then.
   */
  readonly areFew?: boolean;
};

export function textColumn(reference: string): SortColumn {
  return { sql: sql<string>`${sql.ref(reference)}`, is: 'text' };
}

export function numberColumn(reference: string): SortColumn {
  return { sql: sql<number>`${sql.ref(reference)}`, is: 'number' };
}

/** As an index has it; `none` is a number's place where there is no number. */
export function numberColumnOr(reference: string, none: number): SortColumn {
  return { sql: sql<number>`coalesce(${sql.ref(reference)}, ${sql.lit(none)})`, is: 'number' };
}

/** What a page of a list is asked for. */
export type PageIn<Key extends string> = {
  readonly after: Place | null;
  readonly limit: number;
  /** As the list is when nobody says, unless it is given. */
  readonly sort?: Sort<Key>;
};

/** `next`: where the next page begins; null when there is none. */
export type RowsInOrder<Row> = { readonly rows: readonly Row[]; readonly next: Place | null };

export function orderedBy<Key extends string>(
  { unsaid }: Orders<Key>,
  columns: Readonly<Record<Key, SortColumns>>,
  { sort = sortNamed(unsaid) }: { readonly sort?: Sort<Key> },
): Ordered {
  return { columns: columns[sort.by], descending: sort.descending };
}

/** A page of what `select` chooses. `last`: how far it looks; to the end unless it is given. */
export async function pageInOrder<DB, TB extends keyof DB, Row>(
  select: SelectQueryBuilder<DB, TB, Row>,
  ordered: Ordered,
  { after, limit, last = null }: Omit<PageIn<string>, 'sort'> & { readonly last?: Place | null },
): Promise<RowsInOrder<Row>> {
  const from = after === null ? select : select.where(isBehind(ordered, after));
  const rows = await (last === null ? from : from.where(isUpTo(ordered, last)))
    .select(placeColumns(ordered))
    .orderBy(orderOf(ordered))
    .limit(limit + 1)
    .execute();
  const found = rows.slice(0, limit) as (Row & Readonly<Record<string, unknown>>)[];
  const end = found.at(-1);
  return { rows: found, next: rows.length > limit && end !== undefined ? placeAt(ordered, end) : last };
}

/** How far a page looks that looks at no more than `most`. Null when that is all that there is. */
export async function placeOfLast<DB, TB extends keyof DB>(
  select: SelectQueryBuilder<DB, TB, object>,
  ordered: Ordered,
  { after, most }: { readonly after: Place | null; readonly most: number },
): Promise<Place | null> {
  const [row] = await (after === null ? select : select.where(isBehind(ordered, after)))
    .select(placeColumns(ordered))
    .orderBy(orderOf(ordered))
    .offset(most - 1)
    .limit(1)
    .execute();
  return row === undefined ? null : placeAt(ordered, row as Readonly<Record<string, unknown>>);
}

/** How many rows `select` chooses, at most `most`. */
export async function countUpTo<TB extends keyof Tables>(
  read: Kysely<Tables>,
  select: SelectQueryBuilder<Tables, TB, object>,
  most: number,
): Promise<number> {
  const row = await read
    .selectFrom(select.select(sql.lit(1).as('one')).limit(most).as('found'))
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

function orderOf({ columns, descending, areFew = false }: Ordered): RawBuilder<unknown> {
  return sql.join(
    columns.map((column) => {
      const by = areFew ? byNoIndex(column) : column.sql;
      return descending ? sql`${by} DESC` : sql`${by} ASC`;
    }),
  );
}

function byNoIndex(column: SortColumn): RawBuilder<unknown> {
  return column.is === 'text' ? sql`${column.sql} || ''` : sql`${column.sql} + 0`;
}

/** Behind a place. */
function isBehind({ columns, descending }: Ordered, place: Place): Expression<SqlBool> {
  return compared(columns, place, descending ? LESS : MORE);
}

/** At a place, or before it. */
function isUpTo({ columns, descending }: Ordered, place: Place): Expression<SqlBool> {
  return compared(columns, place, descending ? AT_LEAST : AT_MOST);
}

/** The first column alone, too, so that the index begins, or ends, at the place on both engines. */
function compared(columns: SortColumns, place: Place, { row, first }: Signs): Expression<SqlBool> {
  const [values, names] = [valuesOf(columns, place), columns.map((column) => column.sql)];
  if (columns.length === 1) return sql<SqlBool>`${names[0]} ${row} ${values[0]}`;
  return sql<SqlBool>`(${names[0]} ${first} ${values[0]} AND (${sql.join(names)}) ${row} (${sql.join(values)}))`;
}

function valuesOf(columns: SortColumns, place: Place): readonly RawBuilder<unknown>[] {
  return columns.map(({ is }, index) =>
    is === 'text' ? sql`cast(${place[index]} as text)` : sql`cast(${place[index]} as bigint)`,
  );
}

/** What a SELECT needs, so that `placeAt` can say where a row is. */
function placeColumns({ columns }: Ordered) {
  return columns.map((column, index) => column.sql.as(`place_${index}`));
}

function placeAt({ columns }: Ordered, row: Readonly<Record<string, unknown>>): Place {
  return columns.map(({ is }, index) => {
    const value = row[`place_${index}`];
    return is === 'text' ? String(value) : Number(value);
  });
}

type Signs = { readonly row: RawBuilder<unknown>; readonly first: RawBuilder<unknown> };
const LESS: Signs = { row: sql`<`, first: sql`<=` };
const MORE: Signs = { row: sql`>`, first: sql`>=` };
const AT_MOST: Signs = { row: sql`<=`, first: sql`<=` };
const AT_LEAST: Signs = { row: sql`>=`, first: sql`>=` };
