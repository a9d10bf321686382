// Opens the field that goes to a place by its name. The field itself is loaded then.

import { Icon } from '../parts/icons.tsx';

export function GoToButton({ open }: { readonly open: () => void }) {
  return (
    <button type="button" className="go-to-button" aria-keyshortcuts="Control+K Meta+K" onClick={open}>
      <Icon name="search" />
      <span>Go to…</span> <kbd>{IS_MAC ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  );
}

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);
