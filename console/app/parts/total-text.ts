// How many things a list has in all, as far as the API counts them.

import { MOST_COUNTED } from '../../../src/domain/list-orders.ts';
import { countOf } from './numbers.ts';
import type { List } from './use-list.ts';

type Named = { readonly one: string; readonly many?: string };

/** "37 shares", "1,000+ shares"; "50+ shares" where nobody counted; empty while nothing is known. */
export function totalText(
  { items, total = null, more, isLoading }: Pick<List<unknown>, 'items' | 'total' | 'more' | 'isLoading'>,
  { one, many = `${one}s` }: Named,
): string {
  if (isLoading || items.length === 0) return '';
  if (total !== null && total > MOST_COUNTED) return `${countOf(MOST_COUNTED, '', '').trim()}+ ${many}`;
  const known = total ?? (more === null ? items.length : null);
  return known === null ? `${countOf(items.length, '', '').trim()}+ ${many}` : countOf(known, one, many);
}
