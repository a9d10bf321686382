// Lists in an order that the caller chose: how it is said, and the cursor that goes with it. A cursor names a
// place, not a thing: the next page is found when the thing is long gone. It belongs to its order, and any
// other refuses it.

import { z } from '@hono/zod-openapi';
import {
  MOST_COUNTED,
  type Orders,
  type Sort,
  sortNamed,
  type SortName,
  sortNames,
} from '../domain/list-orders.ts';
import type { Place } from '../store/sorting.ts';
import { cursorOf, DEFAULT_PAGE, MAX_PAGE, unknownCursor } from './cursor.ts';

/** What a query of such a list has: how long a page is, where it begins, and the order. */
export function sortedPageSchema<Key extends string>(orders: Orders<Key>) {
  return z.strictObject({
    limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE),
    cursor: z.string().max(MAX_CURSOR).optional().openapi({
      description: 'The `nextCursor` of the previous page, in the same order.',
    }),
    sort: z.enum(sortNames(orders)).optional().openapi({
      default: orders.unsaid,
      description: 'The order. A leading `-` reverses it: the newest or the last first.',
    }),
  });
}

export type SortedPage<Key extends string> = {
  readonly sort: Sort<Key>;
  readonly after: Place | null;
  /** The cursor of a place in this order. */
  readonly cursorAt: (next: Place | null) => string | null;
};

/** Throws `validation_failed` for a cursor that is none, or of another order. */
export function sortedPage<Key extends string>(
  orders: Orders<Key>,
  {
    sort = orders.unsaid,
    cursor,
  }: { readonly sort?: SortName<Key> | undefined; readonly cursor?: string | undefined },
): SortedPage<Key> {
  return {
    sort: sortNamed(sort),
    after: cursor === undefined ? null : placeOf(orders, sort, cursor),
    cursorAt: (next) => (next === null ? null : cursorOf(JSON.stringify([sort, ...next]))),
  };
}

/** How many a list has in all, which its first page says: as many as it holds, where there is no other. */
export async function totalOf(
  page: { readonly after: Place | null; readonly next: Place | null; readonly count: number },
  countFound: (most: number) => Promise<number | null>,
): Promise<number | null | undefined> {
  if (page.after !== null) return undefined;
  return page.next === null ? page.count : countFound(MOST_COUNTED + 1);
}

function placeOf<Key extends string>({ keys }: Orders<Key>, sort: SortName<Key>, cursor: string): Place {
  const [of, ...place] = listIn(Buffer.from(cursor, 'base64url').toString());
  const kinds = keys[sortNamed(sort).by];
  const isPlace = of === sort && place.length === kinds.length;
  if (!isPlace || !place.every((value, index) => isOfKind(value, kinds[index]))) throw unknownCursor();
  return place as Place;
}

function listIn(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as readonly unknown[]) : [];
  } catch {
    return [];
  }
}

function isOfKind(value: unknown, kind: 'text' | 'number' | undefined): boolean {
  return kind === 'text' ? typeof value === 'string' : Number.isSafeInteger(value);
}

/** How many were found in all, as far as they were counted. */
export const totalSchema = z.number().int().nullable().optional().openapi({
  description:
    'How many there are with these filters. Counting stops at 1,001. Null if that takes too long; only on the first page.',
});

/** An email address in JSON, with the rest. */
const MAX_CURSOR = 1_000;
