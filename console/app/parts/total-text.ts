// How many things a list has in all, as far as the API counts them.

import { MOST_COUNTED } from '../../../src/domain/list-orders.ts';
import { countOf } from './numbers.ts';

type Named = { readonly one: string; readonly many?: string };

/** What a list knows, as `useList` has it. */
export type Counted = {
  readonly items: readonly unknown[];
  readonly total?: number | null;
  readonly more: (() => unknown) | null;
  readonly isLoading: boolean;
};

/** "37 shares", "1,000+ shares"; "50+ shares" where nobody counted; empty while nothing is known. */
export function totalText(
  { items, total = null, more, isLoading }: Counted,
  { one, many = `${one}s` }: Named,
): string {
  if (isLoading || items.length === 0) return '';
  if (total !== null && total > MOST_COUNTED) return `${countOf(MOST_COUNTED, '', '').trim()}+ ${many}`;
  const known = total ?? (more === null ? items.length : null);
  return known === null ? `${countOf(items.length, '', '').trim()}+ ${many}` : countOf(known, one, many);
}
