// All rows of a query in the order of their ids, a page in one turn of the event loop.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { BATCH_ROWS } from './columns.ts';

/**
 * `pageAfter`: the next rows behind an id, at most `limit`. `made` turns each into what is answered, in the
 * turn of its page.
 */
export async function allRows<Row extends { readonly id: string }, Made>(
  pageAfter: (after: string, limit: number) => Promise<readonly Row[]>,
  made: (row: Row) => Made,
): Promise<readonly Made[]> {
  const all: Made[] = [];
  const pageBehind = (last: Row | null, limit: number) => pageAfter(last?.id ?? '', limit);
  await eachPage(pageBehind, (rows) => {
    for (const row of rows) all.push(made(row));
  });
  return all;
}

/** As `allRows`, for whoever keeps less of them than they are, in any order. */
export async function eachPage<Row>(
  pageBehind: (last: Row | null, limit: number) => Promise<readonly Row[]>,
  take: (rows: readonly Row[]) => void,
): Promise<void> {
  for (let last: Row | null = null; ;) {
    const rows = await pageBehind(last, BATCH_ROWS);
    take(rows);
    last = rows.at(-1) ?? null;
    if (rows.length < BATCH_ROWS) return;
    await nextTurn();
  }
}
