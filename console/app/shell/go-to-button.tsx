// Opens the field that goes to a place by its name; Ctrl+K or Cmd+K does the same anywhere. The field itself is loaded then.

import { lazy, Suspense, useEffect, useState } from 'react';
import type { ConsoleSession } from '../api/client.ts';
import { Icon } from '../parts/icons.tsx';
import { seenAreas } from './seen-areas.ts';

export function GoToButton({ session }: { readonly session: ConsoleSession }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      // A dialog that waits for an answer keeps the floor.
      if (document.querySelector('dialog[open], .dialog') === null) setOpen(true);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  return (
    <>
      <button
        type="button"
        className="go-to-button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        Go to… <kbd>{IS_MAC ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {isOpen && (
        <Suspense>
          <GoTo areas={seenAreas(session)} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

const GoTo = lazy(async () => ({ default: (await import('./go-to.tsx')).GoTo }));
const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);
