// Acts of a list as entries of the menu of one row.

import type { RowAct } from '../row-menu.tsx';
import type { Act } from './act.ts';

/** Those that can be done to it. */
export function rowActs<Item>(
  acts: readonly Act<Item>[],
  item: Item,
  ask: (act: Act<Item>, items: readonly Item[]) => void,
): readonly RowAct[] {
  return acts
    .filter(({ isFor }) => isFor?.(item) ?? true)
    .map((act) => ({ label: act.label, isDanger: act.isDanger === true, run: () => ask(act, [item]) }));
}
