// How values become portable columns and back: booleans are 0 or 1, lists are JSON text, long lists go in
// batches.

export function flag(value: boolean): number {
  return value ? 1 : 0;
}

export function isSet(column: number): boolean {
  return column !== 0;
}

export function listText(list: readonly string[]): string {
  return JSON.stringify(list);
}

/**
 * The list in a JSON column. What stands there was written by `listText`; anything else is a broken store.
 */
export function listOf(column: string): readonly string[] {
  const value: unknown = JSON.parse(column);
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw new TypeError('Cannot read a list column: it does not contain a list of strings');
  return value;
}

/** A list in pieces, that fit one statement unless said. */
export function inBatches<T>(list: readonly T[], size = BATCH_ROWS): readonly (readonly T[])[] {
  const batches: T[][] = [];
  for (let start = 0; start < list.length; start += size) batches.push(list.slice(start, start + size));
  return batches;
}

/** Rows in one statement: 500 of our widest row stay below the 32,766 parameters that SQLite allows. */
export const BATCH_ROWS = 500;
