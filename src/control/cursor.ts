// Paging: a cursor names the last thing of a page, and is opaque to callers.

import { ServiceError } from '../domain/service-error.ts';

export type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

/** A page of `limit` of the `limit + 1` rows that were read: the surplus row tells that there is more. */
export function pageOf<Item>(
  rows: readonly Item[],
  limit: number,
  nameOf: (row: Item) => string,
): Page<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items, nextCursor: more ? cursorOf(nameOf(last)) : null };
}

export function cursorOf(name: string): string {
  return Buffer.from(name).toString('base64url');
}

/** What the cursor names, or null without one. Throws `validation_failed` for a text that is no cursor. */
export function readCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const name = Buffer.from(cursor, 'base64url').toString();
  if (!/^[a-z0-9_-]+$/.test(name)) throw unknownCursor();
  return name;
}

export function unknownCursor(): ServiceError {
  return new ServiceError('validation_failed', 'Cannot read the page: the cursor is not valid', {
    extra: { faults: [{ path: 'cursor', message: 'use the nextCursor of the previous page' }] },
  });
}

export const DEFAULT_PAGE = 50;
/** Keeps one answer small and one read short. */
export const MAX_PAGE = 200;
