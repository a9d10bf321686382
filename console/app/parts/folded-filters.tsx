// Filters that a wide page shows, and a phone keeps behind a button: what they are filters of comes first
// there.

import { type ReactNode, useId, useState } from 'react';

/** `count`: how many of them are set. */
export function FoldedFilters({ count, children }: { readonly count: number; readonly children: ReactNode }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="folded" data-open={isOpen}>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </button>
      <div id={id}>{children}</div>
    </div>
  );
}
