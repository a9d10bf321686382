// How many there are, below what they are searched by; read out when it changes.

import type { ReactNode } from 'react';

export function ListTotal({ children }: { readonly children: ReactNode }) {
  return (
    <p className="soft list-total" role="status">
      {children}
    </p>
  );
}
