// What is known of one thing: names and their values.

import type { ReactNode } from 'react';

export type Fact = { readonly title: string; readonly value: ReactNode };

/** Facts that are null are left out. */
export function Facts({ facts }: { readonly facts: readonly (Fact | null)[] }) {
  return (
    <dl>
      {facts.map(
        (fact) =>
          fact !== null && (
            <div key={fact.title}>
              <dt>{fact.title}</dt>
              <dd>{fact.value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
