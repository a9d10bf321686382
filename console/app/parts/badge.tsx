// A state in one word; never by colour alone.

import type { ReactNode } from 'react';

export function Badge({ good, children }: { readonly good: boolean; readonly children: ReactNode }) {
  return (
    <span className="badge" data-good={good}>
      {children}
    </span>
  );
}
