// A card on a page: one thing, with its title and what can be done with it.

import { type ReactNode, useId } from 'react';

type PanelProps = {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
};

export function Panel({ title, about, actions, children }: PanelProps) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id}>{title}</h2>
          {about !== undefined && <p>{about}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
}
