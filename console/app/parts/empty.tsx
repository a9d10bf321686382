// A place where nothing is yet: says what would be here, and how it gets there.

import type { ReactNode } from 'react';

export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
