// Opens the field that goes to a place by its name. The field itself is loaded then.

import { Icon } from '../parts/icons.tsx';

export function GoToButton({ open }: { readonly open: () => void }) {
  return (
    <button type="button" className="go-to-button" aria-keyshortcuts="Control+K Meta+K" onClick={open}>
      <Icon name="search" />
      <span>Go to…</span> <kbd>{GO_TO_KEYS}</kbd>
    </button>
  );
}

/** As the keyboard at hand names them. */
export const GO_TO_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';
