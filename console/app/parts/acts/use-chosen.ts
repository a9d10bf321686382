// Which things of a list somebody chose. What is no longer listed is not chosen any more.

import { useState } from 'react';

export type Chosen<Item> = {
  readonly items: readonly Item[];
  readonly has: (item: Item) => boolean;
  readonly toggle: (item: Item) => void;
  /** All that are shown, or none. */
  readonly toggleAll: () => void;
  /** Of all that are shown. */
  readonly all: 'none' | 'some' | 'all';
  readonly clear: () => void;
  /** Of those that something was asked of, the ones that are left. Whatever else is chosen stays so. */
  readonly keep: (left: readonly Item[], asked: readonly Item[]) => void;
};

export function useChosen<Item>(items: readonly Item[], idOf: (item: Item) => string): Chosen<Item> {
  const [ids, setIds] = useState<ReadonlySet<string>>(NONE);
  const chosen = items.filter((item) => ids.has(idOf(item)));
  const choose = (wanted: readonly Item[]) => setIds(new Set(wanted.map(idOf)));
  return {
    items: chosen,
    has: (item) => ids.has(idOf(item)),
    toggle: (item) =>
      choose(ids.has(idOf(item)) ? chosen.filter((each) => idOf(each) !== idOf(item)) : [...chosen, item]),
    toggleAll: () => choose(chosen.length === items.length ? [] : items),
    all: chosen.length === 0 ? 'none' : chosen.length === items.length ? 'all' : 'some',
    clear: () => setIds(NONE),
    keep: (left, asked) => {
      const settled = new Set(asked.map(idOf));
      choose([...chosen.filter((each) => !settled.has(idOf(each))), ...left]);
    },
  };
}

const NONE: ReadonlySet<string> = new Set();
