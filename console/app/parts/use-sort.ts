// The order of a list, as the address says it; without a word, as the API has it.

import { type Orders, type SortName, sortNames } from '../../../src/domain/list-orders.ts';
import { useQueryValue } from '../router.tsx';

export type ListSort = {
  /** Such as `name`, or `-name` for the other way round. */
  readonly value: string;
  readonly change: (value: string) => void;
};

/** What to ask the API for, and what the list's head shows. */
export function useSort<Key extends string>(
  orders: Orders<Key>,
): readonly [SortName<Key> | undefined, ListSort] {
  const [asked, ask] = useQueryValue('sort');
  const known = sortNames(orders).find((name) => name === asked);
  const change = (value: string) => ask(value === orders.unsaid ? '' : value);
  return [known, { value: known ?? orders.unsaid, change }];
}
