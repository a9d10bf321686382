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
  for (let after = ''; ;) {
    const rows = await pageAfter(after, BATCH_ROWS);
    for (const row of rows) all.push(made(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return all;
    after = last.id;
    await nextTurn();
  }
}
