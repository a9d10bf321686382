// The saved views of a list, in the browser, of one account. Read again before each change: another tab may
// have changed them.

import { useState } from 'react';
import { keepText, keptText } from '../kept.ts';
import { useTell } from '../toast.tsx';
import { readViews, type SavedView, withView, writeViews } from './saved-view.ts';

export type ViewsOf = {
  /** The account's id: nobody who is in another account sees them. */
  readonly account: string;
  /** The list's area, which is its address. */
  readonly list: string;
  /** The parameters of the address that a view keeps. */
  readonly holds: readonly string[];
};

export function useViews({ account, list, holds }: ViewsOf) {
  const tell = useTell();
  const key = `doorward-views ${account} ${list}`;
  const read = () => readViews(keptText(key), holds);
  const [views, setViews] = useState(read);
  const write = (changed: readonly SavedView[]) => {
    const lasts = keepText(key, writeViews(changed));
    setViews(changed);
    if (lasts || isLossTold) return;
    isLossTold = true;
    tell('Views are not kept', 'This browser stores nothing for the console. Views last until you close it.');
  };
  /** False when there is no room for another. */
  const save = (view: SavedView): boolean => {
    const changed = withView(read(), view);
    if (changed !== null) write(changed);
    return changed !== null;
  };
  const remove = ({ name }: SavedView) => write(read().filter((each) => each.name !== name));
  return { views, save, remove };
}

/** Once for a page that was loaded: it would be the same each time. */
let isLossTold = false;
