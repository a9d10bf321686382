// Everything of a collection, page after page.

import type { PageInput } from '../client/call.ts';

export async function everyPage<Item>(
  list: (page: PageInput) => Promise<{ readonly items: readonly Item[]; readonly nextCursor: string | null }>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page = await list({ cursor, limit: PAGE });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}

/** The largest page that the API gives. */
const PAGE = 200;
