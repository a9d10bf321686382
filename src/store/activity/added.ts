// Adding to a row that another gateway may have begun.

import { type RawBuilder, sql } from 'kysely';

/** What is there, and what was to be inserted. */
export function added<Column extends string>(
  table: string,
  columns: readonly Column[],
): Record<Column, RawBuilder<number>> {
  return Object.fromEntries(
    columns.map((name) => [
      name,
      sql<number>`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
    ]),
  ) as Record<Column, RawBuilder<number>>;
}
