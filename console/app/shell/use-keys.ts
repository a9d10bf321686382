// Single keys: G and a letter goes to an area, ? lists them. None counts where somebody types, while a dialog
// waits for an answer, or beside Ctrl, Cmd and Alt.

import { useCallback, useEffect, useState } from 'react';
import { hrefTo, useRouter } from '../router.tsx';
import { AREA_KEYS, takesKeys } from './area-keys.ts';
import { isDialogOpen } from './is-dialog-open.ts';
import type { Area } from './pages.tsx';

export function useKeys(areas: readonly Area[]): { readonly isListed: boolean; readonly close: () => void } {
  const { go } = useRouter();
  const [isListed, setListed] = useState(false);
  useEffect(() => {
    let leaderAt = Number.NEGATIVE_INFINITY;
    const pressed = (event: KeyboardEvent) => {
      if (!isForPage(event)) return;
      const key = event.key.toLowerCase();
      const isSecond = event.timeStamp - leaderAt < PAIR_MS;
      leaderAt = key === 'g' && takesKeys() ? event.timeStamp : Number.NEGATIVE_INFINITY;
      // The list itself can be opened always: it says how keys are switched on.
      if (event.key === '?') setListed(true);
      const area = isSecond ? areas.find(({ name }) => AREA_KEYS[name] === key) : undefined;
      if (area === undefined && event.key !== '?') return;
      event.preventDefault();
      if (area !== undefined) go(hrefTo(area.name));
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [areas, go]);
  return { isListed, close: useCallback(() => setListed(false), []) };
}

function isForPage({
  target,
  ctrlKey,
  metaKey,
  altKey,
  defaultPrevented,
  isComposing,
}: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented || isComposing) return false;
  if (isDialogOpen()) return false;
  return !(target instanceof Element && target.closest(TYPED) !== null);
}

const TYPED = 'input, textarea, select, [contenteditable], [role=menu], [role=listbox]';
/** Two letters of one thought. */
const PAIR_MS = 1_500;
