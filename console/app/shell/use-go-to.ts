// Whether the field that goes to places is open. Ctrl+K or Cmd+K opens it anywhere.

import { useCallback, useEffect, useState } from 'react';
import { isDialogOpen } from './is-dialog-open.ts';

export function useGoTo(): {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
} {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
      if (key.toLowerCase() !== 'k' || !(ctrlKey || metaKey) || shiftKey || altKey) return;
      event.preventDefault();
      // A dialog that waits for an answer keeps the floor.
      if (!isDialogOpen()) setOpen(true);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  return { isOpen, open: useCallback(() => setOpen(true), []), close: useCallback(() => setOpen(false), []) };
}
