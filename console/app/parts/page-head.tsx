// The top of a page: what it is, and what can be done here.

import { type ReactNode, useEffect } from 'react';

export function PageHead({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} – Doorward`;
  }, [title]);
  return (
    <div className="head">
      <h1>{title}</h1>
      {children}
    </div>
  );
}
